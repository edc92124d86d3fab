import { ToolError } from '../errors.ts';
import type { Logger } from '../log.ts';
import { cut } from '../util/text.ts';
import type { Checkpoint } from './persistence/checkpoint.ts';
import type { SessionOptions } from './session-options.ts';
import type { DriverId, Session, SessionIdentity } from './session.ts';
import { expiryRetryMs } from './timing.ts';

/** Time, as an argument. */
export interface Clock {
  now(): number;
  after(ms: number, run: () => void): Disposable;
}

export interface StoreOptions {
  readonly clock: Clock;
  /** The wall clock. */
  readonly now: () => Date;
  readonly log: Logger;
  readonly newId: () => string;
  readonly maxSessions: number;
  /** Why the machine cannot take another session. */
  readonly overload?: () => string | undefined;
  readonly expiry: 'sliding' | 'fixed';
  readonly open: (identity: SessionIdentity) => Session;
  /** Notified of every session that a call used and of every closed session. */
  readonly watch?: { readonly used: (session: Session) => void; readonly closed: (session: Session) => void };
}

/** A session of a server that has ended. */
export interface LeftSession extends SessionIdentity {
  readonly ttlMs?: number;
  readonly leftMs?: number;
  /** ISO 8601. */
  readonly createdAt?: string;
  readonly isActive: boolean;
}

export interface CreateOptions {
  readonly options?: SessionOptions;
  /** Unique among the driver's sessions; generated if absent. */
  readonly name?: string;
  /** Milliseconds to live; absent means until it is closed. */
  readonly ttlMs?: number;
}

/** How old a session is, when it was used last, and how long it has left, in milliseconds. */
export interface SessionLife {
  readonly createdAt: Date;
  readonly idleMs: number;
  /** Absent for one that does not expire. */
  readonly leftMs?: number;
}

interface Lifespan {
  readonly ttlMs: number | undefined;
  readonly leftMs: number | undefined;
  readonly createdAt: Date;
}

interface Entry {
  session: Session;
  readonly ttlMs: number | undefined;
  readonly createdAt: Date;
  expiresAt: number | undefined;
  timer: Disposable | undefined;
  usedAt: number;
  /** Counts up with every use of any session: two uses can be at the same time. */
  turn: number;
}

export const defaultName = 'default';
const rememberedExpired = 1000;
/** Longest part of an unknown key in an error; ids and names are shorter. */
const longestShown = 100;
const goodName = /^[\w-]{1,64}$/;
/** Node fires longer timers at once. */
const longestTimer = 2 ** 31 - 1;

/** The sessions of one driver: all that a tool may see. */
export interface DriverSessions {
  /** Sessions that it may have besides the default one. */
  readonly maxSessions: number;
  list(): readonly Session[];
  /** Finds a session by id or name; creates `default` if needed. */
  get(key: string): Session;
  /** As `get`, but never creates a session. */
  find(key: string): Session;
  life(session: Session): SessionLife;
  active(): Session;
  /** Never creates a session. */
  isActive(session: Session): boolean;
  activate(session: Session): void;
  create(options: CreateOptions): Session;
  close(session: Session): Promise<void>;
}

/** Creates, finds, limits and expires sessions, and knows which one each driver has active. */
export class SessionStore implements AsyncDisposable {
  readonly #options: StoreOptions;
  readonly #entries = new Map<string, Entry>();
  readonly #active = new Map<DriverId, string>();
  readonly #expired = new Set<string>();
  /** Name of the active session that expired, by driver, until it is reported or another one is activated. */
  readonly #expiredActive = new Map<DriverId, string>();
  /** Number of generated names per driver. */
  readonly #named = new Map<DriverId, number>();
  #uses = 0;
  #isClosed = false;

  constructor(options: StoreOptions) {
    this.#options = options;
  }

