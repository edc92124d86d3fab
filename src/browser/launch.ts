import type { Browser, BrowserContext, LaunchOptions } from 'playwright-core';
import type { Config } from '../config/schema.ts';
import { ConfigError, ToolError } from '../errors.ts';
import type { Logger } from '../log.ts';
import { raceSignal, settlesWithin } from '../util/signals.ts';
import { browserEnvironment } from './browser-env.ts';
import { contextOptions, launchOptions, wantedDevice } from './context-options.ts';
import { findBrowsers } from './discover.ts';
import type { BrowserWanted, FoundBrowser } from './discover.ts';
import { browserMode, leastDevShmBytes, devShmBytes, sandboxFact } from './environment.ts';
import { launchReasonOf } from './failure.ts';
import type { BrowserHost, BrowserLease, LeaseRequest } from './host.ts';
import { ensureBrowser, installCommand } from './install.ts';
import type { Machine } from './machine.ts';
import type { PlaywrightLoader, PlaywrightModule } from './playwright.ts';
import { openProfile } from './profile.ts';
import type { Profile } from './profile.ts';
import type { Supervisor } from './supervisor.ts';

export interface LaunchDeps {
  readonly config: Config['browser'];
  readonly loader: PlaywrightLoader;
  readonly supervisor: Supervisor;
  readonly machine: Machine;
  readonly log: Logger;
}

/** A running browser and who is to be told of its end. */
interface Running {
  readonly browser: Browser;
  readonly profile: BrowserContext | undefined;
  readonly listeners: Set<(reason: string) => void>;
  /** Why the profile is not the one that was asked for. */
  readonly note?: string;
}

const launchLimitMs = 30_000;
const closeLimitMs = 2000;

/** Launches one browser when it is first needed, and shares it between all sessions; it stays until the server ends. */
export class LaunchHost implements BrowserHost {
  readonly #deps: LaunchDeps;
  #running: Promise<Running> | undefined;
  /** Sessions beside the one that owns the profile are in a browser of their own. */
  #isolated: Promise<Running> | undefined;
  /** Folders of profiles that are ours for now. */
  readonly #profiles = new Set<Profile>();
  #announced: string | undefined;
  #isClosed = false;

  constructor(deps: LaunchDeps) {
    this.#deps = deps;
  }

  async acquire({ isDefault }: LeaseRequest, signal: AbortSignal): Promise<BrowserLease> {
    const { config, loader } = this.#deps;
    const usesProfile = isDefault && config.userDataDir !== undefined && !config.isolated;
    const running = await raceSignal(this.#start(usesProfile), signal);
    const { devices } = await loader.load();
    const { headless } = browserMode(config.headless, this.#deps.machine);
    const listeners = new Set<(reason: string) => void>();
    const release = async (): Promise<void> => {
      for (const listener of listeners) running.listeners.delete(listener);
    };
    return {
      browser: running.browser,
      headless,
      owned: running.profile === undefined,
      isForeign: false,
      contextDefaults: contextOptions(config, headless, devices),
      device: (name) => wantedDevice(name, devices),
      ...(running.profile === undefined ? {} : { sharedContext: running.profile }),
      ...(running.note === undefined ? {} : { note: running.note }),
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
    await Promise.all([this.#running, this.#isolated].map(closeQuietly));
    await this.#deps.supervisor[Symbol.asyncDispose]();
  }

  async #start(usesProfile: boolean): Promise<Running> {
    const slot = this.#deps.config.userDataDir === undefined || usesProfile ? this.#running : this.#isolated;
    if (slot !== undefined) return slot;
    const starting = this.#launch(usesProfile);
    const forget = (): void => {
      if (this.#running === starting) this.#running = undefined;
      if (this.#isolated === starting) this.#isolated = undefined;
    };
    if (this.#deps.config.userDataDir === undefined || usesProfile) this.#running = starting;
    else this.#isolated = starting;
    // A failed or lost browser is not kept: the next call starts another one.
    starting.then(
      ({ browser, listeners }) =>
        browser.on('disconnected', () => {
          forget();
          for (const listener of listeners) listener('its process ended');
        }),
      forget,
    );
    return starting;
  }

  /** The best browser that starts: one that is installed but broken must not hide one that works. */
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
      supervisor.launch(async (env) => {
        const options: LaunchOptions = {
          ...launchOptions(config),
          executablePath: found.executablePath,
          headless: mode.headless,
          timeout: launchLimitMs,
          chromiumSandbox: withSandbox,
          args: this.#args(found),
          env: { ...browserEnvironment(machine.env, config.launchOptions['env']), ...found.env, ...env },
          handleSIGINT: false,
          handleSIGTERM: false,
          handleSIGHUP: false,
        };
        return this.#open(playwright, options, usesProfile ? config.userDataDir : undefined, mode.headless);
      });
    try {
      return await start(hasSandbox).catch((error: unknown) => {
        if (!hasSandbox || config.sandbox === true || !/sandbox/i.test(String(error))) throw error;
        log.warn('the browser does not start with its sandbox; started without it');
        return start(false);
      });
    } catch (error) {
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
  ): Promise<Running> {
    const { config, log } = this.#deps;
    const listeners = new Set<(reason: string) => void>();
    const type = playwright[config.type];
    if (userDataDir === undefined) return { browser: await type.launch(options), profile: undefined, listeners };
    const profile = await openProfile(userDataDir, options.env?.['TMPDIR'] ?? userDataDir);
    if (profile.note !== undefined) log.warn(profile.note);
    this.#profiles.add(profile);
    const release = (): void => {
      this.#profiles.delete(profile);
      profile.release();
    };
    try {
      const all = { ...contextOptions(config, headless, playwright.devices), ...options };
      const context = await type.launchPersistentContext(profile.folder, all);
      const browser = context.browser();
      if (browser === null) throw new Error('the profile has no browser');
      browser.on('disconnected', release);
      return { browser, profile: context, listeners, ...(profile.note === undefined ? {} : { note: profile.note }) };
    } catch (error) {
      release();
      throw error;
    }
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
    return [...(found.args ?? []), ...shm, ...config.args];
  }

  /** Once for each browser: relaunches are no news. */
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
    if (unsafe !== undefined && config.type === 'chromium') log.warn(`the browser runs without its sandbox: ${unsafe}`);
  }
}

async function closeQuietly(running: Promise<Running> | undefined): Promise<void> {
  const open = await running?.catch(() => undefined);
  if (open === undefined) return;
  await settlesWithin(open.profile?.close() ?? open.browser.close(), closeLimitMs);
}
