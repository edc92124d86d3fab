import { writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { resolve } from 'node:path';
import { methods } from './messages.ts';
import type { HandOver, RunParams, RunResult } from './messages.ts';
import { PlaceError, folderProblem, placeOf } from './place.ts';
import type { DaemonPlace } from './place.ts';
import { LostDaemonError, NoDaemonError, RefusedError, ask, dial } from './request.ts';

/** A daemon that ends while a command arrives is replaced; more often than this, something else is wrong. */
const mostAttempts = 5;
const usageError = 2;

/**
 * Runs a command in the daemon of this working tree, which is started if none runs. Every command loads this file, so it
 * imports only small modules; what parses, calls and prints is in the daemon.
 */
export async function runClient(argv: readonly string[], version: string): Promise<number> {
  try {
    return await runCommand(argv, version);
  } catch (error) {
    if (!(error instanceof PlaceError || error instanceof RefusedError || error instanceof LostDaemonError))
      throw error;
    process.stderr.write(`pagehelm: ${error.message}\n`);
    return error instanceof LostDaemonError ? 1 : usageError;
  }
}

async function runCommand(argv: readonly string[], version: string): Promise<number> {
  const sources = { argv, env: process.env, cwd: process.cwd() };
  const place = placeOf(sources);
  const input = argv.includes('-') ? { input: await readInput() } : {};
  const params: RunParams = {
    words: argv,
    env: ownVariables(process.env),
    cwd: sources.cwd,
    version,
    tree: place.tree,
    progress: process.stderr.isTTY,
    ...input,
  };
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    const socket = await dialOrStart(place, params);
    if ('code' in socket) return print(socket);
    const { answer, wasAccepted } = await request(socket, params);
    if (answer !== undefined && !('handOver' in answer)) return print(answer);
    if (wasAccepted && answer === undefined) throw new LostDaemonError(lostText);
  }
  throw new LostDaemonError('The daemon ended each time before it took the command. See: pagehelm doctor');
}

const lostText = 'The daemon ended while it ran the command. Whether the command had an effect is not known.';

/** The variables that configure pagehelm. */
export function ownVariables(env: NodeJS.ProcessEnv): Readonly<Record<string, string>> {
  const own: Record<string, string> = {};
  for (const [name, value] of Object.entries(env))
    if (value !== undefined && (name.startsWith('PAGEHELM_') || name.startsWith('PLAYWRIGHT_MCP_'))) own[name] = value;
  return own;
}

/** A connection; or a result, if the command needs no daemon or the daemon does not start. */
async function dialOrStart(place: DaemonPlace, params: RunParams): Promise<Socket | RunResult> {
  const problem = folderProblem(place.folder);
  if (problem !== undefined) throw new PlaceError(problem);
  try {
    return await dial(place.socket);
  } catch (error) {
    if (!(error instanceof NoDaemonError)) throw error;
    const { startFor } = await import('./start.ts');
    return startFor(place, params);
  }
}

/** The answer; undefined if the daemon ended first. */
async function request(
  socket: Socket,
  params: RunParams,
): Promise<{ readonly answer: RunResult | HandOver | undefined; readonly wasAccepted: boolean }> {
  let wasAccepted = false;
  let hasLine = false;
  const onProgress = (message: string): void => {
    wasAccepted = true;
    if (message === '' || !params.progress) return;
    process.stderr.write(`\r\u001B[K${message}…`);
    hasLine = true;
  };
  try {
    // The daemon of this package wrote the answer; an older or newer one has the same fields.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const answer = (await ask(socket, methods.run, params, onProgress)) as RunResult | HandOver;
    // An older daemon closes its connections when it is gone.
    if ('handOver' in answer) await new Promise((ended) => socket.once('close', ended).resume());
    return { answer, wasAccepted };
  } catch (error) {
    if (error instanceof LostDaemonError) return { answer: undefined, wasAccepted };
    throw error;
  } finally {
    if (hasLine) process.stderr.write('\r\u001B[K');
    socket.destroy();
  }
}

async function readInput(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}

function print({ code, stdout, stderr, file }: RunResult): number {
  if (file !== undefined) {
    try {
      writeFileSync(resolve(file), stdout);
    } catch (error) {
      process.stderr.write(`pagehelm: ${file} cannot be written: ${String(error)}\n`);
      return 1;
    }
  } else if (stdout !== '') process.stdout.write(stdout);
  if (stderr !== '') process.stderr.write(stderr);
  return code;
}
