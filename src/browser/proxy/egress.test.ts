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
}: Attempt): Promise<{ status: number; dialled: string[]; rules: string[] }> {
  const dialled: string[] = [];
  const network: Network = {
    lookup: async (host) => (names[host] ?? []).map((address) => ({ address })),
    connect: async (_keep, { host }) => {
      dialled.push(host);
      throw new Error('this network has no hosts');
    },
  };
  const policy = new DomainPolicy({ allowedOrigins: [], blockedOrigins: [], ...rules });
  await using egress = await openEgress(policy, upstream, { network });
  const { server, username = '', password = '' } = egress.route;
  const { hostname, port } = new URL(server);
  const basic = Buffer.from(`${username}:${password}`).toString('base64');
  const headers = { 'proxy-authorization': `Basic ${basic}` };
  const asking = request({ hostname, port, method: 'CONNECT', path: target, headers }).end();
  const [response, socket]: [IncomingMessage, PassThrough] = await once(asking, 'connect').then(([a, b]) => [a, b]);
  socket.destroy();
  return { status: response.statusCode ?? 0, dialled, rules: egress.refusals.all().map(({ rule }) => rule) };
}

const refused = { status: 403, dialled: [], rules: [expect.any(String)] };
const notPublic = expect.stringContaining('it is a private or loopback address (--block-private-networks;');

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
  expect(await attempt({ rules, names, target: 'outside.test:443' })).toEqual({
    status: 502,
    dialled: ['192.0.2.1'],
    rules: [],
  });
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
  expect(await through('http://other.test:3128', false)).toEqual({ status: 502, dialled: ['other.test'], rules: [] });
});

/** Private, loopback and reserved addresses, and forms that embed them. */
const privateTargets = [
  '10.0.0.1',
  '127.0.0.1',
  '127.1',
  '0',
  '192.168.1.1',
  '172.31.255.255',
  '100.64.0.1',
  '224.0.0.1',
  '[::1]',
  '[::]',
  '[fd00::1]',
  '[::ffff:10.0.0.1]',
  '[64:ff9b::a00:1]',
  '[2002:a00:1::1]',
  'localhost',
  'a.localhost',
  'inside.test',
];
const names = { 'inside.test': ['10.0.0.1'], 'public.test': ['192.0.2.1'] };

test.each(privateTargets)('with private networks blocked, %s is not dialled', async (host) => {
  for (const allowedDomains of [[], ['*'], ['*', '*.test', '*.example.com']]) {
    const rules = { blockPrivateNetworks: true, allowedDomains };
    const answer = await attempt({ rules, names, target: `${host}:80` });
    expect(answer).toEqual({ status: 403, dialled: [], rules: [notPublic] });
  }
});

test('with private networks blocked, public addresses and exact rules are dialled', async () => {
  const dial = async (target: string, allowedDomains: string[] = []) =>
    (await attempt({ rules: { blockPrivateNetworks: true, allowedDomains }, names, target })).dialled;
  expect(await dial('public.test:80')).toEqual(['192.0.2.1']);
  expect(await dial('inside.test:80', ['*', 'inside.test'])).toEqual(['10.0.0.1']);
  expect(await dial('inside.test:80', ['*', '10.0.0.0/8'])).toEqual(['10.0.0.1']);
  expect(await dial('10.0.0.1:80', ['10.0.0.1'])).toEqual(['10.0.0.1']);
  expect(await dial('a.localhost:80', ['*.localhost'])).toEqual(['127.0.0.1', '::1']);
});

test('metadata addresses are not dialled even if a rule allows them', async () => {
  const rules = { allowedDomains: ['*', '169.254.169.254', 'metadata.google.internal', 'cloud.test'] };
  const cloud = { 'cloud.test': ['192.0.2.1', 'fd00:ec2::254'] };
  for (const host of ['169.254.169.254', 'metadata.google.internal', 'cloud.test', '100.100.100.200', '[fe80::1]']) {
    const answer = await attempt({ rules, names: cloud, target: `${host}:80` });
    expect(answer).toEqual({
      status: 403,
      dialled: [],
      rules: ['link-local and cloud metadata addresses are always denied'],
    });
  }
});

test('a refusal names the rule and the option that sets it', async () => {
  const rules = {
    allowedDomains: ['*.shop.test'],
    blockedDomains: ['ads.shop.test'],
    allowedOrigins: ['http://a.test'],
  };
  expect((await attempt({ rules, target: 'ads.shop.test:443' })).rules).toEqual([
    'the operator of this server has blocked ads.shop.test (--blocked-domains)',
  ]);
  expect((await attempt({ rules, target: 'evil.test:443' })).rules).toEqual([
    'the operator of this server has not allowed its domain (--allowed-domains, --allowed-origins)',
  ]);
});
