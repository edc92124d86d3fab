import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';

/** A connection that a test can cut. */
export class Proxy implements Disposable {
  readonly port: number;
  readonly #server: Server;
  readonly #sockets: Set<Socket>;
  readonly #state: { mode: 'open' | 'refused' | 'silent' };

  private constructor(server: Server, sockets: Set<Socket>, state: { mode: 'open' | 'refused' | 'silent' }) {
    this.#server = server;
    this.#sockets = sockets;
    this.#state = state;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a server on a port has one
    this.port = (server.address() as AddressInfo).port;
  }

  static async start(target: number): Promise<Proxy> {
    const sockets = new Set<Socket>();
    const state: { mode: 'open' | 'refused' | 'silent' } = { mode: 'open' };
    const server = createServer((near) => {
      near.on('error', () => undefined);
      if (state.mode === 'refused') return void near.destroy();
      const far = connect(target, '127.0.0.1');
      for (const socket of [near, far]) {
        sockets.add(socket);
        socket.setNoDelay(true);
        socket.on('error', () => undefined);
        socket.once('close', () => {
          sockets.delete(socket);
          near.destroy();
          far.destroy();
        });
        if (state.mode === 'silent') socket.pause();
      }
      near.on('data', (data) => far.write(data));
      far.on('data', (data) => near.write(data));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new Proxy(server, sockets, state);
  }

  /** Ends all connections and refuses further ones. */
  refuse(): void {
    this.#state.mode = 'refused';
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Nothing arrives any more, in either direction. What was sent arrives when it is open again. */
  silence(): void {
    this.#state.mode = 'silent';
    for (const socket of this.#sockets) socket.pause();
  }

  open(): void {
    this.#state.mode = 'open';
    for (const socket of this.#sockets) socket.resume();
  }

  [Symbol.dispose](): void {
    this.refuse();
    this.#server.close();
  }
}
