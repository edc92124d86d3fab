import { freePort } from '../../free-port.ts';
import { RedisServer } from '../../redis-server.ts';
import { Member } from './member.ts';
import type { Broken, ProgramOptions } from './program-options.ts';
import { Proxy } from './proxy.ts';
import { Sink } from './sink.ts';

export interface Node {
  readonly member: Member;
  /** Its connections to Redis. */
  readonly redis: Proxy;
}

export interface GatewayNode extends Node {
  readonly url: string;
}

export interface WorkerNode extends Node {
  /** The connections of gateways to it. */
  readonly calls: Proxy;
}

const size = [0, 1, 2];

/** Three gateways and three workers as processes, with a Redis of their own. */
export class TestCluster implements AsyncDisposable {
  readonly redis: RedisServer;
  readonly sink: Sink;
  readonly gateways: readonly GatewayNode[];
  readonly workers: readonly WorkerNode[];
  readonly drivers: readonly string[];
  readonly leaseMs: number;

  private constructor(parts: Pick<TestCluster, 'redis' | 'sink' | 'gateways' | 'workers' | 'drivers' | 'leaseMs'>) {
    this.redis = parts.redis;
    this.sink = parts.sink;
    this.gateways = parts.gateways;
    this.workers = parts.workers;
    this.drivers = parts.drivers;
    this.leaseMs = parts.leaseMs;
  }

  static async start(program: string, leaseMs: number, broken?: Broken): Promise<TestCluster> {
    const redis = await RedisServer.start({ isDurable: true });
    const sink = await Sink.start();
    const redisPort = Number(new URL(redis.url).port);
    const drivers = ['a', 'b', 'c', 'd'];
    const common = { leaseMs, clusterKey: 'the key of the cluster of a test', drivers, sink: sink.url, broken };
    const isLogged = process.env['HISTORY_LOG'] !== undefined;
    const optionsOf = (own: Pick<ProgramOptions, 'role' | 'name' | 'port' | 'redis' | 'address'>): ProgramOptions => ({
      ...common,
      ...own,
      isLogged,
    });
    const gateways = await Promise.all(
      size.map(async (at) => {
        const [proxy, port] = [await Proxy.start(redisPort), await freePort()];
        const own = { role: 'gateway', name: `gateway-${at}`, port, redis: urlOf('redis', proxy.port) } as const;
        return { member: new Member(program, optionsOf(own)), redis: proxy, url: urlOf('http', port) };
      }),
    );
    const workers = await Promise.all(
      size.map(async (at) => {
        const [proxy, port] = [await Proxy.start(redisPort), await freePort()];
        const calls = await Proxy.start(port);
        const address = urlOf('http', calls.port);
        const own = { role: 'worker', name: `worker-${at}`, port, redis: urlOf('redis', proxy.port), address } as const;
        return { member: new Member(program, optionsOf(own)), redis: proxy, calls };
      }),
    );
    const cluster = new TestCluster({ redis, sink, gateways, workers, drivers, leaseMs });
    await cluster.heal();
    return cluster;
  }

  get members(): readonly Member[] {
    return [...this.gateways, ...this.workers].map(({ member }) => member);
  }

  /** Ends all faults. */
  async heal(): Promise<void> {
    for (const { redis } of [...this.gateways, ...this.workers]) redis.open();
    for (const { calls } of this.workers) calls.open();
    await Promise.all(this.members.map((member) => member.ensure()));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.members.map((member) => member.dispose()));
    for (const { redis } of [...this.gateways, ...this.workers]) redis[Symbol.dispose]();
    for (const { calls } of this.workers) calls[Symbol.dispose]();
    this.sink[Symbol.dispose]();
    await this.redis[Symbol.asyncDispose]();
  }
}

function urlOf(protocol: string, port: number): string {
  return `${protocol}://127.0.0.1:${port}`;
}
