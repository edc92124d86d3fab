import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as z from 'zod';
import { bodyOf } from './body.ts';

const added = z.object({ driver: z.string(), call: z.string(), epoch: z.number().optional(), worker: z.string() });

/** An effect, as it arrived. */
export type Effect = z.output<typeof added>;

/** Stands for the pages of all drivers: it has every effect, in the order of their arrival. */
export class Sink implements Disposable {
  readonly effects: Effect[] = [];
  readonly url: string;
  readonly #server: Server;
  readonly #counts = new Map<string, number>();

  private constructor(server: Server) {
    this.#server = server;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a server on a port has one
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('request', (request, response) => {
      void bodyOf(request).then((body) => {
        const { driver } = z.looseObject({ driver: z.string() }).parse(JSON.parse(body));
        if (request.url === '/add') this.#add(added.parse(JSON.parse(body)));
        response.end(`count ${this.#counts.get(driver) ?? 0}`);
      });
    });
  }

  static async start(): Promise<Sink> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new Sink(server);
  }

  #add(effect: Effect): void {
    this.effects.push(effect);
    this.#counts.set(effect.driver, (this.#counts.get(effect.driver) ?? 0) + 1);
  }

  [Symbol.dispose](): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
