import type { Browser, CDPSession } from 'playwright-core';
import type { ProcessUse } from '../../browser/host.ts';
import { ToolError } from '../../errors.ts';
import { pause, settlesWithin } from '../../util/signals.ts';
import type { Tab } from '../tab.ts';
import {
  heartbeatAfterMs,
  heartbeatLimitMs,
  lateAnswerMs,
  lateMs,
  latePollMs,
  longestPageSilenceMs,
} from '../timing.ts';

/** The session of a call. */
export interface WatchedSession {
  readonly current: Tab | undefined;
  /** Its browser, if it has one of this server. */
  readonly ownBrowser: Browser | undefined;
  /** Use of the renderers of its browser; undefined where that is not known. */
  readonly rendererUse: ProcessUse | undefined;
  /** Kills its browser, unless that one only takes long. */
  endFrozenBrowser(): void;
}

/** CDP sessions for heartbeats, by browser. */
const sessions = new WeakMap<Browser, Promise<CDPSession | undefined>>();

/**
 * Watches browser and page while a call runs. A stopped process answers nothing, and its connection stays open: without
 * this, each call would use up its timeout. Calls that end soon send no heartbeat.
 */
export class CallWatch implements Disposable {
  readonly #session: WatchedSession;
  readonly #ended = new AbortController();
  readonly #failed = new AbortController();
  readonly #timers: readonly NodeJS.Timeout[];
  /** The page that does not answer, since when, and what renderers had used then. */
  #silence: { readonly tab: Tab; readonly since: number; readonly ticks: number } | undefined;

  /** `timeoutMs`: the timeout of the call, if it has one. */
  constructor(session: WatchedSession, timeoutMs: number | undefined) {
    this.#session = session;
    const beat = setTimeout(() => void this.#run(), heartbeatAfterMs);
    const late = timeoutMs === undefined ? [] : [setTimeout(() => void this.#runLate(), timeoutMs + lateMs)];
    this.#timers = [beat, ...late];
    for (const timer of this.#timers) timer.unref();
  }

  /** The browser was lost, or the page does not answer: ends the call. */
  fail(error: ToolError): void {
    this.#failed.abort(error);
  }

  /** Aborts when browser or page fail. */
  get signal(): AbortSignal {
    return this.#failed.signal;
  }

  [Symbol.dispose](): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#ended.abort();
  }

  async #run(): Promise<void> {
    while (!this.#ended.signal.aborted) {
      const { ownBrowser, current: tab } = this.#session;
      if (ownBrowser === undefined) return;
      const [browserAnswers, pageAnswers] = await Promise.all([
        settlesWithin(heartbeat(ownBrowser), heartbeatLimitMs),
        tab?.isAlive(heartbeatLimitMs) ?? true,
      ]);
      if (this.#ended.signal.aborted) return;
      if (!browserAnswers) this.#session.endFrozenBrowser();
      else if (!pageAnswers && tab !== undefined) this.#noteSilence(tab);
      else this.#silence = undefined;
      await pause(heartbeatAfterMs, this.#ended.signal);
    }
  }

  /**
   * Fails a page that does not answer after the timeout of the call. A call has several steps, each with a limit of its
   * own: on a page that never stops laying out, their sum would be far beyond the timeout.
   */
  async #runLate(): Promise<void> {
    while (!this.#ended.signal.aborted) {
      const { ownBrowser, current: tab } = this.#session;
      const isAlive = ownBrowser === undefined || tab === undefined || (await tab.isAlive(lateAnswerMs));
      if (this.#ended.signal.aborted) return;
      if (!isAlive) this.#failPage(tab);
      await pause(latePollMs, this.#ended.signal);
    }
  }

  /**
   * Fails a page whose process is stopped or does nothing. One that works may only be slow, for example because another
   * page of the browser sends hundreds of megabytes: it gets longer.
   */
  #noteSilence(tab: Tab): void {
    const use = this.#session.rendererUse;
    const now = performance.now();
    const before = this.#silence?.tab === tab ? this.#silence : undefined;
    const isLong = before !== undefined && now - before.since > longestPageSilenceMs - heartbeatLimitMs;
    if (use === undefined || use.isStopped || use.ticks === before?.ticks || isLong) this.#failPage(tab);
    else this.#silence = { tab, since: before?.since ?? now, ticks: use.ticks };
  }

  #failPage(tab: Tab): void {
    tab.markHung();
    this.fail(new ToolError('PAGE_UNRESPONSIVE', { url: tab.page.url() }));
  }
}

async function heartbeat(browser: Browser): Promise<void> {
  const opening = sessions.get(browser) ?? openSession(browser);
  sessions.set(browser, opening);
  await (await opening)?.send('Browser.getVersion');
}

/** Undefined for browsers without CDP. */
async function openSession(browser: Browser): Promise<CDPSession | undefined> {
  return browser.newBrowserCDPSession().catch(() => undefined);
}
