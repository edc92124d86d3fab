import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { performance } from 'node:perf_hooks';

export interface ProgramOptions {
  /** Arguments of Node.js. */
  readonly args: readonly string[];
  /** Matches what it prints when it is ready; the first group is its origin. */
  readonly ready: RegExp;
  readonly folder: string;
  readonly env?: Readonly<Record<string, string>>;
}

const startLimitMs = 30_000;
const endLimitMs = 15_000;

/** A server in a process of its own. */
export class Program implements AsyncDisposable {
  readonly origin: string;
  readonly startMs: number;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, origin: string, startMs: number) {
    this.#child = child;
    this.origin = origin;
    this.startMs = startMs;
  }

  static async start({ args, ready, folder, env = {} }: ProgramOptions): Promise<Program> {
    const startedAt = performance.now();
    const child = spawn(process.execPath, [...args], {
      cwd: folder,
      // Everything that it starts can be found by the folder.
      env: { ...process.env, TMPDIR: folder, HOME: folder, ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const origin = await originOf(child, ready);
    return new Program(child, origin, performance.now() - startedAt);
  }

  /** Ends it without a warning. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), endLimitMs);
    await this.#end('SIGTERM');
    clearTimeout(timer);
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill(signal);
    await ended;
  }
}

async function originOf(child: ChildProcess, ready: RegExp): Promise<string> {
  let text = '';
  return new Promise((resolve, reject) => {
    const fail = (why: string): void => {
      child.kill('SIGKILL');
      reject(new Error(`A server ${why}: ${text.slice(-2000)}`));
    };
    const timer = setTimeout(() => fail('did not start in time'), startLimitMs);
    child.once('exit', () => fail('ended at its start'));
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      text = (text + chunk).slice(-10_000);
      const origin = ready.exec(text)?.[1];
      if (origin === undefined) return;
      clearTimeout(timer);
      child.removeAllListeners('exit');
      resolve(origin);
    });
  });
}
