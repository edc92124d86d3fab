import type { Recorder } from './measure.ts';
import type { McpDriver, ServerCommand } from './servers.ts';
import type { Site } from './site.ts';

/** What a suite works with: the servers only, each with its browser open. */
export interface Suite {
  readonly recorder: Recorder;
  readonly site: Site;
  readonly drivers: readonly McpDriver[];
  readonly rounds: number;
  readonly progress: (text: string) => void;
}

/** The same server, started with further arguments. */
export function withArguments(command: ServerCommand, args: readonly string[]): ServerCommand {
  return { ...command, args: [...command.args, ...args] };
}
