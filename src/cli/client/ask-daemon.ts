import type { Socket } from 'node:net';
import type { RunResult } from './messages.ts';
import { placeOf } from './place.ts';
import { ask, dial } from './request.ts';
import { ownVariables } from './run.ts';
import { startDaemon } from './start.ts';

const mostAttempts = 5;

export interface DaemonAnswer {
  readonly answer: object;
  /** Still open. */
  readonly socket: Socket;
}

/** Sends a request with options to the daemon of this working tree, which is started if none runs. */
export async function askDaemon(
  method: string,
  options: readonly string[],
  version: string,
): Promise<DaemonAnswer | RunResult> {
  const cwd = process.cwd();
  const place = placeOf({ argv: options, env: process.env, cwd });
  const caller = { words: options, env: ownVariables(process.env), cwd, version, tree: place.tree };
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    const socket = await dial(place.socket).catch(async () => startDaemon(place, options));
    if ('code' in socket) return socket;
    const answer = await ask(socket, method, caller);
    if (typeof answer !== 'object' || answer === null) break;
    if ('stderr' in answer && 'code' in answer) {
      socket.destroy();
      return { code: Number(answer.code), stdout: '', stderr: String(answer.stderr) };
    }
    if (!('handOver' in answer)) return { answer, socket };
    await new Promise((ended) => socket.once('close', ended).resume());
  }
  return { code: 1, stdout: '', stderr: 'pagehelm: The daemon ended each time before it answered.\n' };
}
