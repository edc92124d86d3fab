import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { placementKey } from '../../src/cluster/redis/keys.ts';
import { memoryOf, processesOf } from '../cli/processes.ts';
import { serverArgs, serverFile } from '../server-client.ts';
import { Program } from './program.ts';
import { BenchRedis } from './redis.ts';

const clients = 32;

/** Keys by name: one for each client, as one for each agent. */
export const keyNames: readonly string[] = Array.from({ length: clients }, (_, index) => `agent${index + 1}`);

export function keyOf(name: string): string {
  return `key-of-${name}`;
}

/** Keys, and where the servers keep their files. */
export class Workplace implements Disposable {
  readonly folder: string;
  readonly #keyFile: string;

  constructor(parent: string) {
    this.folder = mkdtempSync(join(parent, 'servers-'));
    this.#keyFile = join(this.folder, 'keys.json');
    const keys = Object.fromEntries(keyNames.map((name) => [name, keyOf(name)]));
    writeFileSync(this.#keyFile, JSON.stringify(keys), { mode: 0o600 });
  }

  /** Starts the built server. The quota is counted, and never used up. */
  async start(args: readonly string[], ready: RegExp): Promise<Program> {
    const common = ['--host=127.0.0.1', '--port=0', `--api-key-file=${this.#keyFile}`, '--rate-limit=1000000'];
    return Program.start({
      args: [serverFile, ...serverArgs, ...common, ...args],
      ready,
      folder: this.folder,
      env: { PAGEHELM_CLUSTER_KEY: 'secret-of-the-bench-cluster' },
    });
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 10 });
  }
}

/** One process that serves clients itself. */
export async function startSingle(place: Workplace): Promise<Program> {
  return place.start([], /listening on (\S+)\n/);
}

/** Redis, one worker and one or more gateways. */
export class BenchCluster implements AsyncDisposable {
  readonly redis: BenchRedis;
  readonly gateways: Program[] = [];
  readonly #place: Workplace;
  readonly #args: readonly string[];
  #worker: Program | undefined;

  private constructor(redis: BenchRedis, place: Workplace, args: readonly string[]) {
    this.redis = redis;
    this.#place = place;
    this.#args = [`--cluster=${redis.url}`, ...args];
  }

  static async start(parent: string, args: readonly string[] = [], gateways = 1): Promise<BenchCluster> {
    const place = new Workplace(parent);
    const cluster = new BenchCluster(await BenchRedis.start(place.folder), place, args);
    try {
      await cluster.startWorker();
      for (let index = 0; index < gateways; index++) await cluster.startGateway();
      return cluster;
    } catch (error) {
      await cluster[Symbol.asyncDispose]();
      throw error;
    }
  }

  async startWorker(): Promise<Program> {
    const args = ['--role=worker', '--worker-name=bench-worker', ...this.#args];
    this.#worker = await this.#place.start(args, /Worker \S+ of the cluster, at (\S+)\n/);
    return this.#worker;
  }

  async startGateway(): Promise<Program> {
    const gateway = await this.#place.start(['--role=gateway', ...this.#args], /listening on (\S+) \(gateway/);
    this.gateways.push(gateway);
    return gateway;
  }

  get origin(): string {
    return this.gateways[0]?.origin ?? '';
  }

  async killWorker(): Promise<void> {
    await this.#worker?.kill();
  }

  /** Whether a worker has the sessions of a key; if none has, they sleep. */
  async isAwake(name: string): Promise<boolean> {
    return (await this.redis.command('HEXISTS', placementKey(`key:${name}`), 'worker')) === 1;
  }

  /** Proportional set size of all its processes, with browsers and Redis. */
  memoryMiB(): number {
    return memoryOf(processesOf(this.#place.folder));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.gateways.map(async (gateway) => gateway[Symbol.asyncDispose]()));
    await this.#worker?.[Symbol.asyncDispose]();
    await this.redis[Symbol.asyncDispose]();
    this.#place[Symbol.dispose]();
  }
}
