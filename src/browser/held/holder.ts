import { chmod, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import { dirname, join } from 'node:path';
import type { Logger } from '../../log.ts';
import type { BrowserLease } from '../host.ts';
import { contextId } from './guid.ts';
import { claimSocket, heldFile, onLines, sendLine } from './messages.ts';
import type { HolderRequest } from './messages.ts';

export interface HolderOptions {
  readonly lease: BrowserLease;
  /** Only a server with the same key may use the browser. */
  readonly key: string;
  /** How long the browser waits for a server. */
  readonly waitMs: number;
  readonly log: Logger;
  /** Closes the browser and ends the process. */
  readonly end: (reason: string) => void;
}

const privateFile = 0o600;

/** Holds a browser for a server that may end and come back. Runs in a process of its own. */
export class BrowserHolder implements Disposable {
  readonly #options: HolderOptions;
  /** Sessions by the id of their context. */
  readonly #sessions = new Map<string, string>();
  #endpoint = '';
  #server: Server | undefined;
  #user: Socket | undefined;
  #waiting: NodeJS.Timeout | undefined;

  private constructor(options: HolderOptions) {
    this.#options = options;
  }

  /** Publishes the browser in its run folder, which only this user can enter; returns the folder. */
  static async open(options: HolderOptions): Promise<{ readonly holder: BrowserHolder; readonly folder: string }> {
    const holder = new BrowserHolder(options);
    const folder = dirname((await options.lease.traces()).path);
    await holder.#publish(folder);
    return { holder, folder };
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#waiting);
    this.#user?.destroy();
    this.#server?.close();
  }

  async #publish(folder: string): Promise<void> {
    const { lease, key, end } = this.#options;
    // Where Playwright puts the socket and the description of a bound browser. By default other programs find it there,
    // and the files would outlive a process that is killed.
    process.env['PWTEST_SOCKETS_DIR'] = folder;
    process.env['PWTEST_SERVER_REGISTRY'] = join(folder, 'bound');
    const { endpoint } = await lease.browser.bind('pagehelm');
    await chmod(endpoint, privateFile);
    this.#endpoint = endpoint;
    lease.browser.on('context', (context) => {
      const id = contextId(context);
      if (id !== undefined) context.on('close', () => this.#sessions.delete(id));
    });
    lease.onLost((reason) => end(`the browser is gone: ${reason}`));
    const path = join(folder, claimSocket);
    this.#server = createServer((socket) => this.#accept(socket));
    await new Promise<void>((resolve, reject) => {
      this.#server?.once('error', reject).listen(path, resolve);
    });
    await chmod(path, privateFile);
    await writeFile(join(folder, heldFile), JSON.stringify({ key }), { mode: privateFile });
    this.#wait();
  }

  #accept(socket: Socket): void {
    socket.on('error', (error) => this.#options.log.debug('a server', { error: error.message }));
    socket.on('close', () => {
      if (this.#user !== socket) return;
      this.#user = undefined;
      this.#wait();
    });
    // Only programs of this user reach the socket, and each server is of the same version.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    onLines(socket, (message) => this.#receive(socket, message as HolderRequest));
  }

  #receive(socket: Socket, message: HolderRequest): void {
    if (message.do === 'claim') this.#claim(socket, message.key);
    else if (socket !== this.#user) socket.destroy();
    else if (message.do === 'label') this.#sessions.set(message.context, message.session);
    else if (message.do === 'silent') this.#options.lease.silent?.(message.reason);
    else this.#options.end('a server ended it');
  }

  /** One server at a time: two would see each other's sessions. */
  #claim(socket: Socket, key: string): void {
    if (key !== this.#options.key || this.#user !== undefined) {
      sendLine(socket, { refused: this.#user === undefined ? 'it has other options' : 'another server uses it' });
      socket.end();
      return;
    }
    clearTimeout(this.#waiting);
    this.#user = socket;
    sendLine(socket, { endpoint: this.#endpoint, sessions: Object.fromEntries(this.#sessions) });
  }

  #wait(): void {
    const { waitMs, end } = this.#options;
    clearTimeout(this.#waiting);
    this.#waiting = setTimeout(() => end('no server came back'), waitMs);
  }
}
