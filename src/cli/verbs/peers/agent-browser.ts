import { setCookie, storageVerbs } from './playwright-cli.ts';
import { elementVerb, pageVerb, verb } from '../verb.ts';
import type { Verb } from '../verb.ts';

/** The verbs of agent-browser whose names differ from ours; many have two or three words. */
export const agentBrowserVerbs: readonly Verb[] = [
  verb('keyboard type', 'browser_type', { args: { ref: ':focus', clear: false }, positional: ['text'] }),
  verb('keyboard inserttext', 'browser_type', { args: { ref: ':focus', clear: false }, positional: ['text'] }),
  verb('scrollintoview', 'browser_scroll_into_view'),
  elementVerb('focus', '(element) => element.focus()'),
  verb('scroll', 'browser_scroll', {
    positional: ['direction', 'amount'],
    form: ([first = '', amount]) =>
      /^(?:up|down|left|right)$/.test(first)
        ? { args: { direction: first, ...(amount === undefined ? {} : { amount }) } }
        : undefined,
  }),
  verb('get text', 'get_text', { value: true }),
  verb('get value', 'get_value', { value: true }),
  verb('get attr', 'get_attribute', { value: true }),
  verb('get count', 'element_exists', { value: true }),
  verb('get box', 'find_element', { value: true }),
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
  verb('mouse down', 'browser_mouse_down'),
  verb('mouse up', 'browser_mouse_up'),
  verb('mouse wheel', 'browser_mouse_wheel', { positional: ['deltaY', 'deltaX'], args: { deltaX: 0 } }),
  verb('set viewport', 'browser_resize'),
  verb('set offline', 'set_offline', { args: { offline: true } }),
  verb('set media', 'browser_emulate_media', { positional: ['colorScheme', 'reducedMotion'] }),
  verb('tab list', 'browser_tabs', { args: { action: 'list' }, positional: [] }),
  verb('tab new', 'browser_tabs', { args: { action: 'new' }, positional: ['url'] }),
  verb('tab close', 'browser_tabs', { args: { action: 'close' }, positional: ['index'] }),
  verb('tab', 'browser_tabs', {
    positional: ['index'],
    form: ([index]) => (index === undefined ? { args: { action: 'list' } } : { args: { action: 'select', index } }),
  }),
  verb('network requests', 'browser_network_requests'),
  verb('network request', 'browser_network_request'),
  verb('network route', 'mock_response', {
    positional: ['url', 'body'],
    form: ([url, body = '']) => ({ args: { url, response: { body } } }),
  }),
  verb('cookies', 'get_cookies', { value: true, positional: [] }),
  verb('cookies get', 'get_cookies', { value: true, positional: [] }),
  verb('cookies set', 'set_cookies', {
    positional: ['name', 'value', 'url'],
    form: ([name, value, url]) =>
      url === undefined
        ? { tool: 'browser_evaluate', args: { function: setCookie, args: [name, value] } }
        : { args: { cookies: [{ name, value, url }] } },
  }),
  verb('state save', 'save_state', { args: { sessionId: 'default' }, positional: ['path'] }),
  verb('state load', 'restore_state', {
    args: { sessionId: 'default' },
    positional: ['path'],
    form: ([path]) => (path === undefined ? undefined : { args: { state: { path } } }),
  }),
  verb('session list', 'list_sessions'),
  verb('errors', 'browser_console_messages', { args: { level: 'error' }, positional: [] }),
  verb('trace start', 'browser_start_tracing'),
  verb('trace stop', 'browser_stop_tracing'),
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
    ...storageVerbs(`storage ${kind}`, `${kind}Storage`, ' '),
  ]),
];
