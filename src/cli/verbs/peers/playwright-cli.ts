import { pageVerb, verb } from '../verb.ts';
import type { Verb } from '../verb.ts';

/** Sets a cookie of the page. */
export const setCookie = '(name, value) => { document.cookie = `${name}=${value}; path=/`; }';
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
  verb('mousedown', 'browser_mouse_down'),
  verb('mouseup', 'browser_mouse_up'),
  verb('mousewheel', 'browser_mouse_wheel'),
  verb('tab-list', 'browser_tabs', { args: { action: 'list' }, positional: [] }),
  verb('tab-new', 'browser_tabs', { args: { action: 'new' }, positional: ['url'] }),
  verb('tab-close', 'browser_tabs', { args: { action: 'close' }, positional: ['index'] }),
  verb('tab-select', 'browser_tabs', { args: { action: 'select' }, positional: ['index'] }),
  verb('state-save', 'save_state', { args: { sessionId: 'default', path: 'state.json' }, positional: ['path'] }),
  verb('state-load', 'restore_state', {
    args: { sessionId: 'default' },
    positional: ['path'],
    form: ([path]) => (path === undefined ? undefined : { args: { state: { path } } }),
  }),
  verb('cookie-list', 'get_cookies', { value: true, positional: [] }),
  pageVerb('cookie-set', setCookie, ['name', 'value']),
  verb('list', 'list_sessions'),
  verb('tracing-start', 'browser_start_tracing'),
  verb('tracing-stop', 'browser_stop_tracing'),
  verb('network-state-set', 'set_offline', {
    positional: ['offline'],
    form: ([state]) => ({ args: { offline: state === 'offline' } }),
  }),
  verb('route', 'mock_response', {
    positional: ['url', 'body'],
    form: ([url, body = '']) => ({ args: { url, response: { body } } }),
  }),
  ...requestParts.map((part) => verb(part, 'browser_network_request', { args: { part }, positional: ['index'] })),
  ...media.flatMap(([name, argument, none]) => [
    verb(`set-${name}`, 'browser_emulate_media', { positional: [argument] }),
    verb(`clear-${name}`, 'browser_emulate_media', { args: { [argument]: none }, positional: [] }),
  ]),
  ...(['local', 'session'] as const).flatMap((kind) => storageVerbs(`${kind}storage`, `${kind}Storage`, '-')),
];

/** Verbs for the items of localStorage or sessionStorage. */
export function storageVerbs(name: string, store: string, gap: '-' | ' '): readonly Verb[] {
  return [
    pageVerb(`${name}${gap}list`, `() => ({ ...${store} })`),
    pageVerb(`${name}${gap}get`, `(key) => ${store}.getItem(key)`, ['key']),
    pageVerb(`${name}${gap}set`, `(key, value) => ${store}.setItem(key, value)`, ['key', 'value']),
    pageVerb(`${name}${gap}delete`, `(key) => ${store}.removeItem(key)`, ['key']),
    pageVerb(`${name}${gap}clear`, `() => ${store}.clear()`),
  ];
}
