import type { Server, Transport } from '@modelcontextprotocol/server';
import { browserControl, browsersOf } from './app/browsers.ts';
import { callsOf } from './app/calls.ts';
import { KeyRules } from './app/key-rules.ts';
import type { NetworkEndpoint } from './app/network.ts';
import { offeredTools } from './app/offered-tools.ts';
import { promptsWith } from './app/prompts.ts';
import { resourcesOf, watchedFiles } from './app/resources.ts';
import { sessionDeps, storeFor } from './app/sessions.ts';
import type { Heap } from './app/sessions.ts';
import { SessionBinding } from './call/binding.ts';
import type { CallOrigin } from './call/binding.ts';
import type { CallRequest } from './call/dispatch.ts';
import type { CallResult } from './call/answer/report.ts';
import type { Tool } from './call/tool.ts';
import type { ApiKey } from './config/schema/keys.ts';
import type { Config } from './config/schema/schema.ts';
import { mapLogger } from './log.ts';
import type { Logger } from './log.ts';
import { describeTool } from './mcp/describe.ts';
import { createServer } from './mcp/server.ts';
import { DomainPolicy } from './policy/domains.ts';
import { Secrets } from './policy/secrets.ts';
import { needsVocabularies } from './policy/tools.ts';
import { Session } from './session/session.ts';
import type { DriverId } from './session/session.ts';
import type { Clock } from './session/store.ts';
import { tools as ownTools } from './tools/index.ts';
import { version } from './version.ts';

export interface AppOptions {
  readonly config: Config;
  readonly log: Logger;
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly clock?: Clock;
  /** Only for a process of our own, not for the library. */
  readonly heap?: Heap | undefined;
  /** Further tools, beside our own. */
  readonly tools?: readonly Tool[];
  /** The tools of toolsets with their own names. If not given, such a tool is loaded on its first call. */
  readonly vocabularies?: readonly Tool[];
}

/** A server without a transport: what the transports, the command line and the library share. */
export interface App extends AsyncDisposable {
  readonly tools: readonly Tool[];
  readonly warnings: readonly string[];
  call(request: Omit<CallRequest, 'driver' | 'signal'> & Partial<CallRequest>): Promise<CallResult>;
  /** A protocol server for one connection. */
  server(driver: DriverId): Server;
  /** Serves both protocol eras on a connection; resolves when it is set up. */
  serve(transport: Transport, driver: DriverId): Promise<AsyncDisposable>;
  /** What the network transports serve to the holders of these keys; called before a browser starts. */
  network(keys?: readonly ApiKey[]): Promise<NetworkEndpoint>;
  describeBrowser(): Promise<string>;
  /** Loads Playwright and starts the configured browsers; runs by itself after the first tools/list. */
  warmUp(): void;
  /** Ends all processes synchronously, for the exit of this one. */
  endSync(): void;
}

const systemClock: Clock = {
  now: () => performance.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    timer.unref();
    return { [Symbol.dispose]: () => clearTimeout(timer) };
  },
};

/** As `createApp`, with the vocabularies the configuration needs, after the checks that need Playwright. */
export async function loadApp(options: AppOptions): Promise<App> {
  const { device } = options.config.browser;
  if (device !== undefined) await (await import('./browser/check-device.ts')).checkDevice(device);
  return createApp(
    needsVocabularies(options.config) ? { ...options, ...(await import('./tools/vocabularies/index.ts')) } : options,
  );
}

/** Config in, wired object graph out. */
export function createApp(options: AppOptions): App {
  const { config, cwd = process.cwd(), env = process.env, clock = systemClock, heap } = options;
  const secrets = new Secrets(config.secrets);
  const log = mapLogger(options.log, (value) => secrets.redactAll(value));
  const rules = new KeyRules(new DomainPolicy({ ...config.security, ...config.network }));
  const { host, warmUp } = browsersOf(config, { log, env, clock, rules });
  const own = [...ownTools, ...(options.tools ?? [])];
  const { tools, warnings, table } = offeredTools(own, options.vocabularies, config);
  // A dialog that no tool can answer would block its page indefinitely.
  const dismissesDialogs = !tools.some((tool) => tool.clears === 'dialog');
  const files = watchedFiles(config, clock);
  const forSessions = sessionDeps(config, { host, log, cwd, secrets, rules, files, dismissesDialogs });
  const { store, watchers } = storeFor(
    config,
    { clock, log, cwd, env, host, heap, files },
    (identity) => new Session(identity, forSessions),
  );
  const browser = browserControl(host, store, config.browser);
  const binding = new SessionBinding(store);
  const deps = { ...table, store, binding, browser, config, secrets, log, now: () => new Date() };
  const calls = callsOf(deps, forSessions.workspace);
  const mcp = {
    name: config.name,
    version: config.version ?? version,
    tools: tools.map(describeTool),
    call: calls.call,
    onListed: warmUp,
    nameOf: table.nameOf,
    sessionsOf: (origin: CallOrigin) => binding.sessionsOf(origin),
    filesOf: ({ driver }: CallOrigin) => files.artifacts.list(driver),
    ...promptsWith(secrets, binding),
    resources: resourcesOf(files, { store, binding, secrets, config }),
  };
  return {
    tools,
    warnings,
    call: async (request) => calls.call({ driver: 'library', signal: new AbortController().signal, ...request }),
    server: (driver) => createServer(mcp, { driver }),
    serve: async (transport, driver) => {
      const { serveWire } = await import('./transport/http/wire.ts');
      return serveWire(transport, (era) => createServer(mcp, { driver }, { isFiltered: era === 'modern' }), log);
    },
    network: async (keys = []) => {
      rules.replace(keys);
      const { networkEndpoint } = await import('./app/network.ts');
      const { vocabularies } = await import('./tools/vocabularies/index.ts');
      return networkEndpoint({ config, own, vocabularies, mcp, deps, calls, rules });
    },
    describeBrowser: async () => host.describe(),
    warmUp,
    endSync: () => host.endSync(),
    [Symbol.asyncDispose]: async () => {
      await watchers[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
      await host[Symbol.asyncDispose]();
      await calls[Symbol.asyncDispose]();
      files[Symbol.dispose]();
    },
  };
}
