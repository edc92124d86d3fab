import { expect, test, vi } from 'vitest';
import { pause, raceSignal, settlesWithin } from './signals.ts';

test('the promise wins when it comes first, and leaves no listener behind', async () => {
  const { signal } = new AbortController();
  const remove = vi.spyOn(signal, 'removeEventListener');
  await expect(raceSignal(Promise.resolve(1), signal)).resolves.toBe(1);
  expect(remove).toHaveBeenCalledOnce();
});

test('the reason of the signal wins when it comes first', async () => {
  const abort = new AbortController();
  const race = raceSignal(new Promise(() => undefined), abort.signal);
  abort.abort(new Error('enough'));
  await expect(race).rejects.toThrow('enough');
});

test('a reason that is no error becomes one', async () => {
  const abort = new AbortController();
  const race = raceSignal(new Promise(() => undefined), abort.signal);
  abort.abort('enough');
  await expect(race).rejects.toThrow('aborted');
});

test('settling in time is detected for resolved and rejected promises', async () => {
  vi.useFakeTimers();
  try {
    await expect(settlesWithin(Promise.resolve(), 10)).resolves.toBe(true);
    await expect(settlesWithin(Promise.reject(new Error('no')), 10)).resolves.toBe(true);
    const late = settlesWithin(new Promise(() => undefined), 10);
    await vi.advanceTimersByTimeAsync(10);
    await expect(late).resolves.toBe(false);
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

test('a pause ends with its time or with its signal', async () => {
  vi.useFakeTimers();
  try {
    const timed = pause(1000);
    await vi.advanceTimersByTimeAsync(1000);
    await timed;
    const abort = new AbortController();
    const cut = pause(1000, abort.signal);
    abort.abort();
    await cut;
    await pause(1000, AbortSignal.abort());
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

test('a promise that fails after the signal has aborted is no unhandled rejection', async () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => void unhandled.push(reason);
  process.on('unhandledRejection', note);
  let fail: (reason: Error) => void = () => undefined;
  const late = new Promise<never>((_, reject) => (fail = reject));
  const racing = raceSignal(late, AbortSignal.abort(new Error('aborted')));
  await expect(racing).rejects.toThrow('aborted');
  fail(new Error('late'));
  // Node reports unhandled rejections after the microtasks of this turn.
  await new Promise((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', note);
  expect(unhandled).toEqual([]);
});
