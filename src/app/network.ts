import type { Registry } from 'prom-client';
import type { BrowserHost } from '../browser/host.ts';
import { denyOwnPort } from '../browser/proxy/loopback-proxy.ts';
import { driverOf } from '../call/binding.ts';
import type { NetworkCaller } from '../call/binding.ts';
import type { DispatchDeps } from '../call/dispatch.ts';
import type { Tool } from '../call/tool.ts';
import type { ApiKey, KeyScope } from '../config/schema/keys.ts';
import type { Config } from '../config/schema/schema.ts';
import { Dashboard } from '../dashboard/routes.ts';
import { describeTool } from '../mcp/describe.ts';
import { createServer } from '../mcp/server.ts';
import type { McpDeps } from '../mcp/server.ts';
import type { Session } from '../session/session.ts';
import { Metrics } from '../telemetry/metrics.ts';
import type { Endpoint } from '../transport/http/endpoint.ts';
import { endpointsOf } from './browsers/browsers.ts';
import type { Calls } from './calls.ts';
import type { KeyRules } from './key-rules.ts';
import { offeredTools } from './offered-tools.ts';
import { cachedProblem, queueProblem } from './readiness.ts';

export interface NetworkEndpoint extends Endpoint, AsyncDisposable {
  readonly registry: Registry;
  /** Called with the origin when the port is open: pages must not reach it, and people are given links to it. */
  listensAt(origin: string): void;
  /** Undefined with --no-dashboard. */
  readonly dashboard: Dashboard | undefined;
  /** Takes the rules of changed keys. Throws if they cannot be enforced; then the old ones stay. */
  setKeys(keys: readonly ApiKey[]): void;
}

export interface NetworkDeps {
  readonly config: Config;
  readonly own: readonly Tool[];
  readonly vocabularies: readonly Tool[];
  readonly mcp: McpDeps;
  readonly deps: DispatchDeps;
  readonly calls: Calls;
  readonly rules: KeyRules;
  readonly host: Pick<BrowserHost, 'describe'>;
}

/** What the protocol needs, by the scope of a key: each scope has its own tools. */
function scopedDeps({ config, own, vocabularies, mcp, calls }: NetworkDeps): (scope?: KeyScope) => McpDeps {
  const scoped = new Map<string, McpDeps>();
  return (scope = {}) => {
    const { readOnly = config.readOnly, toolsets = config.toolsets } = scope;
    if (readOnly === config.readOnly && toolsets === config.toolsets) return mcp;
    const key = JSON.stringify([readOnly, toolsets]);
    const known = scoped.get(key);
    if (known !== undefined) return known;
    // A server that is read-only stays so for every key.
    const { tools, table } = offeredTools(own, vocabularies, {
      ...config,
      readOnly: readOnly || config.readOnly,
      toolsets,
    });
    const made = {
      ...mcp,
      tools: tools.map(describeTool),
      nameOf: table.nameOf,
      call: async (request) => calls.call(request, table),
    } satisfies McpDeps;
    scoped.set(key, made);
    return made;
  };
}

function dashboardOf({ config, mcp, deps }: NetworkDeps, isShared: boolean): Dashboard {
  return new Dashboard({
    ...deps,
    version: mcp.version,
    redact: (value) => deps.secrets.redactAll(value),
    publicUrl: config.dashboardUrl,
    driverOf: ({ name }) => driverOf({ key: name, connection: undefined }, isShared),
  });
}

/** Serves network clients: each key has its own sessions, and the tools of its scope. */
export function networkEndpoint(parts: NetworkDeps): NetworkEndpoint {
  const { config, mcp, deps, rules } = parts;
  const { store, binding, log } = deps;
  // Without keys, the clients of a profile or of an external browser see the same pages anyway.
  const isShared = config.sharedBrowserContext || (!config.auth && hasOneContext(config));
  const metrics = new Metrics({
    events: deps.events,
    sessions: () => store.all(),
    subscribers: () => mcp.resources.changes.size,
  });
  const dashboard = config.dashboard === false ? undefined : dashboardOf(parts, isShared);
  let ownPort: Disposable | undefined;
  const browserProblem = cachedProblem(async () => parts.host.describe());
  const depsFor = scopedDeps(parts);
  const close = (session: Session): void =>
    void store.close(session).catch((error: unknown) => log.warn('closing a session failed', { error }));
  return {
    server: ({ key, connection, scope, hold }, era) => {
      const driver = driverOf({ key, connection }, isShared);
      const origin = { driver, connection, maxSessions: scope?.maxSessions };
      // Requests without a connection get their notifications from `changes`.
      return createServer(depsFor(scope), origin, { isFiltered: era === 'modern' && connection !== undefined, hold });
    },
    changes: (caller, listener) => mcp.resources.changes.listen(driverOf(caller, isShared), listener),
    file: async (caller, uri) => {
      const resources = await mcp.resources.load();
      return resources.file({ origin: { driver: driverOf(caller, isShared) } }, uri);
    },
    ended: (caller) => {
      if (caller.connection !== undefined) binding.forget(caller.connection);
      if (!isOwnDriver(caller, isShared)) return;
      // No later connection can be this driver, so nothing could use its sessions or close them.
      for (const session of store.list(driverOf(caller, isShared))) close(session);
    },
    setKeys: (keys) => {
      const changed = rules.replace(keys).flatMap((driver) => store.list(driver));
      // Open connections of a page are not checked again, and a context without a proxy cannot get one.
      for (const session of changed) if (session.isOpen || session.calls > 0) close(session);
    },
    registry: metrics.registry,
    unready: async () => (await browserProblem()) ?? queueProblem(store.all(), config.session.queueLimit),
    dashboard,
    listensAt: (origin) => {
      ownPort = denyOwnPort(portOf(origin));
      dashboard?.listensAt(origin);
    },
    [Symbol.asyncDispose]: async () => {
      ownPort?.[Symbol.dispose]();
      await dashboard?.[Symbol.asyncDispose]();
      metrics[Symbol.dispose]();
    },
  };
}

function portOf(origin: string): number {
  const { port, protocol } = new URL(origin);
  return Number(port === '' ? (protocol === 'https:' ? 443 : 80) : port);
}

/** Whether the default sessions of all drivers are one browser context. */
export function hasOneContext({ browser }: Config): boolean {
  return !browser.isolated && (browser.userDataDir !== undefined || endpointsOf(browser) !== undefined);
}

function isOwnDriver({ key, connection }: NetworkCaller, isShared: boolean): boolean {
  return !isShared && key === undefined && connection !== undefined;
}
