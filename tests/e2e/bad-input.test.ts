import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { allTools } from '../../src/tools/index.ts';
import type { ToolName } from '../../src/tools/index.ts';
import { answerOf, expect, refOf, testWith } from '../fixtures.ts';
import type { Answer, Call, Site, TestApp } from '../fixtures.ts';

const test = testWith(['--toolset=all', '--max-sessions=1000']);

/** Arguments with which each tool does something harmless on the page below. */
const good: Readonly<Record<ToolName, Readonly<Record<string, unknown>>>> = {
  browser_navigate: { url: 'about:blank' },
  browser_navigate_back: {},
  browser_snapshot: {},
  browser_click: { ref: '#go' },
  browser_type: { ref: '#name', text: 'x' },
  browser_press_key: { key: 'a' },
  browser_hover: { ref: '#go' },
  browser_wait_for: { text: 'Words' },
  browser_handle_dialog: { accept: true },
  browser_evaluate: { function: '() => 1' },
  browser_take_screenshot: {},
  browser_console_messages: {},
  browser_tabs: { action: 'list' },
  browser_close: {},
  browser_launch: {},
  browser_quit: {},
  browser_navigate_forward: {},
  browser_reload: {},
  browser_find: { text: 'Words' },
  browser_fill_form: { fields: [{ ref: '#name', value: 'x' }] },
  browser_select_option: { ref: '#list', values: ['One'] },
  browser_check: { ref: '#box' },
  browser_uncheck: { ref: '#box' },
  browser_drag: { startRef: '#go', endRef: '#name' },
  browser_drop: { ref: '#go', data: { 'text/plain': 'x' } },
  browser_scroll: {},
  browser_scroll_into_view: { ref: '#go' },
  browser_file_upload: { paths: ['upload.txt'] },
  browser_pdf_save: {},
  browser_network_requests: {},
  browser_network_request: { index: 1 },
  browser_resize: { width: 800, height: 600 },
  browser_emulate_media: { colorScheme: 'dark' },
  browser_install: {},
  browser_context_create: { name: 'other' },
  browser_context_switch: { name: 'default' },
  browser_context_list: {},
  browser_context_close: { name: 'spare' },
  browser_context_save_storage: { path: 'state.json' },
  create_session: {},
  close_session: { sessionId: 'spare' },
  list_sessions: {},
  browser_mouse_click_xy: { x: 1, y: 1 },
  browser_mouse_move_xy: { x: 1, y: 1 },
  browser_mouse_drag_xy: { startX: 1, startY: 1, endX: 2, endY: 2 },
  browser_mouse_down: {},
  browser_mouse_up: {},
  browser_mouse_wheel: { deltaY: 1 },
  wait_for_load: {},
  wait_for_selector: { selector: '#go' },
  find_element: { selector: '#go' },
  find_elements: { selector: '#go' },
  element_exists: { selector: '#go' },
  is_visible: { selector: '#go' },
  is_enabled: { selector: '#go' },
  get_text: { selector: '#go' },
  get_all_text: { selector: '#go' },
  get_attribute: { selector: '#go', attribute: 'id' },
  get_value: { selector: '#name' },
  extract_table: { selector: 'table' },
  extract_links: {},
  get_page_metadata: {},
  get_cookies: {},
  set_cookies: { cookies: [{ name: 'a', value: 'b' }] },
  save_state: { sessionId: 'default' },
  restore_state: { sessionId: 'default', state: { cookies: [], origins: [] } },
  block_resource: { resourceType: 'media' },
  mock_response: { url: '/mocked', response: { status: 200 } },
  set_offline: { offline: false },
  set_throttling: { downloadSpeed: 0, uploadSpeed: 0, latency: 0 },
  get_request_log: {},
};

/** Tools without arguments. */
type Bare = 'browser_quit' | 'browser_install' | 'browser_context_list' | 'list_sessions' | 'get_page_metadata';

