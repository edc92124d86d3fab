/**
 * Every failure a caller can meet, declared once: its message, its next step, and its code in both public vocabularies.
 * The key is the most exact name. `code` is the `error.code` of the tool-result vocabulary, `errorCode` the one of
 * session-style clients where it differs.
 */
interface ErrorRow<D> {
  readonly message: (details: D) => string;
  /**
   * Next steps, best first. A tool stands in braces, as `{browser_snapshot}`: the first step whose tools are all offered
   * to the client is shown, with the names they have there. The last step names no tool.
   */
  readonly hints: readonly [string, ...string[]];
  readonly code: ToolResultCode;
  readonly errorCode?: SessionStyleCode;
}

/** Codes of the tool-result vocabulary whose calls may succeed later unchanged. */
const retryableCodes = new Set(['TIMEOUT', 'NETWORK_ERROR', 'BROWSER_CRASHED', 'RESOURCE_EXHAUSTED']);

type ToolResultCode =
  | 'INVALID_SELECTOR'
  | 'INVALID_URL'
  | 'MISSING_PARAMETER'
  | 'SESSION_NOT_FOUND'
  | 'ELEMENT_NOT_FOUND'
  | 'ELEMENT_NOT_INTERACTIVE'
  | 'NAVIGATION_FAILED'
  | 'BROWSER_CRASHED'
  | 'TIMEOUT'
  | 'NETWORK_ERROR'
  | 'RESOURCE_EXHAUSTED'
  | 'FORBIDDEN'
  | 'INTERNAL_ERROR';

/** Distinctions that only session-style clients make; all other codes are the same in both vocabularies. */
type SessionStyleCode =
  | 'MAX_SESSIONS_REACHED'
  | 'SESSION_EXPIRED'
  | 'NAVIGATION_FAILED'
  | 'ELEMENT_NOT_CLICKABLE'
  | 'ELEMENT_NOT_EDITABLE';

function error<D>(row: ErrorRow<D>): ErrorRow<D> {
  return row;
}

/** Wrong arguments: what is wrong, and the arguments of the tool. */
interface ArgumentDetails {
  readonly problems: readonly string[];
  readonly accepted: readonly string[];
}

/** Lines of a snapshot below a message. */
function listed(lines: readonly string[]): string {
  return lines.map((line) => `\n- ${line}`).join('');
}

const correctArguments = ['Correct the arguments and call again.'] as const;
const newRef = ['Take a new {browser_snapshot} and use a ref from it.', 'Use a selector instead of the ref.'] as const;
const newSession = [
  'Create a new session with {create_session} tool.',
  'Create a context with {browser_context_create}, or leave sessionId out.',
  'Leave sessionId out to use the default session.',
] as const;

