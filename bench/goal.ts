/** A limit and whether the measurement meets it. */
export interface Goal {
  readonly title: string;
  /** The measured ratio; undefined if it was not measured. */
  readonly value: number | undefined;
  readonly limit: string;
  readonly isMet: boolean | undefined;
  /** The same ratio for raw Playwright: the lower bound for a server that uses its actions. */
  readonly floor?: number | undefined;
}
