import { ToolError } from '../errors.ts';
import type { Logger } from '../log.ts';
import type { DriverId, Session, SessionIdentity, SessionOptions } from './session.ts';

/** Time, as an argument. */
export interface Clock {
  now(): number;
  after(ms: number, run: () => void): Disposable;
}

export interface StoreOptions {
  readonly clock: Clock;
  readonly log: Logger;
  readonly newId: () => string;
  readonly maxSessions: number;
  readonly expiry: 'sliding' | 'fixed';
  readonly open: (identity: SessionIdentity) => Session;
}

export interface CreateOptions {
  readonly options?: SessionOptions;
  readonly name?: string;
  /** Milliseconds to live; absent means until it is closed. */
  readonly ttlMs?: number;
}

interface Entry {
  readonly session: Session;
  readonly ttlMs: number | undefined;
  expiresAt: number | undefined;
  timer: Disposable | undefined;
  /** Counts up with every use of any session. */
  usedAt: number;
}

export const defaultName = 'default';
const rememberedExpired = 1000;

/** The sessions of one driver: all that a tool may see. */
export interface DriverSessions {
  list(): readonly Session[];
  get(key: string): Session;
  active(): Session;
  activate(session: Session): void;
  /** The one that was used last. */
  latest(): Session | undefined;
  create(options: CreateOptions): Session;
  close(session: Session): Promise<void>;
}

/** Creates, finds, limits and expires sessions, and knows which one each driver has active. */
export class SessionStore implements AsyncDisposable {
  readonly #options: StoreOptions;
  readonly #entries = new Map<string, Entry>();
  readonly #active = new Map<DriverId, string>();
  readonly #expired = new Set<string>();
  #uses = 0;
  #isClosed = false;

  constructor(options: StoreOptions) {
    this.#options = options;
  }

  create(owner: DriverId, options: CreateOptions = {}): Session {
    const { maxSessions, newId, clock, open } = this.#options;
    const counted = [...this.#entries.values()].filter((entry) => entry.session.name !== defaultName).length;
    if (options.name !== defaultName && counted >= maxSessions) {
      throw new ToolError('MAX_SESSIONS_REACHED', { limit: maxSessions });
    }
    const id = newId();
    const named = options.name === undefined ? {} : { name: options.name };
    const special = options.options === undefined ? {} : { options: options.options };
    const session = open({ id, owner, ...named, ...special });
    const entry: Entry = {
      session,
      ttlMs: options.ttlMs,
      expiresAt: undefined,
      timer: undefined,
      usedAt: ++this.#uses,
    };
    this.#entries.set(id, entry);
    if (options.ttlMs !== undefined) this.#schedule(entry, clock.now() + options.ttlMs);
    return session;
  }

  /** By id or by name; another driver's sessions do not exist for this one. */
  get(owner: DriverId, key: string): Session {
    const own = this.list(owner);
    const found = own.find((session) => session.id === key || session.name === key);
    if (found !== undefined) return found;
    if (key === defaultName) return this.create(owner, { name: defaultName });
    throw new ToolError(this.#expired.has(`${owner}\n${key}`) ? 'SESSION_EXPIRED' : 'SESSION_NOT_FOUND', {
      session: key,
    });
  }

  list(owner: DriverId): readonly Session[] {
    return [...this.#entries.values()].map((entry) => entry.session).filter((session) => session.owner === owner);
  }

  /** The session that calls without one go to; `default` is made on first use. */
  active(owner: DriverId): Session {
    const id = this.#active.get(owner);
    const entry = id === undefined ? undefined : this.#entries.get(id);
    return entry?.session ?? this.get(owner, defaultName);
  }

  /** What one driver may see and do. */
  of(owner: DriverId): DriverSessions {
    return {
      list: () => this.list(owner),
      get: (key) => this.get(owner, key),
      active: () => this.active(owner),
      activate: (session) => this.activate(session),
      latest: () => this.latest(owner),
      create: (options) => this.create(owner, options),
      close: async (session) => this.close(session),
    };
  }

  activate(session: Session): void {
    this.#active.set(session.owner, session.id);
    this.#use(session);
  }

  latest(owner: DriverId): Session | undefined {
    const own = [...this.#entries.values()].filter(({ session }) => session.owner === owner);
    return own.toSorted((a, b) => b.usedAt - a.usedAt)[0]?.session;
  }

  /** A call on the session has ended: a sliding expiry starts anew. */
  touch(session: Session): void {
    const entry = this.#use(session);
    if (entry?.ttlMs === undefined || this.#options.expiry === 'fixed') return;
    this.#schedule(entry, this.#options.clock.now() + entry.ttlMs);
  }

  expiresAt(session: Session): number | undefined {
    return this.#entries.get(session.id)?.expiresAt;
  }

  async close(session: Session): Promise<void> {
    const entry = this.#entries.get(session.id);
    if (entry === undefined) return;
    entry.timer?.[Symbol.dispose]();
    this.#entries.delete(session.id);
    if (this.#active.get(session.owner) === session.id) this.#active.delete(session.owner);
    await session[Symbol.asyncDispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await Promise.all([...this.#entries.values()].map((entry) => this.close(entry.session)));
  }

  #use(session: Session): Entry | undefined {
    const entry = this.#entries.get(session.id);
    if (entry !== undefined) entry.usedAt = ++this.#uses;
    return entry;
  }

  #schedule(entry: Entry, expiresAt: number): void {
    entry.timer?.[Symbol.dispose]();
    entry.expiresAt = expiresAt;
    entry.timer = this.#options.clock.after(expiresAt - this.#options.clock.now(), () => this.#expire(entry));
  }

  #expire(entry: Entry): void {
    const { id, name, owner } = entry.session;
    for (const key of name === undefined ? [id] : [id, name]) this.#remember(`${owner}\n${key}`);
    this.#options.log.info('session expired', { sessionId: id });
    // Closing waits for nothing that the caller needs; a failure is in the session's own log.
    void this.close(entry.session);
  }

  #remember(key: string): void {
    this.#expired.add(key);
    const [oldest] = this.#expired;
    if (this.#expired.size > rememberedExpired && oldest !== undefined) this.#expired.delete(oldest);
  }
}
