import type { Recorder } from './measure.ts';
import type { AgentBrowserDriver, DevtoolsDriver } from './peer-drivers.ts';
import type { McpDriver, ServerCommand } from './servers.ts';
import type { Site } from './site.ts';

/** The context of a suite: the servers, each with an open browser. */
export interface Suite {
  readonly recorder: Recorder;
  readonly site: Site;
  readonly drivers: readonly McpDriver[];
  /** Other peers with an open browser. */
  readonly others: readonly (DevtoolsDriver | AgentBrowserDriver)[];
  readonly rounds: number;
  readonly progress: (text: string) => void;
}

/** The same server with further arguments. */
export function withArguments<C extends ServerCommand>(command: C, args: readonly string[]): C {
  return { ...command, args: [...command.args, ...args] };
}
