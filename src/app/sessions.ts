import { createHash, randomUUID } from 'node:crypto';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { browserMode } from '../browser/find/environment.ts';
import { localMachine } from '../browser/find/machine.ts';
import type { BrowserHost } from '../browser/host.ts';
import type { LazyHost } from '../browser/lazy.ts';
import { peerIdleMs } from '../config/option-rules.ts';
import type { Config } from '../config/schema/schema.ts';
import type { Logger } from '../log.ts';
import type { Secrets } from '../policy/secrets.ts';
import { loadAgentSource } from '../session/agent/agent-source.ts';
import { isNetworkDriver } from '../call/binding.ts';
import type { FilePlace } from '../session/files/session-files.ts';
import { Workspace } from '../session/files/workspace.ts';
import { IdleTimer } from '../session/housekeeping/idle-timer.ts';
import { TabGc } from '../session/housekeeping/tab-gc.ts';
import { contextPreparer, initPages } from '../session/navigation/init-pages.ts';
import { SessionPersistence } from '../session/persistence/session-persistence.ts';
import type { Session, SessionIdentity } from '../session/session.ts';
import { SessionStore, defaultName } from '../session/store.ts';
import type { Clock } from '../session/store.ts';
import { gcRestMs } from '../session/timing.ts';
import { endpointOf } from './browsers.ts';
import type { WatchedFiles } from './resources.ts';
import type { KeyRules } from './key-rules.ts';

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
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly heap?: Heap | undefined;
  readonly host: LazyHost;
  readonly files: WatchedFiles;
}

/** The sessions, and what watches them: persistence over restarts, GC of dirty tabs, closing an idle browser. */
export function storeFor(
  config: Config,
  { cwd, env, host, heap, files, ...shared }: StoreDeps,
  open: (identity: SessionIdentity) => Session,
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
    },
  };
  const limits = { maxSessions, expiry };
  const store = new SessionStore({ ...shared, ...limits, now: () => new Date(), newId: randomUUID, open, watch });
  const options = { ...shared, store, folder: sessionFolder(cwd, env), now: () => new Date(), pid: process.pid };
  const persistence = persistentSessions ? new SessionPersistence(options) : undefined;
  persistence?.load();
  // An external browser is not ours to close or to clean up.
  const isOurs = endpointOf(config.browser) === undefined;
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

/** The idle time-out of a browser that is headless because there is no display: the configuration cannot know that. */
function peerIdle({ compat, browser }: Config, env: NodeJS.ProcessEnv): number {
  return compat === 'playwright' && browserMode(browser.headless, localMachine(env)).headless ? peerIdleMs : 0;
}

/** The folder for the sessions of a project: in the user's state folder, not among the project's files. */
function sessionFolder(cwd: string, env: NodeJS.ProcessEnv): string {
  const home = env['HOME'] ?? homedir();
  const places: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
    darwin: join(home, 'Library', 'Application Support'),
    win32: env['LOCALAPPDATA'] ?? join(home, 'AppData', 'Local'),
  };
  const state = env['XDG_STATE_HOME'] ?? places[process.platform] ?? join(home, '.local', 'state');
  return join(state, 'pagehelm', 'sessions', createHash('sha256').update(cwd).digest('hex').slice(0, 16));
}

/** Every session has a folder for files with generated names, except the default session of a local caller. */
function placeFor({ id, name, owner }: SessionIdentity): FilePlace {
  const isRemote = isNetworkDriver(owner);
  return isRemote || name !== defaultName ? { folder: `${name}-${id.slice(0, 8)}`, isRemote } : { isRemote };
}

export interface SessionParts {
  readonly host: BrowserHost;
  readonly log: Logger;
  readonly cwd: string;
  readonly secrets: Secrets;
  readonly rules: KeyRules;
  readonly files: WatchedFiles;
  readonly dismissesDialogs: boolean;
}

export function sessionDeps(
  config: Config,
  { host, log, cwd, secrets, rules, files, dismissesDialogs }: SessionParts,
): ConstructorParameters<typeof Session>[1] {
  const { outputDir, screenshotDir, outputMaxSize: maxBytes, timeouts, browser } = config;
  const { maxDownloadSize } = config.security;
  return {
    host,
    log,
    timeouts: { action: timeouts.action, navigation: timeouts.navigation },
    queueLimit: config.session.queueLimit,
    maxTabs: config.session.maxTabs,
    tabs: {
      format: config.snapshot.format,
      times: { settle: timeouts.settle, load: timeouts.load, navigation: timeouts.navigation },
      dismissesDialogs,
    },
    rules,
    workspace: new Workspace({
      cwd,
      paths: config.filePaths,
      isUnrestricted: config.allowUnrestrictedFileAccess,
      // The specification of these tools saves screenshots anywhere.
      ...(config.toolsets.includes('basic') ? { temporaryDir: tmpdir() } : {}),
      ...(config.allowHiddenFiles ? { uploadsHidden: true } : {}),
      ...(config.uploadRoot === undefined ? {} : { uploadRoot: config.uploadRoot }),
      redact: (text) => secrets.redact(text),
      ...(outputDir === undefined ? {} : { outputDir }),
      ...(screenshotDir === undefined ? {} : { screenshotDir }),
      ...(browser.downloadPath === undefined ? {} : { downloadDir: browser.downloadPath }),
      ...(maxBytes === undefined ? {} : { maxBytes }),
    }),
    artifacts: files.artifacts,
    changes: files.changes,
    placeFor,
    downloads: { fileBytes: maxDownloadSize, sessionBytes: 5 * maxDownloadSize, waitMs: timeouts.load },
    prepareContext: contextPreparer(async () => (await loadAgentSource()).timers, browser.initScript, timeouts, cwd),
    preparePage: initPages(browser.initPage, cwd),
  };
}
