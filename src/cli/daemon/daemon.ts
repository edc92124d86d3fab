import type { Socket } from 'node:net';
import { setTimeout as after } from 'node:timers/promises';
import type { App } from '../../app.ts';
import type { CommandEndpoint } from '../../app/commands.ts';
import type { Logger } from '../../log.ts';
import { version } from '../../version.ts';
import { methods, progressMethod } from '../client/messages.ts';
import type { Caller, HandOver, Hello, RunParams, RunResult } from '../client/messages.ts';
import type { DaemonPlace } from '../client/place.ts';
import type { CommandRunner } from './command-runner.ts';
import { DaemonConnection } from './connection.ts';
import type { ControlConnection } from './connection.ts';
import type { DaemonDashboard } from './daemon-dashboard.ts';
import { isNewer } from './versions.ts';
import type { DaemonWatch } from './watch.ts';

export interface DaemonDeps {
  readonly app: Pick<App, 'serve' | 'discardBrowsers'>;
  readonly endpoint: CommandEndpoint;
  readonly runner: CommandRunner;
  readonly place: DaemonPlace;
  readonly log: Logger;
  readonly watch: () => DaemonWatch;
  readonly dashboard: Pick<DaemonDashboard, 'link'>;
  /** Saves the sessions and ends the process. */
  readonly end: (reason: string) => void;
}

/** Commands that run when the daemon is asked to end may take this long. */
const drainLimitMs = 20_000;
const drainPollMs = 20;

/** Serves the clients on the socket of a daemon. */
export class Daemon implements AsyncDisposable {
  readonly #deps: DaemonDeps;
  readonly #connections = new Set<DaemonConnection>();
  readonly #startedAt = new Date().toISOString();
  #running = 0;
  #isEnding = false;

  constructor(deps: DaemonDeps) {
    this.#deps = deps;
  }

  accept(socket: Socket): void {
    const { app, log } = this.#deps;
    const control = (method: string, params: unknown, connection: ControlConnection): Promise<object> | undefined =>
      this.#control(method, params, connection);
    const connection = new DaemonConnection(socket, { app, control, log });
    this.#connections.add(connection);
    connection.onClose(() => this.#connections.delete(connection));
  }

  get isBusy(): boolean {
    return this.#running > 0 || [...this.#connections].some(({ isMcp }) => isMcp);
  }

  /** Closes all connections: clients that wait for the end see it. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isEnding = true;
    await Promise.all([...this.#connections].map(async (connection) => connection[Symbol.asyncDispose]()));
  }

  /** New commands are refused; the ones that run may finish. */
  async drain(): Promise<void> {
    this.#isEnding = true;
    const deadline = performance.now() + drainLimitMs;
    while (this.#running > 0 && performance.now() < deadline) await after(drainPollMs);
  }

  #control(method: string, params: unknown, connection: ControlConnection): Promise<object> | undefined {
    // Only programs of this user reach the socket; each method reads the fields that its client sends.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const caller = params as RunParams;
    switch (method) {
      case methods.hello:
        return Promise.resolve(this.#hello());
      case methods.run:
        return this.#run(caller, connection);
      case methods.join:
        return Promise.resolve(this.#join(caller));
      case methods.dashboard:
        return this.#dashboard(caller);
      case methods.stop:
        this.#deps.app.discardBrowsers();
        return Promise.resolve(this.#stop('it was stopped'));
      default:
        return undefined;
    }
  }

  #hello(): Hello {
    const { place, watch, endpoint } = this.#deps;
    return {
      version,
      pid: process.pid,
      tree: place.tree,
      ...(place.configFile === undefined ? {} : { configFile: place.configFile }),
      startedAt: this.#startedAt,
      idleMs: Math.round(watch().idleMs),
      calls: this.#running,
      connections: this.#connections.size,
      sessions: endpoint.sessions(),
    };
  }

  async #run(params: RunParams, connection: ControlConnection): Promise<RunResult | HandOver> {
    if (this.#mustHandOver(params)) return { handOver: true };
    const wrong = this.#wrongTree(params);
    if (wrong !== undefined) return wrong;
    const { runner, watch } = this.#deps;
    const progress = (message: string): void => connection.notify(progressMethod, { message });
    // From here on the command may have an effect: the client must not send it again.
    progress('');
    this.#running++;
    this.#own(params);
    try {
      return await runner.run(params, { signal: connection.signal, progress });
    } finally {
      this.#running--;
      watch().used();
    }
  }

  #join(caller: Caller): object {
    return this.#refusal(caller) ?? { joined: true };
  }

  async #dashboard(caller: Caller): Promise<object> {
    const { dashboard, watch } = this.#deps;
    const refusal = this.#refusal(caller);
    if (refusal !== undefined) return refusal;
    watch().used();
    return { link: await dashboard.link() };
  }

  /** Why this caller is not served, with its options; undefined if it is. */
  #refusal(caller: Caller): object | undefined {
    if (this.#mustHandOver(caller)) return { handOver: true };
    const refused = this.#wrongTree(caller) ?? this.#deps.runner.checkOptions(caller.words, caller);
    if (refused === undefined) this.#own(caller);
    return refused;
  }

  /** A newer client gets a newer daemon: this one saves its sessions, and the next one restores them. */
  #mustHandOver(caller: Caller): boolean {
    if (isNewer(caller.version, version) && !this.#isEnding) {
      // A kept browser has the scripts of this version.
      this.#deps.app.discardBrowsers();
      this.#stop(`version ${caller.version} takes over`);
    }
    return this.#isEnding;
  }

  #stop(reason: string): object {
    this.#isEnding = true;
    this.#deps.end(reason);
    return { stopped: true };
  }

  /** Keys are hashes: two trees could have the same one. */
  #wrongTree({ tree }: Caller): RunResult | undefined {
    if (tree === this.#deps.place.tree) return undefined;
    const stderr = `pagehelm: This socket belongs to the daemon of ${this.#deps.place.tree}.\n`;
    return { code: 1, stdout: '', stderr };
  }

  #own({ words }: Caller): void {
    const at = words.findIndex((word) => word === '--owner-pid' || word.startsWith('--owner-pid='));
    if (at === -1) return;
    const pid = Number(words[at]?.split('=')[1] ?? words[at + 1]);
    if (Number.isSafeInteger(pid) && pid > 1) this.#deps.watch().addOwner(pid);
  }
}
