import { expect, test } from 'vitest';
import type { BrowserHost } from '../browser/host.ts';
import { ToolError } from '../errors.ts';
import { createLogger } from '../log.ts';
import { DomainPolicy } from '../policy/domains.ts';
import { Session } from './session.ts';
import { SessionStore } from './store.ts';
import type { StoreOptions } from './store.ts';
import { ArtifactStore } from './files/artifacts.ts';
import { Workspace } from './files/workspace.ts';
import { FakeClock } from '../../tests/fake-clock.ts';

const born = '2026-01-02T03:04:05.678Z';
const log = createLogger({ level: 'error', write: () => undefined, now: () => new Date(0) });
/** No session here ever needs its browser. */
const noBrowser: BrowserHost = {
  acquire: async () => {
    throw new Error('there is no browser here');
  },
  install: async () => 'none',
  describe: async () => 'none',
  endSync: () => undefined,
  [Symbol.asyncDispose]: async () => undefined,
};

function open(options: Partial<StoreOptions> = {}): { readonly store: SessionStore; readonly clock: FakeClock } {
  const clock = new FakeClock();
  let ids = 0;
  const store = new SessionStore({
    now: () => new Date(born),
    clock,
    log,
    newId: () => `id-${++ids}`,
    maxSessions: 10,
    expiry: 'sliding',
    open: (identity) =>
      new Session(identity, {
        host: noBrowser,
        log,
        timeouts: { action: 1, navigation: 1 },
        queueLimit: 1,
        maxTabs: 1,
        tabs: {
          format: 'compact',
          testIdAttribute: 'data-testid',
          times: { settle: 1, load: 1, navigation: 1 },
          dismissesDialogs: false,
        },
        rules: { operator: new DomainPolicy({ allowedOrigins: [], blockedOrigins: [] }), of: () => undefined },
        workspace: new Workspace({ cwd: '/nowhere', paths: 'relative' }),
        artifacts: new ArtifactStore({
          limits: { maxBytes: 0, maxCount: 0, maxAgeMs: 0 },
          now: Date.now,
          after: (ms, run) => clock.after(ms, run),
        }),
        changes: {
          sessionChanged: () => undefined,
          pageChanged: () => undefined,
          lost: () => undefined,
          recovered: () => undefined,
          controlChanged: () => undefined,
          popupsChanged: () => undefined,
        },
        placeFor: () => ({ isRemote: false }),
        downloads: { fileBytes: 1, sessionBytes: 1, waitMs: 0 },
        prepareContext: async () => undefined,
        preparePage: async () => undefined,
      }),
    ...options,
  });
  return { store, clock };
}

function codeOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof ToolError) return error.code;
  }
  return 'no error';
}

test('a driver that names no session gets one called default, always the same', () => {
  const { store } = open();
  const session = store.active('ada');
  expect(session.name).toBe('default');
  expect(store.active('ada')).toBe(session);
  expect(store.get('ada', 'default')).toBe(session);
});

test('a session is found by its id and by its name', () => {
  const { store } = open();
  const session = store.create('ada', { name: 'clean' });
  expect(store.get('ada', session.id)).toBe(session);
  expect(store.get('ada', 'clean')).toBe(session);
});

test('a driver does not see the sessions of another', () => {
  const { store } = open();
  const session = store.create('ada', { name: 'clean' });
  expect(codeOf(() => store.get('bob', session.id))).toBe('SESSION_NOT_FOUND');
  expect(codeOf(() => store.get('bob', 'clean'))).toBe('SESSION_NOT_FOUND');
  expect(store.list('bob')).toEqual([]);
  expect(store.active('bob')).not.toBe(store.active('ada'));
});

test('each driver has its own active session, and falls back to default when it is closed', async () => {
  const { store } = open();
  const session = store.create('ada', { name: 'clean' });
  store.create('bob', { name: 'clean' });
  store.activate(session);
  expect(store.active('ada')).toBe(session);
  expect(store.active('bob').name).toBe('default');
  await store.close(session);
  expect(store.active('ada').name).toBe('default');
});

test('the limit counts all sessions but the default ones', async () => {
  const { store } = open({ maxSessions: 2 });
  store.active('ada');
  store.active('bob');
  const first = store.create('ada');
  store.create('bob', { name: 'clean' });
  expect(codeOf(() => store.create('ada'))).toBe('MAX_SESSIONS_REACHED');
  await store.close(first);
  expect(store.create('ada').owner).toBe('ada');
});

