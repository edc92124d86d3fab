import type { Socket } from 'node:net';
import { SocksClient } from 'socks';
import { connected, openLoopbackProxy } from './loopback-proxy.ts';
import type { Dial, ProxyRelay } from './loopback-proxy.ts';

export interface SocksProxy {
  readonly version: 4 | 5;
  readonly host: string;
  readonly port: number;
  readonly username?: string;
  readonly password?: string;
}

const handshakeLimitMs = 15_000;

/** Browsers do not send credentials to a SOCKS proxy, but they do to an HTTP proxy: this relay translates. */
export async function openSocksRelay(upstream: SocksProxy): Promise<ProxyRelay> {
  const dial: Dial = async (host, port, keep) => dialSocks(upstream, await connected(keep, upstream), host, port);
  return openLoopbackProxy({ dial });
}

/** Asks a SOCKS 4 or 5 proxy, to which the socket is connected, for a connection. The proxy resolves names. */
export async function dialSocks(upstream: SocksProxy, socket: Socket, hostname: string, port: number): Promise<Socket> {
  const { version: type, host: proxyHost, port: proxyPort, username: userId, password } = upstream;
  const host = hostname.replaceAll(/^\[|\]$/g, '');
  const login = userId === undefined ? {} : { userId, password: password ?? '' };
  try {
    await SocksClient.createConnection({
      command: 'connect',
      proxy: { host: proxyHost, port: proxyPort, type, ...login },
      destination: { host, port },
      existing_socket: socket,
      timeout: handshakeLimitMs,
    });
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}