/** An argument of each tool that cannot be an object. */
const wrongTyped: Readonly<Record<Exclude<ToolName, Bare | 'restore_state'>, string>> = {
  browser_navigate: 'url',
  browser_navigate_back: 'timeout',
  browser_snapshot: 'depth',
  browser_click: 'ref',
  browser_type: 'text',
  browser_press_key: 'key',
  browser_hover: 'ref',
  browser_wait_for: 'time',
  browser_handle_dialog: 'accept',
  browser_evaluate: 'function',
  browser_take_screenshot: 'fullPage',
  browser_console_messages: 'level',
  browser_tabs: 'action',
  browser_close: 'all',
  browser_launch: 'headless',
  browser_navigate_forward: 'timeout',
  browser_reload: 'timeout',
  browser_find: 'text',
  browser_fill_form: 'fields',
  browser_select_option: 'values',
  browser_check: 'ref',
  browser_uncheck: 'ref',
  browser_drag: 'startRef',
  browser_drop: 'paths',
  browser_scroll: 'y',
  browser_scroll_into_view: 'ref',
  browser_file_upload: 'paths',
  browser_pdf_save: 'filename',
  browser_network_requests: 'filter',
  browser_network_request: 'index',
  browser_resize: 'width',
  browser_emulate_media: 'colorScheme',
  browser_context_create: 'name',
  browser_context_switch: 'name',
  browser_context_close: 'name',
  browser_context_save_storage: 'path',
  create_session: 'userAgent',
  close_session: 'sessionId',
  browser_mouse_click_xy: 'x',
  browser_mouse_move_xy: 'x',
  browser_mouse_drag_xy: 'startX',
  browser_mouse_down: 'button',
  browser_mouse_up: 'button',
  browser_mouse_wheel: 'deltaY',
  wait_for_load: 'state',
  wait_for_selector: 'selector',
  find_element: 'selector',
  find_elements: 'selector',
  element_exists: 'selector',
  is_visible: 'selector',
  is_enabled: 'selector',
  get_text: 'selector',
  get_all_text: 'selector',
  get_attribute: 'attribute',
  get_value: 'selector',
  extract_table: 'selector',
  extract_links: 'selector',
  get_cookies: 'urls',
  set_cookies: 'cookies',
  save_state: 'path',
  block_resource: 'resourceType',
  mock_response: 'url',
  set_offline: 'offline',
  set_throttling: 'latency',
  get_request_log: 'filter',
};

/** An argument as a careless model may write it, and as it is called. */
const misspelt: Readonly<Record<Exclude<ToolName, Bare>, readonly [string, string]>> = {
  browser_navigate: ['urll', 'url'],
  browser_navigate_back: ['timout', 'timeout'],
  browser_snapshot: ['dept', 'depth'],
  browser_click: ['double_clik', 'doubleClick'],
  browser_type: ['textt', 'text'],
  browser_press_key: ['kye', 'key'],
  browser_hover: ['selectr', 'selector'],
  browser_wait_for: ['text_gon', 'textGone'],
  browser_handle_dialog: ['acept', 'accept'],
  browser_evaluate: ['functoin', 'function'],
  browser_take_screenshot: ['ful_page', 'fullPage'],
  browser_console_messages: ['levl', 'level'],
  browser_tabs: ['acton', 'action'],
  browser_close: ['al', 'all'],
  browser_launch: ['headles', 'headless'],
  browser_navigate_forward: ['timout', 'timeout'],
  browser_reload: ['timout', 'timeout'],
  browser_find: ['txt', 'text'],
  browser_fill_form: ['field', 'fields'],
  browser_select_option: ['valuse', 'values'],
  browser_check: ['selectr', 'selector'],
  browser_uncheck: ['selectr', 'selector'],
  browser_drag: ['start_reff', 'startRef'],
  browser_drop: ['path', 'paths'],
  browser_scroll: ['untill', 'until'],
  browser_scroll_into_view: ['selectr', 'selector'],
  browser_file_upload: ['path', 'paths'],
  browser_pdf_save: ['filenam', 'filename'],
  browser_network_requests: ['filtr', 'filter'],
  browser_network_request: ['indx', 'index'],
  browser_resize: ['widht', 'width'],
  browser_emulate_media: ['color_schem', 'colorScheme'],
  browser_context_create: ['storage_stat', 'storageState'],
  browser_context_switch: ['nam', 'name'],
  browser_context_close: ['nam', 'name'],
  browser_context_save_storage: ['pth', 'path'],
  create_session: ['user_agnt', 'userAgent'],
  close_session: ['session', 'sessionId'],
  browser_mouse_click_xy: ['buton', 'button'],
  browser_mouse_move_xy: ['xx', 'x'],
  browser_mouse_drag_xy: ['start_xx', 'startX'],
  browser_mouse_down: ['buton', 'button'],
  browser_mouse_up: ['buton', 'button'],
  browser_mouse_wheel: ['delta_yy', 'deltaY'],
  wait_for_load: ['stat', 'state'],
  wait_for_selector: ['selectr', 'selector'],
  find_element: ['selectr', 'selector'],
  find_elements: ['selectr', 'selector'],
  element_exists: ['selectr', 'selector'],
  is_visible: ['selectr', 'selector'],
  is_enabled: ['selectr', 'selector'],
  get_text: ['selectr', 'selector'],
  get_all_text: ['selectr', 'selector'],
  get_attribute: ['atribute', 'attribute'],
  get_value: ['selectr', 'selector'],
  extract_table: ['selectr', 'selector'],
  extract_links: ['selectr', 'selector'],
  get_cookies: ['urlz', 'urls'],
  set_cookies: ['cookis', 'cookies'],
  save_state: ['pth', 'path'],
  restore_state: ['stat', 'state'],
  block_resource: ['resource_typ', 'resourceType'],
  mock_response: ['respons', 'response'],
  set_offline: ['ofline', 'offline'],
  set_throttling: ['latncy', 'latency'],
  get_request_log: ['filtr', 'filter'],
};

