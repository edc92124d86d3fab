import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import type { ClusterStores } from '../../../src/cluster/stores.ts';
import { kinds, newDriver } from './kinds.ts';
import type { Backend } from './kinds.ts';

const message = (text: string): JSONRPCMessage => ({ jsonrpc: '2.0', method: 'notifications/test', params: { text } });

describe.each(kinds)('event streams in %s', (_, start) => {
  let backend: Backend;
  let stores: ClusterStores;
  let other: ClusterStores;

  beforeAll(async () => {
    backend = await start();
    stores = await backend.connect();
    other = await backend.connect();
  });

  afterAll(() => backend[Symbol.asyncDispose]());

  async function replayed(connection: string, lastId: string, from = other) {
    const found: (readonly [string, JSONRPCMessage])[] = [];
    const send = async (id: string, each: JSONRPCMessage): Promise<void> => void found.push([id, each]);
    return { stream: await from.events.connection(connection).replayEventsAfter(lastId, { send }), found };
  }

  test('another process replays what came after an event, in order and with its ids', async () => {
    const connection = newDriver();
    const events = stores.events.connection(connection);
    const ids: string[] = [];
    for (let at = 0; at < 250; at++) ids.push(await events.storeEvent('stream', message(`${at}`)));
    expect(new Set(ids).size).toBe(250);
    const expected = ids.map((id, at) => [id, message(`${at}`)]);
    expect(await replayed(connection, ids[0] ?? '')).toEqual({ stream: 'stream', found: expected.slice(1) });
    expect(await replayed(connection, ids[199] ?? '')).toEqual({ stream: 'stream', found: expected.slice(200) });
    expect(await replayed(connection, ids[249] ?? '')).toEqual({ stream: 'stream', found: [] });
    expect(await other.events.connection(connection).getStreamIdForEventId?.(ids[3] ?? '')).toBe('stream');
  });

  test('streams of a connection are replayed separately', async () => {
    const connection = newDriver();
    const events = stores.events.connection(connection);
    const first = await events.storeEvent('a', message('a1'));
    await events.storeEvent('b', message('b1'));
    const second = await events.storeEvent('a', message('a2'));
    expect(await replayed(connection, first)).toEqual({ stream: 'a', found: [[second, message('a2')]] });
  });

  test('the event that only gives a stream an id is not replayed', async () => {
    const connection = newDriver();
    const events = stores.events.connection(connection);
    // The SDK stores an empty message as the first event of a stream.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const empty = {} as JSONRPCMessage;
    const first = await events.storeEvent('a', message('a1'));
    const priming = await events.storeEvent('a', empty);
    const second = await events.storeEvent('a', message('a2'));
    expect(await replayed(connection, first)).toEqual({ stream: 'a', found: [[second, message('a2')]] });
    expect(await replayed(connection, priming)).toEqual({ stream: 'a', found: [[second, message('a2')]] });
  });

  test('ids of other connections and invented ones mean nothing', async () => {
    const [mine, theirs] = [newDriver(), newDriver()];
    const id = await stores.events.connection(theirs).storeEvent('stream', message('secret'));
    await stores.events.connection(theirs).storeEvent('stream', message('secret too'));
    await stores.events.connection(mine).storeEvent('stream', message('mine'));
    const ids = [id, '', '0', '0-0', '-', '+', `${id}0`, '$', '99999999999999-0', 'a'.repeat(100_000), '('];
    for (const each of ids) {
      expect(await replayed(mine, each)).toEqual({ stream: '', found: [] });
      expect(await stores.events.connection(mine).getStreamIdForEventId?.(each)).toBeUndefined();
    }
  });

  test('after the end of a connection nothing is left', async () => {
    const connection = newDriver();
    const id = await stores.events.connection(connection).storeEvent('stream', message('first'));
    await stores.events.connection(connection).storeEvent('stream', message('second'));
    await other.events.connection(connection).clear();
    expect(await replayed(connection, id)).toEqual({ stream: '', found: [] });
  });

  test('the newest 1,000 events of a connection are kept', async () => {
    const connection = newDriver();
    const events = stores.events.connection(connection);
    const ids = await Promise.all(Array.from({ length: 1010 }, (__, at) => events.storeEvent('s', message(`${at}`))));
    expect(await events.getStreamIdForEventId?.(ids[9] ?? '')).toBeUndefined();
    expect((await replayed(connection, ids[10] ?? '')).found).toHaveLength(999);
  });

  test('the newest 4 MB of a connection are kept, and the last event however long it is', async () => {
    const connection = newDriver();
    const events = stores.events.connection(connection);
    const ids: string[] = [];
    for (let at = 0; at < 6; at++) ids.push(await events.storeEvent('s', message('x'.repeat(1_000_000))));
    const known = await Promise.all(ids.map(async (id) => events.getStreamIdForEventId?.(id)));
    expect(known).toEqual([undefined, undefined, 's', 's', 's', 's']);
    const last = await events.storeEvent('s', message('x'.repeat(5_000_000)));
    expect(await events.getStreamIdForEventId?.(last)).toBe('s');
    expect(await events.getStreamIdForEventId?.(ids[5] ?? '')).toBeUndefined();
    const next = await events.storeEvent('s', message('short'));
    expect(await events.getStreamIdForEventId?.(next)).toBe('s');
  });
});
