import { lookup as lookupName } from 'node:dns/promises';
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { isIP, isIPv6 } from 'node:net';
import type { Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import { proxyRoute } from '../../config/proxy.ts';
import type { ProxyChoice } from '../../config/proxy.ts';
import { alwaysDenied, isDeniedHost, plainHost } from '../../policy/denied-hosts.ts';
import { isHostOf } from '../../policy/domains.ts';
import type { DomainPolicy } from '../../policy/domains.ts';
import { isLoopback } from '../../policy/addresses.ts';
import { RefusedError, connected, dialLimitMs, isOwnPort, openLoopbackProxy } from './loopback-proxy.ts';
import type { Dial, Keep, ProxyRelay } from './loopback-proxy.ts';
import { Refusals } from './refusals.ts';
import { dialSocks } from './socks-relay.ts';

/** The proxy behind this one. */
export interface Upstream extends ProxyChoice {
  /** A caller chose it for a session; otherwise the operator configured it. */
  readonly isFromCaller: boolean;
}

/** Name resolution and TCP connections; tests replace them. */
export interface Network {
  readonly lookup: (host: string) => Promise<readonly { readonly address: string }[]>;
  readonly connect: typeof connected;
}

const systemNetwork: Network = { lookup: async (host) => lookupName(host, { all: true }), connect: connected };

/**
 * The only way out of a session with domain rules. Every connection is checked here by name and, if it is opened here,
 * by the address that is then dialled: pages, redirects and service workers cannot avoid it.
 */
export async function openEgress(
  policy: DomainPolicy,
  upstream: Upstream | undefined,
  { network = systemNetwork, refusals = new Refusals() }: { network?: Network; refusals?: Refusals } = {},
): Promise<ProxyRelay> {
  const names = new NameCache(network.lookup);
  const checked = { connect: network.connect, lookup: async (host: string) => names.lookup(host) };
  const check = (hostname: string, port: number): void => {
    const host = plainHost(hostname);
    refuseIf(isDeniedHost(host) ? alwaysDenied : policy.verdict(host, port));
    refuseIf(isOwnPort(port) && isLoopback(host) ? ownProxy : undefined);
  };
  const dial: Dial = async (hostname, port, keep) => {
    const host = plainHost(hostname);
    check(host, port);
    const isDirect = upstream === undefined || isBypassed(host, port, upstream.bypass);
    if (isDirect) return dialDirect({ policy, network: checked, keep }, host, port);
    const proxy = placeOf(upstream);
    // The operator's proxy is trusted. A caller's proxy could be any host, so it is checked like one.
    const socket = upstream.isFromCaller
      ? await dialChecked({ policy, network: checked, keep }, proxy.host, proxy.port)
      : await network.connect(keep, proxy);
    return dialThrough(upstream, await secured(socket, proxy, keep), host, port);
  };
  return openLoopbackProxy({ dial, check, limits: policy.limits, refusals });
}

const namesKept = 1000;
const nameKeptMs = 30_000;

/** Resolved names, for a short time: without it, every connection would ask the resolver again. */
class NameCache {
  readonly #lookup: Network['lookup'];
  readonly #known = new Map<string, { readonly until: number; readonly found: ReturnType<Network['lookup']> }>();

  constructor(lookup: Network['lookup']) {
    this.#lookup = lookup;
  }

  async lookup(host: string): ReturnType<Network['lookup']> {
    const known = this.#known.get(host);
    if (known !== undefined && known.until > performance.now()) return known.found;
    if (this.#known.size >= namesKept) this.#known.clear();
    const found = this.#lookup(host);
    this.#known.set(host, { until: performance.now() + nameKeptMs, found });
    // A failure is not kept: the network may be back.
    found.catch(() => this.#known.delete(host));
    return found;
  }
}

/** Why the rules do not allow a proxy, as far as its URL tells; the addresses are checked when it is dialled. */
export function proxyVerdict(policy: DomainPolicy, proxy: ProxyChoice): string | undefined {
  const { host, port } = placeOf(proxy);
  return isDeniedHost(host) ? alwaysDenied : policy.verdict(host, port);
}

const ownProxy = 'ports of this server are always denied';

function refuseIf(rule: string | undefined): void {
  if (rule !== undefined) throw new RefusedError(rule);
}

/** Reads a bypass list as browsers do. */
function isBypassed(host: string, port: number, bypass = ''): boolean {
  return bypass.split(',').some((entry) => {
    const [pattern = '', only] = entry.trim().toLowerCase().split(':');
    return pattern !== '' && (only === undefined || only === String(port)) && isHostOf(pattern, host);
  });
}

interface Dialing {
  readonly policy: DomainPolicy;
  readonly network: Network;
  readonly keep: Keep;
}

async function dialChecked(dialing: Dialing, host: string, port: number): Promise<Socket> {
  refuseIf(dialing.policy.verdict(host, port));
  return dialDirect(dialing, host, port);
}

/** Resolves the name once and dials an address that was checked: a second lookup could return another one. */
async function dialDirect({ policy, network, keep }: Dialing, host: string, port: number): Promise<Socket> {
  const found = await addressesOf(host, network);
  for (const { address } of found) {
    refuseIf(isDeniedHost(address) ? alwaysDenied : policy.verdictOnAddress(address, port, host));
    refuseIf(isOwnPort(port) && isLoopback(address) ? ownProxy : undefined);
  }
  let failure: unknown;
  for (const { address } of found) {
    try {
      return await network.connect(keep, { host: address, port });
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

async function addressesOf(host: string, { lookup }: Network): Promise<readonly { readonly address: string }[]> {
  if (isIP(host) !== 0) return [{ address: host }];
  // Browsers resolve these names without DNS.
  if (/(?:^|\.)localhost$/.test(host)) return [{ address: '127.0.0.1' }, { address: '::1' }];
  return lookup(host);
}

const defaultPorts: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

interface ProxyPlace {
  readonly protocol: string;
  readonly host: string;
  readonly port: number;
}

function placeOf(proxy: ProxyChoice): ProxyPlace {
  const { protocol, hostname, port } = new URL(proxyRoute(proxy).server);
  return { protocol, host: plainHost(hostname), port: Number(port === '' ? (defaultPorts[protocol] ?? 1080) : port) };
}

/** Connects with TLS to a proxy with an https URL. */
async function secured(socket: Socket, { protocol, host }: ProxyPlace, keep: Keep): Promise<Socket> {
  if (protocol !== 'https:') return socket;
  const secure = keep(connectSecurely({ socket, servername: isIP(host) === 0 ? host : '' }));
  try {
    await once(secure, 'secureConnect', { signal: AbortSignal.timeout(dialLimitMs) });
    return secure;
  } catch (error) {
    secure.destroy();
    throw error;
  }
}

async function dialThrough(upstream: ProxyChoice, socket: Socket, host: string, port: number): Promise<Socket> {
  const { username, password } = proxyRoute(upstream);
  const { protocol, ...place } = placeOf(upstream);
  const login = username === undefined ? {} : { username, password: password ?? '' };
  if (protocol.startsWith('socks')) {
    return dialSocks({ version: protocol === 'socks4:' ? 4 : 5, ...place, ...login }, socket, host, port);
  }
  const target = `${isIPv6(host) ? `[${host}]` : host}:${port}`;
  const basic = Buffer.from(`${username}:${password ?? ''}`).toString('base64');
  const asking = httpRequest({
    method: 'CONNECT',
    path: target,
    headers: { host: target, ...(username === undefined ? {} : { 'proxy-authorization': `Basic ${basic}` }) },
    createConnection: () => socket,
  }).end();
  try {
    const answer: unknown[] = await once(asking, 'connect', { signal: AbortSignal.timeout(dialLimitMs) });
    return tunnelOf(answer, socket);
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

/** The arguments of the `connect` event: the response, the socket, and what came after the header. */
function tunnelOf([response, , head]: readonly unknown[], socket: Socket): Socket {
  // Node documents the type of this event.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const { statusCode = 0 } = response as IncomingMessage;
  if (statusCode < 200 || statusCode > 299) throw new Error(`the proxy refused the connection (${statusCode})`);
  if (Buffer.isBuffer(head) && head.length > 0) socket.unshift(head);
  return socket;
}
