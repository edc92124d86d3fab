import { describe, expect, test } from 'vitest';
import { SessionIds } from './session-ids.ts';
import type { ConnectionInfo } from './session-ids.ts';

const ids = new SessionIds('a cluster key of some length');
const info: ConnectionInfo = {
  driver: 'key-1',
  protocolVersion: '2025-11-25',
  capabilities: { elicitation: { form: {}, url: {} }, roots: { listChanged: true } },
  clientInfo: { name: 'a client — 客户端', version: '1.0' },
  nonce: 'n1',
};

function signed(change: Partial<ConnectionInfo> = {}): string {
  return ids.sign({ ...info, ...change }) ?? '';
}

describe('connection ids', () => {
  test('carry the connection, in visible ASCII', () => {
    const id = signed();
    expect(id).toMatch(/^[\x21-\x7e]{100,2048}$/);
    expect(ids.verify(id)).toEqual(info);
  });

  test('are accepted by every process that has the key, and by no other', () => {
    expect(new SessionIds('a cluster key of some length').verify(signed())).toEqual(info);
    expect(new SessionIds('another cluster key').verify(signed())).toBeUndefined();
  });

  test('of equal connections differ by the nonce', () => {
    expect(signed({ nonce: 'n2' })).not.toBe(signed());
  });

  test('are rejected after the change of any character', () => {
    const id = signed();
    for (let at = 0; at < id.length; at++) {
      const other = id[at] === 'A' ? 'B' : 'A';
      const changed = `${id.slice(0, at)}${other}${id.slice(at + 1)}`;
      expect(ids.verify(changed), `changed at ${at}`).toBeUndefined();
    }
  });

  test.each([
    ['nothing', ''],
    ['a random id', 'b0b7b1a6-6f4d-4d0b-9f4e-0f5a6e0a7f10'],
    ['an id without signature', signed().split('.').slice(0, 2).join('.')],
    ['an id with more', `${signed()}A`],
    ['two ids', `${signed()},${signed()}`],
    ['a line break', `${signed()}\n`],
    ['a long text', `ph1.${'A'.repeat(100_000)}.${'A'.repeat(43)}`],
    ['a text in another script', 'ph1.идентификатор'],
  ])('are not %s', (_, id) => {
    expect(ids.verify(id)).toBeUndefined();
  });

  test('shorten the client, and leave out capabilities that may be long', () => {
    const long = 'x'.repeat(5000);
    const id = signed({
      clientInfo: { name: long, version: long },
      capabilities: { ...info.capabilities, experimental: { long }, extensions: { long } },
    });
    expect(id.length).toBeLessThanOrEqual(2048);
    const cut = 'x'.repeat(100);
    expect(ids.verify(id)).toEqual({ ...info, clientInfo: { name: cut, version: cut } });
  });

  test('are not made for capabilities that do not fit into a header', () => {
    expect(ids.sign({ ...info, capabilities: { roots: { long: 'x'.repeat(5000) } } })).toBeUndefined();
  });
});
