import type { ServedDashboard } from '../commands/serve-network.ts';

/** The dashboard of a daemon, which is opened when a link to it is first wanted. */
export class DaemonDashboard implements AsyncDisposable {
  readonly #open: () => Promise<ServedDashboard>;
  #served: Promise<ServedDashboard> | undefined;

  constructor(open: () => Promise<ServedDashboard>) {
    this.#open = open;
  }

  /** A new link. */
  async link(): Promise<string> {
    this.#served ??= this.#open();
    try {
      return (await this.#served).link();
    } catch (error) {
      this.#served = undefined;
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const served = await this.#served?.catch(() => undefined);
    await served?.[Symbol.asyncDispose]();
  }
}
