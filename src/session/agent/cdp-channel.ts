import type { CDPSession, Page } from 'playwright-core';
import type { Message } from '../../page/protocol.ts';
import { loadAgentSource } from './agent-source.ts';
import { raceSignal, settlesWithin } from '../../util/signals.ts';
import { readLimitMs, stopLimitMs } from '../timing.ts';

/** The isolated world that Playwright makes in every frame; content-script selector engines run in it. */
const worldPrefix = '__playwright_utility_world';
/** URLs of documents; others run a script or start another program. */
const documents = /^(?:https?|file|data|blob|about):/;

/** Events that announce what the page is about to do, before Playwright reports it. */
export interface PageSigns {
  /** A tab is about to open. `isOnce`: the event fires exactly once per tab. */
  readonly opens: (isOnce: boolean) => void;
  /** The main frame is about to request another document. */
  readonly leaves: () => void;
  readonly opensFileChooser: () => void;
}

/** Called when the page has written to its localStorage or sessionStorage. */
export type StorageListener = () => void;

/** A document screenshot: the format and, except for PNG, the quality. */
export interface CaptureFormat {
  readonly type: 'jpeg' | 'png' | 'webp';
  readonly quality?: number;
}

/** As in Playwright. */
const usualQuality = { jpeg: 80, webp: 100 };

interface Question {
  readonly command: Message;
  readonly answer: (answer: unknown) => void;
}

/** The CDP channel of a page; opened on first use. */
export class CdpConnection {
  readonly #page: Page;
  readonly #signs: PageSigns;
  readonly #onStorage: StorageListener;
  #opening: Promise<CdpChannel | undefined> | undefined;
  #channel: CdpChannel | undefined;

  constructor(page: Page, signs: PageSigns, onStorage: StorageListener) {
    this.#page = page;
    this.#signs = signs;
    this.#onStorage = onStorage;
  }

  /** The open channel; messages sent on it leave in the same turn. */
  get current(): CdpChannel | undefined {
    return this.#channel;
  }

  /** Resolves once the renderer answers. A channel that is being opened needs its answer too. */
  async heartbeat(): Promise<void> {
    await (this.#channel === undefined ? this.#opening : this.#channel.heartbeat());
  }

  /** Undefined where there is no CDP: another browser, or a closed or crashed page. */
  async open(): Promise<CdpChannel | undefined> {
    this.#opening ??= unlessCrashed(this.#page, CdpChannel.open(this.#page, this.#signs, this.#onStorage));
    this.#channel = await this.#opening;
    return this.#channel;
  }
}

/** A crashed page answers nothing, and does not close. */
async function unlessCrashed<T>(page: Page, opening: Promise<T>): Promise<T | undefined> {
  const crashed = new AbortController();
  const onCrash = (): void => crashed.abort();
  page.once('crash', onCrash);
  try {
    return await raceSignal(opening, crashed.signal);
  } catch {
    return undefined;
  } finally {
    page.off('crash', onCrash);
  }
}

/**
 * A second CDP session beside Playwright's, in Chromium. It talks to the page agent of the main frame without
 * Playwright's injected script, which takes tens of milliseconds to load into every new document. Because it is attached
 * before a script hangs the page, it can also terminate that script.
 */
export class CdpChannel {
  readonly #session: CDPSession;
  readonly #frameId: string;
  readonly #agent: string;
  #world: string | undefined;
  #installedIn: string | undefined;
  /** Messages to send at the end of this turn. */
  #turn: Question[][] = [];

  static async open(page: Page, signs: PageSigns, onStorage: StorageListener): Promise<CdpChannel | undefined> {
    try {
      const session = await page.context().newCDPSession(page);
      const { frameTree } = await session.send('Page.getFrameTree');
      const { id } = frameTree.frame;
      const { agent } = await loadAgentSource();
      const channel = new CdpChannel(session, id, agent);
      // These fire long before the new tab can be used: a link with a target, window.open, Ctrl+click.
      session.on('Page.windowOpen', () => signs.opens(true));
      session.on('Page.frameRequestedNavigation', ({ disposition, frameId, url }) => {
        if (disposition === 'newTab' || disposition === 'newWindow') signs.opens(false);
        else if (disposition === 'currentTab' && frameId === id && documents.test(url)) signs.leaves();
      });
      // A <meta> refresh; the request follows a little later.
      session.on('Page.frameScheduledNavigation', ({ delay, frameId }) => {
        if (delay === 0 && frameId === id) signs.leaves();
      });
      // Playwright reports a file chooser several round trips later.
      session.on('Page.fileChooserOpened', () => signs.opensFileChooser());
      session.on('DOMStorage.domStorageItemAdded', onStorage);
      session.on('DOMStorage.domStorageItemUpdated', onStorage);
      session.on('DOMStorage.domStorageItemRemoved', onStorage);
      session.on('DOMStorage.domStorageItemsCleared', onStorage);
      await Promise.all([
        session.send('Runtime.enable'),
        session.send('Page.enable'),
        session.send('DOMStorage.enable'),
        session.send('Page.setInterceptFileChooserDialog', { enabled: true }),
      ]);
      return channel;
    } catch {
      return undefined;
    }
  }

  private constructor(session: CDPSession, frameId: string, agent: string) {
    this.#session = session;
    this.#frameId = frameId;
    this.#agent = agent;
    session.on('Runtime.executionContextCreated', ({ context }) => {
      const isOurs = context.name.startsWith(worldPrefix) && context.auxData?.['frameId'] === this.#frameId;
      if (isOurs) this.#world = context.uniqueId;
    });
    session.on('Runtime.executionContextsCleared', () => {
      this.#world = undefined;
    });
  }

