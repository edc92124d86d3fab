import type { Request } from 'playwright-core';

const mostKinds = 200;
/** Once may be a late effect of an action; what comes again by itself is a poll. */
const isPoll = 2;
const longestBody = 2000;

/**
 * The requests that a page makes by itself, and no action needs to wait for. They are told apart by their body too: many
 * pages send everything to one address.
 */
export class OwnRequests {
  readonly #counts = new Map<string, number>();

  /** Made while nothing that was done could be the reason. */
  note(request: Request): void {
    const kind = kindOf(request);
    if (this.#counts.has(kind) || this.#counts.size < mostKinds) {
      this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1);
    }
  }

  /** An action has waited for it in vain; the next one does not. */
  giveUp(request: Request): void {
    if (this.#counts.size < mostKinds) this.#counts.set(kindOf(request), isPoll);
  }

  has(request: Request): boolean {
    return (this.#counts.get(kindOf(request)) ?? 0) >= isPoll;
  }

  clear(): void {
    this.#counts.clear();
  }
}

function kindOf(request: Request): string {
  const address = request.url().replace(/[?#].*$/s, '');
  return `${request.method()} ${address} ${request.postData()?.slice(0, longestBody) ?? ''}`;
}
