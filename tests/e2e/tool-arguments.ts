import type { ToolArgs, ToolName } from '../../src/tools/all.ts';

interface Row<Argument> {
  /** Valid arguments with a harmless effect on the test page. */
  readonly good: Readonly<Record<string, unknown>>;
  /** An argument that does not accept an object. */
  readonly wrongTyped: Argument;
  /** A misspelled argument and its correct name. */
  readonly misspelt: readonly [given: string, meant: Argument];
}

/** Tools without arguments have none to get wrong. */
type RowOf<N extends ToolName> = string extends keyof ToolArgs<N> ? Pick<Row<never>, 'good'> : Row<keyof ToolArgs<N>>;

/** Valid and invalid arguments for every tool. */
export const toolArguments: { readonly [N in ToolName]: RowOf<N> } = {
  browser_navigate: { good: { url: 'about:blank' }, wrongTyped: 'url', misspelt: ['urll', 'url'] },
  browser_navigate_back: { good: {}, wrongTyped: 'timeout', misspelt: ['timout', 'timeout'] },
  browser_snapshot: { good: {}, wrongTyped: 'depth', misspelt: ['dept', 'depth'] },
  browser_click: { good: { ref: '#go' }, wrongTyped: 'ref', misspelt: ['double_clik', 'doubleClick'] },
  browser_type: { good: { ref: '#name', text: 'x' }, wrongTyped: 'text', misspelt: ['textt', 'text'] },
  browser_press_key: { good: { key: 'a' }, wrongTyped: 'key', misspelt: ['kye', 'key'] },
  browser_hover: { good: { ref: '#go' }, wrongTyped: 'ref', misspelt: ['selectr', 'selector'] },
  browser_wait_for: { good: { text: 'Words' }, wrongTyped: 'time', misspelt: ['text_gon', 'textGone'] },
  browser_handle_dialog: { good: { accept: true }, wrongTyped: 'accept', misspelt: ['acept', 'accept'] },
  browser_evaluate: { good: { function: '() => 1' }, wrongTyped: 'function', misspelt: ['functoin', 'function'] },
  browser_take_screenshot: { good: {}, wrongTyped: 'fullPage', misspelt: ['ful_page', 'fullPage'] },
  browser_compare_screenshot: {
    good: { baseline: 'table' },
    wrongTyped: 'baseline',
    misspelt: ['baselin', 'baseline'],
  },
  browser_console_messages: { good: {}, wrongTyped: 'level', misspelt: ['levl', 'level'] },
  browser_tabs: { good: { action: 'list' }, wrongTyped: 'action', misspelt: ['acton', 'action'] },
  browser_close: { good: {}, wrongTyped: 'all', misspelt: ['al', 'all'] },
  browser_launch: { good: {}, wrongTyped: 'headless', misspelt: ['headles', 'headless'] },
  browser_quit: { good: {} },
  browser_navigate_forward: { good: {}, wrongTyped: 'timeout', misspelt: ['timout', 'timeout'] },
  browser_reload: { good: {}, wrongTyped: 'timeout', misspelt: ['timout', 'timeout'] },
  browser_find: { good: { text: 'Words' }, wrongTyped: 'text', misspelt: ['txt', 'text'] },
  browser_fill_form: {
    good: { fields: [{ ref: '#name', value: 'x' }] },
    wrongTyped: 'fields',
    misspelt: ['field', 'fields'],
  },
  browser_select_option: {
    good: { ref: '#list', values: ['One'] },
    wrongTyped: 'values',
    misspelt: ['valuse', 'values'],
  },
  browser_check: { good: { ref: '#box' }, wrongTyped: 'ref', misspelt: ['selectr', 'selector'] },
  browser_uncheck: { good: { ref: '#box' }, wrongTyped: 'ref', misspelt: ['selectr', 'selector'] },
  browser_drag: {
    good: { startRef: '#go', endRef: '#name' },
    wrongTyped: 'startRef',
    misspelt: ['start_reff', 'startRef'],
  },
  browser_drop: { good: { ref: '#go', data: { 'text/plain': 'x' } }, wrongTyped: 'paths', misspelt: ['path', 'paths'] },
  browser_select_text: { good: {}, wrongTyped: 'text', misspelt: ['txt', 'text'] },
  browser_scroll: { good: {}, wrongTyped: 'y', misspelt: ['untill', 'until'] },
  browser_scroll_into_view: { good: { ref: '#go' }, wrongTyped: 'ref', misspelt: ['selectr', 'selector'] },
  browser_file_upload: { good: { paths: ['upload.txt'] }, wrongTyped: 'paths', misspelt: ['path', 'paths'] },
  browser_pdf_save: { good: {}, wrongTyped: 'filename', misspelt: ['filenam', 'filename'] },
  browser_network_requests: { good: {}, wrongTyped: 'filter', misspelt: ['filtr', 'filter'] },
  browser_network_request: { good: { index: 1 }, wrongTyped: 'index', misspelt: ['indx', 'index'] },
  browser_resize: { good: { width: 800, height: 600 }, wrongTyped: 'width', misspelt: ['widht', 'width'] },
  browser_emulate_media: {
    good: { colorScheme: 'dark' },
    wrongTyped: 'colorScheme',
    misspelt: ['color_schem', 'colorScheme'],
  },
  browser_install: { good: {} },
  browser_context_create: { good: { name: 'other' }, wrongTyped: 'name', misspelt: ['storage_stat', 'storageState'] },
  browser_context_switch: { good: { name: 'default' }, wrongTyped: 'name', misspelt: ['nam', 'name'] },
  browser_context_list: { good: {} },
  browser_context_close: { good: { name: 'spare' }, wrongTyped: 'name', misspelt: ['nam', 'name'] },
  browser_context_save_storage: { good: { path: 'state.json' }, wrongTyped: 'path', misspelt: ['pth', 'path'] },
  create_session: { good: {}, wrongTyped: 'userAgent', misspelt: ['user_agnt', 'userAgent'] },
  close_session: { good: { sessionId: 'spare' }, wrongTyped: 'sessionId', misspelt: ['session', 'sessionId'] },
  list_sessions: { good: {} },
  browser_mouse_click_xy: { good: { x: 1, y: 1 }, wrongTyped: 'x', misspelt: ['buton', 'button'] },
  browser_mouse_move_xy: { good: { x: 1, y: 1 }, wrongTyped: 'x', misspelt: ['xx', 'x'] },
  browser_mouse_drag_xy: {
    good: { startX: 1, startY: 1, endX: 2, endY: 2 },
    wrongTyped: 'startX',
    misspelt: ['start_xx', 'startX'],
  },
  browser_mouse_down: { good: {}, wrongTyped: 'button', misspelt: ['buton', 'button'] },
  browser_mouse_up: { good: {}, wrongTyped: 'button', misspelt: ['buton', 'button'] },
  browser_mouse_wheel: { good: { deltaY: 1 }, wrongTyped: 'deltaY', misspelt: ['delta_yy', 'deltaY'] },
  wait_for_load: { good: {}, wrongTyped: 'state', misspelt: ['stat', 'state'] },
  wait_for_selector: { good: { selector: '#go' }, wrongTyped: 'selector', misspelt: ['selectr', 'selector'] },
  find_element: { good: { selector: '#go' }, wrongTyped: 'selector', misspelt: ['selectr', 'selector'] },
  find_elements: { good: { selector: '#go' }, wrongTyped: 'selector', misspelt: ['selectr', 'selector'] },
  element_exists: { good: { selector: '#go' }, wrongTyped: 'selector', misspelt: ['selectr', 'selector'] },
  is_visible: { good: { selector: '#go' }, wrongTyped: 'selector', misspelt: ['selectr', 'selector'] },
  is_enabled: { good: { selector: '#go' }, wrongTyped: 'selector', misspelt: ['selectr', 'selector'] },
  get_text: { good: { selector: '#go' }, wrongTyped: 'selector', misspelt: ['selectr', 'selector'] },
  get_all_text: { good: { selector: '#go' }, wrongTyped: 'selector', misspelt: ['selectr', 'selector'] },
  get_attribute: {
    good: { selector: '#go', attribute: 'id' },
    wrongTyped: 'attribute',
    misspelt: ['atribute', 'attribute'],
  },
  get_value: { good: { selector: '#name' }, wrongTyped: 'selector', misspelt: ['selectr', 'selector'] },
  extract_table: { good: { selector: 'table' }, wrongTyped: 'selector', misspelt: ['selectr', 'selector'] },
  extract_links: { good: {}, wrongTyped: 'selector', misspelt: ['selectr', 'selector'] },
  get_page_metadata: { good: {} },
  get_cookies: { good: {}, wrongTyped: 'urls', misspelt: ['urlz', 'urls'] },
  set_cookies: {
    good: { cookies: [{ name: 'a', value: 'b' }] },
    wrongTyped: 'cookies',
    misspelt: ['cookis', 'cookies'],
  },
  save_state: { good: { sessionId: 'default' }, wrongTyped: 'path', misspelt: ['pth', 'path'] },
  restore_state: {
    good: { sessionId: 'default', state: { cookies: [], origins: [] } },
    wrongTyped: 'sessionId',
    misspelt: ['stat', 'state'],
  },
  block_resource: {
    good: { resourceType: 'media' },
    wrongTyped: 'resourceType',
    misspelt: ['resource_typ', 'resourceType'],
  },
  mock_response: {
    good: { url: '/mocked', response: { status: 200 } },
    wrongTyped: 'url',
    misspelt: ['respons', 'response'],
  },
  set_offline: { good: { offline: false }, wrongTyped: 'offline', misspelt: ['ofline', 'offline'] },
  set_throttling: {
    good: { downloadSpeed: 0, uploadSpeed: 0, latency: 0 },
    wrongTyped: 'latency',
    misspelt: ['latncy', 'latency'],
  },
  get_request_log: { good: {}, wrongTyped: 'filter', misspelt: ['filtr', 'filter'] },
};

