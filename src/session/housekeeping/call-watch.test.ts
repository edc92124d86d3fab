import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Browser } from 'playwright-core';
import { ToolError } from '../../errors.ts';
import type { Tab } from '../tab.ts';
import { lateAnswerMs, lateMs, latePollMs } from '../timing.ts';
import { CallWatch } from './call-watch.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A page whose process works all the time, and that answers until `silentAfterMs`. */
function session(silentAfterMs: number) {
  const started = performance.now();
  const cdp = { send: async () => undefined };
  const tab = {
    page: { url: () => 'http://busy.test/' },
    isHung: false,
    markHung() {
      this.isHung = true;
    },
    async isAlive(limitMs: number) {
      if (performance.now() - started < silentAfterMs) return true;
      await new Promise((resolve) => setTimeout(resolve, limitMs));
      return false;
    },
  };
  const ownBrowser = { newBrowserCDPSession: async () => cdp };
  return {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the watch uses no more of a tab
    current: tab as unknown as Tab,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nor of a browser
    ownBrowser: ownBrowser as unknown as Browser,
    get rendererUse() {
      return { isStopped: false, ticks: performance.now() };
    },
    endFrozenBrowser: () => undefined,
  };
}

test('a page that works but does not answer is given up soon after the timeout of the call', async () => {
  const watched = session(0);
  using watch = new CallWatch(watched, 3000);
  await vi.advanceTimersByTimeAsync(3000 + lateMs);
  expect(watch.signal.aborted).toBe(false);
  await vi.advanceTimersByTimeAsync(lateAnswerMs);
  expect(watch.signal.reason).toBeInstanceOf(ToolError);
  expect(watch.signal.reason).toMatchObject({ code: 'PAGE_UNRESPONSIVE', details: { url: 'http://busy.test/' } });
  expect(watched.current.isHung).toBe(true);
});

test('a call that takes longer than its timeout on a page that answers goes on', async () => {
  using watch = new CallWatch(session(Number.POSITIVE_INFINITY), 3000);
  await vi.advanceTimersByTimeAsync(100_000);
  expect(watch.signal.aborted).toBe(false);
});

test('a page that stops answering after the timeout is given up too', async () => {
  using watch = new CallWatch(session(20_000), 3000);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(watch.signal.aborted).toBe(false);
  await vi.advanceTimersByTimeAsync(latePollMs + lateAnswerMs);
  expect(watch.signal.aborted).toBe(true);
});

test('a call without a timeout gives such a page a minute', async () => {
  using watch = new CallWatch(session(0), undefined);
  await vi.advanceTimersByTimeAsync(50_000);
  expect(watch.signal.aborted).toBe(false);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(watch.signal.aborted).toBe(true);
});
