import type { Page, Request } from 'playwright-core';
import type { Effects, Walked } from '../../page/protocol.ts';
import type { Activity } from '../settle/activity.ts';
import type { PageState } from '../agent/page-agents.ts';
import type { Modal } from '../events/dialogs.ts';
import type { Settled } from '../settle/settle.ts';

/** The effects of an action. */
export interface Outcome {
  readonly navigatedTo?: string | undefined;
  readonly modal?: Modal;
  readonly popups: readonly Page[];
  /** The action closed its own tab. */
  readonly closed: boolean;
  /** Requests of the action that were not answered in time. */
  readonly pending: readonly Request[];
  /** Requests that the page repeats, and that were not waited for. */
  readonly polls?: readonly Request[];
  readonly stillLoading: boolean;
  /** Its navigation was not answered in time: the previous document stays. */
  readonly isGivenUp?: boolean;
  /** The page was in a reload loop, which was stopped. */
  readonly isStopped: boolean;
  readonly state: PageState | undefined;
  /** The snapshot that was taken with that state, if one was requested. */
  readonly snapshot?: Walked | undefined;
  /** Transient messages of the page: notices, validation errors. */
  readonly announced: readonly string[];
  /** An effect on the target that no snapshot shows. */
  readonly effects?: Effects | undefined;
}

interface Ending extends Pick<Outcome, 'navigatedTo' | 'closed' | 'announced' | 'snapshot' | 'effects'> {
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

/** The outcome of an action that closed its own tab. */
export function closedOutcome(popups: readonly Page[]): Outcome {
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
