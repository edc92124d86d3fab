import { expect, test } from 'vitest';
import { CallGate } from './call-gate.ts';

test('calls beyond the limit are refused until another one has ended', () => {
  const gate = new CallGate(2);
  const first = gate.enter();
  gate.enter();
  expect(() => gate.enter()).toThrow('it already has 2 calls (--max-calls)');
  first[Symbol.dispose]();
  expect(gate.enter()).toBeDefined();
});

test('the end waits for calls in progress and refuses others', async () => {
  const gate = new CallGate(2);
  const running = gate.enter();
  const ending = gate.end(60_000);
  expect(() => gate.enter()).toThrow('The server is shutting down.');
  running[Symbol.dispose]();
  expect(await ending).toBe(true);
});

test('the end does not wait longer than its limit', async () => {
  const gate = new CallGate(1);
  gate.enter();
  expect(await gate.end(1)).toBe(false);
});