export const errorCatalogue = {
  MISSING_PARAMETER: error<ArgumentDetails>({
    message: ({ problems }) => problems.join(' '),
    hints: correctArguments,
    code: 'MISSING_PARAMETER',
  }),
  INVALID_ARGUMENT: error<ArgumentDetails>({
    message: ({ problems }) => problems.join(' '),
    hints: correctArguments,
    code: 'MISSING_PARAMETER',
  }),
  BAD_FORMAT: error<{ problem: string }>({
    message: ({ problem }) => problem,
    hints: ['Write the value in the format that the message names.'],
    code: 'MISSING_PARAMETER',
  }),
  NO_SUCH_OPTION: error<{ option: string; options: readonly string[]; count: number }>({
    message: ({ option, options, count }) => {
      const list = `${options.map((label) => JSON.stringify(label)).join(', ')}${count > options.length ? ', …' : ''}`;
      const choice = options.length === 0 ? 'There are none.' : `The options are ${list}.`;
      return `There is no option ${JSON.stringify(option)}. ${choice}`;
    },
    hints: ['Choose one of the options.'],
    code: 'MISSING_PARAMETER',
  }),
  NO_SUCH_REQUEST: error<{ index: number }>({
    message: ({ index }) => `There is no request ${index} in this tab.`,
    hints: ['List the requests with {browser_network_requests}.', 'Use the index of a listed request.'],
    code: 'MISSING_PARAMETER',
  }),
  TRACE_IN_PROGRESS: error<object>({
    message: () => 'A trace of this session is being recorded already.',
    hints: ['Save it with {browser_stop_tracing} first.', 'Stop the recording first.'],
    code: 'FORBIDDEN',
  }),
  NO_TRACE: error<object>({
    message: () => 'No trace of this session is being recorded.',
    hints: ['Start one with {browser_start_tracing}.', 'Start a recording first.'],
    code: 'MISSING_PARAMETER',
  }),
  PROFILE_IN_USE: error<{ folder: string }>({
    message: ({ folder }) =>
      `Browser is already in use for ${folder}, use --isolated to run multiple instances of the same browser`,
    hints: ['Close the other browser, or start the server with --isolated.'],
    code: 'RESOURCE_EXHAUSTED',
  }),
  VIDEO_IN_PROGRESS: error<object>({
    message: () => 'A video of this session is being recorded already.',
    hints: ['Save it with {browser_stop_video} first.', 'Stop the recording first.'],
    code: 'FORBIDDEN',
  }),
  NO_VIDEO: error<object>({
    message: () => 'No video of this session is being recorded.',
    hints: ['Start one with {browser_start_video}.', 'Start a recording first.'],
    code: 'MISSING_PARAMETER',
  }),
  FFMPEG_MISSING: error<object>({
    message: () => 'Playwright writes videos with its own build of FFmpeg, which is not installed.',
    hints: ['Install it with `npx playwright install ffmpeg` on the computer of the server, then call again.'],
    code: 'RESOURCE_EXHAUSTED',
  }),
  RECORDING_IN_PROGRESS: error<object>({
    message: () => 'The actions of the user are being recorded already.',
    hints: ['Stop it with {browser_stop_recording} first.', 'Stop the recording first.'],
    code: 'FORBIDDEN',
  }),
  NO_RECORDING: error<object>({
    message: () => 'The actions of the user are not being recorded.',
    hints: ['Start it with {browser_start_recording}.', 'Start a recording first.'],
    code: 'MISSING_PARAMETER',
  }),
  NOT_PAUSED: error<object>({
    message: () => 'No Playwright script is paused in this browser.',
    hints: ['Pause a script in this browser first, for example with page.pause().'],
    code: 'MISSING_PARAMETER',
  }),
  VERIFICATION_FAILED: error<{ reason: string }>({
    message: ({ reason }) => `The verification failed: ${reason}.`,
    hints: ['Compare the expectation with a new {browser_snapshot}.', 'Compare the expectation with the page.'],
    code: 'ELEMENT_NOT_FOUND',
  }),
  NO_FILE_INPUT: error<object>({
    message: () => 'There is no file input on the page, and no file chooser is open.',
    hints: ['Click the element that opens the file chooser, then call again.'],
    code: 'ELEMENT_NOT_FOUND',
  }),
  NOTHING_TO_SAVE: error<{ context: string }>({
    message: ({ context }) => `The context ${JSON.stringify(context)} has not opened a page yet: nothing to save.`,
    hints: ['Open a page in it with {browser_navigate} first.', 'Open a page in it first.'],
    code: 'MISSING_PARAMETER',
  }),
  INVALID_URL: error<{ url: string; reason: string }>({
    message: ({ url, reason }) => `${JSON.stringify(url)} cannot be opened: ${reason}.`,
    hints: ['Give an absolute http or https URL, for example https://example.com/.'],
    code: 'INVALID_URL',
    errorCode: 'NAVIGATION_FAILED',
  }),
  SCHEME_BLOCKED: error<{ url: string; scheme: string }>({
    message: ({ url, scheme }) => `${JSON.stringify(url)} was not opened: ${scheme} URLs are not allowed.`,
    hints: ['Open an http, https, data or about:blank URL.'],
    code: 'FORBIDDEN',
  }),
  URL_BLOCKED: error<{ url: string; rule: string }>({
    message: ({ url, rule }) => `${JSON.stringify(url)} was not opened: ${rule}.`,
    hints: ['This URL is blocked. Use another one.'],
    code: 'FORBIDDEN',
  }),
  STORAGE_BLOCKED: error<{ host: string; rule: string }>({
    message: ({ host, rule }) => `Nothing was stored for ${JSON.stringify(host.slice(0, 200))}: ${rule}.`,
    hints: ['Leave out cookies and storage of this domain.'],
    code: 'FORBIDDEN',
  }),
  ACTION_DENIED: error<{ tool: string; origin: string; rule: string }>({
    message: ({ tool, origin, rule }) => `${tool} was not run on ${origin}: the action policy denies it (${rule}).`,
    hints: ['Do it in another way, or ask the operator of this server to allow it.'],
    code: 'FORBIDDEN',
  }),
  CONFIRMATION_REQUIRED: error<{ tool: string; origin: string; rule: string; reason: string }>({
    message: ({ tool, origin, rule, reason }) =>
      `${tool} was not run on ${origin}: it needs the confirmation of a user (${rule}), and ${reason}.`,
    hints: ['Ask the user to do it, or ask the operator of this server to allow it.'],
    code: 'FORBIDDEN',
  }),
  CONFIRMATION_DECLINED: error<{ tool: string; origin: string; rule: string }>({
    message: ({ tool, origin, rule }) => `${tool} was not run on ${origin}: the user declined it (${rule}).`,
    hints: ['Do not repeat the call. Ask the user how to go on.'],
    code: 'FORBIDDEN',
  }),
  SECRET_UNKNOWN: error<{ name: string; known: readonly string[] }>({
    message: ({ name, known }) =>
      `There is no secret ${JSON.stringify(name)}. ${known.length === 0 ? 'This server has none.' : `Secrets: ${known.join(', ')}.`}`,
    hints: ['Write {{secret:NAME}} with the name of a secret of this server.'],
    code: 'MISSING_PARAMETER',
  }),
  SECRET_ORIGIN_MISMATCH: error<{ name: string; where: string }>({
    message: ({ name, where }) =>
      `The secret ${JSON.stringify(name)} was not used ${where}: the operator of this server allows it on other origins only (--secret-origins).`,
    hints: ['Open the page that the secret is for. Do not enter it elsewhere.'],
    code: 'FORBIDDEN',
  }),
  INVALID_SELECTOR: error<{ selector: string; reason: string }>({
    message: ({ selector, reason }) => `The selector ${JSON.stringify(selector)} cannot be parsed: ${reason}`,
    hints: ['Check selector syntax. CSS selectors should not start with //, XPath should start with //'],
    code: 'INVALID_SELECTOR',
  }),
  ELEMENT_NOT_FOUND: error<{ selector: string; page?: string; candidates?: readonly string[] }>({
    message: ({ selector, candidates = [] }) => {
      const similar = candidates.length === 0 ? '' : `. Similar elements:${listed(candidates)}`;
      return `No element found matching selector ${JSON.stringify(selector)}${similar}`;
    },
    hints: [
      'Verify the selector using browser devtools. The element may be loaded dynamically - try using {wait_for_selector} first.',
      'Verify the selector using browser devtools. The element may be loaded dynamically - try using {browser_wait_for} first.',
      'Verify the selector using browser devtools. The element may be loaded dynamically.',
    ],
    code: 'ELEMENT_NOT_FOUND',
  }),
  NO_SUCH_ELEMENT: error<{ selector: string; page?: string }>({
    message: ({ selector }) => `No element found matching selector ${JSON.stringify(selector)}`,
    hints: ['Check if the selector is correct. Try using browser devtools to verify the element exists.'],
    code: 'ELEMENT_NOT_FOUND',
  }),
  REF_NOT_FOUND: error<{ ref: string }>({
    message: ({ ref }) => `The element was not found: no snapshot of this page has shown a ref ${JSON.stringify(ref)}.`,
    hints: newRef,
    code: 'ELEMENT_NOT_FOUND',
  }),
  REF_OF_OTHER_SESSION: error<{ ref: string; session: string; here: string }>({
    message: ({ ref, session, here }) =>
      `The ref ${JSON.stringify(ref)} belongs to the session ${JSON.stringify(session)}, but this call is for ${JSON.stringify(here)}.`,
    hints: [
      'Give sessionId with the name of that session, or use a ref from {browser_snapshot}.',
      'Give sessionId with the name of that session.',
    ],
    code: 'ELEMENT_NOT_FOUND',
  }),
  REF_OF_OTHER_TAB: error<{ ref: string; tab: string; here: number }>({
    message: ({ ref, tab, here }) =>
      `The ref ${JSON.stringify(ref)} belongs to tab ${tab}, but this call is for tab ${here}.`,
    hints: [
      'Give tab with the number of that tab, or use a ref from {browser_snapshot}.',
      'Give tab with the number of that tab.',
    ],
    code: 'ELEMENT_NOT_FOUND',
  }),
  STALE_REF: error<{ ref: string; was: string; candidates?: readonly string[] }>({
    message: ({ ref, was, candidates = [] }) => {
      const similar = candidates.length === 0 ? '' : ` Similar elements:${listed(candidates)}`;
      return `The element of ref ${JSON.stringify(ref)} (${was}) may no longer exist: the page has changed since it was shown.${similar}`;
    },
    hints: newRef,
    code: 'ELEMENT_NOT_FOUND',
  }),
  STALE_CURSOR: error<{ cursor: string }>({
    message: ({ cursor }) => `The cursor ${JSON.stringify(cursor)} is stale: the page has changed since it was shown.`,
    hints: ['Call again without cursor, and use a cursor from that answer.'],
    code: 'ELEMENT_NOT_FOUND',
  }),
  NO_SUCH_SECTION: error<{ section: string; headings: readonly string[]; count: number }>({
    message: ({ section, headings, count }) => {
      const list = `${headings.map((text) => JSON.stringify(text)).join(', ')}${count > headings.length ? ', …' : ''}`;
      const choice = count === 0 ? 'There are no headings.' : `The headings are ${list}.`;
      return `No heading contains ${JSON.stringify(section)}. ${choice}`;
    },
    hints: ['Give a part of one of the headings, or leave section out.'],
    code: 'ELEMENT_NOT_FOUND',
  }),
  NOTHING_TO_EXTRACT: error<{ what: string; candidates: readonly string[]; found?: string }>({
    message: ({ what, candidates, found }) => {
      const similar = candidates.length === 0 ? '' : ` Similar names on the page: ${candidates.join(', ')}.`;
      return `${what}${similar}${found === undefined ? '' : ` ${found}`}`;
    },
    hints: [
      'Correct the selectors, name a part of the page with ref, or look at the page with {browser_snapshot} first.',
      'Correct the selectors, or name a part of the page with ref.',
    ],
    code: 'ELEMENT_NOT_FOUND',
  }),
  UNREADABLE_FILE: error<{ path: string; reason: string }>({
    message: ({ path, reason }) => `The file ${JSON.stringify(path)} cannot be read: ${reason}.`,
    hints: ['Give the path or the URI of a PDF or text file that a page has downloaded.'],
    code: 'MISSING_PARAMETER',
  }),
  AMBIGUOUS_SELECTOR: error<{ selector: string; count: number; candidates?: readonly string[]; more?: number }>({
    message: ({ selector, count, candidates, more = 0 }) => {
      const others = more === 0 ? [] : [`… (${more} more)`];
      const seen = candidates?.length === 0 ? ' None of them is visible.' : '';
      const visible = candidates === undefined || seen !== '' ? seen : ` Visible:${listed([...candidates, ...others])}`;
      return `The selector ${JSON.stringify(selector)} matches ${count} elements.${visible}`;
    },
    hints: [
      'Use a ref from {browser_snapshot}, or narrow the selector until one element matches.',
      'Narrow the selector until one element matches.',
    ],
    code: 'INVALID_SELECTOR',
  }),
  ELEMENT_NOT_CLICKABLE: error<{ target: string; reason: string }>({
    message: ({ target, reason }) => `${target} could not be acted on: ${reason}`,
    hints: ['Remove the obstacle (close the dialog or banner, enable or reveal the element), then call again.'],
    code: 'ELEMENT_NOT_INTERACTIVE',
    errorCode: 'ELEMENT_NOT_CLICKABLE',
  }),
  WRONG_ELEMENT: error<{ target: string; reason: string }>({
    message: ({ target, reason }) => `${target} could not be acted on: ${reason}`,
    hints: [
      'Choose another element from {browser_snapshot}, or use {browser_click} on this one.',
      'Choose another element, or use {browser_click} on this one.',
      'Choose another element.',
    ],
    code: 'ELEMENT_NOT_INTERACTIVE',
    errorCode: 'ELEMENT_NOT_CLICKABLE',
  }),
  ELEMENT_NOT_EDITABLE: error<{ target: string; reason: string }>({
    message: ({ target, reason }) => `${target} cannot be typed into: ${reason}`,
    hints: [
      'Choose an input, a textarea or an editable element from {browser_snapshot}, or enable it first.',
      'Choose an input, a textarea or an editable element, or enable it first.',
    ],
    code: 'ELEMENT_NOT_INTERACTIVE',
    errorCode: 'ELEMENT_NOT_EDITABLE',
  }),
  NAVIGATION_FAILED: error<{ url: string; netError?: string; reason: string }>({
    message: ({ url, reason }) => `Navigation to ${JSON.stringify(url)} failed: ${reason}`,
    hints: ['Check the URL and that its server is running. The tab is ready for another navigation.'],
    code: 'NAVIGATION_FAILED',
  }),
  NAVIGATION_TIMEOUT: error<{ url: string; timeout: number }>({
    message: ({ timeout }) => `Navigation timed out after ${timeout}ms`,
    hints: ['Increase timeout or check if the website is responsive.'],
    code: 'TIMEOUT',
    errorCode: 'NAVIGATION_FAILED',
  }),
  NO_HISTORY: error<{ direction: 'back' | 'forward' }>({
    message: ({ direction }) => `There is no page to go ${direction} to in this tab.`,
    hints: ['Use {browser_navigate} with a URL.', 'Open a page by its URL.'],
    code: 'NAVIGATION_FAILED',
  }),
  TIMEOUT: error<{ what: string; ms: number }>({
    message: ({ what, ms }) => `${what} did not finish within ${ms}ms.`,
    hints: ['Increase the timeout parameter or check if the page is loading slowly.'],
    code: 'TIMEOUT',
  }),
  NETWORK_ERROR: error<{ reason: string }>({
    message: ({ reason }) => `A network request failed: ${reason}`,
    hints: ['Check the connection and call again.'],
    code: 'NETWORK_ERROR',
  }),
  EVALUATION_FAILED: error<{ reason: string }>({
    message: ({ reason }) => `The script threw: ${reason}`,
    hints: [
      'Correct the function. It runs in the page, as "() => { … }", or "(element) => { … }" when a ref is given.',
    ],
    code: 'INTERNAL_ERROR',
  }),
  MODAL_OPEN: error<{ modal: string; tool: string }>({
    message: ({ modal }) => `The page is blocked by ${modal}.`,
    hints: [
      'Answer it with {browser_handle_dialog} first. If the page keeps opening dialogs, close its tab with {browser_close}.',
      'Answer it with {browser_handle_dialog} first.',
      'Close its tab with {browser_close}.',
      'Wait until it is closed, then call again.',
    ],
    code: 'ELEMENT_NOT_INTERACTIVE',
    errorCode: 'ELEMENT_NOT_CLICKABLE',
  }),
  FORM_INCOMPLETE: error<{ fields: readonly string[]; failed: number }>({
    message: ({ fields, failed }) =>
      `${failed} of ${fields.length} fields could not be filled:\n${fields.map((line) => `- ${line}`).join('\n')}`,
    hints: [
      'Fill the named fields again with refs from {browser_snapshot}. The others keep their values.',
      'Fill the named fields again. The others keep their values.',
    ],
    code: 'ELEMENT_NOT_INTERACTIVE',
  }),
  TAB_NOT_FOUND: error<{ tab: string; open: number }>({
    message: ({ tab, open }) => `There is no tab ${tab}; ${open === 1 ? '1 tab is' : `${open} tabs are`} open.`,
    hints: ['List the tabs with {browser_tabs}.', 'Leave tab out to use the current one.'],
    code: 'ELEMENT_NOT_FOUND',
  }),
  TAB_CLOSED: error<{ what: string }>({
    message: ({ what }) => `The tab was closed during ${what}.`,
    hints: [
      'List the tabs with {browser_tabs}, or open a page with {browser_navigate}.',
      'Open a page with {browser_navigate}.',
      'Call again to use the current tab.',
    ],
    code: 'BROWSER_CRASHED',
  }),
  PAGE_CRASHED: error<{ url: string }>({
    message: ({ url }) => `The page ${JSON.stringify(url)} crashed.`,
    hints: [
      'Open it again with {browser_navigate}. Other tabs are not affected.',
      'Open it again. Other tabs are not affected.',
    ],
    code: 'BROWSER_CRASHED',
  }),
  PAGE_UNRESPONSIVE: error<{ url: string }>({
    message: ({ url }) => `The page ${JSON.stringify(url)} does not respond.`,
    hints: ['Call again: the page is opened again in a new tab. Other tabs are not affected.'],
    code: 'BROWSER_CRASHED',
  }),
  BROWSER_CRASHED: error<{ reason: string }>({
    message: ({ reason }) => `The browser was lost: ${reason}`,
    hints: ['Browser crashed unexpectedly. This may indicate a memory issue or problematic page content.'],
    code: 'BROWSER_CRASHED',
  }),
  NO_BROWSER: error<object>({
    message: () => 'No browser instance.',
    hints: ['Call {browser_launch} first.', 'Ask the operator of this server to start it without --launch explicit.'],
    code: 'INTERNAL_ERROR',
  }),
  BROWSER_NOT_FOUND: error<{ browser: string; command: string }>({
    message: ({ browser, command }) => `No ${browser} browser is installed on this machine. Run: ${command}`,
    hints: [
      'Install a browser with {browser_install} or the command above, or give the path of one with --executable-path.',
      'Install a browser with the command above, or give the path of one with --executable-path.',
    ],
    code: 'RESOURCE_EXHAUSTED',
  }),
  BROWSER_INSTALL_FAILED: error<{ browser: string; problems: readonly string[]; command: string }>({
    message: ({ browser, problems, command }) =>
      `The ${browser} browser could not be installed: ${problems.join('; ')}. The operator can run: ${command}`,
    hints: ['Ask the operator of this server to install a browser; calling again helps only if the network was down.'],
    code: 'RESOURCE_EXHAUSTED',
  }),
  BROWSER_LAUNCH_FAILED: error<{ path: string; reason: string }>({
    message: ({ path, reason }) => `The browser ${path} did not start: ${reason}`,
    hints: ['Run "pagehelm doctor" to see what is missing on this machine.'],
    code: 'RESOURCE_EXHAUSTED',
  }),
  BROWSER_NOT_REACHED: error<{ address: string; reason: string }>({
    message: ({ address, reason }) => `The browser at ${address} could not be reached: ${reason}`,
    hints: ['Check that it is running and listening at the address in the configuration, then call again.'],
    code: 'RESOURCE_EXHAUSTED',
  }),
  INIT_PAGE_FAILED: error<{ path: string; reason: string }>({
    message: ({ path, reason }) => `The --init-page module ${JSON.stringify(path)} failed: ${reason}`,
    hints: ['Ask the operator of this server to correct the file.'],
    code: 'INTERNAL_ERROR',
  }),
  BAD_CONFIGURATION: error<{ problem: string }>({
    message: ({ problem }) => `The configuration of this server does not work. ${problem}`,
    hints: ['Ask the operator of this server to correct it.'],
    code: 'INTERNAL_ERROR',
  }),
  SCREENSHOT_TOO_LARGE: error<{ bytes: number; maxBytes: number }>({
    message: ({ bytes, maxBytes }) => `The screenshot has ${bytes} bytes and cannot be reduced to ${maxBytes} bytes.`,
    hints: ['Take a screenshot of an element or of the viewport.'],
    code: 'RESOURCE_EXHAUSTED',
  }),
  SCREENSHOT_FAILED: error<{ reason: string }>({
    message: ({ reason }) => `The browser could not take the screenshot: ${reason}.`,
    hints: ['Take a screenshot of an element or of the viewport.'],
    code: 'RESOURCE_EXHAUSTED',
  }),
  CONTEXT_EXISTS: error<{ name: string }>({
    message: ({ name }) => `The context ${JSON.stringify(name)} already exists.`,
    hints: ['Use {browser_context_switch}, or another name.', 'Use another name.'],
    code: 'MISSING_PARAMETER',
  }),
  BAD_NAME: error<{ name: string }>({
    message: ({ name }) => `${JSON.stringify(name)} cannot be the name of a session.`,
    hints: ['Use 1 to 64 letters, digits, hyphens and underscores: refs of the session begin with its name.'],
    code: 'MISSING_PARAMETER',
  }),
  BAD_STORAGE_STATE: error<{ source: string; reason: string }>({
    message: ({ source, reason }) => `The storage state ${source} cannot be used: ${reason}.`,
    hints: [
      'Give the answer of {save_state}, or the file it has written.',
      'Give a file that {browser_context_save_storage} has written, or an object with the lists cookies and origins.',
      'Give an object with the lists cookies and origins.',
    ],
    code: 'MISSING_PARAMETER',
  }),
  LAST_CONTEXT: error<{ name: string }>({
    message: () => 'Cannot close the only remaining context',
    hints: ['Create another context first, or close its pages with {browser_close}.', 'Create another context first.'],
    code: 'FORBIDDEN',
  }),
  SESSION_NOT_FOUND: error<{ session: string }>({
    message: ({ session }) => `There is no session ${JSON.stringify(session)}.`,
    hints: newSession,
    code: 'SESSION_NOT_FOUND',
  }),
  SESSION_EXPIRED: error<{ session: string }>({
    message: ({ session }) => `The session ${JSON.stringify(session)} has expired.`,
    hints: newSession,
    code: 'SESSION_NOT_FOUND',
    errorCode: 'SESSION_EXPIRED',
  }),
  MAX_SESSIONS_REACHED: error<{ limit: number }>({
    message: ({ limit }) => `The limit of ${limit === 1 ? '1 session' : `${limit} sessions`} is reached.`,
    hints: ['Close a session that is no longer needed, then call again.'],
    code: 'RESOURCE_EXHAUSTED',
    errorCode: 'MAX_SESSIONS_REACHED',
  }),
  MAX_TABS_REACHED: error<{ limit: number }>({
    message: ({ limit }) => `The limit of ${limit === 1 ? '1 tab' : `${limit} tabs`} per session is reached.`,
    hints: [
      'Close a tab with {browser_tabs} or all with {browser_close}, then call again.',
      'Close a tab that is no longer needed, then call again.',
    ],
    code: 'RESOURCE_EXHAUSTED',
  }),
  SESSION_BUSY: error<{ waiting: number }>({
    message: ({ waiting }) => `The session already has ${waiting} calls waiting.`,
    hints: ['Wait for their answers, then call again.'],
    code: 'RESOURCE_EXHAUSTED',
  }),
  SERVER_BUSY: error<{ reason: string }>({
    message: ({ reason }) => `The server cannot take this call now: ${reason}.`,
    hints: ['Wait for running calls, or close sessions that are no longer needed, then call again.'],
    code: 'RESOURCE_EXHAUSTED',
  }),
  EFFECT_UNKNOWN: error<{ tool: string }>({
    message: ({ tool }) => `${tool} was started, and its worker was lost before it answered.`,
    hints: [
      'Look at the page with {browser_snapshot} before you repeat the call.',
      'Look at the page before you repeat the call.',
    ],
    code: 'INTERNAL_ERROR',
  }),
  CALL_ID_REUSED: error<{ call: string }>({
    message: ({ call }) => `The call id ${JSON.stringify(call)} belongs to a call with other arguments.`,
    hints: ['Give each call an id of its own, and repeat an id only with the same tool and arguments.'],
    code: 'FORBIDDEN',
  }),
  ANSWER_NOT_KEPT: error<{ call: string }>({
    message: ({ call }) => `The call ${JSON.stringify(call)} has run; its answer was too long to keep.`,
    hints: ['Do not repeat it. Look at the page with {browser_snapshot}.', 'Do not repeat it. Look at the page.'],
    code: 'INTERNAL_ERROR',
  }),
  CLUSTER_DEGRADED: error<{ reason: string }>({
    message: ({ reason }) => `The call was not run: ${reason}.`,
    hints: ['Call again in a few seconds. Sessions are kept.'],
    code: 'RESOURCE_EXHAUSTED',
  }),
  SERVER_ENDING: error<object>({
    message: () => 'The server is shutting down.',
    hints: ['Call again when it runs again.'],
    code: 'RESOURCE_EXHAUSTED',
  }),
  PATH_DENIED: error<{ path: string; reason: string }>({
    message: ({ path, reason }) => `The file ${JSON.stringify(path)} cannot be used: ${reason}.`,
    hints: ['Relative paths name files in the output directory, ./name in the working directory.'],
    code: 'FORBIDDEN',
  }),
  FORBIDDEN: error<{ reason: string }>({
    message: ({ reason }) => `This is not allowed: ${reason}`,
    hints: ['Ask the operator of this server to allow it.'],
    code: 'FORBIDDEN',
  }),
  CANCELLED: error<{ what: string }>({
    message: ({ what }) => `${what} was cancelled by the client.`,
    hints: ['Call again if it is still needed.'],
    code: 'TIMEOUT',
  }),
  STOPPED: error<{ what: string }>({
    message: ({ what }) => `A person stopped ${what} in the dashboard.`,
    hints: ['Ask the user how to continue.'],
    code: 'FORBIDDEN',
  }),
  NO_DASHBOARD: error<object>({
    message: () => 'No person can be asked: this server has no dashboard.',
    hints: [
      'Ask the user in the conversation. The operator can start the server with --dashboard, or that of the command line with `pagehelm dashboard`.',
    ],
    code: 'FORBIDDEN',
  }),
  NO_SUCH_HANDOFF: error<{ ticket: string }>({
    message: ({ ticket }) => `There is no request for a person with the ticket ${JSON.stringify(ticket)}.`,
    hints: ['Ask again with {browser_handoff} and a reason.', 'Ask the person again.'],
    code: 'MISSING_PARAMETER',
  }),
  HUMAN_IN_CONTROL: error<{ seconds: number; what?: string }>({
    message: ({ seconds, what }) =>
      what === undefined
        ? `A person is using this page, for ${seconds} s now.`
        : `A person took control of the page while ${what} was running.`,
    hints: [
      'Wait for the person with {browser_handoff}, or call again in a minute.',
      'Call again in a minute; the answer then tells what the person did.',
    ],
    code: 'RESOURCE_EXHAUSTED',
  }),
  INTERNAL_ERROR: error<{ reason: string }>({
    message: ({ reason }) => `An unexpected internal error: ${reason}`,
    hints: ['Please try again or contact support if the issue persists.'],
    code: 'INTERNAL_ERROR',
  }),
};

