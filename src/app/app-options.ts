import type { Tool } from '../call/tool.ts';
import type { AppHooks } from '../cluster/worker/hooks.ts';
import type { Config } from '../config/schema/schema.ts';
import type { Logger } from '../log.ts';
import type { Clock } from '../session/store.ts';
import type { Heap } from './sessions/sessions.ts';

export interface AppOptions {
  readonly config: Config;
  readonly log: Logger;
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly clock?: Clock;
  /** Only for a process of our own, not for the library. */
  readonly heap?: Heap | undefined;
  /** Names the saved sessions of this server; default: the working directory. */
  readonly stateName?: string | undefined;
  /** The program of this process, if it may start a second one that keeps the browser. */
  readonly program?: string | undefined;
  /** Further tools, beside our own. */
  readonly tools?: readonly Tool[];
  /** What the processes of a cluster add. */
  readonly hooks?: AppHooks | undefined;
  /** The tools of toolsets with their own names. If not given, such a tool is loaded on its first call. */
  readonly vocabularies?: readonly Tool[];
}
