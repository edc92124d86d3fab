import type { Browser } from 'playwright-core';
import type { Config } from '../../config/schema/schema.ts';
import { ToolError } from '../../errors.ts';
import type { Logger } from '../../log.ts';
import { raceSignal } from '../../util/signals.ts';
import { contextOptions, wantedDevice } from '../context-options.ts';
import type { BrowserHost, BrowserLease, LeaseRequest } from '../host.ts';
import type { PlaywrightLoader } from '../playwright.ts';
import type { RunFolder } from '../process/run-folder.ts';
import { TraceFolder } from '../trace-folder.ts';
import { Endpoint, EndpointFailure } from './endpoint.ts';
import { nextEndpoint } from './endpoint-health.ts';

export interface ConnectDeps {
  readonly config: Config['browser'];
  readonly loader: PlaywrightLoader;
  readonly log: Logger;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
  readonly openFolder: () => Promise<RunFolder>;
}

/**
 * External browsers, over CDP or at a Playwright server. A session uses the endpoint with the fewest sessions that answers,
 * and stays with it. The browsers and their tabs are left as they are.
 */
export class ConnectHost implements BrowserHost {
  readonly #deps: ConnectDeps;
  readonly #endpoints: readonly Endpoint[];
  /** Opened for Playwright's files: those of a CDP connection, or a trace from a Playwright server. */
  #folder: Promise<RunFolder> | undefined;
  #openedFolder: RunFolder | undefined;

  constructor(urls: readonly string[], deps: ConnectDeps) {
    this.#deps = deps;
    this.#endpoints = urls.map((url, index) => {
      let traces: TraceFolder | undefined;
      return new Endpoint(url, {
        ...deps,
        traces: async () => (traces ??= new TraceFolder(await this.#runFolder(), `traces-${index + 1}`)),
      });
    });
  }

  async acquire({ isDefault, rules, prefers }: LeaseRequest, signal: AbortSignal): Promise<BrowserLease> {
    if (rules !== undefined) {
      throw new ToolError('FORBIDDEN', { reason: 'domain rules cannot be enforced on an external browser.' });
    }
    const { loader, config } = this.#deps;
    const { devices } = await loader.load();
    const contextDefaults = contextOptions(config, true, devices);
    const before = prefers === undefined ? undefined : this.#endpoints[prefers];
    const { endpoint, browser } = await this.#reachOne(before, signal);
    const [own] = browser.contexts();
    const isShared = isDefault && own !== undefined && !config.isolated;
    const listeners: Disposable[] = [];
    let isHeld = true;
    return {
      browser,
      headless: false,
      owned: !isShared,
      isForeign: true,
      place: this.#endpoints.indexOf(endpoint),
      contextDefaults,
      device: (name) => wantedDevice(name, devices),
      ...(isShared ? { sharedContext: own } : {}),
      ...(before === undefined || before === endpoint ? {} : { note: movedText(before, endpoint, isShared) }),
      traces: async () => endpoint.traces(),
      onLost: (listener) => listeners.push(endpoint.onLost(listener)),
      [Symbol.asyncDispose]: async () => {
        if (isHeld) endpoint.health.users--;
        isHeld = false;
        for (const listener of listeners) listener[Symbol.dispose]();
      },
    };
  }

  async install(_say: (line: string) => void, signal: AbortSignal): Promise<string> {
    const { endpoint } = await this.#reachOne(undefined, signal);
    endpoint.health.users--;
    return this.describe();
  }

  async describe(): Promise<string> {
    return `the browser at ${this.#endpoints.map(({ shown }) => shown).join(' or ')}`;
  }

  endSync(): void {
    // The connections end with this process; the external browsers keep running.
    this.#openedFolder?.endSync();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#endpoints.map(async (endpoint) => endpoint.close()));
    const folder = await this.#folder?.catch(() => undefined);
    await folder?.[Symbol.asyncDispose]();
  }

  /** Connects to one endpoint after the other until one answers. The caller is counted as a user of that one. */
  async #reachOne(
    preferred: Endpoint | undefined,
    signal: AbortSignal,
  ): Promise<{ readonly endpoint: Endpoint; readonly browser: Browser }> {
    const failures = new Map<Endpoint, EndpointFailure>();
    for (;;) {
      const untried = this.#endpoints.filter((endpoint) => !failures.has(endpoint));
      const endpoint = nextEndpoint(untried, preferred, this.#deps.now());
      if (endpoint === undefined) throw notReached(failures);
      // Counted before it answers, so that the next caller sees it as used.
      endpoint.health.users++;
      try {
        return { endpoint, browser: await raceSignal(endpoint.connect(), signal) };
      } catch (error) {
        endpoint.health.users--;
        if (!(error instanceof EndpointFailure)) throw error;
        failures.set(endpoint, error);
      }
    }
  }

  async #runFolder(): Promise<string> {
    this.#folder ??= this.#deps.openFolder();
    this.#openedFolder = await this.#folder;
    return this.#openedFolder.path;
  }
}

function notReached(failures: ReadonlyMap<Endpoint, EndpointFailure>): ToolError {
  const all = [...failures];
  const address = all.map(([{ shown }]) => shown).join(' or ');
  const [first] = all;
  const reason =
    all.length === 1 && first !== undefined
      ? first[1].message
      : all.map(([{ shown }, { message }]) => `${shown}: ${message}`).join('; ');
  return new ToolError('BROWSER_NOT_REACHED', { address, reason }, { cause: first?.[1] });
}

function movedText(before: Endpoint, now: Endpoint, isShared: boolean): string {
  const storage = isShared ? ' Its cookies and storage are those of that browser.' : '';
  return `The browser at ${before.shown} could not be reached. This session now uses the browser at ${now.shown}.${storage}`;
}