/** The message for a missing required argument. */
export const requiredArguments: readonly (readonly [ToolName, string, string])[] = [
  ['browser_navigate', 'url', 'Missing argument "url" (a string).'],
  ['browser_type', 'text', 'Missing argument "text" (a string).'],
  ['browser_press_key', 'key', 'Missing argument "key" (a string).'],
  ['browser_handle_dialog', 'accept', 'Missing argument "accept" (a boolean).'],
  ['browser_evaluate', 'function', 'Missing argument "function" (a string).'],
  ['browser_tabs', 'action', 'Missing argument "action" (one of list, new, close, select).'],
  ['browser_fill_form', 'fields', 'Missing argument "fields" (an array).'],
  ['browser_select_option', 'values', 'Missing argument "values" (an array).'],
  ['browser_drag', 'endRef', 'Missing argument "endRef", or a distance as x and y.'],
  ['browser_resize', 'height', 'Missing argument "height" (a number).'],
  ['browser_network_request', 'index', 'Missing argument "index" (a number).'],
  ['browser_context_create', 'name', 'Missing argument "name" (a string).'],
  ['browser_context_save_storage', 'path', 'Missing argument "path" (a string).'],
  ['close_session', 'sessionId', 'Missing argument "sessionId" (a string).'],
  ['browser_mouse_click_xy', 'y', 'Missing argument "y" (a number).'],
];

/** Tools that take an element. */
export const elementTools = [
  'browser_click',
  'browser_hover',
  'browser_type',
  'browser_evaluate',
  'browser_snapshot',
  'browser_take_screenshot',
  'browser_select_option',
  'browser_check',
  'browser_uncheck',
  'browser_drop',
  'browser_scroll_into_view',
] as const;
