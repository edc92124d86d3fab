import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';

const firstPort = 20_000;
const usualFirstEphemeral = 32_768;
const mostAttempts = 1000;

/**
 * A port for a server of this process, also after restarts of the server. It is not an ephemeral port, so that no outgoing
 * connection takes it while nothing listens there.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    const port = firstPort + Math.floor(Math.random() * (firstEphemeral() - firstPort));
    if (await isReserved(port)) return port;
  }
  throw new Error('there is no free port');
}

/** The UDP port of the same number is the lock between test processes; it is held until this process ends. */
async function isReserved(port: number): Promise<boolean> {
  const lock = createSocket('udp4');
  const server = createServer();
  try {
    lock.bind(port, '127.0.0.1');
    await once(lock, 'listening');
    lock.unref();
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    server.close();
    await once(server, 'close');
    return true;
  } catch {
    lock.close();
    return false;
  }
}

function firstEphemeral(): number {
  try {
    const first = Number.parseInt(readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8'), 10);
    return first > firstPort ? first : usualFirstEphemeral;
  } catch {
    return usualFirstEphemeral;
  }
}
