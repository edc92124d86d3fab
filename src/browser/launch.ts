import type { Browser, BrowserContext, LaunchOptions } from 'playwright-core';
import { needsLogin, proxyRoute } from '../config/proxy.ts';
import type { ProxyChoice } from '../config/proxy.ts';
import type { Config } from '../config/schema/schema.ts';
import { ConfigError, ToolError } from '../errors.ts';
import type { Logger } from '../log.ts';
import type { DomainPolicy } from '../policy/domains.ts';
import { raceSignal, settlesWithin } from '../util/signals.ts';
import { browserEnvironment } from './process/browser-env.ts';
import { contextOptions, launchOptions, wantedDevice } from './context-options.ts';
import { findBrowsers } from './find/discover.ts';
import type { BrowserWanted, FoundBrowser } from './find/discover.ts';
import { browserMode, leastDevShmBytes, devShmBytes, sandboxFact } from './find/environment.ts';
import { isSandboxFailure, launchReasonOf, refusedConfiguration } from './failure.ts';
import type { BrowserHost, BrowserLease, LeaseRequest } from './host.ts';
import { ensureBrowser, installCommand } from './find/install.ts';
import type { Upstream } from './proxy/egress.ts';
import type { ProxyRelay } from './proxy/loopback-proxy.ts';
import type { Machine } from './find/machine.ts';
import type { PlaywrightLoader, PlaywrightModule } from './playwright.ts';
import { BrowserPool } from './pool.ts';
import type { PoolPlace } from './pool.ts';
import { openProfile } from './profile.ts';
import type { Profile } from './profile.ts';
import type { BrowserProcess } from './process/guarded-pipes.ts';
import type { Supervisor } from './process/supervisor.ts';
import { TraceFolder } from './trace-folder.ts';
import { whenDisconnected } from './when-disconnected.ts';

export interface LaunchDeps {
  readonly config: Config['browser'];
  readonly pool: Config['pool'];
  readonly after: (ms: number, run: () => void) => Disposable;
  readonly loader: PlaywrightLoader;
  readonly supervisor: Supervisor;
  readonly machine: Machine;
  readonly domains: DomainPolicy;
  /** Whether sessions of this browser may have domain rules. */
  readonly isRestricted: () => boolean;
  /** Called when an egress proxy refuses a connection. */
  readonly onDenied?: ((rule: string) => void) | undefined;
  readonly log: Logger;
  /** A profile that another browser uses is refused instead of copied. */
  readonly refusesUsedProfile?: boolean;
}

/** A running browser and the listeners for its end. */
interface Running {
  readonly browser: Browser;
  readonly profile: BrowserContext | undefined;
  readonly listeners: Set<(reason: string) => void>;
  readonly traces: TraceFolder;
  readonly process: BrowserProcess;
  /** Why the profile is not the requested one. */
  readonly note?: string;
}

/** Without these flags of Chromium, WebRTC and QUIC bypass the proxy. */
const egressFlags = ['--force-webrtc-ip-handling-policy=disable_non_proxied_udp', '--disable-quic'];
/** Playwright's flag lets a page call `history.pushState` without a limit, which blocks the browser of all sessions. */
const floodFlag = '--disable-ipc-flooding-protection';
const launchLimitMs = 30_000;
const closeLimitMs = 2000;

/** Launches browsers on first use and shares them between all sessions; the last one stays open. */
export class LaunchHost implements BrowserHost {
  readonly #deps: LaunchDeps;
  /** The browser of the profile; only the default session uses it. */
  #profile: Promise<Running> | undefined;
  readonly #pool: BrowserPool<Running>;
  /** Locked profile folders. */
  readonly #profiles = new Set<Profile>();
  /** The egress proxy, if there are domain rules or the proxy needs a login that browsers cannot send. */
  #egress: Promise<ProxyRelay> | undefined;
  #announced: string | undefined;
  #launches = 0;
  #isClosed = false;

