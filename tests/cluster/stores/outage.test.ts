import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openRedisStores } from '../../../src/cluster/redis/stores.ts';
import type { ClusterStores } from '../../../src/cluster/stores.ts';
import { StoresUnavailable } from '../../../src/cluster/unavailable.ts';
import { createLogger } from '../../../src/log.ts';
import { hasRedis, RedisServer } from '../../redis-server.ts';
import { kinds, log, newDriver, settle, take, worker } from './kinds.ts';
import { Relay } from './relay.ts';

const leaseMs = 300;
const polling = { timeout: 20_000, interval: 20 };
/** For commands that get no answer. */
const shortTimeoutMs = 200;
/** For those that do, on a busy machine too. */
const longTimeoutMs = 20_000;

describe.each(kinds)('stores in %s', (_, start) => {
  test('answer a ping', async () => {
    await using backend = await start();
    const stores = await backend.connect();
    await expect.poll(() => stores.ping(), polling).toBe(true);
  });
});

/** Everything that asks Redis. */
function requests({ directory, checkpoints, journal, events }: ClusterStores): Record<string, () => Promise<unknown>> {
  const held = { driver: 'a driver', epoch: 1 };
  return {
    announce: () => directory.announce(worker('w1'), [held]),
    workers: () => directory.workers(),
    locate: () => directory.locate('a driver'),
    acquire: () => directory.acquire('a driver', worker('w1')),
    release: () => directory.release(held),
    leave: () => directory.leave(worker('w1')),
    save: () => checkpoints.save(held, 'session', Buffer.from('a'), 1000),
    remove: () => checkpoints.remove(held, 'session'),
    load: () => checkpoints.load('a driver'),
    begin: () => journal.begin(held, 'call', 'hash'),
    finish: () => journal.finish(held, 'call', 'answer'),
    store: () => events.connection('a').storeEvent('s', { jsonrpc: '2.0', method: 'm' }),
    clear: () => events.connection('a').clear(),
  };
}

async function expectUnavailable(stores: ClusterStores): Promise<void> {
  const results = await Promise.allSettled(Object.values(requests(stores)).map((ask) => ask()));
  for (const result of results) expect(result).toEqual({ status: 'rejected', reason: expect.any(StoresUnavailable) });
  expect(await stores.ping()).toBe(false);
}

async function expectBack(stores: ClusterStores): Promise<void> {
  await expect.poll(() => stores.ping(), polling).toBe(true);
  for (const [name, ask] of Object.entries(requests(stores)))
    await expect(ask(), name).resolves.not.toBeInstanceOf(Error);
}

