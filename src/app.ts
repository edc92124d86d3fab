import type { Server, Transport } from '@modelcontextprotocol/server';
import type { AppOptions } from './app/app-options.ts';
import { browserControl, browsersOf } from './app/browsers/browsers.ts';
import { callDeps, callsOf } from './app/calls.ts';
import { withDefaultProfile } from './app/browsers/default-profile.ts';
import { handoffsOf } from './app/handoffs.ts';
import { keyRulesOf } from './app/key-rules.ts';
import { endpointsOf } from './app/endpoints.ts';
import type { Endpoints } from './app/endpoints.ts';
import { observationOf } from './app/observation.ts';
import { offeredTools, withOwnTools } from './app/offered-tools.ts';
import { promptsWith } from './app/prompts.ts';
import { resourcesOf, watchedFiles } from './app/resources.ts';
import { sessionDeps } from './app/sessions/session-deps.ts';
import { storeFor } from './app/sessions/sessions.ts';
import { SessionBinding } from './call/binding.ts';
import type { CallOrigin } from './call/binding.ts';
import type { CallRequest } from './call/dispatch.ts';
import type { CallResult } from './call/answer/report.ts';
import type { Tool } from './call/tool.ts';
import { describeTool } from './mcp/describe.ts';
import { createServer } from './mcp/server.ts';
import { needsVocabularies } from './policy/tools.ts';
import { Session } from './session/session.ts';
import type { DriverId, SessionIdentity } from './session/session.ts';
import type { Clock } from './session/store.ts';
import { version } from './version.ts';

export type { AppOptions };

/** A server without a transport: what the transports, the command line and the library share. */
export interface App extends AsyncDisposable, Endpoints {
  readonly tools: readonly Tool[];
  readonly warnings: readonly string[];
  call(request: Omit<CallRequest, 'driver' | 'signal'> & Partial<CallRequest>): Promise<CallResult>;
  /** A protocol server for one connection. */
  server(driver: DriverId): Server;
  /** Serves both protocol eras on a connection; resolves when it is set up. */
  serve(transport: Transport, driver: DriverId): Promise<AsyncDisposable>;
  describeBrowser(): Promise<string>;
  /** Loads Playwright and starts the configured browsers; runs by itself after the first tools/list. */
  warmUp(): void;
  /** Refuses further calls and waits for those in progress; false if some still run after the time. */
  drain(limitMs: number): Promise<boolean>;
  /** At the end, close a browser that could be kept for the next server. */
  discardBrowsers(): void;
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
  const { cwd = process.cwd(), env = process.env, clock = systemClock, heap } = options;
  const config = withDefaultProfile(options.config, cwd, env);
  const observation = observationOf(config, options.log);
  const { secrets, log, events } = observation;
  const rules = keyRulesOf(config);
  const { stateName = cwd, program } = options;
  const isKnown = (session: string): boolean => store.all().some(({ id }) => id === session);
  const keep = program === undefined ? undefined : { stateName, program, isKnown };
  const isOwnProcess = heap !== undefined;
  const { host, warmUp } = browsersOf(config, { log, env, clock, rules, events, isOwnProcess, keep });
  const own = withOwnTools(options.tools);
  const { tools, warnings, table } = offeredTools(own, options.vocabularies, config);
  // A dialog that no tool can answer would block its page indefinitely.
  const dismissesDialogs = !tools.some((tool) => tool.clears === 'dialog');
  const files = watchedFiles(config, clock);
  const forSessions = sessionDeps(config, { host, log, cwd, secrets, rules, files, events, dismissesDialogs });
  const open = (identity: SessionIdentity): Session => new Session(identity, forSessions);
  const { saver, questionKey, ...hooks } = options.hooks ?? {};
  const saving = { saver, binding: () => binding };
  const forStore = { clock, log, stateName, env, host, heap, files, events, saving };
  const { store, watchers } = storeFor(config, forStore, open);
  const binding = new SessionBinding(store);
  const browser = browserControl(host, store, config.browser);
  const handoffs = handoffsOf(config, log, events);
  const deps = { ...table, handoffs, ...observation, store, binding, browser, ...callDeps(config, log), ...hooks };
  const calls = callsOf(deps, forSessions.workspace, questionKey);
  const mcp = {
    name: config.name,
    version: config.version ?? version,
    tools: tools.map(describeTool),
    ...calls.forProtocol,
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
    ...endpointsOf({ config, own, mcp, deps, calls, rules, host }),
    describeBrowser: async () => host.describe(),
    warmUp,
    drain: async (limitMs) => deps.gate.end(limitMs),
    discardBrowsers: () => host.discard(),
    endSync: () => host.endSync(),
    [Symbol.asyncDispose]: async () => {
      for (const part of [watchers, store, host, calls, observation]) await part[Symbol.asyncDispose]();
      files[Symbol.dispose]();
    },
  };
}
