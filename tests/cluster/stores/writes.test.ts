import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ClusterStores } from '../../../src/cluster/stores.ts';
import { kinds, newDriver, take, worker } from './kinds.ts';
import type { Backend } from './kinds.ts';

const minute = 60_000;

describe.each(kinds)('checkpoints and journal in %s', (_, start) => {
  let backend: Backend;
  let stores: ClusterStores;
  let other: ClusterStores;

  beforeAll(async () => {
    backend = await start();
    stores = await backend.connect();
    other = await backend.connect();
  });

  beforeEach(() => backend.settle());

  afterAll(() => backend[Symbol.asyncDispose]());

  describe('checkpoints', () => {
    test('are loaded by another process, byte by byte, and only those of the driver', async () => {
      const held = await take(stores, newDriver(), worker('w1'));
      const bytes = Buffer.from(Array.from({ length: 256 }, (__, byte) => byte));
      expect(await stores.checkpoints.save(held, 's1', bytes, minute)).toBe(true);
      expect(await stores.checkpoints.save(held, 's2', Buffer.alloc(0), minute)).toBe(true);
      expect(await other.checkpoints.load(held.driver)).toEqual(
        new Map([
          ['s1', bytes],
          ['s2', Buffer.alloc(0)],
        ]),
      );
      expect(await other.checkpoints.load(newDriver())).toEqual(new Map());
    });

    test('are replaced and removed', async () => {
      const held = await take(stores, newDriver(), worker('w1'));
      for (const text of ['first', 'second']) await stores.checkpoints.save(held, 's1', Buffer.from(text), minute);
      expect(await other.checkpoints.load(held.driver)).toEqual(new Map([['s1', Buffer.from('second')]]));
      expect(await stores.checkpoints.remove(held, 's1')).toBe(true);
      expect(await stores.checkpoints.remove(held, 's1')).toBe(true);
      expect(await other.checkpoints.load(held.driver)).toEqual(new Map());
    });

    test('end after their own time', async () => {
      const held = await take(stores, newDriver(), worker('w1'));
      await stores.checkpoints.save(held, 'long', Buffer.from('a'), minute);
      await backend.passShortLease(() => stores.checkpoints.save(held, 'short', Buffer.from('b'), 1));
      expect([...(await other.checkpoints.load(held.driver)).keys()]).toEqual(['long']);
    });

    test('outlive the placement: another worker finds them', async () => {
      const held = await take(stores, newDriver(), worker('w1'));
      await stores.checkpoints.save(held, 's1', Buffer.from('a'), minute);
      await stores.directory.release(held);
      await take(other, held.driver, worker('w2'));
      expect([...(await other.checkpoints.load(held.driver)).keys()]).toEqual(['s1']);
    });

    test('of an older epoch are refused', async () => {
      const held = await take(stores, newDriver(), worker('w1', 'boot-1'));
      await stores.checkpoints.save(held, 's1', Buffer.from('old'), minute);
      const next = await take(other, held.driver, worker('w1', 'boot-2'));
      await other.checkpoints.save(next, 's1', Buffer.from('new'), minute);
      expect(await stores.checkpoints.save(held, 's1', Buffer.from('late'), minute)).toBe(false);
      expect(await stores.checkpoints.remove(held, 's1')).toBe(false);
      expect(await other.checkpoints.load(held.driver)).toEqual(new Map([['s1', Buffer.from('new')]]));
    });

    test('are refused after the release', async () => {
      const held = await take(stores, newDriver(), worker('w1'));
      await stores.directory.release(held);
      expect(await stores.checkpoints.save(held, 's1', Buffer.from('late'), minute)).toBe(false);
    });

    test('are saved before the announcement that follows a loss of all data', async () => {
      const held = await take(stores, newDriver(), worker('w1'));
      await backend.loseData();
      expect(await stores.checkpoints.save(held, 's1', Buffer.from('a'), minute)).toBe(true);
      expect([...(await other.checkpoints.load(held.driver)).keys()]).toEqual(['s1']);
      // The write did not make the driver look free.
      expect(await other.directory.locate(held.driver)).toMatchObject({ state: 'unsettled' });
    });
  });

  describe('journal', () => {
    test('a call is new once, runs, and is done with its answer', async () => {
      const held = await take(stores, newDriver(), worker('w1'));
      expect(await stores.journal.begin(held, 'call', 'hash')).toEqual({ state: 'new' });
      expect(await stores.journal.begin(held, 'call', 'hash')).toEqual({ state: 'running' });
      expect(await stores.journal.finish(held, 'call', '{"answer":"è"}')).toBe(true);
      expect(await stores.journal.begin(held, 'call', 'hash')).toEqual({ state: 'done', answer: '{"answer":"è"}' });
      expect(await other.journal.begin(held, 'call', 'hash')).toEqual({ state: 'done', answer: '{"answer":"è"}' });
    });

    test('of calls that begin at the same time, one is new', async () => {
      const held = await take(stores, newDriver(), worker('w1'));
      const entries = await Promise.all(Array.from({ length: 20 }, () => stores.journal.begin(held, 'call', 'hash')));
      expect(entries.map(({ state }) => state).sort()).toEqual(['new', ...Array.from({ length: 19 }, () => 'running')]);
    });

    test('an empty answer is an answer', async () => {
      const held = await take(stores, newDriver(), worker('w1'));
      await stores.journal.begin(held, 'call', 'hash');
      await stores.journal.finish(held, 'call', '');
      expect(await other.journal.begin(held, 'call', 'hash')).toEqual({ state: 'done', answer: '' });
    });

    test('an answer of 64 kB is kept, and a longer one only as done', async () => {
      const held = await take(stores, newDriver(), worker('w1'));
      for (const [call, answer] of [
        ['fits', 'x'.repeat(65_536)],
        ['long', 'x'.repeat(65_537)],
        ['long in bytes', 'è'.repeat(40_000)],
      ] as const) {
        await stores.journal.begin(held, call, 'hash');
        expect(await stores.journal.finish(held, call, answer)).toBe(true);
        const kept = call === 'fits' ? answer : undefined;
        for (const each of [stores, other])
          expect(await each.journal.begin(held, call, 'hash')).toEqual({ state: 'done', answer: kept });
      }
    });

    test('a call without an effect may run again', async () => {
      const held = await take(stores, newDriver(), worker('w1'));
      await stores.journal.begin(held, 'call', 'hash');
      expect(await stores.journal.finish(held, 'call', undefined)).toBe(true);
      expect(await stores.journal.begin(held, 'call', 'hash')).toEqual({ state: 'new' });
    });

    test('an id with other arguments is reused, while the call runs and after it', async () => {
      const held = await take(stores, newDriver(), worker('w1'));
      await stores.journal.begin(held, 'call', 'hash');
      expect(await stores.journal.begin(held, 'call', 'another')).toEqual({ state: 'reused' });
      await stores.journal.finish(held, 'call', 'answer');
      expect(await stores.journal.begin(held, 'call', 'another')).toEqual({ state: 'reused' });
    });

    test('the same id of another driver is another call', async () => {
      const held = await take(stores, newDriver(), worker('w1'));
      const others = await take(stores, newDriver(), worker('w1'));
      await stores.journal.begin(held, 'call', 'hash');
      await stores.journal.finish(held, 'call', 'a secret');
      expect(await stores.journal.begin(others, 'call', 'hash')).toEqual({ state: 'new' });
    });

    test('ids may be any text', async () => {
      const held = await take(stores, newDriver(), worker('w1'));
      const ids = ['', '{other}:p', 'a\0b', 'x'.repeat(10_000), '客户端'];
      for (const id of ids) expect(await stores.journal.begin(held, id, 'hash')).toEqual({ state: 'new' });
      for (const id of ids) expect(await stores.journal.begin(held, id, 'hash')).toEqual({ state: 'running' });
    });

    test('after a move, a started call is unknown, and a done one still has its answer', async () => {
      const held = await take(stores, newDriver(), worker('w1', 'boot-1'));
      await stores.journal.begin(held, 'started', 'hash');
      await stores.journal.begin(held, 'done', 'hash');
      await stores.journal.finish(held, 'done', 'answer');
      const next = await take(other, held.driver, worker('w1', 'boot-2'));
      expect(await other.journal.begin(next, 'started', 'hash')).toEqual({ state: 'unknown' });
      expect(await other.journal.begin(next, 'started', 'another')).toEqual({ state: 'reused' });
      expect(await other.journal.begin(next, 'done', 'hash')).toEqual({ state: 'done', answer: 'answer' });
    });

    test('a call that is unknown can be finished by the new owner', async () => {
      const held = await take(stores, newDriver(), worker('w1', 'boot-1'));
      await stores.journal.begin(held, 'call', 'hash');
      const next = await take(other, held.driver, worker('w1', 'boot-2'));
      expect(await other.journal.finish(next, 'call', 'answer')).toBe(true);
      expect(await other.journal.begin(next, 'call', 'hash')).toEqual({ state: 'done', answer: 'answer' });
    });

    test('of an older epoch, calls neither begin nor end', async () => {
      const held = await take(stores, newDriver(), worker('w1', 'boot-1'));
      await stores.journal.begin(held, 'call', 'hash');
      const next = await take(other, held.driver, worker('w1', 'boot-2'));
      expect(await stores.journal.begin(held, 'call', 'hash')).toEqual({ state: 'fenced' });
      expect(await stores.journal.begin(held, 'another call', 'hash')).toEqual({ state: 'fenced' });
      expect(await stores.journal.finish(held, 'call', 'late')).toBe(false);
      expect(await stores.journal.finish(held, 'call', undefined)).toBe(false);
      expect(await other.journal.begin(next, 'call', 'hash')).toEqual({ state: 'unknown' });
    });

    test('after a loss of all data, calls of living workers still run once', async () => {
      const held = await take(stores, newDriver(), worker('w1'));
      await stores.journal.begin(held, 'running', 'hash');
      await stores.journal.begin(held, 'done', 'hash');
      await stores.journal.finish(held, 'done', 'answer');
      await backend.loseData();
      expect(await stores.journal.begin(held, 'running', 'hash')).toEqual({ state: 'running' });
      expect(await stores.journal.begin(held, 'done', 'hash')).toEqual({ state: 'done', answer: 'answer' });
      await backend.loseData();
      expect(await stores.journal.finish(held, 'running', 'its answer')).toBe(true);
      // What was lost is in the store again.
      expect(await other.journal.begin(held, 'running', 'hash')).toEqual({ state: 'done', answer: 'its answer' });
    });
  });
});
