import { ToolError } from '../errors.ts';
import { oneLine } from '../util/text.ts';

/** The operation during which Playwright failed; the error message is built from it. */
export interface FailureContext {
  /** `The click`, `The script`, … */
  readonly what: string;
  /** The element, as the caller named it. */
  readonly target?: string;
  readonly selector?: string;
  readonly url?: string;
  readonly timeoutMs?: number;
  readonly editing?: boolean;
  /** The browser is gone, not only the page. */
  readonly browserLost?: boolean;
}

const longestReason = 400;

/** Converts an error of Playwright. This is the only file that reads Playwright's messages. */
export function toToolError(error: unknown, context: FailureContext): ToolError {
  if (error instanceof ToolError) return error;
  const message = error instanceof Error ? plain(error.message) : String(error);
  return (
    gone(message, context, error) ?? selectorFailure(message, context, error) ?? actionFailure(message, context, error)
  );
}

/** The page, context or browser was closed or crashed. */
export function isGone(error: unknown): boolean {
  return says(error, /(?:Target|page|context|browser).*(?:closed|crashed)|Target closed/i);
}

/** A navigation turned into a download. */
export function isDownload(error: unknown): boolean {
  return says(error, /Download is starting/);
}

/** The page started another navigation while this one was pending. */
export function isInterrupted(error: unknown): boolean {
  return says(error, /interrupted by another navigation/);
}

/** A script navigated the page it ran in. */
export function isContextDestroyed(error: unknown): boolean {
  return says(error, /Execution context was destroyed/);
}

export function isUnknownKey(error: unknown): boolean {
  return says(error, /Unknown key/);
}

/** The browser did not start because of its sandbox. */
export function isSandboxFailure(error: unknown): boolean {
  return says(error, /sandbox/i);
}

/** The browser's error code of a failed request (`net::ERR_…`, `NS_ERROR_…`), if there is one. */
export function netErrorOf(error: unknown): string | undefined {
  return error instanceof Error ? /\b(?:net::ERR_[A-Z_]+|NS_ERROR_[A-Z_]+)/.exec(error.message)?.[0] : undefined;
}

export function isTimeout(error: unknown): boolean {
  return error instanceof Error && (error.name === 'TimeoutError' || says(error, /Timeout \d+ms exceeded/));
}

/** Playwright's message on one line, without colours, call log, stack and method name. */
export function reasonOf(error: unknown): string {
  const message = error instanceof Error ? plain(error.message) : String(error);
  const [first = message] = message.split(/\n\s*(?:Call log:|at )/);
  return shorten(first.replace(/^[\w.]+: /, '').replaceAll(/\s+/g, ' '));
}

/** Why a browser did not start: its exit code and last output, without the command line that started it. */
export function launchReasonOf(error: unknown): string {
  const message = error instanceof Error ? plain(error.message) : String(error);
  // Playwright prints the output twice: as the browser's log, and in its own.
  const lines = [...message.matchAll(/\[pid=\d+\]\[err\] (.+)/g)].map((match) => (match[1] ?? '').trim());
  const output = [...new Set(lines)].filter(Boolean);
  const exit = /process did exit: exitCode=(\w+), signal=(\w+)/.exec(message);
  const [, code = '', signal = 'null'] = exit ?? [];
  const end = exit === null ? '' : signal === 'null' ? `it ended with code ${code}` : `it was ended by ${signal}`;
  const words = [end, ...output.slice(-3)].filter((part) => part !== '').join('; ');
  return words === '' ? reasonOf(error) : shorten(words);
}

/** The line of a failed launch that names the cause; the first line if none does. */
export function launchFailureLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const lines = message.split('\n').map((line) => line.replace(/^[\s-]*(?:\[pid=\d+\](?:\[err\])?)?\s*/, ''));
  const cause = lines.find((line) =>
    /error while loading|cannot open|missing|sandbox is not supported|No usable sandbox|Permission denied/i.test(line),
  );
  return (cause ?? lines[0] ?? 'unknown').slice(0, 300);
}

