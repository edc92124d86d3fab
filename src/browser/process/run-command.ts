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
  /** The last part of its output, stdout and stderr. */
  readonly output: string;
  /** Why it was stopped. */
  readonly stopped?: 'timeout' | 'aborted' | 'not started';
}

const keptOutput = 20_000;
/** SIGTERM comes first: a package manager that is killed leaves a broken database. */
const graceMs = 4000;

/** Runs a program in its own process group, with a timeout; the whole group ends with the call. */
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
    // A grandchild may keep the pipes open; kill the rest of the group with its leader.
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
    // The group has already ended.
  }
}
