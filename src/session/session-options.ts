import type { BrowserContextOptions } from 'playwright-core';
import type { BrowserLease } from '../browser/host.ts';
import type { ProxyRelay } from '../browser/proxy/loopback-proxy.ts';
import { proxyProblem, proxyRoute } from '../config/proxy.ts';
import type { ProxyChoice, ProxyRoute } from '../config/proxy.ts';
import { ToolError } from '../errors.ts';
import { cut, oneLine } from '../util/text.ts';
import type { StorageState } from './persistence/storage-state.ts';

/** Options of one session. */
export interface SessionOptions {
  /** Context options of Playwright; they override the server's. */
  readonly context?: Omit<BrowserContextOptions, 'storageState' | 'proxy'>;
  /** A device to emulate, by Playwright's name. */
  readonly device?: string;
  readonly proxy?: ProxyChoice;
  /** Initial cookies and storage: a file or an object. */
  readonly storageState?: string | StorageState;
}

/** Whether no options were given. */
export function isPlain({ context = {}, ...rest }: SessionOptions): boolean {
  return Object.keys({ ...context, ...rest }).length === 0;
}

/** The options that lists show, without secrets. */
export function traitsOf({ context = {}, device, proxy }: SessionOptions): Readonly<Record<string, unknown>> {
  const { userAgent, viewport, locale, timezoneId, geolocation, permissions, colorScheme, baseURL } = context;
  const traits = { device, userAgent, viewport, locale, timezoneId, geolocation, permissions, colorScheme, baseURL };
  const shown = { ...traits, proxy: proxy === undefined ? undefined : proxyRoute(proxy).server };
  return Object.fromEntries(Object.entries(shown).filter(([, value]) => value !== undefined));
}

/** The options of a session's context. */
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
    // Permissions of the operator are added to those of the session.
    ...(context?.permissions === undefined
      ? {}
      : { permissions: [...new Set([...(lease.contextDefaults.permissions ?? []), ...context.permissions])] }),
    ...proxyOption(proxy, relay),
    // The server's storage state applies unless the session has its own.
    ...(storageState === undefined ? {} : { storageState: state }),
  };
}

/** The relay of a session with its own rules, or to a proxy that needs a login or must be checked by rules. */
export async function relayFor(
  proxy: ProxyChoice | undefined,
  lease: Pick<BrowserLease, 'guard' | 'egress'>,
): Promise<ProxyRelay | undefined> {
  if (proxy === undefined) return lease.egress?.();
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

function proxyOption(
  proxy: ProxyChoice | undefined,
  relay: ProxyRoute | undefined,
): Pick<BrowserContextOptions, 'proxy'> {
  if (relay !== undefined) return { proxy: relay };
  return proxy === undefined ? {} : { proxy: checkedRoute(proxy) };
}

function checkedRoute(proxy: ProxyChoice): ProxyRoute {
  const route = proxyRoute(proxy);
  const problem = proxyProblem(proxy);
  if (problem === undefined) return route;
  const problems = [`${JSON.stringify(cut(oneLine(route.server), 100))} ${problem}.`];
  throw new ToolError('INVALID_ARGUMENT', { problems, accepted: ['proxy'] });
}
