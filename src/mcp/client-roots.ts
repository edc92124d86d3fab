import { fileURLToPath } from 'node:url';
import type { Server } from '@modelcontextprotocol/server';

/** Clients answer at once; one that does not must not stop calls. */
const answerMs = 5000;

/** The folders that a client declares as its roots; calls are held to them. */
export class ClientRoots {
  readonly #server: Server;
  #roots: Promise<readonly string[] | undefined> | undefined;

  constructor(server: Server) {
    this.#server = server;
    server.setNotificationHandler('notifications/roots/list_changed', () => {
      this.#roots = undefined;
    });
  }

  /** The paths; undefined if the client declares none. */
  async paths(): Promise<readonly string[] | undefined> {
    if (this.#server.getClientCapabilities()?.roots === undefined) return undefined;
    this.#roots ??= this.#read();
    return this.#roots;
  }

  async #read(): Promise<readonly string[] | undefined> {
    try {
      const { roots } = await this.#server.listRoots(undefined, { timeout: answerMs });
      const paths = roots.flatMap(({ uri }) => pathOf(uri) ?? []);
      return paths.length === 0 ? undefined : paths;
    } catch {
      // The client declares roots and does not list them: as if it declared none.
      return undefined;
    }
  }
}

function pathOf(uri: string): string | undefined {
  try {
    return fileURLToPath(uri);
  } catch {
    return undefined;
  }
}
