import { describe, expect, test } from 'vitest';
import { Seal } from './seal.ts';

const seal = new Seal('a cluster key of some length');
const owner = { driver: 'key-1', session: 'session-1' };
const value = Buffer.from(JSON.stringify({ cookies: [{ name: 'sid', value: 'secret of a user' }], text: '客户端' }));

describe('a sealed value', () => {
  test('is opened by every process that has the key', async () => {
    const sealed = await seal.seal(owner, value);
    expect(await new Seal('a cluster key of some length').open(owner, sealed)).toEqual(value);
  });

  test('is compressed, shows nothing, and is another one each time', async () => {
    const long = Buffer.from('secret of a user '.repeat(1000));
    const [sealed, again] = [await seal.seal(owner, long), await seal.seal(owner, long)];
    expect(sealed.length).toBeLessThan(200);
    expect(sealed.includes('secret')).toBe(false);
    expect(sealed.equals(again)).toBe(false);
    expect(await seal.open(owner, again)).toEqual(long);
  });

  test('may be empty', async () => {
    expect(await seal.open(owner, await seal.seal(owner, Buffer.alloc(0)))).toEqual(Buffer.alloc(0));
  });

  test('is rejected with another key, for another driver and for another session', async () => {
    const sealed = await seal.seal(owner, value);
    expect(await new Seal('another cluster key').open(owner, sealed)).toBeUndefined();
    expect(await seal.open({ ...owner, driver: 'key-2' }, sealed)).toBeUndefined();
    expect(await seal.open({ ...owner, session: 'session-2' }, sealed)).toBeUndefined();
    // Where one name ends and the next begins is part of what is checked.
    expect(await seal.open({ driver: 'key-1s', session: 'ession-1' }, sealed)).toBeUndefined();
  });

  test('is rejected after the change of any byte', async () => {
    const sealed = await seal.seal(owner, value);
    for (const at of sealed.keys()) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(await seal.open(owner, changed), `changed at ${at}`).toBeUndefined();
    }
  });

  test('is rejected when a part is missing or added', async () => {
    const sealed = await seal.seal(owner, value);
    for (const length of sealed.keys()) expect(await seal.open(owner, sealed.subarray(0, length))).toBeUndefined();
    expect(await seal.open(owner, Buffer.concat([sealed, Buffer.of(0)]))).toBeUndefined();
  });
});
