import type { Socket } from 'node:net';
import { version } from '../../version.ts';
import { askDaemon } from '../client/ask-daemon.ts';
import { methods } from '../client/messages.ts';

/** Connects stdin and stdout to the daemon of this working tree, which is started if none runs. */
export async function joinDaemon(argv: readonly string[]): Promise<number> {
  const options = argv.filter((word) => word !== 'serve' && word !== '--join');
  const joined = await askDaemon(methods.join, options, version);
  if (!('code' in joined)) return connectStreams(joined.socket);
  process.stderr.write(joined.stderr);
  return joined.code;
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
