import { tabArgs, tabVerb } from './tab-verbs.ts';
import { elementVerb, pageVerb, verb } from '../verb.ts';
import type { Verb } from '../verb.ts';

/** Sets a cookie of the page. */
const setCookie = '(name, value) => { document.cookie = `${name}=${value}; path=/`; }';

/** The verbs of agent-browser whose names differ from ours; many have two or three words. */
export const agentBrowserVerbs: readonly Verb[] = [
  verb('keyboard type', 'browser_type', { args: { ref: ':focus', clear: false }, positional: ['text'] }),
  verb('keyboard inserttext', 'browser_type', { args: { ref: ':focus', clear: false }, positional: ['text'] }),
  verb('scrollintoview', 'browser_scroll_into_view'),
  elementVerb('focus', '(element) => element.focus()'),
  verb('get text', 'get_text', { value: true }),
  verb('get value', 'get_value', { value: true }),
  verb('get attr', 'get_attribute', { value: true }),
  verb('get count', 'element_exists', { value: 'count' }),
  verb('get box', 'find_element', { value: 'boundingBox' }),
  elementVerb('get html', '(element) => element.innerHTML'),
  elementVerb(
    'get styles',
    '(element) => Object.fromEntries([...getComputedStyle(element)].map((name) => [name, getComputedStyle(element).getPropertyValue(name)]))',
  ),
  pageVerb('get url', '() => location.href'),
  pageVerb('get title', '() => document.title'),
  verb('is visible', 'is_visible', { value: true }),
  verb('is enabled', 'is_enabled', { value: true }),
  elementVerb('is checked', "(element) => element.checked ?? element.getAttribute('aria-checked') === 'true'"),
  verb('mouse move', 'browser_mouse_move_xy'),
  verb('mouse down', 'browser_mouse_down', { positional: ['button'] }),
  verb('mouse up', 'browser_mouse_up', { positional: ['button'] }),
  verb('mouse wheel', 'browser_mouse_wheel', { positional: ['deltaY', 'deltaX'], args: { deltaX: 0 } }),
  verb('set viewport', 'browser_resize'),
  verb('set offline', 'set_offline', { args: { offline: true } }),
  verb('set media', 'browser_emulate_media', { positional: ['colorScheme', 'reducedMotion'] }),
  verb('tab list', 'browser_tabs', { args: { action: 'list' }, positional: [] }),
  verb('tab new', 'browser_tabs', { args: { action: 'new' }, positional: ['url'] }),
  tabVerb('tab close', 'close'),
  verb('tab', 'browser_tabs', {
    positional: ['index'],
    form: ([tab]) =>
      tab === undefined ? { args: { action: 'list' } } : { args: { action: 'select', ...tabArgs(tab) } },
  }),
  verb('network requests', 'browser_network_requests'),
  verb('network request', 'browser_network_request'),
  verb('network route', 'mock_response', {
    positional: ['url', 'body'],
    form: ([url, body = '']) => ({ args: { url, response: { body } } }),
  }),
  verb('network unroute', 'browser_unroute'),
  verb('cookies', 'get_cookies', { value: true, positional: [] }),
  verb('cookies get', 'get_cookies', { value: true, positional: [] }),
  verb('cookies clear', 'browser_cookie_clear'),
  verb('cookies set', 'set_cookies', {
    positional: ['name', 'value', 'url'],
    form: ([name, value, url]) =>
      url === undefined
        ? { tool: 'browser_evaluate', args: { function: setCookie, args: [name, value] } }
        : { args: { cookies: [{ name, value, url }] } },
  }),
  verb('state save', 'browser_storage_state', { positional: ['filename'] }),
  verb('state load', 'browser_set_storage_state'),
  verb('record start', 'browser_start_video', { positional: ['filename'] }),
  verb('record stop', 'browser_stop_video'),
  verb('session list', 'list_sessions'),
  verb('errors', 'browser_console_messages', { args: { level: 'error' }, positional: [] }),
  verb('trace start', 'browser_start_tracing'),
  verb('trace stop', 'browser_stop_tracing', { positional: ['filename'] }),
  verb('diff screenshot', 'browser_compare_screenshot'),
  verb('diff snapshot', 'browser_snapshot', { args: { snapshotMode: 'diff' } }),
  pageVerb(
    'pushstate',
    "(url) => { history.pushState(null, '', url); dispatchEvent(new PopStateEvent('popstate')); }",
    ['url'],
  ),
  pageVerb('clipboard read', '() => navigator.clipboard.readText()'),
  pageVerb('clipboard write', '(text) => navigator.clipboard.writeText(text)', ['text']),
  ...(['local', 'session'] as const).flatMap((kind) => [
    pageVerb(`storage ${kind}`, `(key) => (key === undefined ? { ...${kind}Storage } : ${kind}Storage.getItem(key))`, [
      'key',
    ]),
    ...storageVerbs(`storage ${kind}`, `${kind}Storage`),
  ]),
];

/** Verbs for the items of localStorage or sessionStorage. */
function storageVerbs(name: string, store: string): readonly Verb[] {
  return [
    pageVerb(`${name} list`, `() => ({ ...${store} })`),
    pageVerb(`${name} get`, `(key) => ${store}.getItem(key)`, ['key']),
    pageVerb(`${name} set`, `(key, value) => ${store}.setItem(key, value)`, ['key', 'value']),
    pageVerb(`${name} delete`, `(key) => ${store}.removeItem(key)`, ['key']),
    pageVerb(`${name} clear`, `() => ${store}.clear()`),
  ];
}