  create(owner: DriverId, options: CreateOptions = {}): Session {
    const { maxSessions, newId, open } = this.#options;
    const counted = [...this.#entries.values()].filter((entry) => entry.session.name !== defaultName).length;
    if (options.name !== defaultName && counted >= maxSessions) {
      throw new ToolError('MAX_SESSIONS_REACHED', { limit: maxSessions });
    }
    const reason = options.name === defaultName ? undefined : this.#options.overload?.();
    if (reason !== undefined) throw new ToolError('SERVER_BUSY', { reason });
    const id = newId();
    const special = options.options === undefined ? {} : { options: options.options };
    const session = open({ id, owner, name: this.#freeName(owner, options.name), ...special });
    this.#add(session, { ttlMs: options.ttlMs, leftMs: options.ttlMs, createdAt: this.#options.now() });
    return session;
  }

  /** Adds a saved session under its old id and name, unless it has expired. */
  bringBack({ ttlMs, leftMs, createdAt, isActive, ...identity }: LeftSession): boolean {
    const { id, name, owner } = identity;
    if (leftMs !== undefined && leftMs <= 0) {
      for (const key of [id, name]) this.#remember(`${owner}\n${key}`);
      return false;
    }
    const session = this.#options.open(identity);
    this.#add(session, {
      ttlMs,
      leftMs,
      createdAt: createdAt === undefined ? this.#options.now() : new Date(createdAt),
    });
    if (isActive && !this.#active.has(owner)) this.activate(session);
    return true;
  }

  get(owner: DriverId, key: string): Session {
    const isNew = key === defaultName && this.#default(owner) === undefined;
    return isNew ? this.create(owner, { name: defaultName }) : this.find(owner, key);
  }

  /** By id or by name; another driver's sessions do not exist for this one. */
  find(owner: DriverId, key: string): Session {
    const found = this.list(owner).find((session) => session.id === key || session.name === key);
    if (found !== undefined) return found;
    throw new ToolError(this.#expired.has(`${owner}\n${key}`) ? 'SESSION_EXPIRED' : 'SESSION_NOT_FOUND', {
      session: cut(key, longestShown),
    });
  }

  list(owner: DriverId): readonly Session[] {
    return this.all().filter((session) => session.owner === owner);
  }

  all(): readonly Session[] {
    return [...this.#entries.values()].map((entry) => entry.session);
  }

  /** The active session of a driver; `default` is created on first use. */
  active(owner: DriverId): Session {
    const id = this.#active.get(owner);
    const entry = id === undefined ? undefined : this.#entries.get(id);
    return entry?.session ?? this.get(owner, defaultName);
  }

  /** The view of one driver. */
  of(owner: DriverId): DriverSessions {
    return {
      maxSessions: this.#options.maxSessions,
      list: () => this.list(owner),
      get: (key) => this.get(owner, key),
      find: (key) => this.find(owner, key),
      life: (session) => this.life(session),
      active: () => this.active(owner),
      isActive: (session) => (this.#active.get(owner) ?? this.#default(owner)?.id) === session.id,
      activate: (session) => this.activate(session),
      create: (options) => this.create(owner, options),
      close: async (session) => {
        session.person.refuseIfHeld();
        await this.close(session);
      },
    };
  }

  /** The active session that has expired since the last call; reported once. */
  takeExpiredActive(owner: DriverId): string | undefined {
    const name = this.#expiredActive.get(owner);
    this.#expiredActive.delete(owner);
    return name;
  }

  activate(session: Session): void {
    this.#expiredActive.delete(session.owner);
    this.#active.set(session.owner, session.id);
    this.#use(session);
  }

  /** A call on the session has ended: restart a sliding expiry. */
  touch(session: Session): void {
    const entry = this.#use(session);
    if (entry !== undefined) this.#options.watch?.used(session);
    if (entry?.ttlMs === undefined || this.#options.expiry === 'fixed') return;
    this.#schedule(entry, this.#options.clock.now() + entry.ttlMs);
  }

  /** The facts that are saved with a session. */
  facts(session: Session): Pick<LeftSession, 'isActive'> & { readonly ttlMs?: number; readonly leftMs?: number } {
    const { ttlMs } = this.#entries.get(session.id) ?? {};
    const { leftMs } = this.life(session);
    const isActive = this.#active.get(session.owner) === session.id;
    return { isActive, ...(ttlMs === undefined ? {} : { ttlMs }), ...(leftMs === undefined ? {} : { leftMs }) };
  }

  life(session: Session): SessionLife {
    const now = this.#options.clock.now();
    const entry = this.#entries.get(session.id);
    const { createdAt = this.#options.now(), usedAt = now, expiresAt } = entry ?? {};
    const left = expiresAt === undefined ? {} : { leftMs: Math.max(0, expiresAt - now) };
    return { createdAt, idleMs: now - usedAt, ...left };
  }

  async close(session: Session): Promise<void> {
    await this.#remove(session, () => this.#options.watch?.closed(session));
  }

  /** Closes the sessions of all drivers; returns how many had a browser. */
  async closeAll(): Promise<number> {
    const sessions = this.all();
    const open = sessions.filter((session) => session.isOpen).length;
    await Promise.all(sessions.map(async (session) => this.close(session)));
    return open;
  }

  /** Releases the browsers of all idle sessions; each session is restored on its next use. */
  async sleep(signal: AbortSignal): Promise<void> {
    await Promise.all(this.all().map(async (session) => this.sleepOne(session, signal)));
  }

  /** As `sleep`, for one session. `save` runs before the browser is released; if it fails, nothing changes. */
  async sleepOne(
    session: Session,
    signal: AbortSignal,
    save: (checkpoint: Checkpoint) => Promise<void> = async () => undefined,
  ): Promise<void> {
    const entry = this.#entries.get(session.id);
    const checkpoint = await session.checkpoint(signal);
    if (checkpoint === undefined || entry === undefined) return;
    const isIdle = (): boolean =>
      session.calls === 0 && !session.tracing.isOn && this.#entries.get(session.id) === entry;
    if (!isIdle()) return;
    await save(checkpoint);
    if (!isIdle()) return;
    const { id, name, owner, options } = session;
    entry.session = this.#options.open({ id, name, owner, options, checkpoint });
    await session[Symbol.asyncDispose]();
  }

  /** Removes a session that another process has or may take. What was saved of it stays. */
  async evict(session: Session): Promise<void> {
    await this.#remove(session);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const session of this.all()) session.markEnding();
    await this.closeAll();
  }

  async #remove(session: Session, report: () => void = () => undefined): Promise<void> {
    const entry = this.#entries.get(session.id);
    if (entry === undefined) return;
    entry.timer?.[Symbol.dispose]();
    this.#entries.delete(session.id);
    report();
    if (this.#active.get(session.owner) === session.id) this.#activateNext(session.owner);
    await session[Symbol.asyncDispose]();
  }

  #add(session: Session, { ttlMs, leftMs, createdAt }: Lifespan): void {
    const now = this.#options.clock.now();
    const turn = ++this.#uses;
    const entry: Entry = { session, ttlMs, createdAt, expiresAt: undefined, timer: undefined, usedAt: now, turn };
    this.#entries.set(session.id, entry);
    if (leftMs !== undefined) this.#schedule(entry, now + leftMs);
  }

  #default(owner: DriverId): Session | undefined {
    return this.list(owner).find(({ name }) => name === defaultName);
  }

  /** After the active session was closed: the default one, else the most recently used one. */
  #activateNext(owner: DriverId): void {
    const own = [...this.#entries.values()].filter(({ session }) => session.owner === owner);
    const next = this.#default(owner) ?? own.toSorted((a, b) => b.turn - a.turn)[0]?.session;
    if (next === undefined) this.#active.delete(owner);
    else this.activate(next);
  }

  #use(session: Session): Entry | undefined {
    const entry = this.#entries.get(session.id);
    if (entry === undefined) return undefined;
    entry.usedAt = this.#options.clock.now();
    entry.turn = ++this.#uses;
    return entry;
  }

  /** The requested name, if it is free; else the next unused of `s1`, `s2`, … */
  #freeName(owner: DriverId, wanted: string | undefined): string {
    const taken = new Set(this.list(owner).flatMap(({ id, name }) => [id, name]));
    if (wanted !== undefined) {
      if (!goodName.test(wanted)) throw new ToolError('BAD_NAME', { name: wanted.slice(0, 100) });
      if (taken.has(wanted)) throw new ToolError('CONTEXT_EXISTS', { name: wanted });
      return wanted;
    }
    let number = this.#named.get(owner) ?? 0;
    do number++;
    while (taken.has(`s${number}`));
    this.#named.set(owner, number);
    return `s${number}`;
  }

  #schedule(entry: Entry, expiresAt: number): void {
    entry.timer?.[Symbol.dispose]();
    entry.expiresAt = expiresAt;
    const ahead = Math.min(expiresAt - this.#options.clock.now(), longestTimer);
    entry.timer = this.#options.clock.after(ahead, () => this.#expire(entry));
  }

  #expire(entry: Entry): void {
    // A running call extends the lifetime when it ends.
    if (this.#options.expiry === 'sliding' && entry.session.calls > 0) {
      entry.timer = this.#options.clock.after(expiryRetryMs, () => this.#expire(entry));
      return;
    }
    const { id, name, owner } = entry.session;
    for (const key of [id, name]) this.#remember(`${owner}\n${key}`);
    const wasActive = this.#active.get(owner) === id;
    entry.session.markExpired();
    this.#options.log.info('session expired', { sessionId: id });
    // Closing waits for nothing that the caller needs; a failure is in the session's own log.
    void this.close(entry.session);
    if (wasActive) this.#expiredActive.set(owner, name);
  }

  #remember(key: string): void {
    this.#expired.add(key);
    const [oldest] = this.#expired;
    // Each is stored by id and by name.
    if (this.#expired.size > 2 * rememberedExpired && oldest !== undefined) this.#expired.delete(oldest);
  }
}
