import type { Config } from '../config/schema.ts';
import { nearest } from '../util/nearest.ts';

/** What the policy needs to know of a tool. */
interface ToolFacts {
  readonly name: string;
  readonly effect: string;
}

export interface ToolChoice<T> {
  readonly tools: readonly T[];
  readonly warnings: readonly string[];
}

type Toolset = Config['toolsets'][number];

/** The 27 tools that are always there, unless an operator chooses a set without them. */
const viewpoint = [
  'browser_navigate',
  'browser_navigate_back',
  'browser_click',
  'browser_type',
  'browser_fill_form',
  'browser_hover',
  'browser_drag',
  'browser_select_option',
  'browser_press_key',
  'browser_file_upload',
  'browser_snapshot',
  'browser_take_screenshot',
  'browser_console_messages',
  'browser_network_requests',
  'browser_evaluate',
  'browser_wait_for',
  'browser_handle_dialog',
  'browser_close',
  'browser_resize',
  'browser_tabs',
  'browser_install',
  'browser_context_create',
  'browser_context_switch',
  'browser_context_list',
  'browser_context_close',
  'browser_context_save_storage',
  'browser_scroll_into_view',
];

const further = [
  'browser_find',
  'browser_batch',
  'browser_read',
  'browser_scroll',
  'create_session',
  'close_session',
  'list_sessions',
];

/** What @playwright/mcp lists without capabilities, but for the tool that runs code in the server. */
const playwright = [
  'browser_click',
  'browser_close',
  'browser_console_messages',
  'browser_drag',
  'browser_drop',
  'browser_emulate_media',
  'browser_evaluate',
  'browser_file_upload',
  'browser_fill_form',
  'browser_find',
  'browser_handle_dialog',
  'browser_hover',
  'browser_navigate',
  'browser_navigate_back',
  'browser_network_request',
  'browser_network_requests',
  'browser_press_key',
  'browser_resize',
  'browser_select_option',
  'browser_snapshot',
  'browser_tabs',
  'browser_take_screenshot',
  'browser_type',
  'browser_wait_for',
];

/** Which names a set holds; `all` is every tool there is. Sets whose tools do not exist yet are not here. */
const toolsets: Readonly<Partial<Record<Toolset, readonly string[]>>> = {
  core: [...viewpoint, ...further],
  viewpoint,
  playwright,
};

/** Tools that come only with a capability, whatever the set. */
const capabilities: Readonly<Partial<Record<Config['capabilities'][number], readonly string[]>>> = {
  vision: [
    'browser_mouse_click_xy',
    'browser_mouse_down',
    'browser_mouse_drag_xy',
    'browser_mouse_move_xy',
    'browser_mouse_up',
    'browser_mouse_wheel',
  ],
  pdf: ['browser_pdf_save'],
};

/** The tools a server offers: fixed at start-up, sorted by name. */
export function chooseTools<T extends ToolFacts>(
  all: readonly T[],
  config: Pick<Config, 'toolsets' | 'capabilities' | 'enableTools' | 'disableTools' | 'readOnly' | 'security'>,
): ToolChoice<T> {
  const names = all.map((tool) => tool.name);
  const warnings: string[] = [];
  const wanted = new Set(config.enableTools);
  for (const set of config.toolsets) {
    const members = set === 'all' ? names : toolsets[set];
    if (members === undefined) warnings.push(`The toolset "${set}" has no tools in this version.`);
    for (const name of members ?? []) wanted.add(name);
  }
  for (const name of config.capabilities.flatMap((capability) => capabilities[capability] ?? [])) wanted.add(name);
  for (const name of [...config.enableTools, ...config.disableTools]) {
    if (names.includes(name)) continue;
    const near = nearest(name, names);
    warnings.push(`There is no tool "${name}".${near === undefined ? '' : ` Did you mean "${near}"?`}`);
  }
  const refused = new Set(config.disableTools);
  if (!config.security.enableScriptEvaluation) refused.add('browser_evaluate');
  if (!config.security.enableFileUpload) for (const name of ['browser_file_upload', 'browser_drop']) refused.add(name);
  const tools = all.filter((tool) => {
    if (!wanted.has(tool.name) || refused.has(tool.name)) return false;
    return !config.readOnly || tool.effect === 'read' || tool.effect === 'navigate';
  });
  return { tools: tools.sort((a, b) => (a.name < b.name ? -1 : 1)), warnings };
}
