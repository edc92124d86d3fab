import type { Browser } from 'playwright-core';
import type { Config } from '../../config/schema/schema.ts';
import type { Logger } from '../../log.ts';
import { makeFolder } from '../../util/make-folder.ts';
import { settlesWithin } from '../../util/signals.ts';
import { reasonOf } from '../failure.ts';
import type { PlaywrightLoader } from '../playwright.ts';
import type { TraceFolder } from '../trace-folder.ts';
import { EndpointHealth } from './endpoint-health.ts';
import { shownEndpoint, withoutCredentials } from './shown-endpoint.ts';
import { whenDisconnected } from '../when-disconnected.ts';

const closeLimitMs = 2000;

export interface EndpointDeps {
  readonly config: Config['browser'];
  readonly loader: PlaywrightLoader;
  readonly log: Logger;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
  /** Where Playwright writes the files of this connection. */
  readonly traces: () => Promise<TraceFolder>;
}

/** The endpoint did not answer, or not as a browser does. */
export class EndpointFailure extends Error {
  override readonly name = 'EndpointFailure';
}

/** One address of an external browser, and the connection to it, which all its sessions share. */
export class Endpoint {
  readonly health = new EndpointHealth();
  /** The address as messages show it. */
  readonly shown: string;
  readonly #url: string;
  readonly #deps: EndpointDeps;
  readonly #listeners = new Set<(reason: string) => void>();
  #connecting: Promise<Browser> | undefined;

  constructor(url: string, deps: EndpointDeps) {
    this.#url = url;
    this.shown = shownEndpoint(url);
    this.#deps = deps;
  }

  /** Throws an EndpointFailure whose message has no credentials. */
  async connect(): Promise<Browser> {
    this.#connecting ??= this.#open();
    return this.#connecting;
  }

  async traces(): Promise<TraceFolder> {
    return this.#deps.traces();
  }

  /** Calls the listener once when the connection ends, unless it is disposed of before. */
  onLost(listener: (reason: string) => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  /** Ends the connection; the browser keeps running. */
  async close(): Promise<void> {
    const browser = await this.#connecting?.catch(() => undefined);
    if (browser !== undefined) await settlesWithin(browser.close(), closeLimitMs);
  }

  async #open(): Promise<Browser> {
    const { log, now, loader } = this.#deps;
    // Not a failure of the endpoint.
    const playwright = await loader.load();
    try {
      const browser = await this.#reach(playwright);
      whenDisconnected(browser, () => {
        this.#connecting = undefined;
        for (const listener of this.#listeners) listener('the connection ended');
        this.#listeners.clear();
      });
      this.health.answered();
      return browser;
    } catch (error) {
      this.#connecting = undefined;
      const reason = withoutCredentials(reasonOf(error), this.#url);
      const pauseMs = this.health.failed(now());
      log.warn('a browser could not be reached', { endpoint: this.shown, reason, pauseMs });
      throw new EndpointFailure(reason, { cause: error });
    }
  }

  async #reach(playwright: Awaited<ReturnType<PlaywrightLoader['load']>>): Promise<Browser> {
    const { type, cdpEndpoint, cdpTimeout: timeout, cdpHeaders, remoteHeaders } = this.#deps.config;
    if (cdpEndpoint === undefined) {
      return playwright[type].connect(this.#url, { timeout, headers: { ...remoteHeaders } });
    }
    const { path } = await this.#deps.traces();
    await makeFolder(path, 0o700);
    return playwright.chromium.connectOverCDP(this.#url, {
      timeout,
      headers: { ...cdpHeaders },
      // The pages of the user keep their media emulation, and downloads go where the browser saves them.
      noDefaults: true,
      // Without it, a killed server would leave Playwright's own temporary folder.
      artifactsDir: path,
    });
  }
}
