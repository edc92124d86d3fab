import { tmpdir } from 'node:os';
import type { BrowserHost, BrowserRequest } from '../../browser/host.ts';
import { LazyHost } from '../../browser/lazy.ts';
import { containMessages } from '../../browser/contained-messages.ts';
import { PlaywrightLoader } from '../../browser/playwright.ts';
import type { RunFolderOptions } from '../../browser/process/run-folder.ts';
import type { BrowserControl } from '../../call/tool.ts';
import type { Config } from '../../config/schema/schema.ts';
import { ToolError } from '../../errors.ts';
import type { EventBus } from '../../events/bus.ts';
import type { Logger } from '../../log.ts';
import { registerAgent } from '../../session/agent/page-agents.ts';
import type { Clock, SessionStore } from '../../session/store.ts';
import type { KeepDeps } from './held-browser.ts';
import { checkKeep } from './held-browser.ts';
import type { KeyRules } from '../key-rules.ts';

/** The configured browser with the caller's overrides. Channel, path and profile belong to one browser type. */
function requestedBrowser(browser: Config['browser'], requested: BrowserRequest | undefined): Config['browser'] {
  if (requested === undefined) return browser;
  const { channel, executablePath, userDataDir, ...rest } = browser;
  const { type = browser.type } = requested;
  const own = type === browser.type ? { channel, executablePath, userDataDir } : {};
  return { ...rest, ...own, ...requested, type };
}

export function browserControl(host: LazyHost, store: SessionStore, browser: Config['browser']): BrowserControl {
  const mustBeOurs = (): void => {
    if (endpointsOf(browser) === undefined) return;
    throw new ToolError('FORBIDDEN', { reason: 'this server uses an external browser.' });
  };
  return {
    launch: async (requested, signal) => {
      mustBeOurs();
      let ended = 0;
      const end = async (): Promise<void> => {
        ended = await store.closeAll();
      };
      return { ...(await host.launch(requested, end, signal)), ended };
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
  {
    clock,
    rules,
    events,
    keep,
    ...folder
  }: RunFolderOptions & Pick<BrowserDeps, 'clock' | 'rules' | 'events' | 'keep'>,
): Promise<BrowserHost> {
  const endpoints = endpointsOf(browser);
  if (endpoints !== undefined) {
    const { ConnectHost } = await import('../../browser/connect/connect-host.ts');
    const { openRunFolder } = await import('../../browser/process/run-folder.ts');
    return new ConnectHost(endpoints, {
      config: browser,
      loader,
      log: folder.log,
      now: () => clock.now(),
      openFolder: async () => openRunFolder(folder),
    });
  }
  const [{ LaunchHost }, { Supervisor }, { localMachine }] = await Promise.all([
    import('../../browser/launch.ts'),
    import('../../browser/process/supervisor.ts'),
    import('../../browser/find/machine.ts'),
  ]);
  const { log, env } = folder;
  const launcher = new LaunchHost({
    config: browser,
    pool: config.pool,
    after: (ms, run) => clock.after(ms, run),
    loader,
    supervisor: new Supervisor(folder),
    machine: localMachine(env),
    domains: rules.operator,
    isRestricted: () => rules.isRestricted,
    refusesUsedProfile: config.compat === 'playwright',
    onDenied: (rule) => events.emit({ type: 'egress.denied', rule }),
    log,
  });
  if (!config.session.keepBrowsers || keep === undefined) return launcher;
  if (process.platform === 'win32') {
    log.warn('--keep-browsers has no effect on Windows');
    return launcher;
  }
  const { heldHost } = await import('./held-browser.ts');
  return heldHost({ ...config, browser }, launcher, loader, keep, folder);
}

/** The endpoints of external browsers, if any are configured. */
export function endpointsOf({ cdpEndpoint, remoteEndpoint }: Config['browser']): readonly string[] | undefined {
  return cdpEndpoint ?? (remoteEndpoint === undefined ? undefined : [remoteEndpoint]);
}

export interface Browsers {
  readonly host: LazyHost;
  /** Loads Playwright and starts the configured browsers, once. */
  readonly warmUp: () => void;
}

export interface BrowserDeps {
  readonly log: Logger;
  readonly env: NodeJS.ProcessEnv;
  readonly clock: Clock;
  readonly rules: KeyRules;
  readonly events: EventBus;
  /** The process is ours, so that it may be ended when it is blocked. */
  readonly isOwnProcess: boolean;
  /** Absent if no browser may outlive this process. */
  readonly keep?: KeepDeps | undefined;
}

export function browsersOf(config: Config, deps: BrowserDeps): Browsers {
  const { log, env, clock, rules, events, isOwnProcess, keep } = deps;
  checkKeep(config, rules);
  const temporary = { log, tmpdir: tmpdir(), uid: process.getuid?.() ?? -1 };
  const loader = new PlaywrightLoader(async (playwright) => {
    const { selectors } = playwright;
    containMessages(playwright, (error) => log.warn('a message of a lost browser was dropped', { error }));
    selectors.setTestIdAttribute(config.testIdAttribute);
    await registerAgent(selectors);
  });
  const { unresponsive } = config.timeouts;
  // Two missed beats and the rest of an interval.
  const beatMs = isOwnProcess && unresponsive > 0 ? unresponsive / 3 : undefined;
  // A worker that is stopped for longer is replaced by another one.
  const folder = { ...temporary, pid: process.pid, env, beatMs, endsStopped: config.cluster.url !== undefined };
  const host = new LazyHost({
    make: async (requested) =>
      hostFor(requestedBrowser(config.browser, requested), config, loader, { ...folder, clock, rules, events, keep }),
    waitsForLaunch: config.launch === 'explicit',
  });
  let isWarm = false;
  const warmUp = (): void => {
    if (!isWarm) void warm(loader, host, config, log, temporary);
    isWarm = true;
  };
  return { host, warmUp };
}

/** Runs after the client has its tool list. A failure is only logged: the first call that needs the browser reports it. */
async function warm(
  loader: PlaywrightLoader,
  host: BrowserHost,
  config: Config,
  log: Logger,
  temporary: Pick<RunFolderOptions, 'log' | 'tmpdir' | 'uid'>,
): Promise<void> {
  try {
    const { reapLeftovers } = await import('../../browser/process/reap.ts');
    await reapLeftovers({ ...temporary, now: Date.now });
    await loader.load();
    const signal = AbortSignal.timeout(60_000);
    const count = Math.max(config.pool.minBrowsers, config.launch === 'startup' ? 1 : 0);
    // In parallel, so that each lease gets its own browser, up to the limit of the pool.
    const leases = await Promise.all(
      Array.from({ length: count }, async (_, index) => host.acquire({ isDefault: index === 0 }, signal)),
    );
    await Promise.all(leases.map(async (lease) => lease[Symbol.asyncDispose]()));
  } catch (error) {
    log.warn('warming up failed', { error });
  }
}
