import { ToolError } from '../errors.ts';
import type { DriverId, Session } from '../session/session.ts';
import { defaultName } from '../session/store.ts';
import type { DriverSessions, SessionStore } from '../session/store.ts';

/** Where a call comes from. */
export interface CallOrigin {
  /** Owner of the sessions that the call can see. */
  readonly driver: DriverId;
  /** The connection of a network client; two connections of a driver can use different sessions. */
  readonly connection?: string | undefined;
  /** Sessions that the driver may have besides its default one; the server's own limit holds as well. */
  readonly maxSessions?: number | undefined;
}

/** A network client, as its transport knows it. */
export interface NetworkCaller {
  /** Name of its API key. */
  readonly key: string | undefined;
  readonly connection: string | undefined;
}

/**
 * The driver of a network client: its key. Without keys, each connection is a driver, and all requests without a connection
 * are one. With a shared context, all clients are one driver.
 */
export function driverOf({ key, connection }: NetworkCaller, isShared: boolean): DriverId {
  if (isShared) return 'network';
  if (key !== undefined) return `key:${key}`;
  return connection === undefined ? 'network' : `connection:${connection}`;
}

/** Whether a driver is a network client, by the forms above. */
export function isNetworkDriver(driver: DriverId): boolean {
  return driver === 'network' || /^(?:key|connection):/.test(driver);
}

/**
 * Decides which session a call means: the sessionId argument, else the session of its connection, else the active one of its
 * driver. Sessions of other drivers do not exist for it.
 */
export class SessionBinding {
  readonly #store: SessionStore;
  /** Session ids by connection. */
  readonly #bound = new Map<string, string>();

  constructor(store: SessionStore) {
    this.#store = store;
  }

  sessionFor(origin: CallOrigin, sessionId: string | undefined): Session {
    if (sessionId !== undefined) return this.#store.get(origin.driver, sessionId);
    // The next session must not be used without notice: the caller believes that it is still in the expired one.
    const expired = this.#store.takeExpiredActive(origin.driver);
    if (expired !== undefined) throw new ToolError('SESSION_EXPIRED', { session: expired });
    return this.#activeOf(origin);
  }

  /** The sessions that a call can see and change. */
  sessionsOf(origin: CallOrigin): DriverSessions {
    const { driver, connection, maxSessions } = origin;
    const own = this.#store.of(driver);
    return {
      ...own,
      maxSessions: Math.min(own.maxSessions, maxSessions ?? own.maxSessions),
      active: () => this.#activeOf(origin),
      isActive: (session) => {
        const bound = this.#boundSession(origin);
        return bound === undefined ? own.isActive(session) : bound.id === session.id;
      },
      activate: (session) => {
        own.activate(session);
        if (connection !== undefined) this.#bound.set(connection, session.id);
      },
      create: (options) => {
        const count = own.list().filter(({ name }) => name !== defaultName).length;
        if (maxSessions !== undefined && count >= maxSessions) {
          throw new ToolError('MAX_SESSIONS_REACHED', { limit: maxSessions });
        }
        return own.create(options);
      },
    };
  }

  /** The connections that use a session. */
  connectionsOf({ id }: Pick<Session, 'id'>): readonly string[] {
    return [...this.#bound].filter(([, session]) => session === id).map(([connection]) => connection);
  }

  /** A session was brought back with its connections. */
  bind(session: Pick<Session, 'id'>, connections: readonly string[]): void {
    for (const connection of connections) this.#bound.set(connection, session.id);
  }

  /** The connection has ended; its sessions stay. */
  forget(connection: string): void {
    this.#bound.delete(connection);
  }

  /** A connection keeps the session of its first call, whatever other connections of its driver activate. */
  #activeOf(origin: CallOrigin): Session {
    const bound = this.#boundSession(origin);
    if (bound !== undefined) return bound;
    const session = this.#store.active(origin.driver);
    if (origin.connection !== undefined) this.#bound.set(origin.connection, session.id);
    return session;
  }

  #boundSession({ driver, connection }: CallOrigin): Session | undefined {
    const id = connection === undefined ? undefined : this.#bound.get(connection);
    return id === undefined ? undefined : this.#store.list(driver).find((session) => session.id === id);
  }
}
