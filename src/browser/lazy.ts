import { ToolError } from '../errors.ts';
import type { BrowserHost, BrowserLease, BrowserMode, BrowserWish, LeaseRequest } from './host.ts';

export interface LazyOptions {
  /** Makes the host: of the configured browser, or of one that a caller asked for. */
  readonly make: (wish?: BrowserWish) => Promise<BrowserHost>;
  /** No browser is started before a caller asks for one. */
  readonly waitsForWish: boolean;
}

/**
 * A host that is made when it is first needed: a client that only lists the tools does not pay for what starts browsers.
 * It can be replaced by another one while the server runs.
 */
export class LazyHost implements BrowserHost {
  readonly #options: LazyOptions;
  #making: Promise<BrowserHost> | undefined;
  #host: BrowserHost | undefined;
  #wish: BrowserWish | undefined;
  #hasStarted = false;
  #isEnded = false;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: LazyOptions) {
    this.#options = options;
  }

  async acquire(request: LeaseRequest, signal: AbortSignal): Promise<BrowserLease> {
    if (this.#options.waitsForWish && this.#wish === undefined) throw new ToolError('NO_BROWSER', {});
    const lease = await (await this.#open()).acquire(request, signal);
    this.#hasStarted = true;
    return lease;
  }

  /** Starts such a browser in place of the one that runs, after `end` has ended what uses that one. */
  async launch(wish: BrowserWish, end: () => Promise<void>, signal: AbortSignal): Promise<BrowserMode> {
    return this.#inTurn(async () => {
      const next = await this.#options.make(wish);
      // One that cannot be started must not cost the one that runs.
      await next.describe();
      await end();
      await this.#end();
      this.#wish = wish;
      this.#making = Promise.resolve(next);
      const lease = await this.acquire({ isDefault: true }, signal);
      await lease[Symbol.asyncDispose]();
      return { type: lease.browser.browserType().name(), headless: lease.headless };
    });
  }

  /** Without one nothing is to be ended: what is left are sessions that wait to be brought back. */
  get hasStarted(): boolean {
    return this.#hasStarted;
  }

  /** Closes the browser; the next session that needs one starts it again, if no wish has to be waited for. */
  async quit(): Promise<boolean> {
    return this.#inTurn(async () => this.#end());
  }

  async #end(): Promise<boolean> {
    const hadOne = this.#hasStarted;
    const host = await this.#making?.catch(() => undefined);
    this.#making = undefined;
    this.#host = undefined;
    this.#wish = undefined;
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

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isEnded = true;
    const host = await this.#making?.catch(() => undefined);
    await host?.[Symbol.asyncDispose]();
  }

  /** One after another: a host that two replaced at once would be ended by nobody. */
  async #inTurn<T>(run: () => Promise<T>): Promise<T> {
    const mine = this.#turn.then(run);
    this.#turn = mine.catch(() => undefined);
    return mine;
  }

  async #open(): Promise<BrowserHost> {
    if (this.#isEnded) throw new Error('The server is ending; no browser is started any more.');
    this.#making ??= this.#options.make(this.#wish);
    this.#host = await this.#making;
    return this.#host;
  }
}
