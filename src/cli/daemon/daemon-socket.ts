import { chmodSync, linkSync, lstatSync, renameSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import { dial } from '../client/request.ts';
import { ConfigError } from '../../errors.ts';
import { errorCode } from '../../util/error-code.ts';

const privateFile = 0o600;

/** The socket of a daemon. It appears under its name when it accepts connections, and only if no other daemon has it. */
export class DaemonSocket {
  readonly #server: Server;
  readonly #path: string;
  readonly #inode: number | undefined;

  private constructor(server: Server, path: string, inode: number | undefined) {
    this.#server = server;
    this.#path = path;
    this.#inode = inode;
  }

  static async open(path: string, onConnection: (socket: Socket) => void): Promise<DaemonSocket> {
    const server = createServer(onConnection);
    if (process.platform === 'win32') {
      await listen(server, path);
      return new DaemonSocket(server, path, undefined);
    }
    const own = `${path}.${process.pid}`;
    rmSync(own, { force: true });
    await listen(server, own);
    chmodSync(own, privateFile);
    const inode = lstatSync(own).ino;
    try {
      await publish(own, path);
    } catch (error) {
      server.close();
      throw error;
    }
    return new DaemonSocket(server, path, inode);
  }

  /** Whether the socket can still be found; false if its folder was removed or another daemon replaced it. */
  get isPublished(): boolean {
    return this.#inode === undefined || lstatSync(this.#path, { throwIfNoEntry: false })?.ino === this.#inode;
  }

  /** No further client can connect; open connections stay. */
  close(): void {
    if (this.isPublished && this.#inode !== undefined) rmSync(this.#path, { force: true });
    this.#server.close();
  }
}

async function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** Gives the socket its name. The socket of a daemon that was killed is replaced. */
async function publish(own: string, path: string): Promise<void> {
  try {
    linkSync(own, path);
    rmSync(own, { force: true });
    return;
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
  const other = await dial(path).catch(() => undefined);
  if (other === undefined) {
    renameSync(own, path);
    return;
  }
  other.destroy();
  rmSync(own, { force: true });
  throw new ConfigError(['A daemon runs for this working tree already. See: pagehelm ps']);
}
