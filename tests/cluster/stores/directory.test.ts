import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ClusterStores } from '../../../src/cluster/stores.ts';
import { Superseded } from '../../../src/cluster/superseded.ts';
import { isTaken, kinds, newDriver, take, worker } from './kinds.ts';
import type { Backend } from './kinds.ts';

describe.each(kinds)('directory in %s', (_, start) => {
  let backend: Backend;
  let stores: ClusterStores;
  let other: ClusterStores;
  let short: ClusterStores;

  beforeAll(async () => {
    backend = await start();
    stores = await backend.connect();
    other = await backend.connect();
    short = await backend.connectShort();
  });

  beforeEach(() => backend.settle());

  afterAll(() => backend[Symbol.asyncDispose]());

  test('a driver is free, then placed, then free again', async () => {
    const driver = newDriver();
    expect(await stores.directory.locate(driver)).toEqual({ state: 'free' });
    const held = await take(stores, driver, worker('w1'));
    const placement = { ...held, worker: 'w1', boot: 'boot-1', address: 'http://127.0.0.1:1/w1' };
    expect(await other.directory.locate(driver)).toEqual({ state: 'placed', placement });
    expect(await other.directory.acquire(driver, worker('w2'))).toEqual({ owner: placement });
    await stores.directory.release(held);
    expect(await other.directory.locate(driver)).toEqual({ state: 'free' });
  });

  test('of workers that acquire at the same time, one wins and the others learn who', async () => {
    const driver = newDriver();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (__, at) =>
        (at % 2 ? stores : other).directory.acquire(driver, worker(`racer-${at}`)),
      ),
    );
    const taken = answers.filter(isTaken);
    expect(taken).toHaveLength(1);
    const located = await stores.directory.locate(driver);
    const owner = located.state === 'placed' ? located.placement : undefined;
    expect(owner?.epoch).toBe(taken[0]?.epoch);
    expect(answers.filter((answer) => !isTaken(answer))).toEqual(Array.from({ length: 19 }, () => ({ owner })));
  });

  test('a placement that was not announced for a lease is free, and the epoch grows', async () => {
    const driver = newDriver();
    const held = await take(short, driver, worker('w1'));
    await backend.passShortLease();
    expect(await other.directory.locate(driver)).toEqual({ state: 'free' });
    const next = await take(other, driver, worker('w2'));
    expect(next.epoch).toBeGreaterThan(held.epoch);
    expect(await short.directory.announce(worker('w1'), [held])).toEqual([held]);
    expect(await other.directory.locate(driver)).toHaveProperty('placement.worker', 'w2');
  });

  test('announcing keeps a placement for longer than a lease', async () => {
    const driver = newDriver();
    const held = await take(short, driver, worker('w1'));
    await backend.passShortLease(async () => expect(await stores.directory.announce(worker('w1'), [held])).toEqual([]));
    expect(await other.directory.acquire(driver, worker('w2'))).toMatchObject({ owner: { worker: 'w1', ...held } });
  });

  test('a worker whose lease ended goes on with its epoch if the driver was not taken', async () => {
    const driver = newDriver();
    const held = await take(short, driver, worker('w1'));
    await backend.passShortLease();
    expect(await stores.directory.announce(worker('w1'), [held])).toEqual([]);
    expect(await other.directory.locate(driver)).toHaveProperty('placement.epoch', held.epoch);
  });

  test('a restarted worker takes over from its earlier boot at once', async () => {
    const driver = newDriver();
    const held = await take(stores, driver, worker('w1', 'boot-1'));
    const next = await take(other, driver, worker('w1', 'boot-2'));
    expect(next.epoch).toBeGreaterThan(held.epoch);
    expect(await stores.directory.announce(worker('w1', 'boot-1'), [held])).toEqual([held]);
  });

  test('the owner gets a new epoch when it acquires again', async () => {
    const driver = newDriver();
    const held = await take(stores, driver, worker('w1'));
    const again = await take(stores, driver, worker('w1'));
    expect(again.epoch).toBeGreaterThan(held.epoch);
  });

  test('a late release changes nothing', async () => {
    const driver = newDriver();
    const held = await take(stores, driver, worker('w1', 'boot-1'));
    const next = await take(other, driver, worker('w1', 'boot-2'));
    await stores.directory.release(held);
    expect(await other.directory.locate(driver)).toHaveProperty('placement.epoch', next.epoch);
  });

  test('an announcement that was under way at the release does not bring the placement back', async () => {
    const driver = newDriver();
    const held = await take(stores, driver, worker('w1'));
    await stores.directory.release(held);
    expect(await stores.directory.announce(worker('w1'), [held])).toEqual([held]);
    expect(await stores.directory.locate(driver)).toEqual({ state: 'free' });
  });

  test('epochs grow with each move', async () => {
    const driver = newDriver();
    const epochs: number[] = [];
    for (let move = 0; move < 50; move++) {
      const held = await take(move % 2 ? stores : other, driver, worker(`w${move}`));
      epochs.push(held.epoch);
      await stores.directory.release(held);
    }
    expect(epochs).toEqual([...new Set(epochs)].sort((a, b) => a - b));
  });

  test('a worker with many drivers renews them all', async () => {
    const held = await Promise.all(Array.from({ length: 500 }, () => take(short, newDriver(), worker('w1'))));
    const [released] = held;
    if (released !== undefined) await stores.directory.release(released);
    await backend.passShortLease(async () =>
      expect(await stores.directory.announce(worker('w1'), held)).toEqual([released]),
    );
    const states = await Promise.all(held.map(({ driver }) => other.directory.locate(driver)));
    expect(states.filter(({ state }) => state === 'placed')).toHaveLength(499);
  });

  test('workers are listed until their lease ends', async () => {
    await short.directory.announce(worker('late'), []);
    await backend.passShortLease(() => stores.directory.announce(worker('in time'), []));
    const names = (await other.directory.workers()).map(({ name }) => name);
    expect(names).toContain('in time');
    expect(names).not.toContain('late');
  });

  test('a worker is listed as in its last announcement, until it leaves', async () => {
    const listed = async () => (await other.directory.workers()).filter(({ name }) => name === 'listed');
    await stores.directory.announce(worker('listed', 'boot-1'), []);
    const restarted = { ...worker('listed', 'boot-2'), replaces: 'boot-1', live: 3, waiting: 1, isDraining: true };
    await stores.directory.announce(restarted, []);
    await stores.directory.leave(worker('listed', 'boot-1'));
    expect(await listed()).toEqual([restarted]);
    await stores.directory.leave(restarted);
    expect(await listed()).toEqual([]);
  });

  test('of two boots that replace the same one, the first has the name', async () => {
    await stores.directory.announce(worker('named', 'boot-1'), []);
    await expect(other.directory.announce(worker('named', 'boot-2'), [])).rejects.toThrow(Superseded);
    const next = (boot: string) => ({ ...worker('named', boot), replaces: 'boot-1' });
    await other.directory.announce(next('boot-2'), []);
    await expect(stores.directory.announce(next('boot-3'), [])).rejects.toThrow(Superseded);
    await expect(stores.directory.announce(worker('named', 'boot-1'), [])).rejects.toThrow(Superseded);
    await other.directory.announce(next('boot-2'), []);
  });

  test('a name is free again when its lease has ended', async () => {
    await short.directory.announce(worker('short', 'boot-1'), []);
    await backend.passShortLease();
    expect(await stores.directory.announce(worker('short', 'boot-2'), [])).toEqual([]);
  });

  describe('after a loss of all data', () => {
    test('nothing is taken before its owner had a lease of time to announce itself', async () => {
      const driver = newDriver();
      const held = await take(stores, driver, worker('w1'));
      await backend.loseData();
      const refused = await other.directory.acquire(driver, worker('w2'));
      expect('retryMs' in refused && refused.retryMs).toBeGreaterThan(0);
      expect(await other.directory.locate(driver)).toEqual({ state: 'unsettled', retryMs: expect.any(Number) });
      expect(await stores.directory.announce(worker('w1'), [held])).toEqual([]);
      expect(await other.directory.locate(driver)).toHaveProperty('placement.epoch', held.epoch);
      expect(await other.directory.acquire(driver, worker('w2'))).toHaveProperty('owner.worker', 'w1');
    });

    test('a driver whose owner did not announce itself is free after a lease, with a larger epoch', async () => {
      const driver = newDriver();
      const held = await take(short, driver, worker('w1'));
      await backend.loseData();
      expect(await stores.directory.locate(driver)).toMatchObject({ state: 'unsettled' });
      await backend.passShortLease();
      const next = await take(short, driver, worker('w2'));
      expect(next.epoch).toBeGreaterThan(held.epoch);
    });

    test('the higher epoch wins, and the other worker learns what it lost', async () => {
      const driver = newDriver();
      const old = await take(stores, driver, worker('w1', 'boot-1'));
      const held = await take(other, driver, worker('w1', 'boot-2'));
      await backend.loseData();
      // In the wrong order: the one with the old epoch is first.
      expect(await stores.directory.announce(worker('w1', 'boot-1'), [old])).toEqual([]);
      expect(await other.directory.announce(worker('w2'), [held])).toEqual([]);
      expect(await stores.directory.announce(worker('w1', 'boot-1'), [old])).toEqual([old]);
      expect(await stores.directory.locate(driver)).toHaveProperty('placement.epoch', held.epoch);
    });
  });
});
