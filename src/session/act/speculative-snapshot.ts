import type { ActionInput } from '../../page/protocol.ts';
import type { Observation } from '../agent/page-agents.ts';

type Observe = (after: ActionInput) => Promise<Observation | undefined>;

/**
 * The observation that follows an action, requested in the same turn as its input, which saves a round trip. Input and
 * commands reach the page on different ways: the agent answers only if the input has arrived. An observation is used only
 * if nothing was waited for since, and the page is in the same document.
 */
export class SpeculativeSnapshot {
  readonly #observe: Observe;
  #requested: Promise<Observation | undefined> | undefined;

  constructor(observe: Observe) {
    this.#observe = observe;
  }

  /** Requests it. Send the only input of the action in the same turn. */
  readonly request = (after: ActionInput): void => {
    this.#requested = this.#observe(after);
  };

  /** The observation, once; undefined if there is none that can be used. */
  async take(before: Observation | undefined): Promise<Observation | undefined> {
    const requested = this.#requested;
    this.#requested = undefined;
    const observed = await requested;
    return observed?.state.documents === before?.state.documents ? observed : undefined;
  }
}
