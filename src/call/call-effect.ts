import type { ErrorCode, ErrorView, ToolError } from '../errors.ts';
import type { Tool } from './tool.ts';

/** Whether a call changed anything. After `unknown`, look before you call again. */
export type CallEffect = 'none' | 'done' | 'unknown';

/** Failures that may come after the action has reached the page. All others are found before it. */
const mayComeLater: ReadonlySet<ErrorCode> = new Set([
  'NAVIGATION_FAILED',
  'NAVIGATION_TIMEOUT',
  'TIMEOUT',
  'NETWORK_ERROR',
  'EVALUATION_FAILED',
  'FORM_INCOMPLETE',
  'TAB_CLOSED',
  'PAGE_CRASHED',
  'PAGE_UNRESPONSIVE',
  'BROWSER_CRASHED',
  'SESSION_NOT_FOUND',
  'SESSION_EXPIRED',
  'SERVER_ENDING',
  'CANCELLED',
  'STOPPED',
  'HUMAN_IN_CONTROL',
  'INTERNAL_ERROR',
]);

/** Failures after which the next call works on another page or browser. */
const recoverable: ReadonlySet<ErrorCode> = new Set(['BROWSER_CRASHED', 'PAGE_CRASHED', 'PAGE_UNRESPONSIVE']);

/** Follows one call, to tell afterwards whether it changed anything. */
export class EffectWatch {
  readonly #isRead: boolean;
  readonly #done: readonly string[];
  #hasBegun = false;

  /** `done`: the steps of a call that runs several tools. */
  constructor(effect: Tool['effect'], done: readonly string[]) {
    this.#isRead = effect === 'read';
    this.#done = done;
  }

  /** Whether the call may have changed something. */
  get mayHaveActed(): boolean {
    return this.#hasBegun && !this.#isRead;
  }

  /** The handler is about to run: arguments, session, tab and policy are in order. */
  readonly begin = (): void => {
    this.#hasBegun = true;
  };

  /** What an answer says; undefined for a call that only reads. */
  of(error: ErrorView | undefined): CallEffect | undefined {
    if (this.#isRead) return undefined;
    if (error === undefined || error.kind === 'ANSWER_NOT_KEPT') return 'done';
    if (error.kind === 'EFFECT_UNKNOWN') return 'unknown';
    return this.#hasBegun && (mayComeLater.has(error.kind) || this.#done.length > 0) ? 'unknown' : 'none';
  }
}

/**
 * Whether the server can make the call again: it changed nothing, and the next attempt has another page. A navigation is
 * one of them while the page that it leaves, at the URL `left`, keeps the new one from loading.
 */
export function isRepeatable(
  { effect, isRepeatable: isAllowed, replacesPage }: Pick<Tool, 'effect' | 'isRepeatable' | 'replacesPage'>,
  { code, details }: ToolError,
  left: string | undefined,
): boolean {
  const isStuck = replacesPage && code === 'PAGE_UNRESPONSIVE' && 'url' in details && details.url === left;
  return isStuck || (effect === 'read' && isAllowed && recoverable.has(code));
}
