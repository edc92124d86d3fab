import { once } from 'node:events';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { DomainPolicy } from '../../policy/domains.ts';
import { openEgress } from './egress.ts';
import type { Network, Upstream } from './egress.ts';

interface Attempt {
  readonly rules: Partial<ConstructorParameters<typeof DomainPolicy>[0]>;
  readonly target: string;
  readonly names?: Readonly<Record<string, readonly string[]>>;
  readonly upstream?: Upstream;
}

/** Asks the egress for a tunnel; nothing leaves the process. Returns the HTTP status and the addresses it dialled. */
async function attempt({
  rules,
  target,
  names = {},
  upstream,
}: Attempt): Promise<{ status: number; dialled: string[] }> {
  const dialled: string[] = [];
  const network: Network = {
    lookup: async (host) => (names[host] ?? []).map((address) => ({ address })),
    connect: async (_keep, { host }) => {
      dialled.push(host);
      throw new Error('this network has no hosts');
    },
  };
  const policy = new DomainPolicy({ allowedOrigins: [], blockedOrigins: [], ...rules });
  await using egress = await openEgress(policy, upstream, network);
  const { server, username, password } = egress.route;
  const { hostname, port } = new URL(server);
  const basic = Buffer.from(`${username}:${password}`).toString('base64');
  const headers = { 'proxy-authorization': `Basic ${basic}` };
  const asking = request({ hostname, port, method: 'CONNECT', path: target, headers }).end();
  const [response, socket]: [IncomingMessage, PassThrough] = await once(asking, 'connect').then(([a, b]) => [a, b]);
  socket.destroy();
  return { status: response.statusCode ?? 0, dialled };
}

const refused = { status: 403, dialled: [] };

test.each([
  '127.0.0.2:80',
  '[::ffff:127.0.0.2]:80',
  '[::127.0.0.2]:80',
  '[64:ff9b::7f00:2]:80',
  '[2002:7f00:2::1]:80',
  '0x7f.2:80',
  '2130706434:80',
])('a blocked address is not dialled as %s', async (target) => {
  expect(await attempt({ rules: { blockedDomains: ['127.0.0.2'] }, target })).toEqual(refused);
});

test('a name that resolves to a blocked network is not dialled', async () => {
  const rules = { blockedDomains: ['10.0.0.0/8'] };
  const names = { 'inside.test': ['192.0.2.1', '10.1.2.3'], 'outside.test': ['192.0.2.1'] };
  expect(await attempt({ rules, names, target: 'inside.test:443' })).toEqual(refused);
  expect(await attempt({ rules, names, target: 'outside.test:443' })).toEqual({ status: 502, dialled: ['192.0.2.1'] });
});

test('metadata addresses are never dialled, neither directly nor by name nor through a proxy', async () => {
  const rules = { allowedDomains: ['*'] };
  const names = { 'cloud.test': ['169.254.169.254'] };
  const upstream = { server: 'http://proxy.test:3128', isFromCaller: false };
  expect(await attempt({ rules, target: '[::ffff:a9fe:a9fe]:80' })).toEqual(refused);
  expect(await attempt({ rules, names, target: 'cloud.test:80' })).toEqual(refused);
  expect(await attempt({ rules, upstream, target: '169.254.169.254:80' })).toEqual(refused);
});

test('the proxy of a caller is checked by name and by address, the proxy of the operator is not', async () => {
  const rules = { allowedDomains: ['shop.test', 'proxy.test'], blockedDomains: ['10.0.0.0/8'] };
  const names = { 'proxy.test': ['10.0.0.1'] };
  const through = async (server: string, isFromCaller: boolean) =>
    attempt({ rules, names, target: 'shop.test:443', upstream: { server, isFromCaller } });
  expect(await through('http://other.test:3128', true)).toEqual(refused);
  expect(await through('http://proxy.test:3128', true)).toEqual(refused);
  expect(await through('http://other.test:3128', false)).toEqual({ status: 502, dialled: ['other.test'] });
});
