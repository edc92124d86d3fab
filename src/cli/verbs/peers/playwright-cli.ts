import { tabVerb } from './tab-verbs.ts';
import { UsageError } from '../usage-error.ts';
import { verb } from '../verb.ts';
import type { Verb, VerbForm } from '../verb.ts';

const requestParts = ['request-headers', 'request-body', 'response-headers', 'response-body'];
const media = [
  ['color-scheme', 'colorScheme', 'no-preference'],
  ['reduced-motion', 'reducedMotion', 'no-preference'],
  ['forced-colors', 'forcedColors', 'none'],
  ['contrast', 'contrast', 'no-preference'],
  ['media', 'media', 'screen'],
] as const;

/** The verbs of playwright-cli whose names differ from ours. */
export const playwrightCliVerbs: readonly Verb[] = [
  verb('goto', 'browser_navigate'),
  verb('go-back', 'browser_navigate_back'),
  verb('go-forward', 'browser_navigate_forward'),
  verb('dialog-accept', 'browser_handle_dialog', { args: { accept: true }, positional: ['promptText'] }),
  verb('dialog-dismiss', 'browser_handle_dialog', { args: { accept: false }, positional: [] }),
  verb('mousemove', 'browser_mouse_move_xy'),
  verb('mousedown', 'browser_mouse_down', { positional: ['button'] }),
  verb('mouseup', 'browser_mouse_up', { positional: ['button'] }),
  verb('mousewheel', 'browser_mouse_wheel', { positional: ['deltaX', 'deltaY'] }),
  verb('tab-list', 'browser_tabs', { args: { action: 'list' }, positional: [] }),
  verb('tab-new', 'browser_tabs', { args: { action: 'new' }, positional: ['url'] }),
  tabVerb('tab-close', 'close'),
  tabVerb('tab-select', 'select'),
  verb('state-save', 'browser_storage_state', { positional: ['filename'] }),
  verb('state-load', 'browser_set_storage_state'),
  verb('list', 'list_sessions'),
  verb('tracing-start', 'browser_start_tracing'),
  verb('tracing-stop', 'browser_stop_tracing'),
  verb('recording-start', 'browser_start_recording'),
  verb('recording-stop', 'browser_stop_recording'),
  verb('video-start', 'browser_start_video', { positional: ['filename'], takes: ['size'], form: videoForm }),
  verb('video-stop', 'browser_stop_video'),
  verb('step-over', 'browser_resume', { args: { step: true }, positional: [] }),
  verb('pause-at', 'browser_resume', { positional: ['location'] }),
  verb('run-code', 'browser_run_code_unsafe'),
  verb('config-print', 'browser_get_config'),
  ...requestParts.map((part) => verb(part, 'browser_network_request', { args: { part }, positional: ['index'] })),
  ...media.flatMap(([name, argument, none]) => [
    verb(`set-${name}`, 'browser_emulate_media', { positional: [argument] }),
    verb(`clear-${name}`, 'browser_emulate_media', { args: { [argument]: none }, positional: [] }),
  ]),
];

/** `video-start demo.webm --size 800x600`. */
function videoForm([filename]: readonly string[], { size }: Readonly<Record<string, unknown>>): VerbForm | undefined {
  if (size === undefined) return undefined;
  return { args: { ...(filename === undefined ? {} : { filename }), size: sidesOf(size) } };
}

function sidesOf(size: unknown): unknown {
  if (typeof size !== 'string') return size;
  const [, width, height] = /^(\d+)x(\d+)$/.exec(size) ?? [];
  if (width === undefined) throw new UsageError('--size needs a width and a height, such as 800x600.');
  return { width, height };
}
