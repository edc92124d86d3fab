/** An endpoint that cannot be reached is left out for this time, and for twice as long after each further failure. */
const firstPauseMs = 1000;
const longestPauseMs = 60_000;

/** How many sessions an endpoint has, and whether it answered last time. Times are those of a monotonic clock. */
export class EndpointHealth {
  /** Sessions at it, and calls that connect to it. */
  users = 0;
  #failures = 0;
  #retryAt = 0;

  isReady(now: number): boolean {
    return now >= this.#retryAt;
  }

  /** When it is tried again. */
  get retryAt(): number {
    return this.#retryAt;
  }

  answered(): void {
    this.#failures = 0;
    this.#retryAt = 0;
  }

  /** Returns for how long it is left out. */
  failed(now: number): number {
    const pauseMs = Math.min(firstPauseMs * 2 ** this.#failures, longestPauseMs);
    this.#failures++;
    this.#retryAt = now + pauseMs;
    return pauseMs;
  }
}

interface Candidate {
  readonly health: EndpointHealth;
}

/**
 * The endpoint to try next: the preferred one, else the one with the fewest sessions. Those that failed lately come last,
 * the one whose pause ends first before the others: with nothing else to try, a call is better served by trying.
 */
export function nextEndpoint<E extends Candidate>(
  candidates: readonly E[],
  preferred: E | undefined,
  now: number,
): E | undefined {
  if (preferred !== undefined && candidates.includes(preferred) && preferred.health.isReady(now)) return preferred;
  const ready = candidates.filter(({ health }) => health.isReady(now));
  const [fewest] = ready.toSorted((a, b) => a.health.users - b.health.users);
  const [earliest] = candidates.toSorted((a, b) => a.health.retryAt - b.health.retryAt);
  return fewest ?? earliest;
}