  constructor(deps: LaunchDeps) {
    this.#deps = deps;
    this.#pool = new BrowserPool({
      settings: deps.pool,
      after: deps.after,
      now: () => performance.now(),
      memoryOf: ({ process }) => process.memory,
      launch: async () => this.#launch(false),
      close: closeQuietly,
      onEnd: (running, ended) => this.#tellEnd(running, ended),
    });
  }

  async acquire({ isDefault, rules }: LeaseRequest, signal: AbortSignal): Promise<BrowserLease> {
    const { config, loader } = this.#deps;
    // Checked before a browser starts: a wrong option would fail every session.
    const { devices } = await loader.load();
    const { headless } = browserMode(config.headless, this.#deps.machine);
    const contextDefaults = contextOptions(config, headless, devices);
    // The context of a profile cannot have a proxy of its own.
    const usesProfile = isDefault && rules === undefined && config.userDataDir !== undefined && !config.isolated;
    const taking = usesProfile ? this.#takeProfile() : this.#pool.take();
    const { browser: running, release: giveBack } = await raceSignal(taking, signal).catch((error: unknown) => {
      // The caller has gone: release the place once it is there.
      void taking.then((place) => place.release()).catch(() => undefined);
      throw error;
    });
    const listeners = new Set<(reason: string) => void>();
    const release = async (): Promise<void> => {
      for (const listener of listeners) running.listeners.delete(listener);
      giveBack();
    };
    return {
      browser: running.browser,
      headless,
      owned: running.profile === undefined,
      isForeign: false,
      contextDefaults,
      device: (name) => wantedDevice(name, devices),
      ...(running.profile === undefined ? {} : { sharedContext: running.profile }),
      ...(running.note === undefined ? {} : { note: running.note }),
      ...(await this.#relays(rules, running.profile !== undefined)),
      traces: async () => running.traces,
      silent: (reason) => running.process.silent(reason),
      renderers: () => running.process.renderers,
      onLost: (listener) => {
        listeners.add(listener);
        running.listeners.add(listener);
      },
      [Symbol.asyncDispose]: release,
    };
  }

  async install(say: (line: string) => void, signal: AbortSignal): Promise<string> {
    const found = await ensureBrowser({ wanted: this.#wanted(), say, signal, machine: this.#deps.machine });
    return `${found.executablePath} (${found.source})`;
  }

  async describe(): Promise<string> {
    const mode = browserMode(this.#deps.config.headless, this.#deps.machine);
    const [found] = await this.#candidates();
    if (found === undefined) throw this.#notFound();
    return `${found.executablePath} (${found.source}), ${mode.headless ? 'headless' : 'headed'}: ${mode.reason}`;
  }

  endSync(): void {
    for (const profile of this.#profiles) profile.release();
    this.#deps.supervisor.endSync();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const profile = await this.#profile?.catch(() => undefined);
    await Promise.all([profile === undefined ? undefined : closeQuietly(profile), this.#pool[Symbol.asyncDispose]()]);
    await (await this.#egress?.catch(() => undefined))?.[Symbol.asyncDispose]();
    await this.#deps.supervisor[Symbol.asyncDispose]();
  }

  async #takeProfile(): Promise<PoolPlace<Running>> {
    if (this.#profile === undefined) {
      const forget = (): void => {
        this.#profile = undefined;
      };
      // As in the pool: a failed or lost browser is not kept.
      this.#profile = this.#launch(true);
      this.#profile.then((running) => this.#tellEnd(running, forget), forget);
    }
    return { browser: await this.#profile, release: () => undefined };
  }

  /** Launches the best browser that starts; broken installations are skipped. */
  async #launch(usesProfile: boolean): Promise<Running> {
    const { log } = this.#deps;
    const failures: ToolError[] = [];
    for (const found of await this.#candidates()) {
      try {
        return await this.#launchOne(found, usesProfile);
      } catch (error) {
        if (!(error instanceof ToolError) || error.code !== 'BROWSER_LAUNCH_FAILED') throw error;
        failures.push(error);
        log.warn(error.message);
      }
    }
    const [first] = failures;
    throw first ?? this.#notFound();
  }

  async #launchOne(found: FoundBrowser, usesProfile: boolean): Promise<Running> {
    const { config, loader, supervisor, machine, log } = this.#deps;
    const mode = browserMode(config.headless, machine);
    const playwright = await loader.load();
    const sandbox = sandboxFact(machine, found.executablePath);
    const hasSandbox = config.sandbox ?? sandbox.works;
    this.#announce(found, mode, config.sandbox === undefined && !sandbox.works ? sandbox.reason : undefined);
    const start = async (withSandbox: boolean): Promise<Running> =>
      supervisor.launch(async (env, runFolder) => {
        const traces = new TraceFolder(runFolder, `traces-${++this.#launches}`);
        const options: LaunchOptions = {
          ...launchOptions(config),
          ...(await this.#wayOut()),
          executablePath: found.executablePath,
          headless: mode.headless,
          timeout: launchLimitMs,
          chromiumSandbox: withSandbox,
          args: this.#args(found),
          ...withFloodProtection(config),
          tracesDir: traces.path,
          env: { ...browserEnvironment(machine.env, config.launchOptions['env']), ...found.env, ...env },
          handleSIGINT: false,
          handleSIGTERM: false,
          handleSIGHUP: false,
        };
        const folder = usesProfile ? config.userDataDir : undefined;
        return supervisor.pipes.launch(found.executablePath, async (process) => ({
          ...(await this.#open(playwright, options, folder, mode.headless)),
          traces,
          process,
        }));
      });
    try {
      return await start(hasSandbox).catch((error: unknown) => {
        if (!hasSandbox || config.sandbox === true || !isSandboxFailure(error)) throw error;
        log.warn('the browser does not start with its sandbox; started without it');
        return start(false);
      });
    } catch (error) {
      if (error instanceof ToolError) throw error;
      if (error instanceof ConfigError) throw new ToolError('FORBIDDEN', { reason: error.message }, { cause: error });
      throw new ToolError(
        'BROWSER_LAUNCH_FAILED',
        { path: found.executablePath, reason: launchReasonOf(error) },
        { cause: error },
      );
    }
  }

  async #open(
    playwright: PlaywrightModule,
    options: LaunchOptions,
    userDataDir: string | undefined,
    headless: boolean,
  ): Promise<Omit<Running, 'traces' | 'process'>> {
    const { config, log } = this.#deps;
    const listeners = new Set<(reason: string) => void>();
    const type = playwright[config.type];
    if (userDataDir === undefined) return { browser: await type.launch(options), profile: undefined, listeners };
    const temporary = options.env?.['TMPDIR'] ?? userDataDir;
    const profile = await openProfile(userDataDir, temporary, this.#deps.refusesUsedProfile);
    if (profile.note !== undefined) log.warn(profile.note);
    this.#profiles.add(profile);
    const release = (): void => {
      this.#profiles.delete(profile);
      profile.release();
    };
    try {
      // A profile has its own cookies and storage; Playwright would ignore the storage state.
      const { storageState: _state, ...wanted } = contextOptions(config, headless, playwright.devices);
      const context = await type.launchPersistentContext(profile.folder, { ...wanted, ...options });
      const browser = context.browser();
      if (browser === null) throw new Error('the profile has no browser');
      whenDisconnected(browser, release);
      return { browser, profile: context, listeners, ...(profile.note === undefined ? {} : { note: profile.note }) };
    } catch (error) {
      release();
      throw refusedConfiguration(error) ?? error;
    }
  }

  /** The proxy option of the browser, if traffic goes through a proxy of this server. */
  async #wayOut(): Promise<Pick<LaunchOptions, 'proxy'>> {
    const { domains, config } = this.#deps;
    if (domains.isOpen && !needsLogin(config.proxy)) return {};
    const { proxy } = config;
    this.#egress ??= openEgressFor(domains, operatorProxy(proxy), this.#deps.onDenied);
    return { proxy: (await this.#egress).route };
  }

  /** The egress proxies that a session can open. The context of a profile uses that of its browser. */
  async #relays(
    rules: DomainPolicy | undefined,
    usesProfile: boolean,
  ): Promise<Pick<BrowserLease, 'guard' | 'egress' | 'refusals'>> {
    const { domains, config, onDenied } = this.#deps;
    const policy = rules ?? domains;
    if (policy.isOpen) return {};
    const shared = usesProfile ? await this.#egress : undefined;
    return {
      guard: async (proxy) => guardedProxy(policy, proxy, onDenied),
      egress: async () => openEgressFor(policy, operatorProxy(config.proxy), onDenied),
      ...(shared === undefined ? {} : { refusals: shared.refusals }),
    };
  }

  async #candidates(): Promise<readonly FoundBrowser[]> {
    return findBrowsers(this.#wanted(), this.#deps.machine);
  }

  #wanted(): BrowserWanted {
    const { type, channel, executablePath, headless } = this.#deps.config;
    return { type, channel, executablePath, headless: browserMode(headless, this.#deps.machine).headless };
  }

  #notFound(): ToolError {
    const { executablePath: path, channel, type } = this.#deps.config;
    if (path !== undefined) return new ToolError('BROWSER_LAUNCH_FAILED', { path, reason: 'there is no such program' });
    const command = installCommand(this.#wanted(), this.#deps.machine);
    return new ToolError('BROWSER_NOT_FOUND', { browser: channel ?? type, command });
  }

  #args(found: FoundBrowser): string[] {
    const { config, machine } = this.#deps;
    const size = devShmBytes(machine);
    const isChromium = config.type === 'chromium';
    const shm = isChromium && size !== undefined && size < leastDevShmBytes ? ['--disable-dev-shm-usage'] : [];
    // Without these, some traffic bypasses the proxy that enforces the rules.
    const rules = isChromium && this.#deps.isRestricted() ? egressFlags : [];
    // As in @playwright/mcp: sites refuse a browser that calls itself a robot.
    const isBlinkSet = config.args.some((arg) => arg.includes('--disable-blink-features'));
    const blink = isChromium && !isBlinkSet ? ['--disable-blink-features=AutomationControlled'] : [];
    return [...(found.args ?? []), ...shm, ...blink, ...config.args, ...rules];
  }

  #tellEnd({ browser, listeners, process }: Running, ended: () => void): void {
    whenDisconnected(browser, () => {
      const { reason } = process;
      if (reason !== undefined) this.#deps.log.warn(`a browser was ended: ${reason}`);
      ended();
      for (const listener of listeners) listener(reason ?? 'its process ended');
    });
  }

  /** Logs each browser once, not every launch. */
  #announce(
    found: FoundBrowser,
    mode: { readonly headless: boolean; readonly reason: string },
    unsafe: string | undefined,
  ): void {
    const { log, config } = this.#deps;
    if (this.#announced === found.executablePath) return;
    this.#announced = found.executablePath;
    log.info(
      `browser: ${found.executablePath} (${found.source}), ${mode.headless ? 'headless' : 'headed'} (${mode.reason})`,
    );
    if (config.headless === false && mode.headless)
      log.warn('there is no display (DISPLAY and WAYLAND_DISPLAY are not set): the browser runs headless');
    if (unsafe !== undefined && config.type === 'chromium') log.warn(`the browser runs without its sandbox: ${unsafe}`);
  }
}

function operatorProxy(proxy: ProxyChoice | undefined): Upstream | undefined {
  return proxy === undefined ? undefined : { ...proxy, isFromCaller: false };
}

/** The egress of a session with its own proxy. */
async function guardedProxy(
  policy: DomainPolicy,
  proxy: ProxyChoice,
  onDenied: LaunchDeps['onDenied'],
): Promise<ProxyRelay> {
  const { proxyVerdict } = await import('./proxy/egress.ts');
  const rule = proxyVerdict(policy, proxy);
  if (rule !== undefined) throw new ToolError('URL_BLOCKED', { url: proxyRoute(proxy).server, rule });
  return openEgressFor(policy, { ...proxy, isFromCaller: true }, onDenied);
}

async function openEgressFor(
  policy: DomainPolicy,
  upstream: Upstream | undefined,
  onDenied: LaunchDeps['onDenied'],
): Promise<ProxyRelay> {
  const [{ openEgress }, { Refusals }] = await Promise.all([
    import('./proxy/egress.ts'),
    import('./proxy/refusals.ts'),
  ]);
  return openEgress(policy, upstream, { refusals: new Refusals(({ rule }) => onDenied?.(rule)) });
}

async function closeQuietly({ profile, browser }: Running): Promise<void> {
  await settlesWithin(profile?.close() ?? browser.close(), closeLimitMs);
}

function withFloodProtection({
  type,
  launchOptions: given,
}: Config['browser']): Pick<LaunchOptions, 'ignoreDefaultArgs'> {
  const { ignoreDefaultArgs: ignored = [] } = given;
  if (type !== 'chromium' || !Array.isArray(ignored)) return {};
  return { ignoreDefaultArgs: [...ignored.filter((arg) => typeof arg === 'string'), floodFlag] };
}
