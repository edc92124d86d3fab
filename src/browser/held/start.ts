import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { ToolError } from '../../errors.ts';
import type { Logger } from '../../log.ts';
import { runVariable } from '../process/processes.ts';

export interface HolderStart {
  /** The program that has the command `hold-browser`. */
  readonly program: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The temporary folder of the user: that of this server ends with it. */
  readonly tmpdir: string;
  /** Sent on stdin: it may contain passwords of proxies. */
  readonly settings: object;
  readonly log: Logger;
}

/** Starts a holder with its browser, in a process that outlives this one; returns its folder. */
export async function startHolder({ program, env, tmpdir, settings, log }: HolderStart): Promise<string> {
  const { [runVariable]: _run, ...rest } = env;
  const child = spawn(process.execPath, [...process.execArgv, program, 'hold-browser'], {
    cwd: '/',
    detached: true,
    env: { ...rest, TMPDIR: tmpdir, TMP: tmpdir, TEMP: tmpdir },
    stdio: ['pipe', 'pipe', 'pipe'],
    windowsHide: true,
  });
  child.stdin?.on('error', () => undefined).end(JSON.stringify(settings));
  // What it logs while it starts concerns the browser, such as a missing sandbox.
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    for (const line of text.split('\n').filter((each) => each !== '')) repeat(line, log);
  });
  const line = await firstLine(child);
  for (const stream of [child.stdout, child.stderr]) stream?.destroy();
  child.unref();
  if (line?.startsWith('/') === true) return line;
  throw new ToolError('BROWSER_LAUNCH_FAILED', { path: 'for --keep-browsers', reason: line ?? 'it ended' });
}

/** Logs a line of the holder as one of this server. */
function repeat(line: string, log: Logger): void {
  const plain = line.replace(/^pagehelm: /, '');
  if (plain.startsWith('warn: ')) log.warn(plain.slice('warn: '.length));
  else log.info(plain);
}

/** The line with which it says that it is ready, or why not; undefined if it ended without one. */
async function firstLine(child: ChildProcess): Promise<string | undefined> {
  return new Promise((resolve) => {
    let text = '';
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      if (text.includes('\n')) resolve(text.split('\n')[0]);
    });
    child.once('error', (error) => resolve(error.message));
    child.once('close', () => resolve(undefined));
  });
}
