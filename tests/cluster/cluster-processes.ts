import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { placementKey } from '../../src/cluster/redis/keys.ts';
import { answerOf } from '../fixtures.ts';
import type { Answer } from '../fixtures.ts';
import { RedisServer } from '../redis-server.ts';
import { eventually } from '../transport/processes.ts';
import { ServerProcess, temporaryFolder } from '../transport/server-process.ts';

const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync'];
export const keys = { alice: 'key-of-alice', bob: 'key-of-bob' };

/** A gateway or worker in a process of its own. */
export class ClusterProcess implements AsyncDisposable {
  readonly server: ServerProcess;
  readonly origin: string;

  private constructor(server: ServerProcess, origin: string) {
    this.server = server;
    this.origin = origin;
  }

  static async start(args: readonly string[], pattern: RegExp): Promise<ClusterProcess> {
    const browser = ['--headless', '--isolated', ...quiet.map((arg) => `--browser-arg=${arg}`)];
    const env = { PAGEHELM_CLUSTER_KEY: 'secret-of-the-test-cluster' };
    const server = new ServerProcess({ args: [...browser, '--host=127.0.0.1', '--port=0', ...args], env });
    await eventually('the process is ready', () => pattern.test(server.stderr), 30_000);
    return new ClusterProcess(server, pattern.exec(server.stderr)?.[1] ?? '');
  }

  signal(signal: NodeJS.Signals): void {
    this.server.child.kill(signal);
  }

  /** Ends with the signal; returns the exit code. */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    const { child } = this.server;
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
    return child.exitCode;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.signal('SIGCONT');
    await this.end('SIGTERM');
    await this.server[Symbol.asyncDispose]();
  }
}

export interface ClusterClient extends AsyncDisposable {
  readonly client: Client;
  readonly transport: StreamableHTTPClientTransport;
  call(name: string, args?: Record<string, unknown>, meta?: Record<string, unknown>): Promise<Answer>;
}

/** Redis, gateways and workers on loopback ports. */
export class Cluster implements AsyncDisposable {
  readonly redis: RedisServer;
  readonly gateways: ClusterProcess[] = [];
  readonly workers = new Map<string, ClusterProcess>();
  readonly #args: readonly string[];
  readonly #folder = temporaryFolder();
  readonly #keyFile = join(this.#folder.path, 'keys.json');

  private constructor(redis: RedisServer, args: readonly string[]) {
    this.redis = redis;
    this.#args = args;
    writeFileSync(this.#keyFile, JSON.stringify(keys), { mode: 0o600 });
  }

  static async start(args: readonly string[] = [], { gateways = 2, workers = 2 } = {}): Promise<Cluster> {
    const cluster = new Cluster(await RedisServer.start(), args);
    await Promise.all([
      ...Array.from({ length: workers }, async (_, index) => cluster.startWorker(`w${index + 1}`)),
      ...Array.from({ length: gateways }, async () => cluster.startGateway()),
    ]);
    return cluster;
  }

  async startWorker(name: string): Promise<ClusterProcess> {
    const worker = await ClusterProcess.start(
      ['--role=worker', `--worker-name=${name}`, ...this.#common],
      /Worker \S+ of the cluster, at (\S+)\n/,
    );
    this.workers.set(name, worker);
    return worker;
  }

  async startGateway(): Promise<ClusterProcess> {
    const gateway = await ClusterProcess.start(['--role=gateway', ...this.#common], /listening on (\S+) \(gateway/);
    this.gateways.push(gateway);
    return gateway;
  }

  get #common(): readonly string[] {
    return [`--cluster=${this.redis.url}`, `--api-key-file=${this.#keyFile}`, ...this.#args];
  }

  origin(gateway = 0): string {
    return this.gateways[gateway]?.origin ?? '';
  }

  /** The name of the worker that has the sessions of a key. */
  async ownerOf(name: keyof typeof keys): Promise<string> {
    return String(await this.redis.command('HGET', placementKey(`key:${name}`), 'worker'));
  }

  async ownerProcess(name: keyof typeof keys): Promise<ClusterProcess> {
    const found = this.workers.get(await this.ownerOf(name));
    if (found === undefined) throw new Error('no worker has the sessions');
    return found;
  }

  async client(gateway = 0, key = keys.alice): Promise<ClusterClient> {
    const client = new Client({ name: 'test', version: '1' });
    const transport = new StreamableHTTPClientTransport(new URL('/mcp', this.origin(gateway)), {
      requestInit: { headers: { authorization: `Bearer ${key}` } },
    });
    await client.connect(transport);
    return {
      client,
      transport,
      call: async (name, args = {}, meta = {}) =>
        answerOf(await client.callTool({ name, arguments: args, _meta: meta }, { timeout: 60_000 })),
      [Symbol.asyncDispose]: async () => client.close(),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.gateways, ...this.workers.values()].map(async (each) => each[Symbol.asyncDispose]()));
    await this.redis[Symbol.asyncDispose]();
    this.#folder[Symbol.dispose]();
  }
}
