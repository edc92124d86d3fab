import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { blockedCommitMs, navigationPollMs } from '../timing.ts';
import type { MainFrame } from './main-frame.ts';
import { NavigationWatch } from './navigation-watch.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A navigation that the old document blocks. */
function watchWith(heartbeat: () => Promise<void>, events: string[]): NavigationWatch {
  const channel = { stopScript: async () => undefined, evaluates: async () => undefined, heartbeat };
  const watch = new NavigationWatch({
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the watch reads no more of it
    main: { requests: 0, isAnswered: false } as MainFrame,
    channel: () => channel,
    hasCommitted: () => false,
    silentMs,
    onStopped: () => events.push('stopped'),
    onSilent: () => events.push('silent'),
  });
  watch.begin();
  return watch;
}

const silentMs = 3000;
const untilStopped = blockedCommitMs + 2 * navigationPollMs;

test('an old document whose scripts were stopped, and that does not respond, is reported', async () => {
  const events: string[] = [];
  const watch = watchWith(() => new Promise(() => undefined), events);
  await vi.advanceTimersByTimeAsync(untilStopped);
  expect(events).toEqual([]);
  await vi.advanceTimersByTimeAsync(silentMs);
  watch[Symbol.dispose]();
  expect(new Set(events)).toEqual(new Set(['silent']));
});

test('an old document that responds once its script was stopped is not', async () => {
  const events: string[] = [];
  const watch = watchWith(async () => undefined, events);
  await vi.advanceTimersByTimeAsync(10 * blockedCommitMs);
  watch[Symbol.dispose]();
  expect(new Set(events)).toEqual(new Set(['stopped']));
});

test('nothing is reported once the navigation has ended', async () => {
  const events: string[] = [];
  const watch = watchWith(() => new Promise(() => undefined), events);
  await vi.advanceTimersByTimeAsync(untilStopped);
  watch[Symbol.dispose]();
  await vi.advanceTimersByTimeAsync(silentMs);
  expect(events).toEqual([]);
});
