import type { CDPSession, Page } from 'playwright-core';
import type { Command } from '../../page/protocol.ts';
import { agentSource } from './agent-source.ts';
import { settlesWithin } from '../../util/signals.ts';

/** The isolated world that Playwright makes in every frame; selector engines registered as content scripts live in it. */
const worldPrefix = '__playwright_utility_world';
const stopLimitMs = 1000;
/** Characters; about what a few hundred elements take. */
const muchTold = 50_000;
/** Addresses of documents; others run a script or start another program. */
const documents = /^(?:https?|file|data|blob|about):/;

/** What a page is about to do, as soon as it says so. */
export interface PageSigns {
  /** A tab is to open; some of these signs come once for each. */
  readonly opens: (isOnce: boolean) => void;
  /** It makes way for another document. */
  readonly leaves: () => void;
  readonly asksForFiles: () => void;
}

interface Question {
  readonly command: Command;
  readonly isLater: boolean;
  readonly answer: (answer: unknown) => void;
}

/**
 * A CDP session of our own beside Playwright's, in Chromium. It talks to the page agent of the main frame without
 * Playwright's injected script, which takes tens of milliseconds to load into every new document; and, being there
 * before a page starts to spin, it can stop it.
 */
export class FastLane {
  readonly #session: CDPSession;
  readonly #frameId: string;
  #world: string | undefined;
  #installedIn: string | undefined;
  /** The number of the agent's text, and how many characters it has told. */
  #text = 0;
  #told = 0;
  /** The messages that are sent at the end of this turn. */
  #turn: Question[][] = [];

  /** Undefined where there is no such lane: another browser, or a page that is gone. */
  static async open(page: Page, signs: PageSigns): Promise<FastLane | undefined> {
    try {
      const session = await page.context().newCDPSession(page);
      const { frameTree } = await session.send('Page.getFrameTree');
      const { id } = frameTree.frame;
      const lane = new FastLane(session, id);
      // Long before the new tab can be used: a link with a target, window.open, Ctrl+click.
      session.on('Page.windowOpen', () => signs.opens(true));
      session.on('Page.frameRequestedNavigation', ({ disposition, frameId, url }) => {
        if (disposition === 'newTab' || disposition === 'newWindow') signs.opens(false);
        else if (disposition === 'currentTab' && frameId === id && documents.test(url)) signs.leaves();
      });
      // By an element of its head, when it has loaded; asked for it is a little later.
      session.on('Page.frameScheduledNavigation', ({ delay, frameId }) => {
        if (delay === 0 && frameId === id) signs.leaves();
      });
      // Playwright tells of a chooser when it has looked at its field, which takes several ways to the browser.
      session.on('Page.fileChooserOpened', () => signs.asksForFiles());
      await Promise.all([
        session.send('Runtime.enable'),
        session.send('Page.enable'),
        session.send('Page.setInterceptFileChooserDialog', { enabled: true }),
      ]);
      return lane;
    } catch {
      return undefined;
    }
  }

  private constructor(session: CDPSession, frameId: string) {
    this.#session = session;
    this.#frameId = frameId;
    session.on('Runtime.executionContextCreated', ({ context }) => {
      const isOurs = context.name.startsWith(worldPrefix) && context.auxData?.['frameId'] === this.#frameId;
      if (isOurs) this.#world = context.uniqueId;
    });
    session.on('Runtime.executionContextsCleared', () => {
      this.#world = undefined;
    });
  }

  get session(): CDPSession {
    return this.#session;
  }

  /**
   * The agent's answer, at once or when the page has got to what it has just put off; undefined when it cannot be had this
   * way now (a document is just being replaced). What is asked in one turn goes in one message, and is answered together;
   * but what may have the page run code of its own goes alone: that may take for ever, or take the page elsewhere.
   */
  async ask(command: Command, isLater = false): Promise<unknown> {
    return new Promise((answer) => {
      const question = { command, isLater, answer };
      if (this.#turn.length === 0) queueMicrotask(() => this.#askAll());
      const last = this.#turn.at(-1);
      const isAlone = runsPageCode(question) || last?.some(runsPageCode) !== false;
      if (isAlone) this.#turn.push([question]);
      else last?.push(question);
    });
  }

  #askAll(): void {
    const messages = this.#turn;
    this.#turn = [];
    for (const questions of messages) void this.#askTogether(questions);
  }

