/**
 * Every failure a caller can meet, said once: its sentence, its next step, and its name in both public vocabularies.
 * The key is our own name for it; `code` is the `error.code` of the tool-result vocabulary, `errorCode` the one of
 * session-style clients where that differs.
 */
interface ErrorRow<D> {
  readonly message: (details: D) => string;
  readonly hint: string;
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

/** What session-style clients tell apart and the tool-result vocabulary does not; the rest has one name in both. */
type SessionStyleCode =
  | 'MAX_SESSIONS_REACHED'
  | 'SESSION_EXPIRED'
  | 'NAVIGATION_FAILED'
  | 'ELEMENT_NOT_CLICKABLE'
  | 'ELEMENT_NOT_EDITABLE';

function error<D>(row: ErrorRow<D>): ErrorRow<D> {
  return row;
}

const shout = 'Please try again or contact support if the issue persists.';
const notFoundHint =
  'Verify the selector using browser devtools. The element may be loaded dynamically - try using wait_for_selector first.';
const timeoutHint = 'Increase the timeout parameter or check if the page is loading slowly.';
const selectorHint = 'Check selector syntax. CSS selectors should not start with //, XPath should start with //';
const crashHint =
  'Browser crashed unexpectedly. This may indicate a memory issue or problematic page content. The next call starts a new browser.';
const freshSnapshotHint = 'Take a new browser_snapshot and use a ref from it.';

export const errorCatalogue = {
  MISSING_PARAMETER: error<{ problems: readonly string[]; accepted: readonly string[] }>({
    message: ({ problems }) => problems.join(' '),
    hint: 'Correct the arguments and call again.',
    code: 'MISSING_PARAMETER',
  }),
  INVALID_URL: error<{ url: string; reason: string }>({
    message: ({ url, reason }) => `${JSON.stringify(url)} cannot be opened: ${reason}.`,
    hint: 'Give an absolute http or https URL, for example https://example.com/.',
    code: 'INVALID_URL',
    errorCode: 'NAVIGATION_FAILED',
  }),
  SCHEME_BLOCKED: error<{ url: string; scheme: string }>({
    message: ({ url, scheme }) => `${JSON.stringify(url)} was not opened: ${scheme} URLs are not allowed.`,
    hint: 'Open an http, https, data or about:blank URL.',
    code: 'FORBIDDEN',
  }),
  URL_BLOCKED: error<{ url: string; rule: string }>({
    message: ({ url, rule }) => `${JSON.stringify(url)} was not opened: ${rule}.`,
    hint: 'This address is never opened. Use another one.',
    code: 'FORBIDDEN',
  }),
  INVALID_SELECTOR: error<{ selector: string; reason: string }>({
    message: ({ selector, reason }) => `The selector ${JSON.stringify(selector)} cannot be parsed: ${reason}`,
    hint: selectorHint,
    code: 'INVALID_SELECTOR',
  }),
  ELEMENT_NOT_FOUND: error<{ selector: string; page?: string }>({
    message: ({ selector }) => `No element found matching selector ${JSON.stringify(selector)}`,
    hint: notFoundHint,
    code: 'ELEMENT_NOT_FOUND',
  }),
  NO_SUCH_ELEMENT: error<{ selector: string; page?: string }>({
    message: ({ selector }) => `No element found matching selector ${JSON.stringify(selector)}`,
    hint: 'Check if the selector is correct. Try using browser devtools to verify the element exists.',
    code: 'ELEMENT_NOT_FOUND',
  }),
  REF_NOT_FOUND: error<{ ref: string }>({
    message: ({ ref }) => `The element was not found: no snapshot of this page has shown a ref ${JSON.stringify(ref)}.`,
    hint: freshSnapshotHint,
    code: 'ELEMENT_NOT_FOUND',
  }),
  REF_OF_OTHER_SESSION: error<{ ref: string; session: string; here: string }>({
    message: ({ ref, session, here }) =>
      `The ref ${JSON.stringify(ref)} is of the session ${JSON.stringify(session)}, and this call is for ${JSON.stringify(here)}.`,
    hint: 'Give sessionId with the name of that session, or use a ref that browser_snapshot shows here.',
    code: 'ELEMENT_NOT_FOUND',
  }),
  REF_OF_OTHER_TAB: error<{ ref: string; tab: string; here: number }>({
    message: ({ ref, tab, here }) =>
      `The ref ${JSON.stringify(ref)} is of tab ${tab}, and this call is for tab ${here}.`,
    hint: 'Give tab with the number of that tab, or use a ref that browser_snapshot shows here.',
    code: 'ELEMENT_NOT_FOUND',
  }),
  STALE_REF: error<{ ref: string; was: string; candidates?: readonly string[] }>({
    message: ({ ref, was, candidates = [] }) => {
      const alike = candidates.length === 0 ? '' : ` Like it now:\n${candidates.map((line) => `- ${line}`).join('\n')}`;
      return `The element of ref ${JSON.stringify(ref)} (${was}) may no longer exist: the page has changed since it was shown.${alike}`;
    },
    hint: 'Use a ref of the page as it is now: browser_snapshot shows them.',
    code: 'ELEMENT_NOT_FOUND',
  }),
  STALE_CURSOR: error<{ cursor: string }>({
    message: ({ cursor }) =>
      `The cursor ${JSON.stringify(cursor)} leads nowhere: the page has changed since it was shown.`,
    hint: 'Take a new browser_snapshot and use a cursor from it.',
    code: 'ELEMENT_NOT_FOUND',
  }),
  AMBIGUOUS_SELECTOR: error<{ selector: string; count: number }>({
    message: ({ selector, count }) => `The selector ${JSON.stringify(selector)} matches ${count} elements.`,
    hint: 'Use a ref from browser_snapshot, or narrow the selector until one element matches.',
    code: 'INVALID_SELECTOR',
  }),
  ELEMENT_NOT_CLICKABLE: error<{ target: string; reason: string }>({
    message: ({ target, reason }) => `${target} could not be acted on: ${reason}`,
    hint: 'Remove what is in the way (close the dialog or banner, enable or reveal the element), then call again.',
    code: 'ELEMENT_NOT_INTERACTIVE',
    errorCode: 'ELEMENT_NOT_CLICKABLE',
  }),
  ELEMENT_NOT_EDITABLE: error<{ target: string; reason: string }>({
    message: ({ target, reason }) => `${target} cannot be typed into: ${reason}`,
    hint: 'Choose an input, a textarea or an editable element from browser_snapshot, or enable it first.',
    code: 'ELEMENT_NOT_INTERACTIVE',
    errorCode: 'ELEMENT_NOT_EDITABLE',
  }),
  NAVIGATION_FAILED: error<{ url: string; netError?: string; reason: string }>({
    message: ({ url, reason }) => `Navigation to ${JSON.stringify(url)} failed: ${reason}`,
    hint: 'Check the address and that its server is up. The tab can be used for another navigation at once.',
    code: 'NAVIGATION_FAILED',
  }),
  NAVIGATION_TIMEOUT: error<{ url: string; timeout: number }>({
    message: ({ timeout }) => `Navigation timed out after ${timeout}ms`,
    hint: 'Increase timeout or check if the website is responsive.',
    code: 'TIMEOUT',
    errorCode: 'NAVIGATION_FAILED',
  }),
  NO_HISTORY: error<{ direction: 'back' | 'forward' }>({
    message: ({ direction }) => `There is no page to go ${direction} to in this tab.`,
    hint: 'Use browser_navigate with a URL.',
    code: 'NAVIGATION_FAILED',
  }),
  TIMEOUT: error<{ what: string; ms: number }>({
    message: ({ what, ms }) => `${what} did not finish within ${ms}ms.`,
    hint: timeoutHint,
    code: 'TIMEOUT',
  }),
  NETWORK_ERROR: error<{ reason: string }>({
    message: ({ reason }) => `A network request failed: ${reason}`,
    hint: 'Check the connection and call again.',
    code: 'NETWORK_ERROR',
  }),
  EVALUATION_FAILED: error<{ reason: string }>({
    message: ({ reason }) => `The script threw: ${reason}`,
    hint: 'Correct the function. It runs in the page, as "() => { … }", or "(element) => { … }" when a ref is given.',
    code: 'INTERNAL_ERROR',
  }),
  MODAL_OPEN: error<{ modal: string; tool: string }>({
    message: ({ modal }) => `The page is held up by ${modal}.`,
    hint: 'Answer it with browser_handle_dialog first; if the page goes on and on, close its tab with browser_close.',
    code: 'ELEMENT_NOT_INTERACTIVE',
    errorCode: 'ELEMENT_NOT_CLICKABLE',
  }),
  FORM_INCOMPLETE: error<{ fields: readonly string[]; failed: number }>({
    message: ({ fields, failed }) =>
      `${failed} of ${fields.length} fields could not be filled:\n${fields.map((line) => `- ${line}`).join('\n')}`,
    hint: 'Fill the named fields again with refs from browser_snapshot. The others keep their values.',
    code: 'ELEMENT_NOT_INTERACTIVE',
  }),
  TAB_NOT_FOUND: error<{ tab: string; open: number }>({
    message: ({ tab, open }) => `There is no tab ${tab}; ${open === 1 ? '1 tab is' : `${open} tabs are`} open.`,
    hint: 'List the tabs with browser_tabs.',
    code: 'ELEMENT_NOT_FOUND',
  }),
  TAB_CLOSED: error<{ what: string }>({
    message: ({ what }) => `The tab was closed while ${what} was under way.`,
    hint: 'Look at browser_tabs, or open a page with browser_navigate.',
    code: 'BROWSER_CRASHED',
  }),
  PAGE_CRASHED: error<{ url: string }>({
    message: ({ url }) => `The page ${JSON.stringify(url)} crashed.`,
    hint: 'Open it again with browser_navigate; other tabs are not affected.',
    code: 'BROWSER_CRASHED',
  }),
  BROWSER_CRASHED: error<{ reason: string }>({
    message: ({ reason }) => `The browser was lost: ${reason}`,
    hint: crashHint,
    code: 'BROWSER_CRASHED',
  }),
  NO_BROWSER: error<object>({
    message: () => 'No browser instance. Call browser_launch first.',
    hint: 'This server starts its browser only when it is told to: call browser_launch, then call again.',
    code: 'INTERNAL_ERROR',
  }),
  BROWSER_NOT_FOUND: error<{ browser: string; command: string }>({
    message: ({ browser, command }) => `No ${browser} browser is installed on this machine. Run: ${command}`,
    hint: 'Install a browser with browser_install or the command above, or give the path of one with --executable-path.',
    code: 'RESOURCE_EXHAUSTED',
  }),
  BROWSER_LAUNCH_FAILED: error<{ path: string; reason: string }>({
    message: ({ path, reason }) => `The browser ${path} did not start: ${reason}`,
    hint: 'Run "pagehelm doctor" to see what is missing on this machine.',
    code: 'RESOURCE_EXHAUSTED',
  }),
  BROWSER_NOT_REACHED: error<{ address: string; reason: string }>({
    message: ({ address, reason }) => `The browser at ${address} could not be reached: ${reason}`,
    hint: 'Check that it runs and listens at the address that this server was given, then call again.',
    code: 'RESOURCE_EXHAUSTED',
  }),
  INIT_PAGE_FAILED: error<{ path: string; reason: string }>({
    message: ({ path, reason }) => `The module ${JSON.stringify(path)}, which prepares each page, failed: ${reason}`,
    hint: 'Ask the operator of this server to correct the file that --init-page names.',
    code: 'INTERNAL_ERROR',
  }),
  BAD_CONFIGURATION: error<{ problem: string }>({
    message: ({ problem }) => `The configuration of this server does not work. ${problem}`,
    hint: 'Ask the operator of this server to correct it.',
    code: 'INTERNAL_ERROR',
  }),
  SCREENSHOT_TOO_LARGE: error<{ bytes: number; maxBytes: number }>({
    message: ({ bytes, maxBytes }) =>
      `The picture has ${bytes} bytes and cannot be reduced to the ${maxBytes} bytes that are allowed.`,
    hint: 'Take a picture of an element, or of the viewport.',
    code: 'RESOURCE_EXHAUSTED',
  }),
  SCREENSHOT_FAILED: error<{ reason: string }>({
    message: ({ reason }) => `The browser could not take the picture: ${reason}.`,
    hint: 'Take a picture of an element, or of the viewport.',
    code: 'RESOURCE_EXHAUSTED',
  }),
  CONTEXT_EXISTS: error<{ name: string }>({
    message: ({ name }) => `There is a context ${JSON.stringify(name)} already.`,
    hint: 'Use browser_context_switch, or another name.',
    code: 'MISSING_PARAMETER',
  }),
  BAD_NAME: error<{ name: string }>({
    message: ({ name }) => `${JSON.stringify(name)} cannot be the name of a session.`,
    hint: 'Use 1 to 64 letters, digits, hyphens and underscores: refs of the session begin with its name.',
    code: 'MISSING_PARAMETER',
  }),
  BAD_STORAGE_STATE: error<{ source: string; reason: string }>({
    message: ({ source, reason }) => `The storage state ${source} cannot be used: ${reason}.`,
    hint: 'Give what browser_context_save_storage writes: an object with the lists cookies and origins.',
    code: 'MISSING_PARAMETER',
  }),
  LAST_CONTEXT: error<{ name: string }>({
    message: () => 'Cannot close the only remaining context',
    hint: 'Create another context first, or close its pages with browser_close.',
    code: 'FORBIDDEN',
  }),
  SESSION_NOT_FOUND: error<{ session: string }>({
    message: ({ session }) => `There is no session ${JSON.stringify(session)}.`,
    hint: 'Create a new session with create_session tool.',
    code: 'SESSION_NOT_FOUND',
  }),
  SESSION_EXPIRED: error<{ session: string }>({
    message: ({ session }) => `The session ${JSON.stringify(session)} has expired.`,
    hint: 'Create a new session with create_session tool.',
    code: 'SESSION_NOT_FOUND',
    errorCode: 'SESSION_EXPIRED',
  }),
  MAX_SESSIONS_REACHED: error<{ limit: number }>({
    message: ({ limit }) => `The limit of ${limit} sessions is reached.`,
    hint: 'Close a session that is no longer needed, then call again.',
    code: 'RESOURCE_EXHAUSTED',
    errorCode: 'MAX_SESSIONS_REACHED',
  }),
  SESSION_BUSY: error<{ waiting: number }>({
    message: ({ waiting }) => `The session already has ${waiting} calls waiting.`,
    hint: 'Wait for their answers, then call again.',
    code: 'RESOURCE_EXHAUSTED',
  }),
  PATH_DENIED: error<{ path: string; reason: string }>({
    message: ({ path, reason }) => `The file ${JSON.stringify(path)} cannot be used: ${reason}.`,
    hint: 'Give a plain file name: files are written to the output directory, and read from the working directory.',
    code: 'FORBIDDEN',
  }),
  FORBIDDEN: error<{ reason: string }>({
    message: ({ reason }) => `This is not allowed: ${reason}`,
    hint: 'Ask the operator of this server to allow it.',
    code: 'FORBIDDEN',
  }),
  CANCELLED: error<{ what: string }>({
    message: ({ what }) => `${what} was cancelled by the client.`,
    hint: 'Call again if it is still wanted.',
    code: 'TIMEOUT',
  }),
  INTERNAL_ERROR: error<{ reason: string }>({
    message: ({ reason }) => `An unexpected internal error: ${reason}`,
    hint: shout,
    code: 'INTERNAL_ERROR',
  }),
};

export type ErrorCode = keyof typeof errorCatalogue;
type Details<C extends ErrorCode> = Parameters<(typeof errorCatalogue)[C]['message']>[0];

/** What a caller is told about a failure, in both vocabularies. */
export interface ErrorView {
  /** Our own name: the most exact of the three. */
  readonly kind: ErrorCode;
  readonly errorCode: SessionStyleCode | ToolResultCode;
  readonly code: ToolResultCode;
  readonly message: string;
  readonly hint: string;
  readonly retryable: boolean;
  readonly details: Readonly<Record<string, unknown>>;
}

/** A failure with a row in the catalogue. Details that do not fit the row do not compile. */
export class ToolError<C extends ErrorCode = ErrorCode> extends Error {
  readonly code: C;
  readonly details: Details<C>;
  readonly view: ErrorView;

  constructor(code: C, details: Details<C>, options?: ErrorOptions) {
    // The catalogue's rows are a union here; each row takes exactly the details of its own code.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const row = errorCatalogue[code] as unknown as ErrorRow<Details<C>>;
    super(row.message(details), options);
    this.name = 'ToolError';
    this.code = code;
    this.details = details;
    this.view = {
      kind: code,
      errorCode: row.errorCode ?? row.code,
      code: row.code,
      message: this.message,
      hint: row.hint,
      retryable: isRetryable(row.code),
      details: { ...details },
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
