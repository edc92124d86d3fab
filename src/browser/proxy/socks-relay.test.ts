import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { connected } from './loopback-proxy.ts';
import { dialSocks } from './socks-relay.ts';

/** A SOCKS 4a proxy that grants every request and then echoes the request, as text. */
test('a SOCKS 4 proxy gets a SOCKS 4a request with the host name', async () => {
  const server = createServer((socket) => {
    socket.once('data', (asked) => {
      socket.write(Buffer.from([0, 0x5a, 0, 0, 0, 0, 0, 0]));
      socket.end(asked);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const proxy = { version: 4, host: '127.0.0.1', port } as const;
    const socket = await connected((kept) => kept, proxy);
    const tunnel = await dialSocks(proxy, socket, 'pages.test', 8080);
    const [echoed] = await once(tunnel, 'data');
    // Version 4, CONNECT, port 8080, the address 0.0.0.1 that announces a name, an empty user, the name.
    expect(String(echoed)).toBe('\u0004\u0001\u001f\ufffd\u0000\u0000\u0000\u0001\u0000pages.test\u0000');
    tunnel.destroy();
  } finally {
    server.close();
  }
});
