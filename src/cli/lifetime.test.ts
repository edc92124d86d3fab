import { EventEmitter, once } from 'node:events';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createLogger } from '../log.ts';
import { superviseLifetime, watchParents, type LifetimeOptions, type ProcessInfo } from './lifetime.ts';

interface Stage {
  readonly events: EventEmitter;
  readonly stdin: EventEmitter;
  readonly stdout: EventEmitter;
  readonly stderr: EventEmitter;
  readonly done: string[];
  readonly lines: string[];
}

const lifetimes: ReturnType<typeof superviseLifetime>[] = [];
let stage: Stage;

beforeEach(() => {
  const emitters = {
    events: new EventEmitter(),
    stdin: new EventEmitter(),
    stdout: new EventEmitter(),
    stderr: new EventEmitter(),
  };
  stage = { ...emitters, done: [], lines: [] };
});
afterEach(() => {
  endSupervision();
  vi.useRealTimers();
});

function supervise(overrides: Partial<LifetimeOptions> = {}): void {
  const { events, stdin, stdout, stderr, done, lines } = stage;
  const log = createLogger({
    level: 'debug',
    write: (line) => lines.push(line),
    now: () => new Date(),
  });
  const lifetime = superviseLifetime({
    dispose: async () => void done.push('dispose'),
    endSync: () => void done.push('end'),
    exit: (code) => void done.push(`exit ${code}`),
    log,
    events,
    stdin,
    stdout,
    stderr,
    ...overrides,
  });
  lifetimes.push(lifetime);
}

function endSupervision(): void {
  for (const lifetime of lifetimes.splice(0)) lifetime[Symbol.dispose]();
}

describe('the shutdown', () => {
  const ways: readonly (readonly [string, () => unknown, number])[] = [
    ['stdin end', () => stage.stdin.emit('end'), 0],
    ['stdin close', () => stage.stdin.emit('close'), 0],
    ['SIGTERM', () => stage.events.emit('SIGTERM'), 0],
    ['SIGINT', () => stage.events.emit('SIGINT'), 130],
    ['SIGHUP', () => stage.events.emit('SIGHUP'), 129],
    ['a closed stdout', () => stage.stdout.emit('error', new Error('EPIPE')), 0],
    ['an uncaught exception', () => stage.events.emit('uncaughtException', new Error('oh')), 1],
  ];
  test.each(ways)('by %s runs once and in order', async (_, way, code) => {
    supervise();
    way();
    way();
    await expect.poll(() => stage.done).toEqual(['dispose', 'end', `exit ${code}`]);
  });

  test('by SIGTERM waits for calls in progress, unless stdin ends', async () => {
    let finish: () => void = () => undefined;
    supervise({ drain: async () => new Promise<void>((resolve) => (finish = resolve)) });
    stage.events.emit('SIGTERM');
    await new Promise((resolve) => setImmediate(resolve));
    expect(stage.done).toEqual([]);
    finish();
    await expect.poll(() => stage.done).toEqual(['dispose', 'end', 'exit 0']);
    endSupervision();
    stage.done.length = 0;
    supervise({ drain: async () => new Promise<void>(() => undefined) });
    stage.events.emit('SIGTERM');
    stage.stdin.emit('end');
    await expect.poll(() => stage.done).toEqual(['dispose', 'end', 'exit 0']);
  });

  test('by several causes runs once', async () => {
    supervise();
    stage.stdin.emit('end');
    stage.stdin.emit('close');
    stage.events.emit('SIGTERM');
    await expect.poll(() => stage.done).toEqual(['dispose', 'end', 'exit 0']);
  });

  test('that fails is reported by the exit status', async () => {
    supervise({ dispose: () => Promise.reject(new Error('stuck')) });
    stage.stdin.emit('end');
    await expect.poll(() => stage.done).toEqual(['end', 'exit 1']);
    expect(stage.lines.join('')).toContain('stuck');
  });

  test('that hangs has a deadline', async () => {
    supervise({ dispose: () => new Promise(() => undefined), deadlineMs: 20 });
    stage.stdin.emit('end');
    await expect.poll(() => stage.done).toEqual(['end', 'exit 1']);
  });

  test('is immediate for a second signal, but not for a repeated first one', () => {
    vi.useFakeTimers();
    supervise({ dispose: () => new Promise(() => undefined) });
    stage.events.emit('SIGINT');
    stage.events.emit('SIGINT');
    expect(stage.done).toEqual([]);
    vi.advanceTimersByTime(400);
    stage.events.emit('SIGTERM');
    expect(stage.done).toEqual(['end', 'exit 0']);
  });

  test('exits even if endSync throws', () => {
    const endSync = (): void => {
      throw new Error('no');
    };
    vi.useFakeTimers();
    supervise({ endSync, dispose: () => new Promise(() => undefined), deadlineMs: 20 });
    stage.stdin.emit('end');
    expect(() => vi.advanceTimersByTime(30)).toThrow('no');
    expect(stage.done).toEqual(['exit 1']);
  });
});

