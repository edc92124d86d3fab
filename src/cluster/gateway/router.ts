import type { Logger } from '../../log.ts';
import type { DriverId } from '../../session/session.ts';
import type { Placement, SessionDirectory, WorkerInfo } from '../stores.ts';

export interface RouterOptions {
  readonly directory: SessionDirectory;
  /** Another text after each loss of data. */
  readonly generation: () => Promise<string>;
  readonly log: Logger;
  /** A number from 0 to 1. */
  readonly random?: () => number;
  readonly now?: () => number;
}

/** Where a request goes, or when to ask again. */
export type Route = { readonly address: string } | { readonly retryMs: number; readonly reason: string };

/** The list of workers and the generation are this old at most. */
const workersMs = 1000;
const waitMs = 250;

/** Finds the worker of a driver. What it remembers may be old: workers refuse drivers that they do not have. */
export class Router {
  readonly #options: RouterOptions;
  readonly #now: () => number;
  readonly #random: () => number;
  readonly #known = new Map<DriverId, string>();
  #workers: { readonly list: readonly WorkerInfo[]; readonly at: number } | undefined;
  #generation: { readonly id: string; readonly at: number } | undefined;

  constructor(options: RouterOptions) {
    this.#options = options;
    this.#now = options.now ?? ((): number => performance.now());
    this.#random = options.random ?? Math.random;
  }

  /** `avoid`: addresses that did not respond to this request. */
  async find(driver: DriverId, avoid: ReadonlySet<string> = new Set()): Promise<Route> {
    const known = this.#known.get(driver);
    if (known !== undefined) return { address: known };
    try {
      const located = await this.#options.directory.locate(driver);
      if (located.state === 'unsettled') return { retryMs: located.retryMs, reason: 'the directory was lost' };
      if (located.state === 'placed') return this.#remember(driver, await this.#addressOf(located.placement), avoid);
      const chosen = this.#choose(await this.workers(), avoid);
      return chosen === undefined
        ? { retryMs: waitMs, reason: 'no worker has room' }
        : this.#remember(driver, chosen.address, avoid);
    } catch (error) {
      this.#options.log.debug('a driver was not found', { driver, error });
      return { retryMs: waitMs, reason: 'the directory does not respond' };
    }
  }

  /** Whether a worker still has the driver; true if the directory does not know. */
  async isAt(driver: DriverId, address: string): Promise<boolean> {
    try {
      const located = await this.#options.directory.locate(driver);
      return located.state === 'unsettled' || (located.state === 'placed' && located.placement.address === address);
    } catch {
      return true;
    }
  }

  /** A worker said where the driver is. */
  moved(driver: DriverId, address: string): void {
    this.#known.set(driver, address);
  }

  /** The worker did not respond, or has released the driver. */
  forget(driver: DriverId): void {
    this.#known.delete(driver);
    this.#workers = undefined;
  }

  async workers(): Promise<readonly WorkerInfo[]> {
    const now = this.#now();
    if (this.#workers === undefined || now - this.#workers.at > workersMs) {
      this.#workers = { list: await this.#options.directory.workers(), at: now };
    }
    return this.#workers.list;
  }

  /** The generation of the data, which may have changed a moment ago; undefined if it was never read. */
  async generation(): Promise<string | undefined> {
    const now = this.#now();
    if (this.#generation === undefined || now - this.#generation.at > workersMs) await this.#readGeneration();
    return this.#generation?.id;
  }

  /** Whether no data was lost since the generation was read. */
  async isComplete(since: string | undefined): Promise<boolean> {
    return since !== undefined && (await this.#readGeneration()) === since;
  }

  async #readGeneration(): Promise<string | undefined> {
    const at = this.#now();
    try {
      this.#generation = { id: await this.#options.generation(), at };
      return this.#generation.id;
    } catch (error) {
      this.#options.log.debug('the generation was not read', { error });
      return undefined;
    }
  }

  /** A worker that was restarted may have another address. It takes what it had before at once. */
  async #addressOf({ worker, boot, address }: Placement): Promise<string> {
    const now = (await this.workers()).find(({ name }) => name === worker);
    return now === undefined || now.boot === boot ? address : now.address;
  }

  #remember(driver: DriverId, address: string, avoid: ReadonlySet<string>): Route {
    // Its worker does not respond, but its lease has not ended: no other worker may have it yet.
    if (avoid.has(address)) return { retryMs: waitMs, reason: 'its worker does not respond' };
    this.#known.set(driver, address);
    return { address };
  }

  /** The better of two random workers: all gateways would send everything to the best one. */
  #choose(workers: readonly WorkerInfo[], avoid: ReadonlySet<string>): WorkerInfo | undefined {
    const fit = workers.filter(({ isDraining, address, live, slots }) => {
      return !isDraining && !avoid.has(address) && live < slots;
    });
    const pick = (): WorkerInfo | undefined => fit[Math.floor(this.#random() * fit.length)];
    const [first, second] = [pick(), pick()];
    if (first === undefined || second === undefined) return first;
    return roomOf(second) > roomOf(first) ? second : first;
  }
}

function roomOf({ slots, live, waiting }: WorkerInfo): number {
  return (slots - live - waiting) / slots;
}
