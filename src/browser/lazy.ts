import type { BrowserHost, BrowserLease, LeaseRequest } from './host.ts';

/** A host that is made when it is first needed: a client that only lists the tools does not pay for what starts browsers. */
export class LazyHost implements BrowserHost {
  readonly #make: () => Promise<BrowserHost>;
  #making: Promise<BrowserHost> | undefined;
  #host: BrowserHost | undefined;
  #isEnded = false;

  constructor(make: () => Promise<BrowserHost>) {
    this.#make = make;
  }

  async acquire(request: LeaseRequest, signal: AbortSignal): Promise<BrowserLease> {
    return (await this.#open()).acquire(request, signal);
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

  async #open(): Promise<BrowserHost> {
    if (this.#isEnded) throw new Error('The server is ending; no browser is started any more.');
    this.#making ??= this.#make();
    this.#host = await this.#making;
    return this.#host;
  }
}
