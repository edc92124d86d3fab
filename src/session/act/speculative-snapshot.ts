import type { PageState } from '../agent/page-agents.ts';

/** Whether the page had heard of the action when it was looked at. */
export type IsHeard = (now: PageState, before: PageState) => boolean | Promise<boolean>;

/** By a key that was let go. */
export const byKey: IsHeard = (now, before) => now.keys > before.keys;
/** By a field that was written into. */
export const byInput: IsHeard = (now, before) => now.inputs > before.inputs;

/** How the page is to be looked at. */
interface LookHow {
  /** It may be the last look that is needed. */
  readonly mayBeLast: boolean;
  /** It comes so soon that the page has to get to what it has just put off. */
  readonly isAhead: boolean;
}

type Look = (how: LookHow) => Promise<PageState | undefined>;

/**
 * A look at the page that is asked for right behind the action, to save a way to the browser and back. Input and questions
 * take different ways into a page, so that the look may come first: it counts only if the page had heard of the action.
 */
export class LookAhead {
  readonly #look: Look;
  #asked: { readonly state: ReturnType<Look>; readonly isHeard: IsHeard } | undefined;

  constructor(look: Look) {
    this.#look = look;
  }

  ask(isHeard: IsHeard): void {
    this.#asked = { state: this.#look({ mayBeLast: true, isAhead: true }), isHeard };
  }

  /** What was seen already, if it counts, which it does not when something was waited for since; else what is seen now. */
  async look(mayBeLast: boolean, isFirst: boolean, before: PageState | undefined): Promise<PageState | undefined> {
    const asked = isFirst && before !== undefined ? this.#asked : undefined;
    this.#asked = undefined;
    const state = await asked?.state;
    const isSame = state !== undefined && before !== undefined && state.documents === before.documents;
    if (isSame && (await asked?.isHeard(state, before)) === true) return state;
    return this.#look({ mayBeLast, isAhead: false });
  }
}
