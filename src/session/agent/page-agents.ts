import type { Frame, Locator, Page, Selectors } from 'playwright-core';
import { agentSource } from './agent-source.ts';
import type { Asking, Command, Found, FrameState, Grasped, Walked, WhyNot } from '../../page/protocol.ts';
import { raceSignal, settlesWithin } from '../../util/signals.ts';
import { FastLane } from './cdp-channel.ts';
import type { PageSigns } from './cdp-channel.ts';

const engine = 'helm';
/** Frames beyond this many are not asked: a page of a hundred advertisements must not slow every call. */
const mostFrames = 8;

/** Selector engines belong to the process: several servers in one share the registration. */
const registered = new WeakMap<Selectors, Promise<void>>();

/** What a selector of ours says: run a command, find the element of a ref, or name the element it is asked on. */
type Selector = Command | { readonly ref: string } | { readonly name: 'this' };

/** The answer to each command. */
interface Answers {
  readonly state: FrameState;
  readonly walk: Walked;
  readonly find: Found;
  readonly why: WhyNot;
  readonly grasp: Grasped;
}

/**
 * Makes the page agent known to Playwright, as a selector engine: a selector is an encoded command, the answer is the
 * text of a detached element; or it is a ref, and what matches is the live element. That works in every browser and in
 * every frame, and Playwright's own actions work on our refs.
 */
export async function registerAgent(selectors: Selectors): Promise<void> {
  // Playwright makes the engine in the page's own world too, where it may be asked for refs: there must be no agent there.
  const script = `(() => {
    let made;
    const install = () => (made ??= ${agentSource});
    const text = (value) => {
      const element = document.createElement('i');
      element.textContent = value;
      return [element];
    };
    const queryAll = (root, selector) => {
      const command = decodeURIComponent(selector);
      const { ref, name } = JSON.parse(command);
      if (command.startsWith('{"ref"')) {
        const element = globalThis.pagehelmAgent?.elementOf(ref);
        return element === undefined ? [] : [element];
      }
      const agent = install();
      return text(name === undefined ? agent.run(command) : agent.refOf(root));
    };
    return { query: (root, selector) => queryAll(root, selector)[0], queryAll };
  })()`;
  const registering = registered.get(selectors) ?? selectors.register(engine, script, { contentScript: true });
  registered.set(selectors, registering);
  await registering;
}

function selectorFor(selector: Selector): string {
  return `${engine}=${encodeURIComponent(JSON.stringify(selector))}`;
}

/** The live element of a ref. */
export function refLocator(frame: Frame, ref: string): Locator {
  return frame.locator(selectorFor({ ref }));
}

/** The ref of an element that was found in another way. */
export async function refOfElement(locator: Locator, timeout: number, signal: AbortSignal): Promise<string> {
  return (await locator.locator(selectorFor({ name: 'this' })).textContent({ timeout, signal })) ?? '';
}

/** What the agents of a page say, added up over its frames. */
export interface PageState {
  /** The main frame's document; refs of another document are not its refs. */
  readonly mainDocument: string;
  /** One string for all documents in the page: another string means that one of them was replaced. */
  readonly documents: string;
  readonly changes: number;
  readonly mutations: number;
  readonly inputs: number;
  readonly keys: number;
  readonly quietMs: number;
  readonly timerMs: number;
  readonly fadeMs: number;
  readonly scene: string;
  /** What each document said in live regions and validation bubbles, by document. */
  readonly announced: ReadonlyMap<string, FrameState['announced']>;
  readonly title: string;
  readonly secrets: readonly string[];
  readonly isInSecret: boolean;
  readonly hasModal: boolean;
  /** What became of a ref of the main frame, and what was to be seen there, at the same moment; if it was asked. */
  readonly found?: { readonly ref: string; readonly is: Found };
  readonly walked?: Walked;
}

/**
 * To look for garbage takes as long as there is much that is none: a document that holds more would be felt. How much
 * of what is held is garbage shows only then, so that each document is taken to hold the same.
 */
const mostHeld = 50 * 2 ** 20;

/** The server's end of the page agents of one page. */
export class PageAgents {
  readonly #page: Page;
  readonly #signs: PageSigns;
  #lane: Promise<FastLane | undefined> | undefined;
  /** The lane once it is open: what is asked then is on its way at once. */
  #open: FastLane | undefined;
  /** Documents since the last tidying up. */
  #documents = 0;

  constructor(page: Page, signs: PageSigns) {
    this.#page = page;
    this.#signs = signs;
    page.on('domcontentloaded', () => {
      this.#documents += 1;
    });
  }

  /** Browsers keep some megabytes of each past document until they find it worth while to look for garbage. */
  get isLittered(): boolean {
    return this.#documents > 0;
  }

  async tidy(): Promise<void> {
    const documents = this.#documents;
    this.#documents = 0;
    const lane = await this.#lane;
    const isDone = await lane?.collectGarbage((documents + 1) * mostHeld);
    if (isDone === false) this.#documents += documents;
  }

