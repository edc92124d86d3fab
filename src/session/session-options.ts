import type { BrowserContextOptions } from 'playwright-core';
import type { BrowserLease } from '../browser/host.ts';
import type { ProxyRelay } from '../browser/proxy/loopback-proxy.ts';
import { proxyProblem, proxyRoute } from '../config/proxy.ts';
import type { ProxyChoice, ProxyRoute } from '../config/proxy.ts';
import { ToolError } from '../errors.ts';
import { cut, oneLine } from '../util/text.ts';
import type { StorageState } from './persistence/storage-state.ts';

/** What makes a session different from the others of its server. */
export interface SessionOptions {
  /** Playwright's own options for its context; they win over the server's. */
  readonly context?: Omit<BrowserContextOptions, 'storageState' | 'proxy'>;
  /** A device to imitate, by Playwright's name for it. */
  readonly device?: string;
  readonly proxy?: ProxyChoice;
  /** Cookies and storage to start with: a file, or the thing itself. */
  readonly storageState?: string | StorageState;
}

/** Nothing was asked for: it is as the operator has every session. */
export function isPlain({ context = {}, ...rest }: SessionOptions): boolean {
  return Object.keys({ ...context, ...rest }).length === 0;
}

/** What of them a list shows: nothing that is secret. */
export function traitsOf({ context = {}, device, proxy }: SessionOptions): Readonly<Record<string, unknown>> {
  const { userAgent, viewport, locale, timezoneId, geolocation, permissions, colorScheme, baseURL } = context;
  const traits = { device, userAgent, viewport, locale, timezoneId, geolocation, permissions, colorScheme, baseURL };
  const shown = { ...traits, proxy: proxy === undefined ? undefined : proxyRoute(proxy).server };
  return Object.fromEntries(Object.entries(shown).filter(([, value]) => value !== undefined));
}

/** All that the context of a session is made with. */
export function contextOptionsOf(
  { context, device, proxy, storageState }: SessionOptions,
  state: StorageState,
  lease: BrowserLease,
  relay: ProxyRoute | undefined,
): BrowserContextOptions {
  return {
    ...lease.contextDefaults,
    ...(device === undefined ? {} : lease.device(device)),
    ...context,
    // What the operator has granted, every page has.
    ...(context?.permissions === undefined
      ? {}
      : { permissions: [...new Set([...(lease.contextDefaults.permissions ?? []), ...context.permissions])] }),
    ...(proxy === undefined ? {} : { proxy: relay ?? checkedRoute(proxy) }),
    // What the server starts every session with stands unless this one has its own.
    ...(storageState === undefined ? {} : { storageState: state }),
  };
}

/** What stands between a browser and a proxy that it cannot log in to, or must not reach without being checked. */
export async function relayFor(
  proxy: ProxyChoice | undefined,
  lease: Pick<BrowserLease, 'guard'>,
): Promise<ProxyRelay | undefined> {
  if (proxy === undefined) return undefined;
  checkedRoute(proxy);
  if (lease.guard !== undefined) return lease.guard(proxy);
  const { server, username, password } = proxyRoute(proxy);
  if (!server.startsWith('socks5:') || username === undefined) return undefined;
  const { hostname, port } = new URL(server);
  const { openSocksRelay } = await import('../browser/proxy/socks-relay.ts');
  const host = hostname.replaceAll(/^\[|\]$/g, '');
  return openSocksRelay({
    version: 5,
    host,
    port: Number(port === '' ? 1080 : port),
    username,
    password: password ?? '',
  });
}

function checkedRoute(proxy: ProxyChoice): ProxyRoute {
  const route = proxyRoute(proxy);
  const problem = proxyProblem(proxy);
  if (problem === undefined) return route;
  const problems = [`${JSON.stringify(cut(oneLine(route.server), 100))} ${problem}.`];
  throw new ToolError('INVALID_ARGUMENT', { problems, accepted: ['proxy'] });
}
