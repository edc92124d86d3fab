import { expect, test } from 'vitest';
import { FakeClock } from '../../../tests/fake-clock.ts';
import { EndpointHealth, nextEndpoint } from './endpoint-health.ts';

const named = (name: string): { readonly name: string; readonly health: EndpointHealth } => ({
  name,
  health: new EndpointHealth(),
});

test('the endpoint with the fewest sessions is next, and the first of the list if several have as many', () => {
  const [a, b, c] = [named('a'), named('b'), named('c')];
  expect(nextEndpoint([a, b, c], undefined, 0)?.name).toBe('a');
  a.health.users = 2;
  b.health.users = 1;
  expect(nextEndpoint([a, b, c], undefined, 0)?.name).toBe('c');
  c.health.users = 1;
  expect(nextEndpoint([a, b, c], undefined, 0)?.name).toBe('b');
  expect(nextEndpoint([], undefined, 0)).toBeUndefined();
});

test('a preferred endpoint is next while it answers, however many sessions it has', () => {
  const [a, b] = [named('a'), named('b')];
  a.health.users = 9;
  expect(nextEndpoint([a, b], a, 0)?.name).toBe('a');
  // It was tried before.
  expect(nextEndpoint([b], a, 0)?.name).toBe('b');
  a.health.failed(0);
  expect(nextEndpoint([a, b], a, 0)?.name).toBe('b');
});

test('an endpoint that failed is left out for a second, and for twice as long after each failure, up to a minute', () => {
  const clock = new FakeClock();
  const [a, b] = [named('a'), named('b')];
  b.health.users = 5;
  const pauses = Array.from({ length: 8 }, () => {
    const pauseMs = a.health.failed(clock.now());
    clock.pass(pauseMs - 1);
    expect(nextEndpoint([a, b], undefined, clock.now())?.name).toBe('b');
    clock.pass(1);
    expect(nextEndpoint([a, b], undefined, clock.now())?.name).toBe('a');
    return pauseMs;
  });
  expect(pauses).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
  a.health.failed(clock.now());
  a.health.answered();
  expect(a.health.isReady(clock.now())).toBe(true);
  expect(a.health.failed(clock.now())).toBe(1000);
});

test('if all have failed, the one that is due first is tried', () => {
  const [a, b] = [named('a'), named('b')];
  a.health.failed(0);
  a.health.failed(0);
  b.health.failed(0);
  expect(nextEndpoint([a, b], undefined, 10)?.name).toBe('b');
  expect(nextEndpoint([a], undefined, 10)?.name).toBe('a');
});