const required: readonly (readonly [ToolName, string, string])[] = [
  ['browser_navigate', 'url', 'Missing argument "url" (a string).'],
  ['browser_type', 'text', 'Missing argument "text" (a string).'],
  ['browser_press_key', 'key', 'Missing argument "key" (a string).'],
  ['browser_handle_dialog', 'accept', 'Missing argument "accept" (a boolean).'],
  ['browser_evaluate', 'function', 'Missing argument "function" (a string).'],
  ['browser_tabs', 'action', 'Missing argument "action" (one of list, new, close, select).'],
  ['browser_fill_form', 'fields', 'Missing argument "fields" (an array).'],
  ['browser_select_option', 'values', 'Missing argument "values" (an array).'],
  ['browser_drag', 'endRef', 'Missing argument "endRef" (a string).'],
  ['browser_resize', 'height', 'Missing argument "height" (a number).'],
  ['browser_network_request', 'index', 'Missing argument "index" (a number).'],
  ['browser_context_create', 'name', 'Missing argument "name" (a string).'],
  ['browser_context_save_storage', 'path', 'Missing argument "path" (a string).'],
  ['close_session', 'sessionId', 'Missing argument "sessionId" (a string).'],
  ['browser_mouse_click_xy', 'y', 'Missing argument "y" (a number).'],
];

const names = allTools.map((tool) => tool.name);

function goodOf(name: string): Readonly<Record<string, unknown>> {
  const known = names.find((each) => each === name);
  return known === undefined ? {} : good[known];
}

