import { expect, test, vi } from 'vitest';
import { createLogger } from '../../log.ts';
import { memoryStores } from '../memory/stores.ts';
import type { SessionDirectory, WorkerInfo } from '../stores.ts';
import { Lease } from './lease.ts';
import { Placements } from './placements.ts';

const log = createLogger({ level: 'error', write: () => undefined, now: () => new Date() });
const worker: WorkerInfo = {
  name: 'w1',
  boot: 'boot-1',
  address: 'http://127.0.0.1:1',
  version: '1.0.0',
  slots: 4,
  live: 0,
  waiting: 0,
  isDraining: false,
};

function start(directory: SessionDirectory) {
  const dropped: string[] = [];
  const placements = new Placements({
    directory,
    describe: () => worker,
    isLeased: () => true,
    adopt: async () => undefined,
    drop: (driver) => void dropped.push(driver),
    log,
  });
  const lease = new Lease({
    directory,
    describe: () => worker,
    held: () => placements.all,
    onLost: (lost) => placements.lost(lost),
    onExpired: () => placements.expired(),
    log,
  });
  return { placements, lease, dropped };
}

test('a driver that another worker has taken is dropped', async () => {
  const { directory } = memoryStores();
  const { placements, lease, dropped } = start(directory);
  await placements.enter('driver');
  await directory.acquire('driver', { ...worker, boot: 'boot-2' });
  const right = placements.right('driver');
  await lease.announce();
  expect(right.aborted).toBe(true);
  expect(placements.of('driver')).toBeUndefined();
  expect(dropped).toEqual(['driver']);
});

test('a driver that was released and taken again during an announcement is kept', async () => {
  const { directory } = memoryStores();
  let open: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const slow: SessionDirectory = {
    leaseMs: directory.leaseMs,
    announce: async (...announced) => {
      await gate;
      return directory.announce(...announced);
    },
    workers: () => directory.workers(),
    locate: (driver) => directory.locate(driver),
    acquire: (driver, by) => directory.acquire(driver, by),
    release: (held) => directory.release(held),
    leave: (by) => directory.leave(by),
  };
  const { placements, lease, dropped } = start(slow);
  await placements.enter('driver');
  const announced = lease.announce();
  await placements.release('driver', async () => undefined);
  await placements.enter('driver');
  const held = placements.of('driver');
  open();
  await announced;
  expect(held).toBeDefined();
  expect(placements.of('driver')).toEqual(held);
  expect(dropped).toEqual([]);
});

test('a worker whose name another process has taken stops, and never acts again', async () => {
  const { directory } = memoryStores();
  const { placements, lease, dropped } = start(directory);
  await lease.announce();
  await placements.enter('driver');
  const right = placements.right('driver');
  const other = { ...worker, boot: 'boot-2' };
  await directory.announce({ ...other, replaces: worker.boot }, []);
  await lease.announce();
  expect([lease.isValid, right.aborted]).toEqual([false, true]);
  await directory.leave(other);
  await lease.announce();
  expect([lease.isValid, dropped, await directory.workers()]).toEqual([false, [], []]);
});

test('what is under way stops before a lease ends that is not renewed', async () => {
  vi.useFakeTimers();
  try {
    const { directory } = memoryStores();
    const { placements, lease } = start(directory);
    await placements.enter('driver');
    await lease.announce();
    await vi.advanceTimersByTimeAsync(directory.leaseMs / 2);
    const right = placements.right('driver');
    await lease.announce();
    await vi.advanceTimersByTimeAsync(directory.leaseMs / 2);
    expect(right.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(directory.leaseMs / 2 - 1);
    expect(right.aborted).toBe(true);
  } finally {
    vi.useRealTimers();
  }
});