/** Why a context was not created: usually an option that the browser does not support, set by the caller or the operator. */
export function contextFailure(error: unknown, isAskedFor: boolean): ToolError {
  const problem = refusedOption(error);
  // There is no page yet, so it is the browser that closed.
  if (problem === undefined) {
    if (error instanceof Error && !(error instanceof ToolError) && isLost.test(error.message)) {
      return new ToolError('BROWSER_CRASHED', { reason: 'one of its processes ended' }, { cause: error });
    }
    return toToolError(error, { what: 'Opening a browser context', browserLost: true });
  }
  if (!isAskedFor || isOfOperator(error)) return badConfiguration(problem, error);
  return new ToolError('INVALID_ARGUMENT', { problems: [`${problem}.`], accepted: [] }, { cause: error });
}

/** A configured context option that the browser rejected; undefined for other failures. */
export function refusedConfiguration(error: unknown): ToolError | undefined {
  const problem = refusedOption(error);
  return problem === undefined ? undefined : badConfiguration(problem, error);
}

function badConfiguration(problem: string, cause: unknown): ToolError {
  return new ToolError('BAD_CONFIGURATION', { problem: `${problem.replace(/\.$/, '')}.` }, { cause });
}

/** Playwright reads only the storage state file of the configuration; files that callers name are read by this server. */
function isOfOperator(error: unknown): boolean {
  return /reading storage state/i.test(reasonOf(error));
}

/** What setting a storage state fails with if the page that Playwright uses for it is lost. */
const isLost = /net::ERR_|crashed|closed/i;

function refusedOption(error: unknown): string | undefined {
  const message = error instanceof Error ? plain(error.message) : '';
  const isRefused =
    /Unknown permission: |is not supported in (?:Firefox|WebKit)|does not support socks5|Invalid (?:URL|timezone|header)|storageState\.|Error (?:setting|reading) storage state/;
  return isRefused.test(message) && !isLost.test(message) ? reasonOf(error) : undefined;
}

function gone(message: string, context: FailureContext, cause: unknown): ToolError | undefined {
  if (/crashed/i.test(message) && /page|target/i.test(message)) {
    return new ToolError('PAGE_CRASHED', { url: context.url ?? 'about:blank' }, { cause });
  }
  const isGoneMessage =
    /Target.*closed|(?:page|context|browser) has been closed|frame was detached|Target closed/i.test(message);
  if (
    (isGoneMessage && context.browserLost === true) ||
    /Connection closed|WebSocket.*closed|Browser closed/i.test(message)
  ) {
    return new ToolError('BROWSER_CRASHED', { reason: 'its process ended' }, { cause });
  }
  if (isGoneMessage) {
    return new ToolError('TAB_CLOSED', { what: lower(context.what) }, { cause });
  }
  return undefined;
}

function selectorFailure(message: string, context: FailureContext, cause: unknown): ToolError | undefined {
  const selector = context.selector ?? context.target ?? '';
  const strict = /strict mode violation: .* resolved to (\d+) elements/s.exec(message);
  if (strict !== null) return new ToolError('AMBIGUOUS_SELECTOR', { selector, count: Number(strict[1]) }, { cause });
  const isSyntax =
    /while parsing (?:css )?selector|Unknown engine|Unexpected token|not a valid (?:XPath|selector)|Malformed|InvalidSelector|Unknown attribute|Failed to execute '(?:evaluate|querySelector)/i;
  if (context.selector !== undefined && isSyntax.test(message)) {
    return new ToolError('INVALID_SELECTOR', { selector, reason: reasonOf(cause) }, { cause });
  }
  return undefined;
}

