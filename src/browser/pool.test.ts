import { expect, test } from 'vitest';
import { FakeClock } from '../../tests/fake-clock.ts';
import { BrowserPool } from './pool.ts';
import type { PoolOptions, PoolPlace } from './pool.ts';

interface FakeBrowser {
  readonly name: string;
  memory: number;
  end: () => void;
}

interface FakePool {
  readonly pool: BrowserPool<FakeBrowser>;
  readonly clock: FakeClock;
  readonly launched: FakeBrowser[];
  readonly closed: string[];
  readonly takeMany: (count: number) => Promise<readonly PoolPlace<FakeBrowser>[]>;
}

function open(settings: Partial<PoolOptions<FakeBrowser>['settings']>): FakePool {
  const clock = new FakeClock();
  const launched: FakeBrowser[] = [];
  const closed: string[] = [];
  const pool = new BrowserPool<FakeBrowser>({
    settings: {
      minBrowsers: 0,
      maxBrowsers: 1,
      idleTimeout: 1000,
      maxMemory: 100,
      maxSessions: 3,
      maxAge: 60_000,
      ...settings,
    },
    launch: async () => {
      const browser = { name: `b${launched.length + 1}`, memory: 0, end: () => undefined };
      launched.push(browser);
      return browser;
    },
    close: async ({ name }) => void closed.push(name),
    onEnd: (browser, ended) => {
      browser.end = ended;
    },
    after: (ms, run) => clock.after(ms, run),
    now: () => clock.now(),
    memoryOf: ({ memory }) => memory,
  });
  const takeMany = async (count: number): Promise<readonly PoolPlace<FakeBrowser>[]> =>
    Promise.all(Array.from({ length: count }, async () => pool.take()));
  return { pool, clock, launched, closed, takeMany };
}

function namesOf(places: readonly PoolPlace<FakeBrowser>[]): readonly string[] {
  return places.map(({ browser }) => browser.name);
}

test('[S3-36, S3-37] one browser is shared unless more are allowed', async () => {
  const { takeMany } = open({});
  expect(namesOf(await takeMany(3))).toEqual(['b1', 'b1', 'b1']);
});

test('[S1-121] sessions are distributed over the allowed browsers by load', async () => {
  const { takeMany, pool } = open({ maxBrowsers: 3, maxSessions: 0 });
  const places = await takeMany(7);
  expect(namesOf(places).toSorted()).toEqual(['b1', 'b1', 'b1', 'b2', 'b2', 'b3', 'b3']);
  for (const place of places) if (place.browser.name === 'b2') place.release();
  expect(namesOf([await pool.take(), await pool.take()])).toEqual(['b2', 'b2']);
});

test('an idle browser is reused before a new one is started', async () => {
  const { pool, launched } = open({ maxBrowsers: 3 });
  (await pool.take()).release();
  (await pool.take()).release();
  expect(launched).toHaveLength(1);
});

test('[S1-120, S1-122, R-35] idle browsers above the minimum are closed after the idle time-out', async () => {
  const { clock, closed, pool, takeMany } = open({ minBrowsers: 2, maxBrowsers: 4 });
  for (const place of await takeMany(4)) place.release();
  clock.pass(999);
  expect(closed).toEqual([]);
  clock.pass(1);
  await Promise.resolve();
  await Promise.resolve();
  expect(closed).toHaveLength(2);
  clock.pass(10_000);
  expect(pool.size).toBe(2);
});

test('[S3-38, R-35] the last browser stays', async () => {
  const { clock, pool, takeMany } = open({ maxBrowsers: 2 });
  for (const place of await takeMany(2)) place.release();
  clock.pass(1e9);
  expect(pool.size).toBe(1);
});

test('a browser that is used again in time is not closed', async () => {
  const { clock, closed, pool, takeMany } = open({ maxBrowsers: 2 });
  const [first, second] = await takeMany(2);
  first?.release();
  clock.pass(900);
  const again = await pool.take();
  expect(again.browser).toBe(first?.browser);
  clock.pass(900);
  again.release();
  again.release();
  second?.release();
  clock.pass(999);
  expect(closed).toEqual([]);
});

test('a browser that ended is replaced', async () => {
  const { pool, launched } = open({});
  const place = await pool.take();
  launched[0]?.end();
  expect((await pool.take()).browser.name).toBe('b2');
  place.release();
  expect(pool.size).toBe(1);
});

test('closing the pool closes all browsers and leaves no timer', async () => {
  const { clock, closed, pool, takeMany } = open({ maxBrowsers: 2 });
  const [first] = await takeMany(2);
  first?.release();
  await pool[Symbol.asyncDispose]();
  expect(closed.toSorted()).toEqual(['b1', 'b2']);
  expect(clock.pending).toBe(0);
});

test('[S1-120] a browser that ended by itself is replaced up to the minimum, with growing pauses', async () => {
  const { clock, launched, pool, takeMany } = open({ minBrowsers: 2, maxBrowsers: 2 });
  for (const place of await takeMany(2)) place.release();
  for (const [pauseMs, count] of [
    [1000, 3],
    [2000, 4],
    [4000, 5],
  ] as const) {
    launched.at(-1)?.end();
    expect(pool.size).toBe(1);
    clock.pass(pauseMs - 1);
    expect(pool.size).toBe(1);
    clock.pass(1);
    expect(launched).toHaveLength(count);
    await Promise.resolve();
  }
  // A session that got its browser resets the pause.
  (await pool.take()).release();
  launched.at(-1)?.end();
  clock.pass(1000);
  expect(launched).toHaveLength(6);
});

test('a closed pool starts no browser', async () => {
  const { clock, launched, pool, takeMany } = open({ minBrowsers: 2, maxBrowsers: 2 });
  await takeMany(2);
  launched[0]?.end();
  await pool[Symbol.asyncDispose]();
  launched[1]?.end();
  clock.pass(1e9);
  expect(launched).toHaveLength(2);
});

test('a browser that has had many sessions is replaced once it has none', async () => {
  const { takeMany, pool, closed } = open({});
  const places = await takeMany(3);
  for (const place of places.slice(1)) place.release();
  expect(pool.size).toBe(1);
  places[0]?.release();
  expect(pool.size).toBe(0);
  await expect.poll(() => closed).toEqual(['b1']);
  expect((await pool.take()).browser.name).toBe('b2');
});

test('a browser that is old or large is replaced once it has no session', async () => {
  const { pool, clock, launched } = open({});
  const old = await pool.take();
  clock.pass(60_000);
  old.release();
  const large = await pool.take();
  expect(large.browser.name).toBe('b2');
  large.browser.memory = 100 * 2 ** 20;
  large.release();
  expect((await pool.take()).browser.name).toBe('b3');
  expect(launched).toHaveLength(3);
});

test('limits of zero keep a browser', async () => {
  const { pool, clock, launched } = open({ maxSessions: 0, maxAge: 0, maxMemory: 0 });
  const first = await pool.take();
  first.browser.memory = 2 ** 40;
  clock.pass(1e9);
  first.release();
  await pool.take();
  expect(launched).toHaveLength(1);
});
