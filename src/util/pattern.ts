/** A compiled search pattern. */
export interface Pattern {
  /** As written, with its flags. */
  readonly shown: string;
  test(text: string): boolean;
}
