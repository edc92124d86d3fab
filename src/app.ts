import { createHash, randomUUID } from 'node:crypto';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Server, Transport } from '@modelcontextprotocol/server';
import type { BrowserHost, BrowserWish } from './browser/host.ts';
import { LazyHost } from './browser/lazy.ts';
import { PlaywrightLoader } from './browser/playwright.ts';
import type { RunFolderOptions } from './browser/process/run-folder.ts';
import { dispatch } from './call/dispatch.ts';
import type { CallRequest, DispatchDeps } from './call/dispatch.ts';
import type { CallResult } from './call/report.ts';
import { SessionLog } from './call/session-log.ts';
import type { BrowserControl, Tool } from './call/tool.ts';
import type { Config } from './config/schema/schema.ts';
import { ToolError } from './errors.ts';
import { mapLogger } from './log.ts';
import type { Logger } from './log.ts';
import { describeTool } from './mcp/describe.ts';
import { createServer } from './mcp/server.ts';
import { DomainPolicy } from './policy/domains.ts';
import { Secrets } from './policy/secrets.ts';
import { chooseTools, isUnderstood, needsVocabularies } from './policy/tools.ts';
import type { Vocabularies } from './policy/tools.ts';
import { registerAgent } from './session/agent/page-agents.ts';
import { timerScript } from './session/agent/agent-source.ts';
import { IdleWatch } from './session/housekeeping/idle-timer.ts';
import { contextPreparer, initPages } from './session/navigation/init-pages.ts';
import { Session } from './session/session.ts';
import { SessionKeeper } from './session/persistence/session-persistence.ts';
import type { DriverId, SessionIdentity } from './session/session.ts';
import { SessionStore } from './session/store.ts';
import type { Clock } from './session/store.ts';
import { restMs, Tidier } from './session/housekeeping/tab-gc.ts';
import { Workspace } from './session/files/workspace.ts';
import { commonTools } from './tools/common.ts';
import { version } from './version.ts';

export interface AppOptions {
  readonly config: Config;
  readonly log: Logger;
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly clock?: Clock;
  /** Not given where the process is somebody else's. */
  readonly heap?: Heap | undefined;
  /** Further tools, beside our own. */
  readonly tools?: readonly Tool[];
  /** Toolsets in words of their own. They are many: without them, what is called of them is loaded when it is called. */
  readonly vocabularies?: Vocabularies<Tool>;
}

/** Who keeps this process's own memory small. */
export interface Heap {
  /** A call has ended. */
  used(): void;
  /** Nobody has called for a moment. */
  tidy(): Promise<void>;
}

/** A server without a wire: what the transports, the command line and the library share. */
export interface App extends AsyncDisposable {
  readonly tools: readonly Tool[];
  readonly warnings: readonly string[];
  call(request: Omit<CallRequest, 'driver' | 'signal'> & Partial<CallRequest>): Promise<CallResult>;
  /** A protocol server for one connection. */
  server(driver: DriverId): Server;
  /** Serves both protocol eras on a connection; resolves when it is set up. */
  serve(transport: Transport, driver: DriverId): Promise<AsyncDisposable>;
  describeBrowser(): Promise<string>;
  /** Starts what is slow to start; done by itself after the tool list was asked for. */
  warmUp(): void;
  /** Ends all processes at once, for the exit of this one. */
  endSync(): void;
}

const systemClock: Clock = {
  now: () => performance.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    timer.unref();
    return { [Symbol.dispose]: () => clearTimeout(timer) };
  },
};

/** With the vocabularies if the configuration needs them, and after what only Playwright can tell of its mistakes. */
export async function loadApp(options: AppOptions): Promise<App> {
  const { device } = options.config.browser;
  if (device !== undefined) await (await import('./browser/check-device.ts')).checkDevice(device);
  return createApp(
    needsVocabularies(options.config) ? { ...options, ...(await import('./tools/vocabularies/index.ts')) } : options,
  );
}

