import { expect, test } from 'vitest';
import { EventBus, EventHistory } from './bus.ts';
import type { ServerEvent } from './event.ts';

const opened = (session: string) => ({ type: 'session.opened', session, name: 'n', driver: 'd' }) as const;

test('events are numbered in order and have the time, for every listener', () => {
  const bus = new EventBus(() => 7);
  const first: ServerEvent[] = [];
  const second: ServerEvent[] = [];
  using firstListener = bus.listen((event) => first.push(event));
  bus.emit(opened('a'));
  using secondListener = bus.listen((event) => second.push(event));
  bus.emit(opened('b'));
  expect(first.map(({ seq, at }) => [seq, at])).toEqual([
    [1, 7],
    [2, 7],
  ]);
  expect([firstListener, secondListener]).toHaveLength(2);
  expect(second).toEqual([{ ...opened('b'), seq: 2, at: 7 }]);
});

test('without a listener, events are not made', () => {
  const bus = new EventBus(() => {
    throw new Error('the clock was read');
  });
  expect(bus.isOn).toBe(false);
  bus.emit(opened('a'));
  expect(bus.seq).toBe(0);
});

test('a listener that ends gets no more events', () => {
  const bus = new EventBus();
  const seen: ServerEvent[] = [];
  const listening = bus.listen((event) => seen.push(event));
  bus.emit(opened('a'));
  listening[Symbol.dispose]();
  bus.emit(opened('a'));
  expect(seen).toHaveLength(1);
  expect(bus.isOn).toBe(false);
});

test('the history keeps the newest thousand events of each session, and returns those after a number', () => {
  const bus = new EventBus();
  using history = new EventHistory(bus);
  for (let i = 0; i < 2500; i++) bus.emit(opened('a'));
  bus.emit(opened('b'));
  expect(history.of('a')).toHaveLength(1000);
  expect(history.of('a').at(-1)?.seq).toBe(2500);
  expect(history.of('a', 2498).map(({ seq }) => seq)).toEqual([2499, 2500]);
  expect(history.of('b').map(({ seq }) => seq)).toEqual([2501]);
  expect(history.of('c')).toEqual([]);
});

test('the history of a session is limited in size', () => {
  const bus = new EventBus();
  using history = new EventHistory(bus);
  const url = 'x'.repeat(100_000);
  for (let i = 0; i < 100; i++) bus.emit({ type: 'tab.changed', session: 'a', tab: 't1', url });
  expect(history.of('a').length).toBeGreaterThan(5);
  expect(history.of('a').length).toBeLessThanOrEqual(21);
});

test('the history forgets the sessions that were used least recently', () => {
  const bus = new EventBus();
  using history = new EventHistory(bus);
  for (let i = 0; i < 60; i++) bus.emit(opened(`s${i}`));
  expect(history.of('s9')).toEqual([]);
  expect(history.of('s10')).toHaveLength(1);
});
