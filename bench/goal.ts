/** A limit, and whether what was measured keeps it. */
export interface Goal {
  readonly title: string;
  /** What was measured, as a share of the limit's base; undefined when it was not measured. */
  readonly value: number | undefined;
  readonly limit: string;
  readonly isMet: boolean | undefined;
  /** The same value for raw Playwright: what is left for a server on it. */
  readonly floor?: number | undefined;
}
