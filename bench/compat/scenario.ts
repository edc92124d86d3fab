/** A call: the tool and its arguments. */
export type Step = readonly [tool: string, args?: Readonly<Record<string, unknown>>];

/**
 * Calls that are sent to both servers. In texts, `{{site}}` is the address of the test site, `{{page}}` that of the page of
 * the scenario, `{{folder}}` the working directory, and `{{ref:button "Go"}}` the ref of that line in the last snapshot.
 */
export interface Scenario {
  readonly name: string;
  /** Served and opened before the first call. */
  readonly page?: string;
  readonly steps: readonly Step[];
}

/** Scenarios that share one pair of servers. */
export interface Group {
  readonly name: string;
  readonly flags?: readonly string[];
  /** Content of the configuration file, merged with that of all groups. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** Files of the working directory. */
  readonly files?: Readonly<Record<string, string>>;
  /** How the clients connect, default stdio. */
  readonly transport?: 'stdio' | 'http';
  /** The folder, below the working directory, that the client declares as its root. */
  readonly root?: string;
  /** The servers connect to running browsers, each to one of its own with a blank page. */
  readonly attached?: boolean;
  /** How long the peer waits after an action, if what the action causes must be over by then. */
  readonly peerSettleMs?: number;
  readonly scenarios: readonly Scenario[];
}

/** One scenario for each row of a table. */
export function each<T>(
  rows: Readonly<Record<string, T>>,
  make: (row: T) => Omit<Scenario, 'name'>,
): readonly Scenario[] {
  return Object.entries(rows).map(([name, row]) => ({ name, ...make(row) }));
}
