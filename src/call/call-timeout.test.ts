import { expect, test } from 'vitest';
import { timeoutOf } from './call-timeout.ts';

const timeouts = { navigation: 30_000, action: 5000 };
const none = { timeoutMs: undefined };

test('a call has the timeout that it was given', () => {
  expect(timeoutOf({ effect: 'input', limitMs: undefined }, { timeoutMs: 700 }, timeouts)).toBe(700);
  expect(timeoutOf({ effect: 'read', limitMs: 5000 }, { timeoutMs: 700 }, timeouts)).toBe(700);
});

test('navigations and actions have the configured timeout', () => {
  expect(timeoutOf({ effect: 'navigate', limitMs: undefined }, none, timeouts)).toBe(30_000);
  expect(timeoutOf({ effect: 'input', limitMs: undefined }, none, timeouts)).toBe(5000);
});

test('a read has a timeout only if its tool has one: a PDF of a large page takes long', () => {
  expect(timeoutOf({ effect: 'read', limitMs: 5000 }, none, timeouts)).toBe(5000);
  expect(timeoutOf({ effect: 'read', limitMs: undefined }, none, timeouts)).toBeUndefined();
});

test('a timeout of 0, given or configured, is no limit', () => {
  expect(timeoutOf({ effect: 'navigate', limitMs: undefined }, { timeoutMs: 0 }, timeouts)).toBeUndefined();
  expect(timeoutOf({ effect: 'input', limitMs: undefined }, none, { ...timeouts, action: 0 })).toBeUndefined();
});
