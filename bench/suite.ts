import type { Recorder } from './measure.ts';
import type { McpDriver, ServerCommand } from './servers.ts';
import type { Site } from './site.ts';

/** The context of a suite: the servers, each with an open browser. */
export interface Suite {
  readonly recorder: Recorder;
  readonly site: Site;
  readonly drivers: readonly McpDriver[];
  readonly rounds: number;
  readonly progress: (text: string) => void;
}

/** The same server with further arguments. */
export function withArguments(command: ServerCommand, args: readonly string[]): ServerCommand {
  return { ...command, args: [...command.args, ...args] };
}
