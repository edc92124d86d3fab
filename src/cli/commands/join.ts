import type { Socket } from 'node:net';
import { version } from '../../version.ts';
import { methods } from '../client/messages.ts';
import { placeOf } from '../client/place.ts';
import { ask, dial } from '../client/request.ts';
import { ownVariables } from '../client/run.ts';
import { startDaemon } from '../client/start.ts';

const mostAttempts = 5;

/** Connects stdin and stdout to the daemon of this working tree, which is started if none runs. */
export async function joinDaemon(argv: readonly string[]): Promise<number> {
  const options = argv.filter((word) => word !== 'serve' && word !== '--join');
  const place = placeOf({ argv, env: process.env, cwd: process.cwd() });
  const env = ownVariables(process.env);
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    const socket = await dial(place.socket).catch(async () => startDaemon(place, options));
    if ('code' in socket) {
      process.stderr.write(socket.stderr);
      return socket.code;
    }
    const caller = { words: options, env, cwd: process.cwd(), version, tree: place.tree };
    const answer = await ask(socket, methods.join, caller);
    if (typeof answer !== 'object' || answer === null) return 1;
    if ('joined' in answer) return connectStreams(socket);
    if ('stderr' in answer && 'code' in answer) {
      process.stderr.write(String(answer.stderr));
      return Number(answer.code);
    }
    await new Promise((ended) => socket.once('close', ended).resume());
  }
  process.stderr.write('pagehelm: The daemon ended each time before it could be joined.\n');
  return 1;
}

async function connectStreams(socket: Socket): Promise<number> {
  return new Promise((resolve) => {
    socket.on('error', () => resolve(1));
    socket.on('close', () => resolve(0));
    process.stdin.on('end', () => socket.end());
    process.stdout.on('error', () => socket.destroy());
    process.stdin.pipe(socket);
    socket.pipe(process.stdout);
  });
}