function actionFailure(message: string, context: FailureContext, cause: unknown): ToolError {
  const target = context.target ?? 'The element';
  const mismatch = firstReason(message, mismatches);
  if (mismatch !== undefined) return new ToolError('WRONG_ELEMENT', { target, reason: mismatch }, { cause });
  const obstacle = obstacleIn(message);
  const editable = /not an? (?:<input>|editable)|Element is not an <input>|is not editable|cannot be filled/i.test(
    message,
  );
  if (context.editing === true && (editable || obstacle === 'it is read-only.' || obstacle === 'it is disabled.')) {
    return new ToolError(
      'ELEMENT_NOT_EDITABLE',
      { target, reason: obstacle ?? 'it is not an input field.' },
      { cause },
    );
  }
  if (isTimeout(cause)) {
    if (
      context.target !== undefined &&
      obstacle === undefined &&
      /waiting for /.test(message) &&
      !/resolved to/.test(message)
    ) {
      // A ref was resolved before the action began.
      if (context.selector === undefined)
        return new ToolError('ELEMENT_NOT_CLICKABLE', { target, reason: 'it is no longer on the page.' }, { cause });
      const page = context.url === undefined ? {} : { page: context.url };
      return new ToolError('ELEMENT_NOT_FOUND', { selector: context.selector, ...page }, { cause });
    }
    if (obstacle !== undefined) return new ToolError('ELEMENT_NOT_CLICKABLE', { target, reason: obstacle }, { cause });
    return new ToolError('TIMEOUT', { what: context.what, ms: context.timeoutMs ?? 0 }, { cause });
  }
  const takes = filesTaken(message);
  if (takes !== undefined) {
    const problems = [`${target} takes ${takes}.`];
    return new ToolError('INVALID_ARGUMENT', { problems, accepted: ['paths'] }, { cause });
  }
  if (/Unable to capture screenshot/.test(message)) {
    return new ToolError(
      'SCREENSHOT_FAILED',
      { reason: 'it may be too large for the memory of the browser' },
      { cause },
    );
  }
  const netError = netErrorOf(cause);
  if (netError !== undefined && context.url !== undefined)
    return new ToolError('NAVIGATION_FAILED', { url: context.url, netError, reason: netError }, { cause });
  if (obstacle !== undefined) return new ToolError('ELEMENT_NOT_CLICKABLE', { target, reason: obstacle }, { cause });
  // The message may contain text of the page.
  return new ToolError('INTERNAL_ERROR', { reason: JSON.stringify(oneLine(reasonOf(cause))) }, { cause });
}

/** What a file input accepts, if Playwright rejected the given files. */
function filesTaken(message: string): string | undefined {
  if (/Non-multiple file input/i.test(message)) return 'only one file';
  if (/does not support directories|Dropping a directory/i.test(message)) return 'files, not a folder';
  return /\[webkitdirectory\] input requires/i.test(message) ? 'a folder, not files' : undefined;
}

/** Playwright's messages about elements of another kind than the action needs. Waiting does not help. */
const mismatches: readonly (readonly [RegExp, string])[] = [
  [/Cannot uncheck radio button/i, 'a radio button can only be unchecked by selecting another one of its group.'],
  [/Not a checkbox or radio button/i, 'it is neither a checkbox nor a radio button.'],
  [/Element is not a <select> element/i, 'it is not a list to select from.'],
  [/did not accept the drop/i, 'it did not accept the drop.'],
];

function firstReason(message: string, reasons: readonly (readonly [RegExp, string])[]): string | undefined {
  return reasons.find(([pattern]) => pattern.test(message))?.[1];
}

/** Why Playwright could not act, from its call log; the last reason counts. */
function obstacleIn(message: string): string | undefined {
  const covering = [...message.matchAll(/(<[^\n]*?) (?:from (<[^\n]*?) subtree )?intercepts pointer events/g)].at(-1);
  if (covering !== undefined) return `it is covered by ${shorten(covering[1] ?? 'another element')}.`;
  const reasons: readonly (readonly [RegExp, string])[] = [
    [/element is not enabled/i, 'it is disabled.'],
    [/element is not visible/i, 'it is not visible.'],
    [/(?:element was detached from the DOM.*){3}/is, 'the page keeps replacing it with a new element.'],
    [/element is not stable/i, 'it does not stop moving.'],
    [/element is outside of the viewport/i, 'it is outside of the viewport and cannot be scrolled into it.'],
    [/element is not editable|element is readonly/i, 'it is read-only.'],
    [/did not change its state/i, 'clicking it did not change its state.'],
    [/element was detached from the DOM/i, 'it was removed from the page meanwhile.'],
  ];
  return firstReason(message, reasons);
}

function says(error: unknown, pattern: RegExp): boolean {
  return error instanceof Error && pattern.test(error.message);
}

function plain(text: string): string {
  return text.replaceAll(/\u001b\[[0-9;]*m/g, '');
}

function shorten(text: string): string {
  return text.length <= longestReason ? text : `${text.slice(0, longestReason)}…`;
}

function lower(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
