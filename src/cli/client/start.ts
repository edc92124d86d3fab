import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { setTimeout as after } from 'node:timers/promises';
import { checkWords } from '../verbs/command-line.ts';
import type { RunParams, RunResult } from './messages.ts';
import { makePrivateFolder } from './place.ts';
import type { DaemonPlace } from './place.ts';
import { NoDaemonError, dial } from './request.ts';
import { StartLock } from './start-lock.ts';

const pollMs = 15;
/** A loaded machine may take long; a daemon that hangs must not block its clients forever. */
const startLimitMs = 60_000;
/** Printed by a daemon that listens. */
export const readyLine = 'ready';

/** Starts the daemon and connects to it; a result, if the command needs none or is wrong. */
export async function startFor(place: DaemonPlace, params: RunParams): Promise<Socket | RunResult> {
  const checked = await checkWords(params);
  if ('code' in checked) return checked;
  return startDaemon(place, checked.options);
}

/** Starts the daemon with these options, unless another process does, and connects to it. */
export async function startDaemon(place: DaemonPlace, options: readonly string[]): Promise<Socket | RunResult> {
  const deadline = performance.now() + startLimitMs;
  for (;;) {
    // The last daemon of the user removes the folder when it ends.
    makePrivateFolder(place);
    const running = await dial(place.socket).catch((error: unknown) => {
      if (error instanceof NoDaemonError) return undefined;
      throw error;
    });
    if (running !== undefined) return running;
    if (performance.now() > deadline) return failure(`The daemon did not start within ${startLimitMs} ms.`, 1);
    using lock = StartLock.take(place.lock);
    if (lock === undefined) {
      await after(pollMs);
      continue;
    }
    // Another process may have started it before this one got the lock.
    const started = await dial(place.socket).catch(() => undefined);
    if (started !== undefined) return started;
    const problem = await launch(place, options);
    if (problem !== undefined) return problem;
  }
}

/** Runs until the daemon listens or has failed. */
async function launch(place: DaemonPlace, options: readonly string[]): Promise<RunResult | undefined> {
  const log = openSync(place.log, 'w', 0o600);
  const [, program = ''] = process.argv;
  const args = [...process.execArgv, program, 'serve', '--socket', ...options];
  const stdio: ('ignore' | 'pipe' | number)[] = ['ignore', 'pipe', log];
  const daemon = spawn(process.execPath, args, { cwd: place.tree, detached: true, stdio, windowsHide: true });
  closeSync(log);
  const code = await readyOrEnded(daemon);
  if (code === undefined) return undefined;
  const lines = readFileSync(place.log, 'utf8').trim();
  return failure(lines === '' ? `The daemon ended with code ${code}.` : lines, code === 0 ? 1 : code);
}

/** The exit code of a daemon that did not start; undefined if it listens. */
async function readyOrEnded(daemon: ChildProcess): Promise<number | undefined> {
  return new Promise((resolve) => {
    const done = (code: number | undefined): void => {
      daemon.removeAllListeners();
      daemon.stdout?.destroy();
      daemon.unref();
      resolve(code);
    };
    daemon.once('error', () => done(1));
    daemon.once('exit', (code) => done(code ?? 1));
    daemon.stdout?.setEncoding('utf8').once('data', () => done(undefined));
  });
}

function failure(text: string, code: number): RunResult {
  const prefixed = text.startsWith('pagehelm: ') ? text : `pagehelm: ${text}`;
  return { code, stdout: '', stderr: `${prefixed}\n` };
}
