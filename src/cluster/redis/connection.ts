import { createHash } from 'node:crypto';
import { createClient, ErrorReply, RESP_TYPES } from '@redis/client';
import type { Logger } from '../../log.ts';
import { settlesWithin } from '../../util/signals.ts';
import { StoresUnavailable } from '../unavailable.ts';

export interface ConnectionOptions {
  readonly url: string;
  readonly log: Logger;
  /** A command without an answer fails after this time. */
  readonly commandTimeoutMs: number;
}

/** A Lua script. Redis runs it in one step; all its keys have one hash tag. */
export interface Script {
  readonly text: string;
  readonly sha: string;
}

export function script(...lines: readonly string[]): Script {
  const text = lines.join('\n');
  return { text, sha: createHash('sha1').update(text).digest('hex') };
}

/** Lua: the time in milliseconds. Clocks of processes are not compared. */
export const readClock = `
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)`;

/** While Redis is late, requests do not wait for it one by one. */
const hurriedTimeoutMs = 50;

type Client = ReturnType<typeof open>;
type Argument = string | number | Buffer;

function open({ url, commandTimeoutMs }: ConnectionOptions) {
  return createClient({
    url,
    // A command that waits for a connection would run long after its caller has given up.
    disableOfflineQueue: true,
    maintNotifications: 'disabled',
    disableClientInfo: true,
    commandOptions: { typeMapping: { [RESP_TYPES.BLOB_STRING]: Buffer } },
    socket: {
      connectTimeout: 2 * commandTimeoutMs,
      reconnectStrategy: (retries) => Math.min(50 * 2 ** Math.min(retries, 5), 1000) * (0.5 + Math.random() / 2),
    },
  });
}

/** A connection to Redis that fails fast while Redis is away, and comes back by itself. */
export class RedisConnection implements AsyncDisposable {
  readonly #options: ConnectionOptions;
  #client: Client;
  #lastAnswer = performance.now();
  /** The last command got no answer in time. */
  #isLate = false;
  #isReported = false;
  #isClosed = false;

  private constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#client = this.#connect();
  }

  /** Waits a moment for Redis; if it is away, the connection is made when it is back. */
  static async open(options: ConnectionOptions): Promise<RedisConnection> {
    const connection = new RedisConnection(options);
    const client = connection.#client;
    if (!client.isReady) {
      const ready = new Promise<void>((resolve) => void client.once('ready', () => resolve()));
      await settlesWithin(ready, options.commandTimeoutMs);
    }
    return connection;
  }

  /** Runs a script. */
  async run({ text, sha }: Script, keys: readonly string[], args: readonly Argument[] = []): Promise<unknown> {
    const options = { keys: [...keys], arguments: args.map((each) => (typeof each === 'number' ? `${each}` : each)) };
    try {
      return await this.#answered(this.#client.evalSha(sha, options));
    } catch (error) {
      if (!(error instanceof ErrorReply) || !error.message.startsWith('NOSCRIPT')) throw error;
      return this.#answered(this.#client.eval(text, options));
    }
  }

  /** Runs the text of a script, as rate-limiter-flexible asks it of a client. It is in the way of each request. */
  eval(text: string, options: { readonly keys: string[]; readonly arguments: string[] }): Promise<unknown> {
    return this.#answered(this.#client.eval(text, options), this.#isLate ? hurriedTimeoutMs : undefined);
  }

  async ping(): Promise<boolean> {
    try {
      await this.#answered(this.#client.ping());
      return true;
    } catch {
      return false;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    this.#client.destroy();
  }

  async #answered<T>(command: Promise<T>, timeoutMs = this.#options.commandTimeoutMs): Promise<T> {
    const client = this.#client;
    if (!(await settlesWithin(command, timeoutMs))) {
      this.#isLate = true;
      command.then(
        () => this.#noteAnswer(),
        () => undefined,
      );
      this.#replaceIfSilent(client);
      throw new StoresUnavailable(`no answer within ${timeoutMs} ms`);
    }
    try {
      const answer = await command;
      this.#noteAnswer();
      return answer;
    } catch (error) {
      const refusal = error instanceof ErrorReply ? error.message : '';
      // After a failover, the connection may still be to the server that is now a replica.
      if (refusal.startsWith('READONLY')) this.#replace(client);
      // While Redis loads its data or fails over, it refuses commands, and takes them later.
      if (refusal !== '' && !/^(?:LOADING|MASTERDOWN|READONLY|CLUSTERDOWN|TRYAGAIN)/.test(refusal)) throw error;
      throw new StoresUnavailable(error instanceof Error ? error.message : String(error), { cause: error });
    }
  }

  #noteAnswer(): void {
    this.#lastAnswer = performance.now();
    this.#isLate = false;
  }

  /** A connection whose packets are dropped looks open for minutes. */
  #replaceIfSilent(client: Client): void {
    if (client.isReady && performance.now() - this.#lastAnswer > 3 * this.#options.commandTimeoutMs)
      this.#replace(client);
  }

  #replace(client: Client): void {
    if (this.#isClosed || client !== this.#client) return;
    client.destroy();
    this.#client = this.#connect();
  }

  #connect(): Client {
    const client = open(this.#options);
    client.on('ready', () => {
      this.#noteAnswer();
      if (this.#isReported) this.#options.log.info('the stores of the cluster answer again');
      this.#isReported = false;
    });
    client.on('error', (error: unknown) => {
      // One entry for an outage, not one for each attempt.
      if (!this.#isReported) this.#options.log.warn('the stores of the cluster do not answer', { error });
      this.#isReported = true;
    });
    client.connect().catch(() => undefined);
    return client;
  }
}
