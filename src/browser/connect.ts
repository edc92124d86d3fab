import type { Browser } from 'playwright-core';
import type { Config } from '../config/schema/schema.ts';
import { ToolError } from '../errors.ts';
import { makeFolder } from '../util/make-folder.ts';
import { raceSignal, settlesWithin } from '../util/signals.ts';
import { contextOptions, wantedDevice } from './context-options.ts';
import { reasonOf } from './failure.ts';
import type { BrowserHost, BrowserLease, LeaseRequest } from './host.ts';
import type { PlaywrightLoader } from './playwright.ts';
import type { RunFolder } from './process/run-folder.ts';
import { TraceFolder } from './trace-folder.ts';

const closeLimitMs = 2000;

/** An external browser, over CDP or at a Playwright server. The browser and its tabs are left as they are. */
export class ConnectHost implements BrowserHost {
  readonly #endpoint: string;
  readonly #config: Config['browser'];
  readonly #loader: PlaywrightLoader;
  readonly #listeners = new Set<(reason: string) => void>();
  readonly #openFolder: () => Promise<RunFolder>;
  #connecting: Promise<Browser> | undefined;
  /** Opened for Playwright's files: those of a CDP connection, or a trace from a Playwright server. */
  #folder: Promise<RunFolder> | undefined;
  #openedFolder: RunFolder | undefined;
  #traces: TraceFolder | undefined;

  constructor(
    endpoint: string,
    config: Config['browser'],
    loader: PlaywrightLoader,
    openFolder: () => Promise<RunFolder>,
  ) {
    this.#endpoint = endpoint;
    this.#config = config;
    this.#loader = loader;
    this.#openFolder = openFolder;
  }

  async acquire({ isDefault, rules }: LeaseRequest, signal: AbortSignal): Promise<BrowserLease> {
    if (rules !== undefined) {
      throw new ToolError('FORBIDDEN', { reason: 'domain rules cannot be enforced on an external browser.' });
    }
    const { devices } = await this.#loader.load();
    const contextDefaults = contextOptions(this.#config, true, devices);
    const browser = await raceSignal(this.#connect(), signal);
    const [own] = browser.contexts();
    const isShared = isDefault && own !== undefined && !this.#config.isolated;
    return {
      browser,
      headless: false,
      owned: !isShared,
      isForeign: true,
      contextDefaults,
      device: (name) => wantedDevice(name, devices),
      ...(isShared ? { sharedContext: own } : {}),
      traces: async () => this.#traceFolder(),
      onLost: (listener) => this.#listeners.add(listener),
      [Symbol.asyncDispose]: async () => undefined,
    };
  }

  async install(): Promise<string> {
    await this.#connect();
    return this.describe();
  }

  async describe(): Promise<string> {
    return `the browser at ${shownEndpoint(this.#endpoint)}`;
  }

  endSync(): void {
    // The connection ends with this process; the external browser keeps running.
    this.#openedFolder?.endSync();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const browser = await this.#connecting?.catch(() => undefined);
    if (browser !== undefined) await settlesWithin(browser.close(), closeLimitMs);
    const folder = await this.#folder?.catch(() => undefined);
    await folder?.[Symbol.asyncDispose]();
  }

  async #artifactsDir(): Promise<string> {
    const { path } = await this.#traceFolder();
    await makeFolder(path, 0o700);
    return path;
  }

  async #traceFolder(): Promise<TraceFolder> {
    this.#folder ??= this.#openFolder();
    this.#openedFolder = await this.#folder;
    this.#traces ??= new TraceFolder(this.#openedFolder.path, 'traces');
    return this.#traces;
  }

  async #connect(): Promise<Browser> {
    this.#connecting ??= this.#open();
    return this.#connecting;
  }

  async #open(): Promise<Browser> {
    const playwright = await this.#loader.load();
    const { type, cdpEndpoint, cdpTimeout: timeout, cdpHeaders, remoteHeaders } = this.#config;
    try {
      const browser =
        cdpEndpoint === undefined
          ? await playwright[type].connect(this.#endpoint, { timeout, headers: { ...remoteHeaders } })
          : await playwright.chromium.connectOverCDP(this.#endpoint, {
              timeout,
              headers: { ...cdpHeaders },
              // The pages of the user keep their media emulation, and downloads go where the browser saves them.
              noDefaults: true,
              // Without it, a killed server would leave Playwright's own temporary folder.
              artifactsDir: await this.#artifactsDir(),
            });
      browser.on('disconnected', () => {
        this.#connecting = undefined;
        for (const listener of this.#listeners) listener('the connection ended');
        this.#listeners.clear();
      });
      return browser;
    } catch (error) {
      this.#connecting = undefined;
      const shown = shownEndpoint(this.#endpoint);
      const reason = reasonOf(error).replaceAll(this.#endpoint, shown);
      throw new ToolError('BROWSER_NOT_REACHED', { address: shown, reason }, { cause: error });
    }
  }
}

/** The endpoint without its path, which is the key at many services. */
function shownEndpoint(endpoint: string): string {
  if (!URL.canParse(endpoint)) return 'an address that is none';
  const { protocol, host } = new URL(endpoint);
  return `${protocol}//${host}`;
}
