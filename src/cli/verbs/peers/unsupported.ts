/** A verb of another command line that has no counterpart here. */
export interface UnsupportedVerb {
  readonly name: string;
  readonly of: 'playwright-cli' | 'agent-browser';
  readonly reason: string;
}

const verbsOf = (of: UnsupportedVerb['of'], rows: Readonly<Record<string, string>>): readonly UnsupportedVerb[] =>
  Object.entries(rows).flatMap(([names, reason]) => names.split(', ').map((name) => ({ name, of, reason })));

/** The verbs of other command lines that no tool offers. */
export function refusedVerbs(offered: ReadonlyMap<string, unknown>): readonly UnsupportedVerb[] {
  return unsupportedVerbs.filter(({ name }) => !offered.has(name));
}

const unsupportedVerbs: readonly UnsupportedVerb[] = [
  ...verbsOf('playwright-cli', {
    'attach, detach': 'The daemon has one browser; start it with --cdp-endpoint to use an external one.',
    'delete-data': 'Sessions are isolated; `close` removes a session with its data.',
    'run-code': 'Start the daemon with --server-code to run Playwright code; else use `eval`, or `batch`.',
    'keydown, keyup': 'A key held over several commands blocks other input; use `press` with --hold.',
    'webmcp-list, webmcp-call': 'Tools that pages register are not supported yet.',
    tray: 'There is no desktop application.',
    'close-all, kill-all': 'Use `stop --all`, which ends daemons and their browsers.',
  }),
  ...verbsOf('agent-browser', {
    'keydown, keyup': 'A key held over several commands blocks other input; use `press` with --hold.',
    download: 'A click that starts a download reports the saved file; use `click`.',
    connect: 'Start the daemon with --cdp-endpoint to use an external browser.',
    stream: 'Live views are in the dashboard; use `dashboard`.',
    chat: 'There is no language model in this program.',
    'get cdp-url': 'The browser is controlled through a pipe, which has no URL.',
    'set device, set geo, set headers, set credentials':
      'These belong to a session: use `create-session` with --device, --geolocation or --extra-http-headers.',
    'network har': 'Traces contain the requests; use `trace start`.',
    'window new': 'Use `tab new`, or -s for an isolated session.',
    frame: 'Refs and selectors reach elements in frames.',
    'diff url': 'Open both pages in two sessions with -s.',
    'profiler start, profiler stop': 'There is no profiler; use `trace start`.',
    inspect: 'The browser has no DevTools window.',
    'clipboard copy, clipboard paste': 'Use `press Control+c` and `press Control+v`.',
    'state list, state show, state rename, state clear, state clean': 'Saved states are files in the working tree.',
    'react tree, react inspect, react renders, react suspense': 'There are no tools for React.',
    'vitals, a11y': 'There are no tools for audits.',
    'addinitscript, removeinitscript': 'Start the daemon with --init-script.',
    'upgrade, skills, mcp, plugin, profiles': 'Use npm, `skill`, `serve`, or --user-data-dir.',
    'auth save, auth login, auth list, auth show, auth delete': 'Use --secrets, and `state save`.',
    'confirm, deny': 'Set the rules for actions with --action-policy.',
    'device, webmcp': 'The command line has no such part.',
    session: 'The session is the one given with -s, else `default`.',
  }),
];
