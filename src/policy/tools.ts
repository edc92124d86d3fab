import type { Config } from '../config/schema/schema.ts';
import { nearest } from '../util/nearest.ts';

/** What the policy needs to know of a tool. */
interface ToolFacts {
  readonly name: string;
  /** The tool that does it; itself, unless it is a further name. */
  readonly does: string;
  readonly effect: string;
}

export interface ToolChoice<T> {
  /** Those in the list. */
  readonly tools: readonly T[];
  /** Those that can be called besides. */
  readonly unlisted: readonly T[];
  readonly warnings: readonly string[];
}

type Toolset = Config['toolsets'][number];

/** Sets that are lists of tools in words of their own. */
export type Vocabularies<T> = Readonly<Partial<Record<Toolset, readonly T[]>>>;

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

/** Sets of our own tools. The others are vocabularies: lists of tools in words of their own, which are handed in. */
const toolsets: Readonly<Partial<Record<Toolset, readonly string[]>>> = {
  core: [...viewpoint, ...further],
  viewpoint,
};

/** Names of other sets that are understood beside `core`. They are not listed: two names for one thing confuse a model. */
const understood = ['navigate', 'click', 'type', 'browser_launch', 'browser_screenshot', 'browser_quit'];

/** Whether the start needs the vocabularies: a set is one, or names of tools are to be checked against all there are. */
export function needsVocabularies({ toolsets: sets, enableTools, disableTools }: Choice): boolean {
  return sets.some((set) => toolsets[set] === undefined) || enableTools.length + disableTools.length > 0;
}

/** Whether a name that is not there yet may come with a vocabulary. */
export function isUnderstood(name: string): boolean {
  return understood.includes(name);
}

/** What an operator's switch takes away, under whatever name. */
const uploads = ['browser_file_upload', 'browser_drop'];

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

type Choice = Pick<Config, 'toolsets' | 'capabilities' | 'enableTools' | 'disableTools' | 'readOnly' | 'security'>;

/**
 * The tools a server offers: fixed at start-up, sorted by name. Where two sets have one name, the one that is named first
 * says how it looks.
 */
export function chooseTools<T extends ToolFacts>(
  own: readonly T[],
  config: Choice,
  vocabularies: Vocabularies<T> = {},
): ToolChoice<T> {
  const { design = [], sessions = [], basic = [] } = vocabularies;
  const every = unique([...own, ...design, ...sessions, ...basic]);
  const named = (names: readonly string[], among: readonly T[]): readonly T[] =>
    names.flatMap((name) => among.find((tool) => tool.name === name) ?? []);
  const membersOf = (set: Toolset): readonly T[] =>
    set === 'all' ? every : (vocabularies[set] ?? named(toolsets[set] ?? [], own));
  const capable = config.capabilities.flatMap((capability) => capabilities[capability] ?? []);
  const wanted = unique([
    ...config.toolsets.flatMap(membersOf),
    ...named([...capable, ...config.enableTools], every),
  ]).filter(permitted(config));
  // The shortest specification that has a name says what it means when nothing else does.
  const further = config.toolsets.includes('core') ? named(understood, unique([...basic, ...sessions])) : [];
  return {
    tools: wanted.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    unlisted: unique([...wanted, ...further.filter(permitted(config))]).slice(wanted.length),
    warnings: unknownNames(
      [...config.enableTools, ...config.disableTools],
      every.map((tool) => tool.name),
    ),
  };
}

/** Whether the operator allows a tool. One that is not to be done is not done under another name either. */
function permitted({ disableTools, readOnly, security }: Choice): (tool: ToolFacts) => boolean {
  const refused = new Set([...disableTools, ...(security.enableFileUpload ? [] : uploads)]);
  return ({ name, does, effect }) => {
    if (refused.has(name) || refused.has(does)) return false;
    if (effect === 'code' && !security.enableScriptEvaluation) return false;
    return !readOnly || effect === 'read' || effect === 'navigate';
  };
}

function unique<T extends ToolFacts>(tools: readonly T[]): readonly T[] {
  return tools.filter((tool, index) => tools.findIndex(({ name }) => name === tool.name) === index);
}

function unknownNames(given: readonly string[], known: readonly string[]): readonly string[] {
  return given
    .filter((name) => !known.includes(name))
    .map((name) => {
      const near = nearest(name, known);
      return `There is no tool "${name}".${near === undefined ? '' : ` Did you mean "${near}"?`}`;
    });
}