export type ErrorCode = keyof typeof errorCatalogue;
type Details<C extends ErrorCode> = Parameters<(typeof errorCatalogue)[C]['message']>[0];

/** The name under which a client is offered a tool; undefined if it is not offered the tool at all. */
export type ToolNameOf = (tool: string) => string | undefined;

/** The first text whose tools, `{named}` in braces, are all offered; the last one if none is. */
export function withToolNames([text, ...others]: readonly [string, ...string[]], nameOf: ToolNameOf): string {
  let isOffered = true;
  const named = text.replaceAll(/\{([a-z_]+)\}/g, (_, tool: string) => {
    const name = nameOf(tool);
    isOffered &&= name !== undefined;
    return name ?? tool;
  });
  const [next, ...rest] = others;
  return isOffered || next === undefined ? named : withToolNames([next, ...rest], nameOf);
}

/** A failure as callers see it, in both vocabularies. */
export interface ErrorView {
  /** The most exact of the three names. */
  readonly kind: ErrorCode;
  readonly errorCode: SessionStyleCode | ToolResultCode;
  readonly code: ToolResultCode;
  readonly message: string;
  readonly hint: string;
  readonly retryable: boolean;
  readonly details: Readonly<Record<string, unknown>>;
  /** Id of the call, as in the log. */
  readonly call?: string;
}

