import type { Frame, Page, Selectors } from 'playwright-core';
import { pageAgent } from '../page/agent.ts';
import type { FrameState } from '../page/agent.ts';

const engine = 'helm';
/** Frames beyond this many are not asked: a page of a hundred advertisements must not slow every call. */
const mostFrames = 8;

/** Makes the page agent known to Playwright; it must happen before the first page is opened. */
export async function registerAgent(selectors: Selectors): Promise<void> {
  await selectors.register(engine, `(${pageAgent.toString()})()`, { contentScript: true });
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

/** Asks the agents of all frames; undefined when the main frame does not answer in time (a busy or blocked page). */
export async function pageState(page: Page, timeoutMs: number, signal?: AbortSignal): Promise<PageState | undefined> {
  const [main, ...children] = page.frames().slice(0, mostFrames);
  if (main === undefined) return undefined;
  const answers = await Promise.all([main, ...children].map((frame) => frameState(frame, timeoutMs, signal)));
  const first = answers[0];
  if (first === undefined) return undefined;
  const states = answers.filter((state) => state !== undefined);
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

async function frameState(frame: Frame, timeout: number, signal?: AbortSignal): Promise<FrameState | undefined> {
  try {
    const options = signal === undefined ? { timeout } : { timeout, signal };
    const text = await frame.locator(`${engine}=state`).textContent(options);
    // Only our own agent writes this text: the page cannot reach its world.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return text === null ? undefined : (JSON.parse(text) as FrameState);
  } catch {
    // A frame that went away, navigates or is busy has nothing to say; the caller decides what that means.
    return undefined;
  }
}
