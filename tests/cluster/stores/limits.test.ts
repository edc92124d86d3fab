import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ClusterStores } from '../../../src/cluster/stores.ts';
import { kinds, newDriver } from './kinds.ts';
import type { Backend } from './kinds.ts';

describe.each(kinds)('limits in %s', (_, start) => {
  let backend: Backend;
  let stores: ClusterStores;
  let other: ClusterStores;

  beforeAll(async () => {
    backend = await start();
    stores = await backend.connect();
    other = await backend.connect();
  });

  afterAll(() => backend[Symbol.asyncDispose]());

  test('all processes together may take so many a second', async () => {
    const key = newDriver();
    const begin = performance.now();
    const answers = await Promise.all(
      Array.from({ length: 40 }, (__, at) => (at % 2 ? stores : other).limits.take(key, 10)),
    );
    // A machine that stops for a second begins another second.
    const seconds = Math.floor((performance.now() - begin) / 1000) + 1;
    const taken = answers.filter(({ isTaken }) => isTaken).length;
    expect(taken).toBeGreaterThanOrEqual(10);
    expect(taken).toBeLessThanOrEqual(10 * seconds);
    for (const answer of answers)
      if (!answer.isTaken) {
        expect(answer.retryMs).toBeGreaterThan(0);
        expect(answer.retryMs).toBeLessThanOrEqual(1000);
      }
  });

  test('the next second has requests again', async () => {
    const key = newDriver();
    expect(await stores.limits.take(key, 1)).toEqual({ isTaken: true });
    await expect.poll(() => other.limits.take(key, 1), { timeout: 20_000, interval: 20 }).toEqual({ isTaken: true });
  });

  test('keys are counted separately, and 0 is no limit', async () => {
    const [key, unlimited] = [newDriver(), newDriver()];
    await stores.limits.take(key, 1);
    expect(await stores.limits.take(newDriver(), 1)).toEqual({ isTaken: true });
    for (let at = 0; at < 50; at++) expect(await stores.limits.take(unlimited, 0)).toEqual({ isTaken: true });
  });
});
