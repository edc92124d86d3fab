import { readFile } from 'node:fs/promises';
import { endianness } from 'node:os';
import type { Socket } from 'node:net';

const table = '/proc/net/tcp';
const loopback = '127.0.0.1';
/** The address as the kernel prints it on a little-endian machine. */
const printedLoopback = '0100007F';

/** Decides whether the process at the other end of a loopback connection runs as the same user. */
export type IsOwnPeer = (socket: Socket) => Promise<boolean>;

/**
 * On Linux the kernel's table of connections has the user of each of them. Elsewhere undefined: the proxy then needs a
 * password, for which Playwright intercepts every request and disables the HTTP cache.
 */
export async function ownPeers(): Promise<IsOwnPeer | undefined> {
  const uid = process.getuid?.();
  if (process.platform !== 'linux' || endianness() !== 'LE' || uid === undefined) return undefined;
  const isReadable = await readFile(table, 'latin1').then(
    (text) => text.includes('uid'),
    () => false,
  );
  return isReadable ? async (socket) => (await userOf(socket)) === uid : undefined;
}

async function userOf({ remoteAddress, remotePort, localPort }: Socket): Promise<number | undefined> {
  if (remoteAddress !== loopback || remotePort === undefined || localPort === undefined) return undefined;
  const text = await readFile(table, 'latin1');
  const start = text.indexOf(` ${printed(remotePort)} ${printed(localPort)} `);
  if (start < 0) return undefined;
  const fields = text.slice(start, text.indexOf('\n', start)).trim().split(/\s+/);
  // local_address rem_address st tx:rx tr:when retrnsmt uid
  return Number(fields[6]);
}

function printed(port: number): string {
  return `${printedLoopback}:${port.toString(16).toUpperCase().padStart(4, '0')}`;
}
