import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';

export interface Command {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs: number;
  readonly cwd?: string;
  readonly signal?: AbortSignal | undefined;
  readonly onLine?: (line: string) => void;
}

export interface CommandResult {
  /** Undefined when it did not start, was stopped, or ended by a signal. */
  readonly exitCode: number | undefined;
  /** The end of what it printed, both streams. */
  readonly output: string;
  /** Why it did not end by itself. */
  readonly stopped?: 'timeout' | 'aborted' | 'not started';
}

const keptOutput = 20_000;
/** A package manager that is killed at once leaves a broken database: it is asked first. */
const graceMs = 4000;

/** Runs a program in a process group of its own, bounded in time; nothing of the group outlives the call. */
export function runCommand(spec: Command): Promise<CommandResult> {
  if (spec.signal?.aborted === true) return Promise.resolve({ exitCode: undefined, output: '', stopped: 'aborted' });
  return new Promise((resolve) => {
    let output = '';
    let stopped: CommandResult['stopped'];
    let killTimer: NodeJS.Timeout | undefined;
    const child = spawn(spec.command, spec.args, {
      env: { ...spec.env },
      cwd: spec.cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    const onLine = (line: string): void => {
      output = `${output}${line}\n`.slice(-keptOutput);
      spec.onLine?.(line);
    };
    for (const stream of [child.stdout, child.stderr]) createInterface({ input: stream }).on('line', onLine);

    const stop = (why: 'timeout' | 'aborted'): void => {
      stopped ??= why;
      signalGroup(child, 'SIGTERM');
      killTimer ??= setTimeout(() => signalGroup(child, 'SIGKILL'), graceMs);
    };
    const onAbort = (): void => stop('aborted');
    const timer = setTimeout(() => stop('timeout'), spec.timeoutMs);
    spec.signal?.addEventListener('abort', onAbort, { once: true });

    const settle = (exitCode: number | undefined): void => {
      clearTimeout(timer);
      clearTimeout(killTimer);
      spec.signal?.removeEventListener('abort', onAbort);
      resolve({ exitCode: stopped === undefined ? exitCode : undefined, output, ...(stopped && { stopped }) });
    };
    child.once('error', (error) => {
      stopped ??= 'not started';
      onLine(error.message);
      settle(undefined);
    });
    // A grandchild that holds the pipes must not hold us: what is left of the group ends with its leader.
    child.once('exit', () => signalGroup(child, 'SIGKILL'));
    child.once('close', (code) => settle(code ?? undefined));
  });
}

function signalGroup(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (child.pid === undefined) return;
  if (process.platform === 'win32') {
    if (child.exitCode === null) spawn('taskkill', ['/pid', String(child.pid), '/T', '/F'], { stdio: 'ignore' });
    return;
  }
  try {
    process.kill(-child.pid, signal);
  } catch {
    // The group is gone already.
  }
}
