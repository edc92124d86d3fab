import type { Page, Request } from 'playwright-core';
import type { FailureContext } from '../browser/failure.ts';
import type { PageState } from './agent.ts';
import type { Modal } from './modals.ts';
import type { Target } from './target.ts';

/** What an action set off. */
export interface Outcome {
  readonly navigatedTo?: string | undefined;
  readonly modal?: Modal;
  readonly popups: readonly Page[];
  /** The action closed its own tab. */
  readonly closed: boolean;
  /** Requests the action started that had not answered in time. */
  readonly pending: readonly Request[];
  readonly stillLoading: boolean;
  readonly state: PageState | undefined;
  /** What the page said in passing: notices, messages about wrong fields. */
  readonly announced: readonly string[];
}

export interface ActOptions {
  /**
   * Its effects begin in the page before the browser says that it is done (a key, a text, a pointer that moves), so that
   * none of them means none to come. A click or Enter may also begin something a frame later.
   */
  readonly isDirect?: boolean;
  /** What it is aimed at, to be looked for beforehand. */
  readonly target?: Target | undefined;
  /** The page will be shown as it is when all is over. */
  readonly looks?: boolean;
  /** It only waits: what the page asks for meanwhile is none of its doing. */
  readonly isPassive?: boolean;
  readonly signal: AbortSignal;
  readonly failure: FailureContext;
}
