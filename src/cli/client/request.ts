import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { progressMethod } from './messages.ts';

/** No daemon listens there. */
export class NoDaemonError extends Error {}

/** The daemon ended before it answered. */
export class LostDaemonError extends Error {}

/** A message that a daemon refused. */
export class RefusedError extends Error {}

/** Connects to a daemon. */
export async function dial(path: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.removeAllListeners('error');
      resolve(socket);
    });
    socket.once('error', (error) => reject(new NoDaemonError(error.message)));
  });
}

/** Sends one request and waits for its answer; the daemon cancels the work if this process ends. */
export async function ask(
  socket: Socket,
  method: string,
  params: object,
  onProgress?: (message: string) => void,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    let text = '';
    const lost = (): void => reject(new LostDaemonError('The daemon ended before it answered.'));
    socket.setEncoding('utf8');
    socket.on('error', lost).on('close', lost);
    const onData = (chunk: string): void => {
      text += chunk;
      for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n')) {
        const message: unknown = JSON.parse(text.slice(0, end));
        text = text.slice(end + 1);
        if (typeof message !== 'object' || message === null) continue;
        if ('method' in message && message.method === progressMethod) onProgress?.(progressText(message));
        if (!('id' in message)) continue;
        socket.off('error', lost).off('close', lost).off('data', onData);
        if ('error' in message) reject(new RefusedError(errorText(message.error)));
        else resolve('result' in message ? message.result : undefined);
        return;
      }
    };
    socket.on('data', onData);
    socket.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })}\n`);
  });
}

function progressText(message: object): string {
  const params = 'params' in message ? message.params : undefined;
  return typeof params === 'object' && params !== null && 'message' in params ? String(params.message) : '';
}

function errorText(error: unknown): string {
  return typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : String(error);
}
