import { Ring } from '../../util/ring.ts';

/** A connection that the egress proxy of a session refused. */
export interface Refusal {
  readonly host: string;
  readonly port: number;
  /** The rule, and the option that sets it. */
  readonly rule: string;
  readonly at: number;
}

/** A page can be refused without limit. */
const capacity = 500;

/** The refusals of one session, newest last. */
export class Refusals {
  readonly #entries = new Ring<Refusal>(capacity);
  readonly #onAdd: ((refusal: Refusal) => void) | undefined;
  #count = 0;

  constructor(onAdd?: (refusal: Refusal) => void) {
    this.#onAdd = onAdd;
  }

  /** How many there were, also those that the log no longer has. */
  get count(): number {
    return this.#count;
  }

  add(host: string, port: number, rule: string): void {
    this.#count++;
    const refusal = { host, port, rule, at: performance.now() };
    this.#entries.push(refusal);
    this.#onAdd?.(refusal);
  }

  all(): readonly Refusal[] {
    return this.#entries.items();
  }

  /** Why a URL was refused, if it was: the latest refusal of its host and port. */
  ruleFor(url: string): string | undefined {
    if (this.#count === 0 || !URL.canParse(url)) return undefined;
    const { protocol, hostname, port } = new URL(url);
    const number = port === '' ? (/^(?:https|wss):$/.test(protocol) ? 443 : 80) : Number(port);
    const host = hostname.replaceAll(/^\[|\]$/g, '').replace(/\.$/, '');
    return this.all().findLast((entry) => entry.host === host && entry.port === number)?.rule;
  }
}
