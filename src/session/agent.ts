import type { Frame, Page, Selectors } from 'playwright-core';
import { source } from 'pagehelm:page-agent';
import type { Command, FrameState } from '../page/protocol.ts';
import { raceSignal, settlesWithin } from '../util/signals.ts';
import { FastLane } from './fast-lane.ts';

const engine = 'helm';
/** Frames beyond this many are not asked: a page of a hundred advertisements must not slow every call. */
const mostFrames = 8;

/**
 * Makes the page agent known to Playwright, as a selector engine: a selector is an encoded command, the answer is the
 * text of a detached element. That works in every browser and in every frame.
 */
export async function registerAgent(selectors: Selectors): Promise<void> {
  const script = `(() => {
    const agent = ${source};
    const answer = (selector) => {
      const element = document.createElement('i');
      element.textContent = agent.run(decodeURIComponent(selector));
      return element;
    };
    return { query: (root, selector) => answer(selector), queryAll: (root, selector) => [answer(selector)] };
  })()`;
  await selectors.register(engine, script, { contentScript: true });
}

/** What the agents of a page say, added up over its frames. */
export interface PageState {
  /** The main frame's document; refs of another document are not its refs. */
  readonly mainDocument: string;
  /** One string for all documents in the page: another string means that one of them was replaced. */
  readonly documents: string;
  readonly changes: number;
  readonly mutations: number;
  readonly quietMs: number;
  readonly title: string;
  readonly secrets: readonly string[];
  readonly isInSecret: boolean;
}

/** The server's end of the page agents of one page. */
export class PageAgents {
  readonly #page: Page;
  #lane: Promise<FastLane | undefined> | undefined;

  constructor(page: Page) {
    this.#page = page;
  }

  /** Opened while the page still answers: a page that spins cannot be attached to. */
  async lane(): Promise<FastLane | undefined> {
    this.#lane ??= FastLane.open(this.#page);
    return this.#lane;
  }

  /** Asks all frames; undefined when the main frame does not answer in time (a busy or blocked page). */
  async state(timeoutMs: number, signal: AbortSignal): Promise<PageState | undefined> {
    const [main, ...children] = this.#page.frames().slice(0, mostFrames);
    if (main === undefined) return undefined;
    const asked = [
      this.#mainState(main, timeoutMs, signal),
      ...children.map((frame) => frameState(frame, timeoutMs, signal)),
    ];
    const answers = await Promise.all(asked);
    const first = answers[0];
    return first === undefined
      ? undefined
      : added(
          first,
          answers.filter((state) => state !== undefined),
        );
  }

  async #mainState(frame: Frame, timeoutMs: number, signal: AbortSignal): Promise<FrameState | undefined> {
    const lane = await this.lane();
    const asking = lane?.ask(JSON.stringify({ do: 'state' } satisfies Command));
    if (asking !== undefined) {
      const isInTime = await settlesWithin(raceSignal(asking, signal), timeoutMs);
      if (!isInTime || signal.aborted) return undefined;
      const text = await asking;
      if (text !== undefined) return parsed(text);
    }
    return frameState(frame, timeoutMs, signal);
  }
}

function added(first: FrameState, states: readonly FrameState[]): PageState {
  const ages = states.map((state) => state.quietMs).filter((age) => age >= 0);
  return {
    mainDocument: first.document,
    documents: states.map((state) => state.document).join(' '),
    changes: states.reduce((sum, state) => sum + state.changes, 0),
    mutations: states.reduce((sum, state) => sum + state.mutations, 0),
    quietMs: ages.length === 0 ? Number.POSITIVE_INFINITY : Math.min(...ages),
    title: first.title,
    secrets: states.flatMap((state) => state.secrets),
    isInSecret: states.some((state) => state.isInSecret),
  };
}

async function frameState(frame: Frame, timeout: number, signal: AbortSignal): Promise<FrameState | undefined> {
  try {
    const command = encodeURIComponent(JSON.stringify({ do: 'state' } satisfies Command));
    const text = await frame.locator(`${engine}=${command}`).textContent({ timeout, signal });
    return text === null ? undefined : parsed(text);
  } catch {
    // A frame that went away, navigates or is busy has nothing to say; the caller decides what that means.
    return undefined;
  }
}

/** Only our own agent writes this text: the page cannot reach its world. */
function parsed(text: string): FrameState {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return JSON.parse(text) as FrameState;
}
