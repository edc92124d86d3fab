import type { Report } from '../call/answer/report.ts';
import { UnknownToolError } from '../call/tool.ts';
import type { DispatchDeps } from '../call/dispatch.ts';
import type { Tool } from '../call/tool.ts';
import type { Config } from '../config/schema/schema.ts';
import type { DriverId } from '../session/session.ts';
import type { Calls } from './calls.ts';
import { offeredTools } from './offered-tools.ts';

/** The driver of all clients on the socket of a daemon. */
export const socketDriver: DriverId = 'socket';

export interface CommandCall {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Name of the session, which is created if there is none. */
  readonly session: string | undefined;
  readonly signal: AbortSignal;
  readonly progress: (message: string) => void;
}

export interface SessionSummary {
  readonly name: string;
  readonly url?: string;
  readonly isOpen: boolean;
}

/** What the commands of a command line use: all tools that the operator allows, in the sessions of one driver. */
export interface CommandEndpoint {
  readonly tools: readonly Tool[];
  call(call: CommandCall): Promise<Report>;
  sessions(): readonly SessionSummary[];
  /** Calls that are running or waiting. */
  readonly running: number;
}

export interface CommandDeps {
  readonly config: Config;
  readonly own: readonly Tool[];
  readonly vocabularies: readonly Tool[];
  readonly deps: DispatchDeps;
  readonly calls: Calls;
  /** The name of a tool in texts for the caller. */
  readonly nameOf: (tool: string) => string | undefined;
}

/** Aliases are left out: they are the same tools under other names, with other answers. */
const toolsets: Config['toolsets'] = ['all'];

export function commandEndpoint({ config, own, vocabularies, deps, calls, nameOf }: CommandDeps): CommandEndpoint {
  const { tools: all, table } = offeredTools(own, vocabularies, { ...config, toolsets });
  const tools = all.filter(({ name, does }) => name === does);
  const offered = new Set(tools.map(({ name }) => name));
  const named = { ...table, nameOf: (tool: string) => (offered.has(tool) ? nameOf(tool) : undefined) };
  const { store } = deps;
  return {
    tools,
    call: async ({ name, args, session, signal, progress }) => {
      const isMissing = session !== undefined && !store.list(socketDriver).some((each) => each.name === session);
      let report: Report | undefined;
      // A command that only closes or lists sessions must not open one.
      const opens = tools.find((tool) => tool.name === name)?.scope !== 'driver';
      if (isMissing && opens && session !== 'default') store.create(socketDriver, { name: session });
      await calls.call({ driver: socketDriver, name, args, signal, progress }, named, (made) => (report = made));
      if (report === undefined) throw new UnknownToolError(name, undefined);
      return report;
    },
    sessions: () =>
      store.list(socketDriver).map(({ name, isOpen, current }) => {
        return { name, isOpen, ...(current === undefined ? {} : { url: current.page.url() }) };
      }),
    get running() {
      return store.all().reduce((sum, { calls: count }) => sum + count, 0);
    },
  };
}
