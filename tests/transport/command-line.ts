import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdirSync, readdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { isRunning } from '../../src/browser/process/processes.ts';
import { knownDaemons } from '../../src/cli/daemon/state.ts';
import type { KnownDaemon } from '../../src/cli/daemon/state.ts';
import { bin } from '../built.ts';
import { eventually } from './processes.ts';
import { temporaryFolder } from './server-process.ts';

export interface Printed {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CommandOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  readonly program?: string;
}

const limitMs = 60_000;

/** A user with a home, a run-time folder and a working tree of their own. Disposing ends the daemons. */
export class CommandLineUser implements AsyncDisposable {
  readonly #folder = temporaryFolder();
  readonly home = realpathSync(this.#folder.path);
  readonly tree = join(this.home, 'tree');
  readonly runtime = join(this.home, 'run');
  /** Where daemons have their sockets. */
  readonly sockets = join(this.runtime, 'pagehelm');
  readonly env: Readonly<Record<string, string>>;

  constructor() {
    for (const folder of [this.tree, this.runtime, join(this.home, 'tmp')]) mkdirSync(folder, { mode: 0o700 });
    this.env = {
      XDG_RUNTIME_DIR: this.runtime,
      XDG_STATE_HOME: join(this.home, 'state'),
      TMPDIR: join(this.home, 'tmp'),
      HOME: this.home,
      PAGEHELM_HEADLESS: 'true',
      PAGEHELM_BROWSER_ARG: '--disable-background-networking,--disable-component-update,--disable-sync',
    };
  }

  /** Runs a command to its end. */
  async run(
    words: readonly string[],
    { cwd = this.tree, env = {}, input, program = bin }: CommandOptions = {},
  ): Promise<Printed> {
    return new Promise((resolve) => {
      const child = execFile(
        process.execPath,
        [program, ...words],
        { cwd, env: { ...process.env, ...this.env, ...env }, timeout: limitMs, maxBuffer: 64 << 20 },
        (_error, stdout, stderr) => resolve({ code: child.exitCode, stdout, stderr }),
      );
      child.stdin?.end(input);
    });
  }

  /** Starts a command and does not wait for it. */
  start(words: readonly string[], { cwd = this.tree, env = {} }: CommandOptions = {}): ChildProcess {
    return spawn(process.execPath, [bin, ...words], {
      cwd,
      env: { ...process.env, ...this.env, ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
  }

  get daemons(): readonly KnownDaemon[] {
    return knownDaemons(this.sockets).filter((daemon) => daemon.isRunning);
  }

  /** The one running daemon. */
  get daemon(): KnownDaemon {
    const [only, ...others] = this.daemons;
    if (only === undefined || others.length > 0) throw new Error(`${this.daemons.length} daemons run`);
    return only;
  }

  /** Waits until a daemon has ended by itself. */
  async ended({ state }: KnownDaemon, withinMs = 20_000): Promise<void> {
    await eventually('the daemon ends', () => !isRunning(state.process), withinMs);
  }

  /** Names in the folder of the sockets. */
  get left(): readonly string[] {
    try {
      return readdirSync(this.sockets);
    } catch {
      return [];
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.run(['stop', '--all']);
    for (const daemon of this.daemons) process.kill(daemon.state.process.pid, 'SIGKILL');
    this.#folder[Symbol.dispose]();
  }
}