  /** Opened while the page still answers: a page that spins cannot be attached to. */
  async lane(): Promise<FastLane | undefined> {
    this.#lane ??= FastLane.open(this.#page, this.#signs);
    this.#open = await this.#lane;
    return this.#open;
  }

  /**
   * Asks one frame's agent, at once or when the page has got to what it has just put off; undefined when it
   * does not answer in time (a busy, blocked or vanished frame).
   */
  async ask<C extends Command>(
    frame: Frame,
    command: C,
    timeoutMs: number,
    signal: AbortSignal,
    isLater = false,
  ): Promise<Answers[C['do']] | undefined> {
    const answer =
      frame === this.#page.mainFrame()
        ? await this.#askMain(command, timeoutMs, signal, isLater)
        : await askFrame(frame, command, timeoutMs, signal);
    // Only our own agent answers, and each command in its own way: the page cannot reach its world.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return answer as Answers[C['do']] | undefined;
  }

  /** Asks all frames; undefined when the main frame does not answer in time. */
  async state(
    timeoutMs: number,
    signal: AbortSignal,
    asking: Asking = {},
    isLater = false,
  ): Promise<PageState | undefined> {
    const frames = this.#page.frames().slice(0, mostFrames);
    const main = this.#page.mainFrame();
    const { begin = false } = asking;
    const answers = await Promise.all(
      frames.map((frame) =>
        this.ask(frame, { do: 'state', ...(frame === main ? asking : { begin }) }, timeoutMs, signal, isLater),
      ),
    );
    const first = answers[0];
    if (first === undefined) return undefined;
    const all = added(
      first,
      answers.filter((state) => state !== undefined),
    );
    const { find } = asking;
    return {
      ...all,
      ...(find === undefined || first.found === undefined ? {} : { found: { ref: find.ref, is: first.found } }),
      ...(first.walked === undefined ? {} : { walked: first.walked }),
    };
  }

  /** In the main frame, and only where it can be done at once; asked right after the state it follows on that. */
  async grasp(command: Extract<Command, { do: 'grasp' }>): Promise<Grasped> {
    const lane = this.#open ?? (await this.lane());
    // As in `ask`.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return ((await lane?.ask(command)) as Grasped | undefined) ?? { is: 'gone' };
  }

  async #askMain(command: Command, timeoutMs: number, signal: AbortSignal, isLater: boolean): Promise<unknown> {
    const lane = this.#open ?? (await this.lane());
    const asking = lane?.ask(command, isLater);
    if (asking !== undefined) {
      const isInTime = await settlesWithin(raceSignal(asking, signal), timeoutMs);
      if (!isInTime || signal.aborted) return undefined;
      const answer = await asking;
      if (answer !== undefined) return answer;
    }
    return askFrame(this.#page.mainFrame(), command, timeoutMs, signal);
  }
}

/** Whether something is still to come that the last action set off. */
export function isUnfinished({ timerMs, fadeMs }: PageState): boolean {
  return timerMs >= 0 || fadeMs >= 0;
}

/** What was announced between two states. */
export function announcedSince(before: PageState | undefined, now: PageState | undefined): readonly string[] {
  return [...(now?.announced ?? [])].flatMap(([document, { count, last }]) => {
    const fresh = count - (before?.announced.get(document)?.count ?? 0);
    return fresh > 0 ? last.slice(-fresh) : [];
  });
}

function added(first: FrameState, states: readonly FrameState[]): PageState {
  const sum = (of: 'changes' | 'mutations' | 'inputs' | 'keys'): number =>
    states.reduce((total, state) => total + state[of], 0);
  const ages = states.map((state) => state.quietMs).filter((age) => age >= 0);
  return {
    mainDocument: first.document,
    documents: states.map((state) => state.document).join(' '),
    changes: sum('changes'),
    mutations: sum('mutations'),
    inputs: sum('inputs'),
    keys: sum('keys'),
    quietMs: ages.length === 0 ? Number.POSITIVE_INFINITY : Math.min(...ages),
    timerMs: Math.max(...states.map((state) => state.timerMs)),
    fadeMs: Math.max(...states.map((state) => state.fadeMs)),
    scene: states.map((state) => state.scene).join('|'),
    announced: new Map(states.map((state) => [state.document, state.announced])),
    title: first.title,
    secrets: states.flatMap((state) => state.secrets),
    isInSecret: states.some((state) => state.isInSecret),
    hasModal: states.some((state) => state.hasModal),
  };
}

async function askFrame(frame: Frame, command: Command, timeout: number, signal: AbortSignal): Promise<unknown> {
  try {
    const text = await frame.locator(selectorFor(command)).textContent({ timeout, signal });
    return text === null ? undefined : JSON.parse(text);
  } catch {
    // A frame that went away, navigates or is busy has nothing to say; the caller decides what that means.
    return undefined;
  }
}