function describeRedis(): void {
  describe('while Redis', () => {
    test('is stopped, requests fail without waiting for it, and succeed when it goes on', async () => {
      await using server = await RedisServer.start();
      await using stores = await openRedisStores(server.url, { log, leaseMs, commandTimeoutMs: shortTimeoutMs });
      await expect.poll(() => stores.ping(), polling).toBe(true);
      server.signal('SIGSTOP');
      // The second time after the connection was given up as silent.
      for (let round = 0; round < 5; round++) await expectUnavailable(stores);
      server.signal('SIGCONT');
      await expect.poll(() => stores.ping(), polling).toBe(true);
    });

    test('is killed, requests fail, and succeed when it is started again', async () => {
      await using server = await RedisServer.start();
      await using stores = await openRedisStores(server.url, { log, leaseMs, commandTimeoutMs: longTimeoutMs });
      await expectBack(stores);
      await server.kill();
      await expectUnavailable(stores);
      await server.start();
      await expectBack(stores);
    });

    test('is away at the start, stores are opened, and connect when it is there', async () => {
      await using server = await RedisServer.start();
      await server.kill();
      const lines: string[] = [];
      const written = createLogger({ level: 'info', write: (line) => lines.push(line), now: () => new Date() });
      const url = server.url.replace('//', '//user:a-password@');
      await using guarded = await openRedisStores(url, { log: written, leaseMs, commandTimeoutMs: shortTimeoutMs });
      expect(await guarded.ping()).toBe(false);
      expect(lines.length).toBe(1);
      expect(lines.join('')).not.toContain('a-password');
      const opening = openRedisStores(server.url, { log: written, leaseMs, commandTimeoutMs: longTimeoutMs });
      await expect.poll(() => lines.length, polling).toBe(2);
      await server.start();
      await using stores = await opening;
      await expectBack(stores);
      expect(lines.filter((line) => line.includes('answer again'))).toHaveLength(1);
    });

    test('is away, each process allows half of the limit', async () => {
      await using server = await RedisServer.start();
      await using stores = await openRedisStores(server.url, { log, leaseMs, commandTimeoutMs: longTimeoutMs });
      await server.kill();
      const begin = performance.now();
      const answers = await Promise.all(Array.from({ length: 40 }, () => stores.limits.take('a key', 10)));
      const seconds = Math.floor((performance.now() - begin) / 1000) + 1;
      const taken = answers.filter(({ isTaken: each }) => each).length;
      expect(taken).toBeGreaterThanOrEqual(5);
      expect(taken).toBeLessThanOrEqual(5 * seconds);
    });
  });

  test('a URL that is none is rejected', async () => {
    await expect(openRedisStores('not a url', { log })).rejects.toThrow('Invalid URL');
    await expect(openRedisStores('http://127.0.0.1', { log })).rejects.toThrow('not a valid Redis protocol');
  });

  test('a connection that carries nothing any more is replaced', async () => {
    await using server = await RedisServer.start();
    await using relay = await Relay.open(server.port);
    await using stores = await openRedisStores(relay.url, { log, leaseMs, commandTimeoutMs: shortTimeoutMs });
    await expect.poll(() => stores.ping(), polling).toBe(true);
    relay.freeze();
    expect(await stores.ping()).toBe(false);
    await expect.poll(() => stores.ping(), polling).toBe(true);
  });

  test('a restarted Redis may lack the last writes: free drivers wait, placed ones stay', async () => {
    await using server = await RedisServer.start({ isDurable: true });
    await using stores = await openRedisStores(server.url, { log, leaseMs, commandTimeoutMs: longTimeoutMs });
    await using patient = await openRedisStores(server.url, { log, leaseMs: 600_000, commandTimeoutMs: longTimeoutMs });
    await settle(server);
    const placed = await take(patient, 'placed', worker('w1'));
    await patient.directory.release(await take(patient, 'free', worker('w1')));
    expect(await patient.directory.locate('free')).toEqual({ state: 'free' });
    await server.kill();
    await server.start();
    await expect.poll(() => patient.ping(), polling).toBe(true);
    await expect.poll(() => stores.ping(), polling).toBe(true);
    expect(await patient.directory.acquire('free', worker('w2'))).toHaveProperty('retryMs');
    expect(await patient.directory.locate('free')).toHaveProperty('state', 'unsettled');
    expect(await patient.directory.locate('placed')).toHaveProperty('placement.epoch', placed.epoch);
    expect(await patient.directory.acquire('placed', worker('w2'))).toHaveProperty('owner.worker', 'w1');
    expect(await patient.directory.acquire('placed', worker('w1', 'boot-2'))).toHaveProperty('retryMs');
    await expect.poll(() => stores.directory.acquire('free', worker('w2')), polling).toHaveProperty('epoch');
  });

  describe('an answer that is lost', () => {
    let server: RedisServer;
    let relay: Relay;
    let stores: ClusterStores;

    beforeAll(async () => {
      server = await RedisServer.start();
      relay = await Relay.open(server.port);
      stores = await openRedisStores(relay.url, { log, leaseMs: 600_000, commandTimeoutMs: longTimeoutMs });
      await settle(server);
    });

    afterAll(async () => {
      await stores[Symbol.asyncDispose]();
      await relay[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    });

    /** Sends a request that is done, and whose answer does not arrive. */
    async function loseAnswer(request: () => Promise<unknown>, after = 0): Promise<void> {
      relay.loseAnswers(after);
      const failed = expect(request()).rejects.toBeInstanceOf(StoresUnavailable);
      await expect.poll(() => relay.lost, polling).toBe(1);
      relay.cut();
      await failed;
      await expect.poll(() => stores.ping(), polling).toBe(true);
    }

    test('of an acquire: the next one gets the epoch, under which nothing ran', async () => {
      // The first time for the scripts, which are sent in full.
      await take(stores, newDriver(), worker('w1'));
      const driver = newDriver();
      // The answer before it is that of the generation.
      await loseAnswer(() => stores.directory.acquire(driver, worker('w1')), 1);
      const located = await stores.directory.locate(driver);
      const held = await take(stores, driver, worker('w1'));
      expect(located).toMatchObject({ state: 'placed', placement: held });
      // Now the epoch is in use.
      expect((await take(stores, driver, worker('w1'))).epoch).toBeGreaterThan(held.epoch);
    });

    // Without a placement, every epoch is the newest.
    const held = { driver: 'a driver', epoch: 1 };

    test('of a begin: the call is not running, and may run once', async () => {
      await loseAnswer(() => stores.journal.begin(held, 'begun', 'hash'));
      expect(await stores.journal.begin(held, 'begun', 'hash')).toEqual({ state: 'new' });
      expect(await stores.journal.begin(held, 'begun', 'hash')).toEqual({ state: 'running' });
    });

    test('of a repeated begin: the call still runs', async () => {
      await stores.journal.begin(held, 'repeated', 'hash');
      await loseAnswer(() => stores.journal.begin(held, 'repeated', 'hash'));
      expect(await stores.journal.begin(held, 'repeated', 'hash')).toEqual({ state: 'running' });
    });

    test('of a finish: the call is done', async () => {
      await stores.journal.begin(held, 'finished', 'hash');
      await loseAnswer(() => stores.journal.finish(held, 'finished', 'answer'));
      expect(await stores.journal.begin(held, 'finished', 'hash')).toEqual({ state: 'done', answer: 'answer' });
    });

    test('of a finish without effect: the call may run again', async () => {
      await stores.journal.begin(held, 'forgotten', 'hash');
      await loseAnswer(() => stores.journal.finish(held, 'forgotten', undefined));
      expect(await stores.journal.begin(held, 'forgotten', 'hash')).toEqual({ state: 'new' });
    });
  });
}

if (hasRedis) describeRedis();