  async #askTogether(questions: readonly Question[]): Promise<void> {
    const now = questions.filter(({ isLater }) => !isLater);
    const later = questions.filter(({ isLater }) => isLater);
    const lists = [now, later].map((list) => JSON.stringify(list.map(({ command }) => command)));
    const answers = await this.#evaluate(`pagehelmAgent.runAll(${lists.join()})`, later.length > 0);
    for (const [index, { answer }] of [...now, ...later].entries()) answer(answers?.[index]);
  }

  async #evaluate(expression: string, awaitPromise: boolean): Promise<readonly unknown[] | undefined> {
    const world = this.#world;
    if (world === undefined) return undefined;
    const how = { expression, uniqueContextId: world, returnByValue: true, awaitPromise };
    try {
      // Not waited for: what is sent on one session is done in that order.
      if (this.#installedIn !== world) void this.#install(world);
      const answer = await this.#session.send('Runtime.evaluate', how);
      if (answer.exceptionDetails !== undefined || typeof answer.result.value !== 'string') return undefined;
      this.#installedIn = world;
      this.#told += answer.result.value.length;
      return JSON.parse(answer.result.value);
    } catch {
      // The document went away while it was asked.
      return undefined;
    }
  }

  /** What a function that closes over nothing comes to in the agent's world; undefined where it cannot be asked. */
  async run<A, R>(read: (argument: A) => R | Promise<R>, argument: A): Promise<R | undefined> {
    if (this.#world === undefined) return undefined;
    try {
      const answer = await this.#session.send('Runtime.callFunctionOn', {
        functionDeclaration: read.toString(),
        uniqueContextId: this.#world,
        arguments: [{ value: argument }],
        returnByValue: true,
        awaitPromise: true,
      });
      return answer.exceptionDetails === undefined ? answer.result.value : undefined;
    } catch {
      // The document went away meanwhile.
      return undefined;
    }
  }

  /**
   * What was compiled of a text is there for the next document that runs the same text. But V8 also remembers which of
   * its functions were hot, and has its threads optimize all of them for each such document: five times the work of a
   * look at a small page. So a text that has told much is not used again, and one with another comment has no such past.
   */
  async #install(uniqueContextId: string): Promise<void> {
    if (this.#told > muchTold) {
      this.#text++;
      this.#told = 0;
    }
    const expression = `void ${agentSource}/* ${this.#text} */`;
    // What goes wrong here is seen by who asks next.
    await this.#session.send('Runtime.evaluate', { expression, uniqueContextId }).catch(() => undefined);
  }

  /** Frees what nothing refers to any more, if the page holds no more than that. One that is busy does so later. */
  async collectGarbage(mostHeap: number): Promise<boolean> {
    try {
      const { usedSize } = await this.#session.send('Runtime.getHeapUsage');
      if (usedSize > mostHeap) return false;
      await this.#session.send('HeapProfiler.collectGarbage');
    } catch {
      // The page is gone, and its garbage with it.
    }
    return true;
  }

  /** Ends a script that does not end by itself; the DOM stays. */
  async stopScript(): Promise<void> {
    await settlesWithin(this.#session.send('Runtime.terminateExecution'), stopLimitMs);
  }

  /** Gives up a navigation that is under way; says whether the browser has heard of it. */
  async stopLoading(): Promise<boolean> {
    return settlesWithin(this.#session.send('Page.stopLoading'), stopLimitMs);
  }
}

/** A field that gets the focus, or another value, tells the page so. */
function runsPageCode({ command }: Question): boolean {
  return command.do === 'grasp' && (command.wish.for === 'text' || command.wish.for === 'options');
}
