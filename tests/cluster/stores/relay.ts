import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';

/** A connection through which a test can lose what is sent. */
export class Relay implements AsyncDisposable {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** Answers that still arrive. */
  #passing = Infinity;
  #lost = 0;

  private constructor(target: number) {
    this.#server = createServer((client) => {
      const redis = connect(target, '127.0.0.1');
      for (const socket of [client, redis]) {
        this.#sockets.add(socket);
        socket.on('error', () => undefined);
        socket.on('close', () => {
          client.destroy();
          redis.destroy();
        });
      }
      client.on('data', (data) => redis.write(data));
      redis.on('data', (data) => {
        if (this.#passing-- > 0) client.write(data);
        else this.#lost++;
      });
    });
  }

  static async open(target: number): Promise<Relay> {
    const relay = new Relay(target);
    relay.#server.listen(0, '127.0.0.1');
    await once(relay.#server, 'listening');
    return relay;
  }

  get url(): string {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a server on a port has one
    return `redis://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** How many answers did not arrive. */
  get lost(): number {
    return this.#lost;
  }

  /** Commands arrive; after some answers, the next ones do not. */
  loseAnswers(after = 0): void {
    this.#passing = after;
    this.#lost = 0;
  }

  /** Ends the connections; new ones lose nothing. */
  cut(): void {
    this.#passing = Infinity;
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets.clear();
  }

  /** The open connections carry nothing any more, and stay open. New ones are not affected. */
  freeze(): void {
    for (const socket of this.#sockets) socket.removeAllListeners('data').resume();
    this.#sockets.clear();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut();
    this.#server.close();
  }
}
