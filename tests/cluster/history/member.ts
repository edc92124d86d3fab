import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { ProgramOptions } from './program-options.ts';

/** A process of the cluster, which can be started again under its name. */
export class Member {
  readonly name: string;
  readonly #program: string;
  readonly #options: ProgramOptions;
  #child: ChildProcess | undefined;
  #starting: Promise<void> | undefined;
  #isEnded = false;

  constructor(program: string, options: ProgramOptions) {
    this.name = options.name;
    this.#program = program;
    this.#options = options;
  }

  get isRunning(): boolean {
    const child = this.#child;
    return child !== undefined && child.exitCode === null && child.signalCode === null;
  }

  /** Starts it if it does not run; resolves when it serves. */
  async ensure(): Promise<void> {
    this.#starting ??= this.#start().finally(() => (this.#starting = undefined));
    await this.#starting;
  }

  signal(signal: NodeJS.Signals): void {
    if (this.isRunning) this.#child?.kill(signal);
  }

  /** It is not started again. */
  async dispose(): Promise<void> {
    this.#isEnded = true;
    await this.end('SIGKILL');
  }

  /** Sends a signal that ends it, and waits for the end. */
  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    await this.#starting?.catch(() => undefined);
    const child = this.#child;
    if (child === undefined || !this.isRunning) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    // A stopped process would not get the signal.
    child.kill('SIGCONT');
    await ended;
  }

  async #start(): Promise<void> {
    // It may be killed by a fault while it starts.
    for (let attempt = 0; attempt < 20 && !this.isRunning && !this.#isEnded; attempt++) {
      const child = spawn(process.execPath, [this.#program, JSON.stringify(this.#options)], {
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      child.stdin.on('error', () => undefined);
      this.#child = child;
      // As every supervisor does: its janitor ends a worker that gets no time on a busy machine.
      child.once('exit', () => {
        if (!this.#isEnded) void this.ensure().catch(() => undefined);
      });
      await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
    }
    if (!this.isRunning && !this.#isEnded) throw new Error(`${this.name} does not start`);
  }
}
