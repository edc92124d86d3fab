import type { Browser } from 'playwright-core';
import type { Config } from '../config/schema.ts';
import { ToolError } from '../errors.ts';
import { raceSignal, settlesWithin } from '../util/signals.ts';
import { contextOptions, wantedDevice } from './context-options.ts';
import { reasonOf } from './failure.ts';
import type { BrowserHost, BrowserLease, LeaseRequest } from './host.ts';
import type { PlaywrightLoader } from './playwright.ts';

const closeLimitMs = 2000;

/** A browser that somebody else runs, reached over CDP. It and its tabs are left as they are. */
export class ConnectHost implements BrowserHost {
  readonly #endpoint: string;
  readonly #config: Config['browser'];
  readonly #loader: PlaywrightLoader;
  readonly #listeners = new Set<(reason: string) => void>();
  #connecting: Promise<Browser> | undefined;

  constructor(endpoint: string, config: Config['browser'], loader: PlaywrightLoader) {
    this.#endpoint = endpoint;
    this.#config = config;
    this.#loader = loader;
  }

  async acquire({ isDefault }: LeaseRequest, signal: AbortSignal): Promise<BrowserLease> {
    const browser = await raceSignal(this.#connect(), signal);
    const { devices } = await this.#loader.load();
    const [own] = browser.contexts();
    const isShared = isDefault && own !== undefined && !this.#config.isolated;
    return {
      browser,
      headless: false,
      owned: !isShared,
      isForeign: true,
      contextDefaults: contextOptions(this.#config, true, devices),
      device: (name) => wantedDevice(name, devices),
      ...(isShared ? { sharedContext: own } : {}),
      onLost: (listener) => this.#listeners.add(listener),
      [Symbol.asyncDispose]: async () => undefined,
    };
  }

  async install(): Promise<string> {
    await this.#connect();
    return this.describe();
  }

  async describe(): Promise<string> {
    return `the browser at ${this.#endpoint}`;
  }

  endSync(): void {
    // The browser is not ours: with our process the connection ends, and that is all.
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const browser = await this.#connecting?.catch(() => undefined);
    if (browser !== undefined) await settlesWithin(browser.close(), closeLimitMs);
  }

  async #connect(): Promise<Browser> {
    this.#connecting ??= this.#open();
    return this.#connecting;
  }

  async #open(): Promise<Browser> {
    const { chromium } = await this.#loader.load();
    try {
      const options = { timeout: this.#config.cdpTimeout, headers: { ...this.#config.cdpHeaders } };
      const browser = await chromium.connectOverCDP(this.#endpoint, options);
      browser.on('disconnected', () => {
        this.#connecting = undefined;
        for (const listener of this.#listeners) listener('the connection ended');
        this.#listeners.clear();
      });
      return browser;
    } catch (error) {
      this.#connecting = undefined;
      throw new ToolError(
        'BROWSER_LAUNCH_FAILED',
        { path: `at ${this.#endpoint}`, reason: reasonOf(error) },
        { cause: error },
      );
    }
  }
}