/** A failure with a row in the catalogue. Details that do not fit the row do not compile. */
export class ToolError<C extends ErrorCode = ErrorCode> extends Error {
  readonly code: C;
  readonly details: Details<C>;

  constructor(code: C, details: Details<C>, options?: ErrorOptions) {
    // The catalogue's rows are a union here; each row takes exactly the details of its own code.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const row = errorCatalogue[code] as unknown as ErrorRow<Details<C>>;
    super(row.message(details), options);
    this.name = 'ToolError';
    this.code = code;
    this.details = details;
  }

  /** For a client that is offered all tools. */
  get view(): ErrorView {
    return this.viewFor((tool) => tool);
  }

  /** For a client that is offered tools under these names. */
  viewFor(nameOf: ToolNameOf): ErrorView {
    const { code, errorCode, hints }: Omit<ErrorRow<never>, 'message'> = errorCatalogue[this.code];
    return {
      kind: this.code,
      errorCode: errorCode ?? code,
      code,
      message: this.message,
      hint: withToolNames(hints, nameOf),
      retryable: isRetryable(code),
      details: { ...this.details },
    };
  }
}

/** Whether the same call may succeed later unchanged. */
export function isRetryable(code: string): boolean {
  return retryableCodes.has(code);
}

/** Thrown for wrong flags, variables and configuration files; the message is for the operator's terminal. */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'ConfigError';
    this.problems = problems;
  }
}
