import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { createClient } from '@redis/client';
import { freePort } from '../../tests/free-port.ts';

const startLimitMs = 10_000;
const retryMs = 20;

type Client = ReturnType<typeof open>;

/** A redis-server without persistence, on a loopback port of its own. */
export class BenchRedis implements AsyncDisposable {
  readonly url: string;
  readonly #child: ChildProcess;
  readonly #client: Client;

  private constructor(url: string, child: ChildProcess, client: Client) {
    this.url = url;
    this.#child = child;
    this.#client = client;
  }

  static async start(folder: string): Promise<BenchRedis> {
    const port = await freePort();
    const url = `redis://127.0.0.1:${port}`;
    const settings = { bind: '127.0.0.1', port: String(port), dir: folder, save: '', appendonly: 'no' };
    const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
    const child = spawn('redis-server', args, { stdio: 'ignore' });
    await once(child, 'spawn').catch((error: unknown) => {
      throw new Error('redis-server is not on the PATH: install it to measure a cluster', { cause: error });
    });
    await listens(port);
    const client = open(url);
    await client.connect();
    return new BenchRedis(url, child, client);
  }

  async command(...words: readonly [string, ...string[]]): Promise<unknown> {
    return this.#client.sendCommand([...words]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#client.destroy();
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    await ended;
  }
}

function open(url: string) {
  const client = createClient({ url, maintNotifications: 'disabled' });
  // The end of the server is not an error.
  client.on('error', () => undefined);
  return client;
}

/** Waits until a server listens. */
async function listens(port: number): Promise<void> {
  const deadline = performance.now() + startLimitMs;
  for (;;) {
    const socket = connect({ host: '127.0.0.1', port });
    try {
      await once(socket, 'connect');
      return;
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await pause(retryMs);
    } finally {
      socket.destroy();
    }
  }
}
