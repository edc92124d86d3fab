import { timingSafeEqual } from 'node:crypto';
import type * as Crypto from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { KeyRing } from './keys.ts';

vi.mock('node:crypto', async (original) => {
  const crypto = await original<typeof Crypto>();
  return { ...crypto, timingSafeEqual: vi.fn(crypto.timingSafeEqual) };
});

const stored = ['short', 'a-key-of-usual-length-in-the-middle', 'x'.repeat(5000)];
const ring = new KeyRing(stored.map((key, index) => ({ name: `k${index}`, key, scope: {} })));

test.each([
  ['the first key', stored[0] ?? '', 'k0'],
  ['the last key', stored[2] ?? '', 'k2'],
  ['a key that shares all but the last character', `${'x'.repeat(4999)}y`, undefined],
  ['a prefix', 'shor', undefined],
  ['one character', 'x', undefined],
  ['an empty key', '', undefined],
  ['100,000 characters', 'y'.repeat(100_000), undefined],
])('[R-6, S0-23] %s is compared with every key, by digests of one length', (_what, presented, name) => {
  const compare = vi.mocked(timingSafeEqual);
  compare.mockClear();
  expect(ring.find(presented)?.name).toBe(name);
  const lengths = compare.mock.calls.map(([a, b]) => [a.byteLength, b.byteLength]);
  expect(lengths).toEqual(stored.map(() => [32, 32]));
});
