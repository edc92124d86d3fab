import type { Frame, Locator, Page, Selectors } from 'playwright-core';
import { loadAgentSource } from './agent-source.ts';
import type {
  StateRequest,
  Command,
  Effects,
  Message,
  Found,
  FrameState,
  Named,
  DirectResult,
  Walked,
  WhyNot,
} from '../../page/protocol.ts';
import { raceSignal, settlesWithin } from '../../util/signals.ts';
import type { CdpConnection } from './cdp-channel.ts';
import { frameLimitMs, silentFrameMs } from '../timing.ts';

const engine = 'helm';
/** Further frames are not asked: a page with a hundred advertisements must not slow down every call. */
const mostFrames = 8;

/** Selector engines are registered per process, and several servers may run in one. */
const registered = new WeakMap<Selectors, Promise<void>>();

/** The argument of our selector engine: a command to run, a ref to resolve, or a question about the root element. */
type Selector = Message | { readonly ref: string } | Question;

type Question = {
  readonly firstRef: number;
} & (
  | { readonly about: 'ref' }
  /** Why it cannot be acted on now. With `isGuarded`, the next click may hit only this element. */
  | { readonly about: 'obstacle'; readonly isEditing: boolean; readonly isGuarded: boolean }
);

/** The answer to each command. */
interface Answers {
  readonly state: FrameState;
  readonly walk: Walked;
  readonly find: Found;
  readonly act: DirectResult;
}

/**
 * Registers the page agent as a Playwright selector engine. A selector is an encoded command, answered with the text of a
 * detached element, or a ref, which matches the live element. This works in every browser and frame, and lets Playwright's
 * actions take our refs.
 */
