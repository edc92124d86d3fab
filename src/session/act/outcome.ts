import type { Page, Request } from 'playwright-core';
import type { FailureContext } from '../../browser/failure.ts';
import type { Grasped, Wish } from '../../page/protocol.ts';
import type { Activity } from '../settle/activity.ts';
import type { PageState } from '../agent/page-agents.ts';
import type { IsHeard } from './speculative-snapshot.ts';
import type { Modal } from '../events/dialogs.ts';
import type { Settled } from '../settle/settle.ts';
import type { Target } from '../snapshot/target.ts';

/** What an action set off. */
export interface Outcome {
  readonly navigatedTo?: string | undefined;
  readonly modal?: Modal;
  readonly popups: readonly Page[];
  /** The action closed its own tab. */
  readonly closed: boolean;
  /** Requests the action started that had not answered in time. */
  readonly pending: readonly Request[];
  /** Requests that the page makes again and again, and that were not waited for. */
  readonly polls?: readonly Request[];
  readonly stillLoading: boolean;
  /** Nobody answered its navigation in time: the page is the one before. */
  readonly isGivenUp?: boolean;
  /** The page loaded itself anew again and again, and was stopped. */
  readonly isStopped: boolean;
  readonly state: PageState | undefined;
  /** What the page said in passing: notices, messages about wrong fields. */
  readonly announced: readonly string[];
}

/** What is known of it only when it is over. */
interface Ending extends Pick<Outcome, 'navigatedTo' | 'closed' | 'announced'> {
  readonly modal: Modal | undefined;
}

export function outcomeOf(activity: Activity, settled: Settled | undefined, { modal, ...ending }: Ending): Outcome {
  return {
    ...ending,
    ...(modal === undefined ? {} : { modal }),
    popups: [...activity.popups],
    pending: settled?.pending ?? [],
    polls: activity.polls,
    stillLoading: settled?.stillLoading ?? false,
    isGivenUp: settled?.givenUp !== undefined,
    isStopped: settled?.isStopped ?? false,
    state: settled?.state,
  };
}

/** The action closed its own tab. */
export function closedBy(popups: readonly Page[]): Outcome {
  return {
    popups,
    closed: true,
    pending: [],
    stillLoading: false,
    isStopped: false,
    state: undefined,
    announced: [],
  };
}

/** What an action can use, most of it to be done sooner. */
export interface Shortcuts {
  /** What the page does meanwhile, for an action that goes elsewhere. */
  readonly activity: Activity;
  /** The element it is for, if that could be taken hold of at once. */
  readonly grasped: Promise<Grasped>;
  /** The page is looked at once more if it had not heard of the action then. To be called when that is on its way. */
  readonly lookAhead: (isHeard: IsHeard) => void;
}

export type Action = (before: PageState | undefined, shortcuts: Shortcuts) => Promise<unknown>;

export interface ActOptions {
  /**
   * Its effects begin in the page before the browser says that it is done (a key, a text, a pointer that moves), so that
   * none of them means none to come. A click or Enter may also begin something a frame later.
   */
  readonly isDirect?: boolean;
  /** What it is aimed at, to be looked for beforehand. */
  readonly target?: Target | undefined;
  /** What it takes to fill that is to be found out as well. */
  readonly wantsKind?: boolean | undefined;
  /** What that is wanted for, if it can be had at once. */
  readonly wish?: Wish | undefined;
  /** The page will be shown as it is when all is over. */
  readonly looks?: boolean;
  /** It only waits: what the page asks for meanwhile is none of its doing. */
  readonly isPassive?: boolean;
  readonly signal: AbortSignal;
  readonly failure: FailureContext;
}