/** Config in, wired object graph out. */
export function createApp(options: AppOptions): App {
  const { config, cwd = process.cwd(), env = process.env, clock = systemClock, heap } = options;
  const secrets = new Secrets(config.secrets);
  const log = mapLogger(options.log, (value) => secrets.redactAll(value));
  const temporary = { log, tmpdir: tmpdir(), uid: process.getuid?.() ?? -1 };
  const loader = new PlaywrightLoader(async ({ selectors }) => {
    selectors.setTestIdAttribute(config.testIdAttribute);
    await registerAgent(selectors);
  });
  const folder = { ...temporary, pid: process.pid, env };
  const domains = new DomainPolicy({ ...config.security, ...config.network });
  const host = new LazyHost({
    make: async (wish) => hostFor(wishedBrowser(config.browser, wish), config, loader, { ...folder, clock, domains }),
    waitsForWish: config.launch === 'explicit',
  });
  const { tools, warnings, table } = offeredTools(
    [...commonTools, ...(options.tools ?? [])],
    config,
    options.vocabularies,
  );
  // A dialog that no tool can answer would hold its page up for ever.
  const dismissesDialogs = !tools.some((tool) => tool.clears === 'dialog');
  const forSessions = sessionDeps(config, { host, log, cwd, secrets, domains, dismissesDialogs });
  const { store, watchers } = storeFor(
    config,
    { clock, log, cwd, env, host, heap },
    (identity) => new Session(identity, forSessions),
  );
  const browser = browserControl(host, store, config.browser);
  const deps = { ...table, store, browser, config, secrets, log, now: () => new Date() };
  const road = roadOf(deps, forSessions.workspace);
  const warmUp = once(() => void warm(loader, host, config, log, temporary));
  const mcp = {
    name: config.name,
    version: config.version ?? version,
    tools: tools.map(describeTool),
    call: road.call,
    onListed: warmUp,
  };
  return {
    tools,
    warnings,
    call: async (request) => road.call({ driver: 'library', signal: new AbortController().signal, ...request }),
    server: (driver) => createServer(mcp, driver),
    serve: async (transport, driver) => serveOn(transport, () => createServer(mcp, driver), log),
    describeBrowser: async () => host.describe(),
    warmUp,
    endSync: () => host.endSync(),
    [Symbol.asyncDispose]: async () => {
      await watchers[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
      await host[Symbol.asyncDispose]();
      await road[Symbol.asyncDispose]();
    },
  };
}

/** The road of a call, and the record of it where the operator wants one. */
function roadOf(
  deps: DispatchDeps,
  workspace: Workspace,
): AsyncDisposable & { readonly call: (request: CallRequest) => Promise<CallResult> } {
  const { config, log, secrets } = deps;
  const redact = (value: unknown): unknown => secrets.redactAll(value);
  const record = config.saveSession ? new SessionLog({ workspace, log, now: Date.now, redact }) : undefined;
  return {
    call: async (request) => {
      const result = await dispatch(deps, request);
      record?.record({ driver: request.driver, tool: request.name, args: request.args, result });
      return result;
    },
    [Symbol.asyncDispose]: async () => record?.[Symbol.asyncDispose](),
  };
}

/** The sessions, and those who watch them: for a restart, for what was left behind, for an idle browser. */
function storeFor(
  config: Config,
  {
    cwd,
    env,
    host,
    heap,
    ...shared
  }: Required<Pick<AppOptions, 'clock' | 'log' | 'cwd' | 'env'>> &
    Pick<AppOptions, 'heap'> & { readonly host: LazyHost },
  open: (identity: SessionIdentity) => Session,
): { readonly store: SessionStore; readonly watchers: AsyncDisposable } {
  const { maxSessions, expiry, persistentSessions } = config.session;
  const watch = {
    used: (session: Session): void => {
      keeper?.used(session);
      idle.used();
      tidier?.used(session);
      heap?.used();
      rest.used();
    },
    closed: (session: Session): void => {
      keeper?.closed(session);
      tidier?.closed(session);
    },
  };
  const store = new SessionStore({ ...shared, newId: randomUUID, maxSessions, expiry, open, watch });
  const options = { ...shared, store, folder: sessionFolder(cwd, env), now: () => new Date(), pid: process.pid };
  const keeper = persistentSessions ? new SessionKeeper(options) : undefined;
  keeper?.bringBack();
  // A browser of somebody else's is neither ours to close nor to tidy up.
  const isOurs = endpointOf(config.browser) === undefined;
  const tidier = isOurs ? new Tidier(shared.clock) : undefined;
  const { clock } = shared;
  const isBusy = (): boolean => store.all().some(({ calls }) => calls > 0);
  const rest = new IdleWatch({ ms: heap === undefined ? 0 : restMs, clock, isBusy, run: async () => heap?.tidy() });
  const idle = new IdleWatch({
    ms: isOurs ? (config.timeouts.idle ?? 0) : 0,
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
    tidier?.[Symbol.dispose]();
    await keeper?.[Symbol.asyncDispose]();
  };
  return { store, watchers: { [Symbol.asyncDispose]: end } };
}

/** Where the sessions of a project are kept: with the user's other state, not with the project's files. */
function sessionFolder(cwd: string, env: NodeJS.ProcessEnv): string {
  const home = env['HOME'] ?? homedir();
  const places: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
    darwin: join(home, 'Library', 'Application Support'),
    win32: env['LOCALAPPDATA'] ?? join(home, 'AppData', 'Local'),
  };
  const state = env['XDG_STATE_HOME'] ?? places[process.platform] ?? join(home, '.local', 'state');
  return join(state, 'pagehelm', 'sessions', createHash('sha256').update(cwd).digest('hex').slice(0, 16));
}

async function serveOn(transport: Transport, make: () => Server, log: Logger): Promise<AsyncDisposable> {
  const { serveStdio } = await import('@modelcontextprotocol/server/stdio');
  const onerror = (error: Error): void => log.debug('connection', { error: error.message });
  const handle = serveStdio(make, { transport, onerror });
  return { [Symbol.asyncDispose]: async () => handle.close() };
}

/** What is listed, and what can be called. */
function offeredTools(
  own: readonly Tool[],
  config: Config,
  vocabularies: Vocabularies<Tool> | undefined,
): Pick<App, 'tools' | 'warnings'> & { readonly table: Pick<DispatchDeps, 'tools' | 'later' | 'listed'> } {
  const { tools, unlisted, warnings } = chooseTools(own, config, vocabularies);
  const callable = new Map([...tools, ...unlisted].map((tool) => [tool.name, tool]));
  const later = async (name: string): Promise<Tool | undefined> => {
    if (vocabularies !== undefined || !isUnderstood(name)) return undefined;
    const words = await import('./tools/vocabularies/index.ts');
    return chooseTools(own, config, words.vocabularies).unlisted.find((tool) => tool.name === name);
  };
  return { tools, warnings, table: { tools: callable, later, listed: tools.map(({ name }) => name) } };
}

/** The configured browser, with what a caller asked for instead. What is told of one type does not hold for another. */
function wishedBrowser(browser: Config['browser'], wish: BrowserWish | undefined): Config['browser'] {
  if (wish === undefined) return browser;
  const { channel, executablePath, userDataDir, ...rest } = browser;
  const { type = browser.type } = wish;
  const own = type === browser.type ? { channel, executablePath, userDataDir } : {};
  return { ...rest, ...own, ...wish, type };
}

function browserControl(host: LazyHost, store: SessionStore, browser: Config['browser']): BrowserControl {
  const mustBeOurs = (): void => {
    if (endpointOf(browser) === undefined) return;
    throw new ToolError('FORBIDDEN', { reason: 'this server uses a browser that somebody else runs.' });
  };
  return {
    launch: async (wish, signal) => {
      mustBeOurs();
      let ended = 0;
      const end = async (): Promise<void> => {
        ended = await store.closeAll();
      };
      return { ...(await host.launch(wish, end, signal)), ended };
    },
    quit: async () => {
      mustBeOurs();
      if (host.hasStarted) await store.closeAll();
      return host.quit();
    },
  };
}

async function hostFor(
  browser: Config['browser'],
  config: Config,
  loader: PlaywrightLoader,
  { clock, domains, ...folder }: RunFolderOptions & { readonly clock: Clock; readonly domains: DomainPolicy },
): Promise<BrowserHost> {
  const endpoint = endpointOf(browser);
  if (endpoint !== undefined) {
    const { ConnectHost } = await import('./browser/connect.ts');
    return new ConnectHost(endpoint, browser, loader);
  }
  const [{ LaunchHost }, { Supervisor }, { localMachine }] = await Promise.all([
    import('./browser/launch.ts'),
    import('./browser/process/supervisor.ts'),
    import('./browser/find/machine.ts'),
  ]);
  const { log, env } = folder;
  return new LaunchHost({
    config: browser,
    pool: config.pool,
    after: (ms, run) => clock.after(ms, run),
    loader,
    supervisor: new Supervisor(folder),
    machine: localMachine(env),
    domains,
    log,
  });
}

interface SessionParts {
  readonly host: BrowserHost;
  readonly log: Logger;
  readonly cwd: string;
  readonly secrets: Secrets;
  readonly domains: DomainPolicy;
  readonly dismissesDialogs: boolean;
}

function sessionDeps(
  config: Config,
  { host, log, cwd, secrets, domains, dismissesDialogs }: SessionParts,
): ConstructorParameters<typeof Session>[1] {
  const { outputDir, screenshotDir, outputMaxSize: maxBytes, timeouts, browser } = config;
  const { maxDownloadSize } = config.security;
  return {
    host,
    log,
    timeouts: { action: timeouts.action, navigation: timeouts.navigation },
    queueLimit: config.session.queueLimit,
    tabs: {
      format: config.snapshot.format,
      times: { settle: timeouts.settle, load: timeouts.load, navigation: timeouts.navigation },
      dismissesDialogs,
      deniedBy: (url) => domains.verdictOn(url),
    },
    workspace: new Workspace({
      cwd,
      paths: config.filePaths,
      isUnrestricted: config.allowUnrestrictedFileAccess,
      redact: (text) => secrets.redact(text),
      ...(outputDir === undefined ? {} : { outputDir }),
      ...(screenshotDir === undefined ? {} : { screenshotDir }),
      ...(browser.downloadPath === undefined ? {} : { downloadDir: browser.downloadPath }),
      ...(maxBytes === undefined ? {} : { maxBytes }),
    }),
    downloads: { fileBytes: maxDownloadSize, sessionBytes: 5 * maxDownloadSize, waitMs: timeouts.load },
    prepareContext: contextPreparer(timerScript, browser.initScript, timeouts, cwd),
    preparePage: initPages(browser.initPage, cwd),
  };
}

/** Where a browser runs that somebody else has started. */
function endpointOf({ cdpEndpoint, remoteEndpoint }: Config['browser']): string | undefined {
  return cdpEndpoint ?? remoteEndpoint;
}

function once(run: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) run();
    isDone = true;
  };
}

/** Everything that can wait until the client has its tool list. Its failures show again when the thing is really needed. */
async function warm(
  loader: PlaywrightLoader,
  host: BrowserHost,
  config: Config,
  log: Logger,
  temporary: Pick<RunFolderOptions, 'log' | 'tmpdir' | 'uid'>,
): Promise<void> {
  try {
    const { reapLeftovers } = await import('./browser/process/reap.ts');
    await reapLeftovers({ ...temporary, now: Date.now });
    await loader.load();
    const signal = AbortSignal.timeout(60_000);
    const count = Math.max(config.pool.minBrowsers, config.launch === 'startup' ? 1 : 0);
    // All at once: each gets a browser of its own, up to as many as there may be.
    const leases = await Promise.all(
      Array.from({ length: count }, async (_, index) => host.acquire({ isDefault: index === 0 }, signal)),
    );
    await Promise.all(leases.map(async (lease) => lease[Symbol.asyncDispose]()));
  } catch (error) {
    log.warn('warming up failed', { error });
  }
}