export async function registerAgent(selectors: Selectors): Promise<void> {
  const { agent } = await loadAgentSource();
  // Playwright also creates the engine in the page's main world, where only refs may be looked up: install no agent there.
  const script = `(() => {
    let made;
    const install = () => (made ??= ${agent});
    const text = (value) => {
      const element = document.createElement('i');
      element.textContent = value;
      return [element];
    };
    const queryAll = (root, selector) => {
      const command = decodeURIComponent(selector);
      const { ref, about, isEditing, isGuarded, firstRef } = JSON.parse(command);
      if (command.startsWith('{"ref"')) {
        const element = globalThis.pagehelmAgent?.elementOf(ref);
        return element === undefined ? [] : [element];
      }
      const agent = install();
      if (about === 'ref') return text(agent.refOf(root, firstRef));
      return text(about === 'obstacle' ? agent.whyNot(root, { isEditing, isGuarded, firstRef }) : agent.run(command));
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

/** Asks about the element that a locator finds, in the task that finds it: the page cannot replace it in between. */
async function askAbout(locator: Locator, question: Question, wait: Wait): Promise<string> {
  return (await locator.locator(selectorFor(question)).textContent(wait)) ?? '';
}

interface Wait {
  readonly timeout: number;
  readonly signal: AbortSignal;
}

/** The state of a page, aggregated over its frames. */
export interface PageState {
  /** Id of the main frame's document. Refs belong to one document. */
  readonly mainDocument: string;
  /** Ids of all documents in the page; differs when one of them was replaced. */
  readonly documents: string;
  readonly changes: number;
  readonly mutations: number;
  readonly quietMs: number;
  readonly timerMs: number;
  readonly fadeMs: number;
  readonly scene: string;
  /** Live-region and validation messages, by document. */
  readonly announced: ReadonlyMap<string, FrameState['announced']>;
  readonly title: string;
  readonly cookies: string;
  readonly secrets: readonly string[];
  readonly isInSecret: boolean;
  /** As in the state of the frame that has the focus. */
  readonly full?: string | undefined;
  readonly hasModal: boolean;
  /** Changes with the storage of the page's origin. */
  readonly storage: number;
  readonly hasMissed: boolean;
  readonly effects?: Effects | undefined;
}

/** A page state, and what was requested with it in the same message. */
export interface Observation {
  readonly state: PageState;
  /** The result of looking up a ref of the main frame. */
  readonly found?: { readonly ref: string; readonly is: Found };
  /** A snapshot of the main frame, taken at the same moment. */
  readonly snapshot?: Walked;
}

/**
 * The first ref number that no main frame of a session has used. The tabs of a session share it, so that a ref of one tab
 * leads nowhere in another, such as a popup that has become the current tab.
 */
export class RefNumbers {
  first = 1;
}

/** The server's side of the page agents of one page. */
export class PageAgents {
  readonly #page: Page;
  readonly #cdp: CdpConnection;
  readonly #numbers: RefNumbers;
  /** The same for each child frame. It outlives documents, so that no ref is given to a second element. */
  readonly #firstRefs = new WeakMap<Frame, number>();

  /** Child frames that did not answer in time. Chromium never runs scripts in some, such as a blocked `file:` frame. */
  readonly #silent = new WeakSet<Frame>();

  constructor(page: Page, cdp: CdpConnection, numbers: RefNumbers) {
    this.#page = page;
    this.#cdp = cdp;
    this.#numbers = numbers;
    page.on('framenavigated', (frame) => this.#silent.delete(frame));
  }

  /** Asks one frame's agent; undefined if it does not answer in time (a busy, blocked or detached frame). */
  async ask<C extends Command>(
    frame: Frame,
    command: C,
    timeoutMs: number,
    signal: AbortSignal,
  ): Promise<Answers[C['do']] | undefined> {
    const message = { ...command, firstRef: this.#firstRef(frame) };
    const answer =
      frame === this.#page.mainFrame()
        ? await this.#askMain(message, timeoutMs, signal)
        : await this.#askChild(frame, message, timeoutMs, signal);
    // Only our agent answers, with one type per command: the page cannot reach its world.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const typed = answer as Answers[C['do']] | undefined;
    if (typed !== undefined) this.#noteRefs(frame, refsIn(typed));
    return typed;
  }

  /** Asks all frames; undefined when the main frame does not answer in time, or the input of `after` has not arrived. */
  async observe(timeoutMs: number, signal: AbortSignal, request: StateRequest = {}): Promise<Observation | undefined> {
    const frames = this.#page.frames().slice(0, mostFrames);
    // The input may go to a child frame, and the main frame cannot tell.
    if (request.after !== undefined && frames.length > 1) return undefined;
    const main = this.#page.mainFrame();
    const { begin = false, find } = request;
    const answers = await Promise.all(
      frames.map((frame) =>
        this.ask(frame, { do: 'state', ...(frame === main ? request : { begin }) }, timeoutMs, signal),
      ),
    );
    const first = answers[0];
    if (first === undefined) return undefined;
    const all = answers.filter((state) => state !== undefined);
    return {
      state: added(first, all),
      ...(find === undefined || first.found === undefined ? {} : { found: { ref: find.ref, is: first.found } }),
      ...(first.snapshot === undefined ? {} : { snapshot: first.snapshot }),
    };
  }

  /** The frame of an element, and its ref there. */
  async refOf(locator: Locator, wait: Wait): Promise<{ readonly frame: Frame; readonly ref: string }> {
    const frame = await frameOf(locator, wait.timeout);
    const ref = await askAbout(locator, { about: 'ref', firstRef: this.#firstRef(frame) }, wait);
    this.#noteRefs(frame, [ref]);
    return { frame, ref };
  }

  /** The frame of an element, and why it cannot be acted on now. */
  async whyNot(
    locator: Locator,
    isEditing: boolean,
    wait: Wait,
    isGuarded: boolean,
  ): Promise<{ readonly frame: Frame; readonly why: WhyNot }> {
    const frame = await frameOf(locator, wait.timeout);
    const text = await askAbout(
      locator,
      { about: 'obstacle', isEditing, isGuarded, firstRef: this.#firstRef(frame) },
      wait,
    );
    // As in `ask`.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const why = JSON.parse(text) as WhyNot;
    this.#noteRefs(frame, refsIn(why));
    return { frame, why };
  }

  /** The first ref number of the main frame that is free. */
  get firstRef(): number {
    return this.#firstRef(this.#page.mainFrame());
  }

  /** Refs that were given to elements of the main frame by other means. */
  noteRefs(refs: readonly string[]): void {
    this.#noteRefs(this.#page.mainFrame(), refs);
  }

  #firstRef(frame: Frame): number {
    return frame === this.#page.mainFrame() ? this.#numbers.first : (this.#firstRefs.get(frame) ?? 1);
  }

  #noteRefs(frame: Frame, refs: readonly string[]): void {
    const first = refs.reduce((most, ref) => Math.max(most, Number(ref.slice(1)) + 1), this.#firstRef(frame));
    if (frame === this.#page.mainFrame()) this.#numbers.first = first;
    else this.#firstRefs.set(frame, first);
  }

  /** Acts in the main frame, if that is possible at once. */
  async act(command: Extract<Command, { do: 'act' }>): Promise<DirectResult> {
    const channel = this.#cdp.current ?? (await this.#cdp.open());
    // As in `ask`.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return ((await channel?.ask(command)) as DirectResult | undefined) ?? { is: 'gone' };
  }

  /** A child frame has a limit of its own: one frame must not block a call for the whole time-out. */
  async #askChild(frame: Frame, command: Message, timeoutMs: number, signal: AbortSignal): Promise<unknown> {
    const limitMs = Math.min(timeoutMs, this.#silent.has(frame) ? silentFrameMs : frameLimitMs);
    const answer = await askFrame(frame, command, limitMs, signal);
    if (answer !== undefined) this.#silent.delete(frame);
    else if (!signal.aborted) this.#silent.add(frame);
    return answer;
  }

  async #askMain(command: Message, timeoutMs: number, signal: AbortSignal): Promise<unknown> {
    const channel = this.#cdp.current ?? (await this.#cdp.open());
    const asking = channel?.ask(command);
    if (asking !== undefined) {
      const isInTime = await settlesWithin(raceSignal(asking, signal), timeoutMs);
      if (!isInTime || signal.aborted) return undefined;
      const answer = await asking;
      if (answer !== undefined) return answer ?? undefined;
    }
    if ('after' in command) return undefined;
    return askFrame(this.#page.mainFrame(), command, timeoutMs, signal);
  }
}

/** Whether timers or transitions of the last action are still running. */
export function isUnfinished({ timerMs, fadeMs }: PageState): boolean {
  return timerMs >= 0 || fadeMs >= 0;
}

/** Messages announced between two states. */
export function announcedSince(before: PageState | undefined, now: PageState | undefined): readonly string[] {
  return [...(now?.announced ?? [])].flatMap(([document, { count, last }]) => {
    const fresh = count - (before?.announced.get(document)?.count ?? 0);
    return fresh > 0 ? [...new Set(last.slice(-fresh))] : [];
  });
}

function added(first: FrameState, states: readonly FrameState[]): PageState {
  const sum = (of: 'changes' | 'mutations'): number => states.reduce((total, state) => total + state[of], 0);
  const ages = states.map((state) => state.quietMs).filter((age) => age >= 0);
  return {
    mainDocument: first.document,
    documents: states.map((state) => state.document).join(' '),
    changes: sum('changes'),
    mutations: sum('mutations'),
    quietMs: ages.length === 0 ? Number.POSITIVE_INFINITY : Math.min(...ages),
    timerMs: Math.max(...states.map((state) => state.timerMs)),
    fadeMs: Math.max(...states.map((state) => state.fadeMs)),
    scene: states.map((state) => state.scene).join('|'),
    announced: new Map(states.map((state) => [state.document, state.announced])),
    title: first.title,
    cookies: states.map((state) => state.cookies).join(' '),
    secrets: states.flatMap((state) => state.secrets),
    isInSecret: states.some((state) => state.isInSecret),
    full: states.findLast((state) => state.full !== undefined)?.full,
    hasModal: states.some((state) => state.hasModal),
    storage: first.storage,
    hasMissed: first.hasMissed === true,
    effects: states.findLast((state) => state.effects !== undefined)?.effects,
  };
}

async function askFrame(frame: Frame, command: Message, timeout: number, signal: AbortSignal): Promise<unknown> {
  try {
    const text = await frame.locator(selectorFor(command)).textContent({ timeout, signal });
    return text === null ? undefined : JSON.parse(text);
  } catch {
    // The frame is detached, navigating or busy; the caller decides what that means.
    return undefined;
  }
}

async function frameOf(locator: Locator, timeout: number): Promise<Frame> {
  const page = locator.page();
  if (page.frames().length === 1) return page.mainFrame();
  const handle = await locator.elementHandle({ timeout });
  const frame = await handle?.ownerFrame();
  await handle?.dispose();
  return frame ?? page.mainFrame();
}

/** All refs in an answer of an agent. */
function refsIn(answer: Answers[keyof Answers] | WhyNot): readonly string[] {
  if ('refs' in answer) return answer.refs.map((entry) => (typeof entry === 'string' ? entry : entry[0]));
  if ('title' in answer)
    return [answer.snapshot, answer.found].flatMap((part) => (part === undefined ? [] : refsIn(part)));
  const named: readonly (Named | undefined)[] = 'by' in answer ? [answer.by, ...(answer.ways ?? [])] : [];
  const own = 'ref' in answer ? answer.ref : undefined;
  return [...named.flatMap((each) => each?.ref ?? []), ...(own === undefined ? [] : [own])];
}