const elementTools = [
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

async function openPage(site: Site, call: Call): Promise<string> {
  site.set(
    '/',
    '<title>Page</title><button id="go" ondragover="event.preventDefault()">Go</button><button>Twice</button><input id="name"><p>Words</p>' +
      '<select id="list"><option>One</option></select><input type="checkbox" id="box"><input type="file"><table><tr><td>1</td></tr></table>',
  );
  return (await call('browser_navigate', { url: site.url('/') })).text;
}

/** What some tools need before they have something to do. */
async function prepare(name: ToolName, server: TestApp, call: Call): Promise<void> {
  if (name === 'browser_navigate_forward') await call('browser_navigate_back');
  if (name === 'browser_file_upload') await writeFile(join(server.folder, 'upload.txt'), 'x');
  if (name === 'browser_context_close' || name === 'close_session')
    await call('browser_context_create', { name: 'spare' });
}

/** Some tools answer with plain sentences. */
function errorText(answer: Answer): string {
  return answer.section('Error') ?? answer.text;
}

/** A coded error with a next step, in text and as data. */
function expectCoded(answer: Answer, kind: string, because: string): void {
  expect(answer.isError, because).toBe(true);
  expect(errorText(answer), because).toMatch(/^(?:\[[A-Z_]+\] .+\n[A-Z].+|Error [a-z ]+: .+\nHint: [A-Z].+)$/s);
  expect(answer.kind, because).toBe(kind);
  expect(answer.structured, because).toMatchObject({
    success: false,
    errorCode: expect.stringMatching(/^[A-Z_]+$/),
    error: {
      code: expect.stringMatching(/^[A-Z_]+$/),
      retryable: expect.any(Boolean),
      suggestion: expect.stringMatching(/^[A-Z]/),
    },
  });
}

test.for(names)(
  '[S0-07] %s works with good arguments, so that the tests below prove something',
  async (name, { site, server, call, callRaw }) => {
    await openPage(site, call);
    await call('browser_navigate', { url: site.url('/?again') });
    await prepare(name, server, call);
    expect((await callRaw(name, good[name])).isError).toBe(false);
  },
);

test.for(required)('[R-33, R-10] %s without %s names it', async ([name, key, sentence], { callRaw }) => {
  const { [key]: _missing, ...rest } = good[name];
  const answer = await callRaw(name, rest);
  expectCoded(answer, 'MISSING_PARAMETER', name);
  expect(answer.section('Error')).toMatch(
    /^\[MISSING_PARAMETER\] .* Accepted arguments: .*\.\nCorrect the arguments and call again\.$/,
  );
  expect(answer.section('Error')).toContain(sentence);
});

test.for(Object.entries(wrongTyped))(
  '[R-33] %s whose argument %s has the wrong type names it',
  async ([name, key], { callRaw }) => {
    const answer = await callRaw(name, { ...goodOf(name), [key]: { not: 'this' } });
    expectCoded(answer, 'MISSING_PARAMETER', name);
    expect(errorText(answer)).toMatch(
      new RegExp(`Argument "${key}" must be (an?|one of) .*, not (an object|\\{"not":"this"\\})\\.`),
    );
  },
);

test.for(Object.entries(misspelt))(
  '[R-33] %s with a misspelt argument names the nearest one',
  async ([name, words], { callRaw }) => {
    const [given, meant] = words;
    const answer = await callRaw(name, { ...goodOf(name), [given]: 'x' });
    expectCoded(answer, 'MISSING_PARAMETER', name);
    expect(errorText(answer)).toContain(`Unknown argument "${given}": did you mean "${meant}"?`);
  },
);

test.for(names)(
  '[R-33] %s ignores an argument it does not know, and says so',
  async (name, { site, server, call, callRaw }) => {
    await openPage(site, call);
    await call('browser_navigate', { url: site.url('/?again') });
    await prepare(name, server, call);
    const answer = await callRaw(name, { ...good[name], zzzzzzzzzz: 1 });
    expect(answer.isError).toBe(false);
    expect(answer.text.replaceAll('\\"', '"')).toContain('Ignored the unknown argument "zzzzzzzzzz". Accepted: ');
  },
);

test.for(names)('[R-33] %s with arguments that are not an object says so', async (name, { server }) => {
  for (const args of ['text', 7, true, ['list']]) {
    const answer = answerOf(await server.app.call({ name, args, driver: 'careless' }));
    expectCoded(answer, 'MISSING_PARAMETER', name);
    expect(errorText(answer)).toMatch(
      /^[^:\n]* The arguments must be an object\.\n|: The arguments must be an object\.\n/,
    );
  }
});

test.for(names)('%s takes no harm from hostile keys', async (name, { callRaw }) => {
  const hostile: unknown = JSON.parse(
    '{"__proto__": {"polluted": true}, "constructor": {"prototype": {"polluted": true}}, "toString": 1}',
  );
  const answer = await callRaw(name, hostile);
  expect(answer.text).toMatch(/^(?:### |Error |Browser |\{"success":)/);
  expect(Reflect.get({}, 'polluted')).toBeUndefined();
});

test.for(elementTools)('[S2-119] %s with a ref that was never shown', async (name, { site, call, callRaw }) => {
  await openPage(site, call);
  for (const ref of ['e99999999', 'f9e9', 'c0p0f0e99999999', 'default:e99999999']) {
    expectCoded(await callRaw(name, { ...good[name], ref }), 'REF_NOT_FOUND', ref);
  }
});

test.for(elementTools)('[S2-120] %s with a ref whose element is gone', async (name, { site, call, callRaw }) => {
  const ref = refOf(await openPage(site, call), 'button', 'Go');
  await call('browser_evaluate', { function: '() => document.querySelector("#go").remove()' });
  expectCoded(await callRaw(name, { ...good[name], ref }), 'STALE_REF', name);
  expect((await call('browser_snapshot')).isError).toBe(false);
});

test.for(elementTools)('[R-28] %s with a selector that cannot be parsed', async (name, { site, call, callRaw }) => {
  await openPage(site, call);
  const { ref: _ref, ...rest } = good[name];
  for (const selector of [
    '###',
    '',
    '   ',
    'x'.repeat(1_000_000),
    'no-such-engine=x',
    '//[',
    'xpath=//[',
    'button:no-such-pseudo(',
    'internal:role=[',
  ]) {
    const answer = await callRaw(name, { ...rest, selector });
    expectCoded(answer, 'INVALID_SELECTOR', selector.slice(0, 40));
    expect(answer.text.length).toBeLessThan(2000);
  }
  expect((await call('browser_snapshot')).isError).toBe(false);
});

test.for(elementTools)(
  '[R-28] %s with a selector that matches more than one element',
  async (name, { site, call, callRaw }) => {
    await openPage(site, call);
    const { ref: _ref, ...rest } = good[name];
    const answer = await callRaw(name, { ...rest, selector: 'button' });
    expectCoded(answer, 'AMBIGUOUS_SELECTOR', name);
    expect(errorText(answer)).toContain('The selector "button" matches 2 elements.');
  },
);

test.for(['browser_click', 'browser_hover', 'browser_type'] as const)(
  '[R-28] %s with a selector that matches nothing',
  async (name, { site, call, callRaw }) => {
    await openPage(site, call);
    const { ref: _ref, ...rest } = good[name];
    const answer = await callRaw(name, { ...rest, selector: '#nothing', timeout: 300 });
    expectCoded(answer, 'ELEMENT_NOT_FOUND', name);
    expect(errorText(answer)).toContain('No element found matching selector "#nothing"');
  },
);

test('a ref cannot smuggle in a selector engine of the server', async ({ site, call }) => {
  await openPage(site, call);
  for (const target of ['aria-ref=e1', 'helm=state']) {
    const answer = await call('browser_click', { target, timeout: 500 });
    expect(answer.isError, target).toBe(true);
    expect(answer.kind, target).not.toBe('INTERNAL_ERROR');
  }
});

test.for([
  ['file:///etc/passwd', 'SCHEME_BLOCKED'],
  ['view-source:file:///etc/passwd', 'SCHEME_BLOCKED'],
  ['chrome://crash', 'SCHEME_BLOCKED'],
  ['javascript:alert(1)', 'SCHEME_BLOCKED'],
  ['blob:null/x', 'SCHEME_BLOCKED'],
  ['ftp://127.0.0.1/', 'SCHEME_BLOCKED'],
  ['http://169.254.169.254/', 'URL_BLOCKED'],
  ['', 'INVALID_URL'],
  ['http://', 'INVALID_URL'],
  ['//evil', 'INVALID_URL'],
] as const)('%s is not opened by browser_navigate or browser_tabs: %s', async ([url, kind], { site, call }) => {
  await openPage(site, call);
  const navigated = await call('browser_navigate', { url });
  expectCoded(navigated, kind, url);
  expectCoded(await call('browser_tabs', { action: 'new', url }), kind, url);
  const after = await call('browser_snapshot');
  expect(after.section('Page')).toBe(`- Page URL: ${site.url('/')}\n- Page Title: Page`);
  expect(after.section('Open tabs')).toBeUndefined();
});

test('a refused URL says what would be opened', async ({ call }) => {
  expect((await call('browser_navigate', { url: 'file:///etc/passwd' })).text).toBe(
    '### Error\n[SCHEME_BLOCKED] "file:///etc/passwd" was not opened: file: URLs are not allowed.\n' +
      'Open an http, https, data or about:blank URL.',
  );
});

test('[R-34] numbers and booleans written as text, and one item for a list, are taken as meant', async ({
  site,
  call,
  callRaw,
}) => {
  await openPage(site, call);
  expect((await callRaw('browser_wait_for', { time: '0.01' })).section('Result')).toContain('Waited 0.01 seconds.');
  expect((await callRaw('browser_click', { ref: '#go', doubleClick: 'true' })).text).toContain('.dblclick()');
  expect((await callRaw('browser_click', { ref: '#go', modifiers: 'Shift' })).text).toContain("modifiers: ['Shift']");
  expect((await callRaw('browser_click', { ref: '#go', modifiers: '["Shift","Alt"]' })).text).toContain(
    "['Shift', 'Alt']",
  );
  expect((await callRaw('browser_type', { ref: '#name', text: 42 })).section('Result')).toContain('Text: 42');
  expect((await callRaw('browser_click', { ref: '#go', button: null })).isError).toBe(false);
});
