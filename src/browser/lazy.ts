import { ToolError } from '../errors.ts';
import type { BrowserHost, BrowserLease, BrowserMode, BrowserRequest, LeaseRequest } from './host.ts';

export interface LazyOptions {
  /** Creates the host for the configured browser, or for one that a caller requested. */
  readonly make: (requested?: BrowserRequest) => Promise<BrowserHost>;
  /** No browser is started before a caller requests one. */
  readonly waitsForLaunch: boolean;
}

/**
 * Creates its host on first use: a client that only lists the tools does not load the code that starts browsers. The
 * host can be replaced while the server runs.
 */
export class LazyHost implements BrowserHost {
  readonly #options: LazyOptions;
  #making: Promise<BrowserHost> | undefined;
  #host: BrowserHost | undefined;
  #requested: BrowserRequest | undefined;
  #hasStarted = false;
  #isEnded = false;
  #isDiscarded = false;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: LazyOptions) {
    this.#options = options;
  }

  async acquire(request: LeaseRequest, signal: AbortSignal): Promise<BrowserLease> {
    if (this.#options.waitsForLaunch && this.#requested === undefined) throw new ToolError('NO_BROWSER', {});
    const lease = await (await this.#open()).acquire(request, signal);
    this.#hasStarted = true;
    return lease;
  }

  /** Replaces the running browser, after `end` has closed the sessions that use it. */
  async launch(requested: BrowserRequest, end: () => Promise<void>, signal: AbortSignal): Promise<BrowserMode> {
    return this.#inTurn(async () => {
      const next = await this.#options.make(requested);
      // If the new browser does not start, the running one is kept.
      await next.describe();
      await end();
      await this.#end();
      this.#requested = requested;
      this.#making = Promise.resolve(next);
      const lease = await this.acquire({ isDefault: true }, signal);
      await lease[Symbol.asyncDispose]();
      return { type: lease.browser.browserType().name(), headless: lease.headless };
    });
  }

  /** Without a browser there is nothing to close: the remaining sessions are dormant. */
  get hasStarted(): boolean {
    return this.#hasStarted;
  }

  /** Closes the browser; the next session that needs one starts it again, unless launch is explicit. */
  async quit(): Promise<boolean> {
    return this.#inTurn(async () => this.#end());
  }

  async #end(): Promise<boolean> {
    const hadOne = this.#hasStarted;
    const host = await this.#making?.catch(() => undefined);
    this.#making = undefined;
    this.#host = undefined;
    this.#requested = undefined;
    this.#hasStarted = false;
    await host?.[Symbol.asyncDispose]();
    return hadOne;
  }

  async install(say: (line: string) => void, signal: AbortSignal): Promise<string> {
    return (await this.#open()).install(say, signal);
  }

  async describe(): Promise<string> {
    return (await this.#open()).describe();
  }

  endSync(): void {
    this.#isEnded = true;
    this.#host?.endSync();
  }

  /** At the end of this server, a browser that could be kept is closed too. */
  discard(): void {
    this.#isDiscarded = true;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isEnded = true;
    const host = await this.#making?.catch(() => undefined);
    if (host?.letGo === undefined || this.#isDiscarded) await host?.[Symbol.asyncDispose]();
    else await host.letGo();
  }

  /** Serialised: a host that two callers replace at once would never be disposed. */
  async #inTurn<T>(run: () => Promise<T>): Promise<T> {
    const mine = this.#turn.then(run);
    this.#turn = mine.catch(() => undefined);
    return mine;
  }

  async #open(): Promise<BrowserHost> {
    if (this.#isEnded) throw new Error('The server is ending; no browser is started any more.');
    this.#making ??= this.#options.make(this.#requested);
    this.#host = await this.#making;
    return this.#host;
  }
}
