/** Requests besides MCP that a daemon answers on its socket. Each is a JSON-RPC message on one line. */
export const methods = {
  /** Version, process, sessions: answered at once, even while calls run. */
  hello: 'pagehelm/hello',
  /** Runs the words of a command line. */
  run: 'pagehelm/run',
  /** Makes this connection an MCP connection, after checking the options of the caller. */
  join: 'pagehelm/join',
  /** Opens the dashboard, unless it is open, and makes a link to it. */
  dashboard: 'pagehelm/dashboard',
  /** Ends the daemon; its sessions are saved. */
  stop: 'pagehelm/stop',
} as const;

export const progressMethod = 'pagehelm/progress';

/** Who asks, and with which options. */
export interface Caller {
  readonly words: readonly string[];
  /** The variables that configure pagehelm. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly version: string;
  readonly tree: string;
}

export interface RunParams extends Caller {
  /** Send progress messages. */
  readonly progress: boolean;
  /** The text of stdin, for commands that read it. */
  readonly input?: string;
}

/** What a command prints, and its exit code. */
export interface RunResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Write stdout to this file instead. */
  readonly file?: string;
}

/** The daemon is older than the caller: it ends, and the caller starts another. */
export interface HandOver {
  readonly handOver: true;
}

export interface Hello {
  readonly version: string;
  readonly pid: number;
  readonly tree: string;
  readonly configFile?: string;
  readonly startedAt: string;
  /** Milliseconds since the last command. */
  readonly idleMs: number;
  readonly calls: number;
  readonly connections: number;
  readonly sessions: readonly { readonly name: string; readonly url?: string; readonly isOpen: boolean }[];
}