test('with sliding expiry each call renews the lifetime', () => {
  const { store, clock } = open();
  const session = store.create('ada', { ttlMs: 1000 });
  expect(store.life(session)).toEqual({ createdAt: new Date(born), idleMs: 0, leftMs: 1000 });
  clock.pass(900);
  expect(store.life(session)).toEqual({ createdAt: new Date(born), idleMs: 900, leftMs: 100 });
  store.touch(session);
  expect(store.life(session)).toEqual({ createdAt: new Date(born), idleMs: 0, leftMs: 1000 });
  clock.pass(900);
  expect(store.get('ada', session.id)).toBe(session);
  clock.pass(100);
  expect(codeOf(() => store.get('ada', session.id))).toBe('SESSION_EXPIRED');
});

test('with fixed expiry the end does not move', () => {
  const { store, clock } = open({ expiry: 'fixed' });
  const session = store.create('ada', { ttlMs: 1000 });
  clock.pass(900);
  store.touch(session);
  expect(store.life(session).leftMs).toBe(100);
  clock.pass(100);
  expect(codeOf(() => store.get('ada', session.id))).toBe('SESSION_EXPIRED');
});

test('named sessions and default do not expire unless a time is given', () => {
  const { store, clock } = open();
  const named = store.create('ada', { name: 'clean' });
  const usual = store.active('ada');
  clock.pass(1e12);
  expect(store.get('ada', 'clean')).toBe(named);
  expect(store.active('ada')).toBe(usual);
  expect(store.life(named).leftMs).toBeUndefined();
});

test('[R-12] an expired session differs from an unknown one, by id and by name, and only for its driver', () => {
  const { store, clock } = open();
  const session = store.create('ada', { name: 'short', ttlMs: 10 });
  clock.pass(10);
  expect(codeOf(() => store.get('ada', session.id))).toBe('SESSION_EXPIRED');
  expect(codeOf(() => store.get('ada', 'short'))).toBe('SESSION_EXPIRED');
  expect(codeOf(() => store.get('bob', session.id))).toBe('SESSION_NOT_FOUND');
  expect(codeOf(() => store.get('ada', 'never'))).toBe('SESSION_NOT_FOUND');
  expect(() => store.get('ada', 'x'.repeat(5000))).toThrow(
    /^There is no session "x{100}… \(4900 more characters\)"\.$/,
  );
});

test('[R-12] the last thousand expired ids are remembered', () => {
  const { store, clock } = open({ maxSessions: 2000 });
  const ids = Array.from({ length: 1001 }, () => store.create('ada', { ttlMs: 10 }).id);
  clock.pass(10);
  expect(codeOf(() => store.get('ada', ids[0] ?? ''))).toBe('SESSION_NOT_FOUND');
  expect(codeOf(() => store.get('ada', ids[1] ?? ''))).toBe('SESSION_EXPIRED');
  expect(codeOf(() => store.get('ada', ids[1000] ?? ''))).toBe('SESSION_EXPIRED');
});

test('a session that was closed is unknown, not expired, and leaves no timer', async () => {
  const { store, clock } = open();
  const session = store.create('ada', { ttlMs: 10 });
  await store.close(session);
  expect(clock.pending).toBe(0);
  clock.pass(10);
  expect(codeOf(() => store.get('ada', session.id))).toBe('SESSION_NOT_FOUND');
});

test('a store that is disposed of ends all sessions and timers', async () => {
  const { store, clock } = open();
  store.active('ada');
  store.create('bob', { ttlMs: 10 });
  await store[Symbol.asyncDispose]();
  await store[Symbol.asyncDispose]();
  expect(store.list('ada')).toEqual([]);
  expect(store.list('bob')).toEqual([]);
  expect(clock.pending).toBe(0);
});

test('the expiry of the active session is reported once, unless another session was activated meanwhile', () => {
  const { store, clock } = open();
  store.activate(store.create('driver', { name: 'short', ttlMs: 1000 }));
  clock.pass(1000);
  expect([store.takeExpiredActive('driver'), store.takeExpiredActive('driver')]).toEqual(['short', undefined]);
  store.create('driver', { name: 'aside', ttlMs: 1000 });
  clock.pass(1000);
  expect(store.takeExpiredActive('driver')).toBeUndefined();
  store.activate(store.create('driver', { name: 'next', ttlMs: 1000 }));
  clock.pass(1000);
  store.activate(store.create('driver', { name: 'chosen' }));
  expect(store.takeExpiredActive('driver')).toBeUndefined();
});
