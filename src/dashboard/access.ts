import { createHash, randomBytes } from 'node:crypto';
import type { Person } from '../session/control/control.ts';
import type { Scope } from './protocol.ts';

/** What the holder of a cookie may see and do. */
export interface Pass {
  /** Whose sessions; undefined: of all drivers. */
  readonly driver: string | undefined;
  readonly scope: Scope;
  /** The only session, for a link that an agent requested. */
  readonly session?: string;
  /** For other people; default: the driver. */
  readonly name?: string;
}

/** A person who was let in. Control belongs to the visit, so that it outlives connections. */
export interface Visitor extends Pass {
  readonly person: Person;
}

/** Both are needed: the cookie is sent to every port of this host, the token is kept by the origin of the page. */
export interface Entrance {
  readonly cookie: string;
  readonly token: string;
}

interface Ticket {
  readonly pass: Pass;
  readonly until: number;
}

interface Visit extends Ticket {
  readonly token: string;
}

const ticketMs = 60_000;
const visitMs = 8 * 3_600_000;
export const visitSeconds = visitMs / 1000;
/** Entries that are kept at most; the oldest go. */
const most = 200;

/** Lets people in: a ticket is good for one entrance, a visit lasts eight hours. Only digests are kept. */
export class Access {
  readonly #now: () => number;
  readonly #tickets = new Map<string, Ticket>();
  readonly #visits = new Map<string, Visit>();

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** A one-time ticket for a link. */
  ticket(pass: Pass, lifeMs = ticketMs): string {
    const ticket = secretFor(pass);
    keep(this.#tickets, digest(ticket), { pass, until: this.#now() + lifeMs });
    return ticket;
  }

  /** Exchanges a ticket; undefined if it was used, has expired or never was. */
  redeem(ticket: string): Entrance | undefined {
    const key = digest(ticket);
    const found = this.#tickets.get(key);
    this.#tickets.delete(key);
    return found === undefined || found.until < this.#now() ? undefined : this.enter(found.pass);
  }

  enter(pass: Pass): Entrance {
    const entrance = { cookie: secretFor(pass), token: secret() };
    const until = this.#now() + visitMs;
    keep(this.#visits, digest(entrance.cookie), { pass, until, token: digest(entrance.token) });
    return entrance;
  }

  /** The pass of a visit; both halves must fit. */
  admit(cookie: string | undefined, token: string | undefined): Visitor | undefined {
    const id = digest(cookie ?? '');
    const visit = this.#visits.get(id);
    if (visit === undefined || visit.until < this.#now() || visit.token !== digest(token ?? '')) return undefined;
    const { pass } = visit;
    return { ...pass, person: { id, name: pass.name ?? pass.driver ?? 'the operator' } };
  }

  leave(cookie: string | undefined): void {
    this.#visits.delete(digest(cookie ?? ''));
  }

  /** After a change of the keys: everyone enters again. */
  forgetAll(): void {
    this.#tickets.clear();
    this.#visits.clear();
  }
}

function keep<T>(map: Map<string, T>, key: string, value: T): void {
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > most && oldest !== undefined) map.delete(oldest);
}

/** A secret with the driver behind it, so that a gateway can send it to the worker that knows it. */
function secretFor({ driver }: Pass): string {
  return driver === undefined ? secret() : `${secret()}${Buffer.from(driver).toString('base64url')}`;
}

/** The driver that a ticket or cookie belongs to, as it claims. */
export function claimedDriver(given: string): string | undefined {
  const driver = given.slice(secretLength);
  return driver === '' ? undefined : Buffer.from(driver, 'base64url').toString();
}

/** Of 256 bits in base64. */
const secretLength = 43;

function secret(): string {
  return randomBytes(32).toString('base64url');
}

/** Looked up by digest, so that the time says nothing about the secret. */
function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
