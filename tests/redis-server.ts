import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@redis/client';
import { vi } from 'vitest';
import { hasProgram } from '../scripts/cluster-programs.mjs';
import { freePort } from './free-port.ts';

export const hasRedis = hasProgram('redis-server');

export interface RedisServerOptions {
  /** A cluster of one node, which refuses scripts on keys of several hash tags. */
  readonly isCluster?: boolean;
  /** Writes each change to a file, so that a killed server has its data after a restart. */
  readonly isDurable?: boolean;
}

/** A redis-server of this process, on a loopback port of its own. */
export class RedisServer implements AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly #folder = mkdtempSync(join(tmpdir(), 'pagehelm-redis-'));
  readonly #options: RedisServerOptions;
  #child: ChildProcess | undefined;
  #watchdog: ChildProcess | undefined;

  private constructor(port: number, options: RedisServerOptions) {
    this.port = port;
    this.#options = options;
    this.url = `redis://127.0.0.1:${port}`;
  }

  static async start(options: RedisServerOptions = {}): Promise<RedisServer> {
    const server = new RedisServer(await freePort(), options);
    await server.start();
    if (options.isCluster === true) {
      await server.command('CLUSTER', 'ADDSLOTSRANGE', '0', '16383');
      await vi.waitFor(
        async () => {
          if (!String(await server.command('CLUSTER', 'INFO')).includes('cluster_state:ok'))
            throw new Error('not ready');
        },
        { timeout: 20_000, interval: 20 },
      );
    }
    return server;
  }

  /** Starts it on its port, after a kill too. */
  async start(): Promise<void> {
    const { isCluster = false, isDurable = false } = this.#options;
    const settings = {
      bind: '127.0.0.1',
      port: String(this.port),
      dir: this.#folder,
      save: '',
      appendonly: isDurable ? 'yes' : 'no',
      appendfsync: 'always',
      ...(isCluster ? { 'cluster-enabled': 'yes', 'cluster-port': String(await freePort()) } : {}),
    };
    const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
    this.#child = spawn('redis-server', args, { stdio: 'ignore' });
    this.#watchdog = endWith(this.#child);
    await vi.waitFor(() => this.command('PING'), { timeout: 20_000, interval: 20 });
  }

  /** Runs one command on a connection of its own. */
  async command(...words: readonly [string, ...string[]]): Promise<unknown> {
    const client = createClient({
      url: this.url,
      socket: { reconnectStrategy: false },
      maintNotifications: 'disabled',
    });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return await client.sendCommand([...words]);
    } finally {
      client.destroy();
    }
  }

  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.#child?.kill(signal);
  }

  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    this.#watchdog?.kill('SIGKILL');
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Ends a server whose test process was killed: the end of the process closes the watchdog's input. */
function endWith({ pid = 0 }: ChildProcess): ChildProcess {
  const watchdog = spawn('sh', ['-c', `read line; kill -9 ${pid}`], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  watchdog.unref();
  return watchdog;
}