test('an unhandled rejection and a closed stderr do not end the server', async () => {
  supervise();
  stage.events.emit('unhandledRejection', new Error('lonely'));
  stage.stderr.emit('error', new Error('EPIPE'));
  await Promise.resolve();
  expect(stage.done).toEqual([]);
  expect(stage.lines.join('')).toContain('lonely');
});

test('a process exit calls endSync', () => {
  supervise();
  stage.events.emit('exit');
  expect(stage.done).toEqual(['end']);
});

test('supervision leaves no listener behind', () => {
  supervise({ parentPollMs: 10 });
  endSupervision();
  const emitters = [stage.events, stage.stdin, stage.stdout, stage.stderr];
  expect(emitters.flatMap((emitter) => emitter.eventNames())).toEqual([]);
});

describe('parents', () => {
  const parents = (table: Record<number, ProcessInfo>) => (pid: number) => table[pid];

  test('the server ends with its parent', async () => {
    let ppid = 100;
    const ended = once(stage.events, 'ended');
    supervise({
      parentPollMs: 5,
      ppid: () => ppid,
      processInfo: () => undefined,
      exit: (code) => stage.events.emit('ended', code),
    });
    ppid = 1;
    expect(await ended).toEqual([0]);
  });

  test('wrappers are skipped up to the client', () => {
    const table: Record<number, ProcessInfo> = {
      100: { ppid: 90, name: 'sh' },
      90: { ppid: 80, name: 'npm exec pagehe' },
      80: { ppid: 70, name: 'claude' },
      70: { ppid: 1, name: 'bash' },
    };
    const isOrphan = watchParents(() => 100, parents(table));
    expect(isOrphan()).toBe(false);
    table[70] = { ppid: 5, name: 'bash' };
    table[80] = { ppid: 1, name: 'claude' };
    expect(isOrphan()).toBe(false);
    table[90] = { ppid: 1, name: 'npm exec pagehe' };
    expect(isOrphan()).toBe(true);
  });

  test('a program whose name only begins like a wrapper is the client', () => {
    const table: Record<number, ProcessInfo> = { 100: { ppid: 90, name: 'shell-gui' }, 90: { ppid: 1, name: 'x' } };
    const names = ['shell-gui', 'bundler', 'npm.exe', 'env_host', 'fishing'];
    for (const name of names) {
      table[100] = { ppid: 90, name };
      const isOrphan = watchParents(() => 100, parents(table));
      table[100] = { ppid: 1, name };
      expect([name, isOrphan()]).toEqual([name, false]);
    }
  });

  test('a parent that cannot be read does not count as dead', () => {
    const table: Record<number, ProcessInfo> = { 100: { ppid: 90, name: 'sh' } };
    const isOrphan = watchParents(() => 100, parents(table));
    delete table[100];
    expect(isOrphan()).toBe(false);
  });
});
