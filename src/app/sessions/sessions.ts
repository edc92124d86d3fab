import { createHash, randomUUID } from 'node:crypto';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { LazyHost } from '../../browser/lazy.ts';
import type { SessionBinding } from '../../call/binding.ts';
import type { AppHooks } from '../../cluster/worker/hooks.ts';
import type { Config } from '../../config/schema/schema.ts';
import type { EventBus } from '../../events/bus.ts';
import type { Logger } from '../../log.ts';
import { IdleTimer } from '../../session/housekeeping/idle-timer.ts';
import { TabGc } from '../../session/housekeeping/tab-gc.ts';
import type { SessionSaver } from '../../session/persistence/saved-session.ts';
import { SessionPersistence } from '../../session/persistence/session-persistence.ts';
import type { Session, SessionIdentity } from '../../session/session.ts';
import { SessionStore } from '../../session/store.ts';
import type { Clock } from '../../session/store.ts';
import { gcRestMs } from '../../session/timing.ts';
import { endpointsOf } from '../browsers/browsers.ts';
import { peerIdle } from '../compat.ts';
import { overload } from '../browsers/machine-load.ts';
import type { WatchedFiles } from '../resources.ts';
import { announceClosed, announceOpened } from './session-events.ts';

/** Keeps the memory of this process small. */
export interface Heap {
  /** A call has ended. */
  used(): void;
  /** No call has run for a moment. */
  collect(): Promise<void>;
}

export interface StoreDeps {
  readonly clock: Clock;
  readonly log: Logger;
  /** Names the saved sessions of this server. */
  readonly stateName: string;
  readonly env: NodeJS.ProcessEnv;
  readonly heap?: Heap | undefined;
  readonly host: LazyHost;
  readonly files: WatchedFiles;
  readonly events: EventBus;
  /** Saves the sessions in place of files, if there is a saver. */
  readonly saving: { readonly saver: AppHooks['saver']; readonly binding: () => SessionBinding };
}

/** The sessions, and what watches them: persistence over restarts, GC of dirty tabs, closing an idle browser. */
export function storeFor(
  config: Config,
  { stateName, env, host, heap, files, events, saving, ...shared }: StoreDeps,
  make: (identity: SessionIdentity) => Session,
): { readonly store: SessionStore; readonly watchers: AsyncDisposable } {
  const { maxSessions, expiry, persistentSessions } = config.session;
  const watch = {
    used: (session: Session): void => {
      persistence?.used(session);
      idle.used();
      tabGc?.used(session);
      heap?.used();
      rest.used();
    },
    closed: (session: Session): void => {
      persistence?.closed(session);
      tabGc?.closed(session);
      files.changes.sessionClosed(session);
      announceClosed(events, session);
    },
  };
  const open = (identity: SessionIdentity): Session => {
    announceOpened(events, identity);
    return make(identity);
  };
  const limits = { maxSessions, expiry, overload: () => overload(config.session) };
  const store = new SessionStore({ ...shared, ...limits, now: () => new Date(), newId: randomUUID, open, watch });
  const options = { ...shared, store, folder: sessionFolder(stateName, env), now: () => new Date(), pid: process.pid };
  const filed = persistentSessions && saving.saver === undefined ? new SessionPersistence(options) : undefined;
  filed?.load();
  const persistence: SessionSaver | undefined = saving.saver?.(store, saving.binding) ?? filed;
  // An external browser is not ours to close or to clean up.
  const isOurs = endpointsOf(config.browser) === undefined;
  const tabGc = isOurs ? new TabGc(shared.clock) : undefined;
  const { clock } = shared;
  const isBusy = (): boolean => store.all().some(({ calls }) => calls > 0);
  const rest = new IdleTimer({
    ms: heap === undefined ? 0 : gcRestMs,
    clock,
    isBusy,
    run: async () => heap?.collect(),
  });
  const idle = new IdleTimer({
    ms: isOurs ? (config.timeouts.idle ?? peerIdle(config, env)) : 0,
    clock,
    isBusy,
    run: async () => {
      await store.sleep(AbortSignal.timeout(config.timeouts.call));
      if (!store.all().some(({ isOpen }) => isOpen)) await host.quit();
    },
  });
  const end = async (): Promise<void> => {
    idle[Symbol.dispose]();
    rest[Symbol.dispose]();
    tabGc?.[Symbol.dispose]();
    await persistence?.[Symbol.asyncDispose]();
  };
  return { store, watchers: { [Symbol.asyncDispose]: end } };
}

/** The folder for the sessions of a project: in the user's state folder, not among the project's files. */
function sessionFolder(name: string, env: NodeJS.ProcessEnv): string {
  const home = env['HOME'] ?? homedir();
  const places: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
    darwin: join(home, 'Library', 'Application Support'),
    win32: env['LOCALAPPDATA'] ?? join(home, 'AppData', 'Local'),
  };
  const state = env['XDG_STATE_HOME'] ?? places[process.platform] ?? join(home, '.local', 'state');
  return join(state, 'pagehelm', 'sessions', createHash('sha256').update(name).digest('hex').slice(0, 16));
}