  /**
   * The agent's answer; undefined while there is no document to ask. Commands of one turn share a message. A command that
   * may run the page's own code gets its own message: that code may never return, or navigate away.
   */
  async ask(command: Message): Promise<unknown> {
    return new Promise((answer) => {
      const question = { command, answer };
      if (this.#turn.length === 0) queueMicrotask(() => this.#sendTurn());
      const last = this.#turn.at(-1);
      const isAlone = runsPageCode(question) || last?.some(runsPageCode) !== false;
      if (isAlone) this.#turn.push([question]);
      else last?.push(question);
    });
  }

  #sendTurn(): void {
    const messages = this.#turn;
    this.#turn = [];
    for (const questions of messages) void this.#send(questions);
  }

  async #send(questions: readonly Question[]): Promise<void> {
    const commands = JSON.stringify(questions.map(({ command }) => command));
    const isDeferred = questions.some(({ command }) => 'afterTasks' in command);
    const answers = await this.#evaluate(`pagehelmAgent.runAll(${commands})`, isDeferred);
    for (const [index, { answer }] of questions.entries()) answer(answers?.[index]);
  }

  async #evaluate(expression: string, awaitPromise: boolean): Promise<readonly unknown[] | undefined> {
    const world = this.#world;
    if (world === undefined) return undefined;
    try {
      // Not awaited: messages on one session run in order.
      if (this.#installedIn !== world) void this.#install(world);
      const how = { expression, uniqueContextId: world, returnByValue: true, awaitPromise };
      const answer = await this.#session.send('Runtime.evaluate', how);
      if (answer.exceptionDetails !== undefined || typeof answer.result.value !== 'string') return undefined;
      this.#installedIn = world;
      return JSON.parse(answer.result.value);
    } catch {
      // The document was replaced meanwhile.
      return undefined;
    }
  }

  async #install(uniqueContextId: string): Promise<void> {
    // A failure shows in the next answer.
    await this.#session
      .send('Runtime.evaluate', { expression: `void ${this.#agent}`, uniqueContextId })
      .catch(() => undefined);
  }

  /** Runs a function without free variables in the agent's world; undefined if there is no document to run it in. */
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
      // The document was replaced meanwhile.
      return undefined;
    }
  }

  /**
   * The value of an expression in the page's own world, if reading it has no side effects: V8 stops before the first one,
   * and the page cannot catch that. Undefined if it was stopped, or threw.
   */
  async evaluateReadOnly(expression: string): Promise<string | undefined> {
    try {
      const how = { expression, throwOnSideEffect: true, returnByValue: true, timeout: readLimitMs };
      const { result, exceptionDetails } = await this.#session.send('Runtime.evaluate', how);
      return exceptionDetails === undefined && typeof result.value === 'string' ? result.value : undefined;
    } catch {
      // The document was replaced meanwhile.
      return undefined;
    }
  }

  /**
   * Captures the viewport, with one image pixel per CSS pixel. Without a clip the browser copies what it has drawn; a clip
   * makes it emulate another device, and end Playwright's emulation.
   */
  async captureViewport({ type, quality }: CaptureFormat): Promise<Buffer> {
    const { data } = await this.#session.send('Page.captureScreenshot', {
      format: type,
      // The same pixels in less time, in a file that is about half as large again.
      optimizeForSpeed: type === 'png',
      ...(type === 'png' ? {} : { quality: quality ?? usualQuality[type] }),
    });
    return Buffer.from(data, 'base64');
  }

  /** Captures the whole document, whether or not it has a body. */
  async captureDocument({ type, quality }: CaptureFormat): Promise<Buffer> {
    const { cssContentSize } = await this.#session.send('Page.getLayoutMetrics');
    const { data } = await this.#session.send('Page.captureScreenshot', {
      format: type,
      ...(type === 'png' ? {} : { quality: quality ?? usualQuality[type] }),
      clip: { ...cssContentSize, scale: 1 },
      captureBeyondViewport: true,
    });
    return Buffer.from(data, 'base64');
  }

  /** Runs a garbage collection unless the live heap is larger than this; false if it was skipped. */
  async collectGarbage(mostHeap: number): Promise<boolean> {
    try {
      const { usedSize } = await this.#session.send('Runtime.getHeapUsage');
      if (usedSize > mostHeap) return false;
      await this.#session.send('HeapProfiler.collectGarbage');
    } catch {
      // The page is closed.
    }
    return true;
  }

  /** Resolves once the page evaluates scripts. */
  async evaluates(): Promise<void> {
    await this.#session.send('Runtime.evaluate', { expression: '0' }).catch(() => undefined);
  }

  /** Resolves once the renderer answers, also while it runs a script: the answer interrupts the script. */
  async heartbeat(): Promise<void> {
    await this.#session.send('Performance.getMetrics').catch(() => undefined);
  }

  /** Terminates a running script; the DOM stays. */
  async stopScript(): Promise<void> {
    await settlesWithin(this.#session.send('Runtime.terminateExecution'), stopLimitMs);
  }

  /** Keeps the page from running further scripts. */
  async disableScripts(): Promise<void> {
    await settlesWithin(this.#session.send('Emulation.setScriptExecutionDisabled', { value: true }), stopLimitMs);
  }

  /** Stops a pending navigation; false if the browser did not confirm. */
  async stopLoading(): Promise<boolean> {
    return settlesWithin(this.#session.send('Page.stopLoading'), stopLimitMs);
  }
}

/** Focusing a field or selecting an option dispatches events to the page. */
function runsPageCode({ command }: Question): boolean {
  return command.do === 'act' && (command.action.kind === 'text' || command.action.kind === 'options');
}
