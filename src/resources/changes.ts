import type { Artifact } from '../session/files/artifacts.ts';
import type { DriverId, Session } from '../session/session.ts';
import type { Clock } from '../session/store.ts';
import { formatUri } from '../util/resource-uri.ts';
import { liveKinds } from './live-kinds.ts';

/** Called when resources of a driver change. */
export interface ChangeListener {
  updated(uri: string): void;
  listChanged(): void;
}

interface Pending {
  readonly uris: Set<string>;
  isListChanged: boolean;
}

/** A page that navigates in a loop causes this many notifications per second at most. */
const delayMs = 50;
/** Further changes in one delay are dropped: a client reads what it needs after the others. */
const mostPending = 1000;

/** Tells subscribers which resources have changed. Without subscribers, a change costs a lookup. */
export class ResourceChanges implements Disposable {
  readonly #clock: Clock;
  readonly #listeners = new Map<DriverId, Set<ChangeListener>>();
  readonly #pending = new Map<DriverId, Pending>();
  #timer: Disposable | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Number of subscribers. */
  get size(): number {
    return [...this.#listeners.values()].reduce((sum, own) => sum + own.size, 0);
  }

  listen(driver: DriverId, listener: ChangeListener): Disposable {
    const own = this.#listeners.get(driver) ?? new Set();
    this.#listeners.set(driver, own.add(listener));
    return {
      [Symbol.dispose]: () => {
        own.delete(listener);
        if (own.size === 0 && this.#listeners.get(driver) === own) this.#listeners.delete(driver);
      },
    };
  }

  /** Files were added or removed. */
  filesChanged(driver: DriverId, files: readonly Pick<Artifact, 'kind' | 'session' | 'sessionName'>[]): void {
    const pending = this.#listChanged(driver);
    for (const { kind, session, sessionName } of files) {
      for (const id of [session, sessionName]) this.#add(pending, formatUri(kind, [id]));
    }
  }

  /** A page navigated or loaded, or was closed. */
  pageChanged(session: Session, pageId: string): void {
    this.#updated(session, (id) => liveKinds.map((kind) => formatUri(kind, [id, pageId])));
  }

  /** Its pages or its state changed, or it ended. */
  sessionChanged(session: Session): void {
    this.#updated(session, (id) => [formatUri('session', [id]), formatUri('page', [id])]);
    this.#listChanged(session.owner);
  }

  sessionClosed(session: Session): void {
    this.sessionChanged(session);
    for (const { id } of session.tabs) this.pageChanged(session, id);
  }

  [Symbol.dispose](): void {
    this.#timer?.[Symbol.dispose]();
    this.#timer = undefined;
    this.#pending.clear();
  }

  /** A client may have subscribed with the name of the session or with its id. */
  #updated(session: Session, urisOf: (id: string) => readonly string[]): void {
    const pending = this.#pendingOf(session.owner);
    if (pending === undefined) return;
    for (const uri of [session.id, session.name].flatMap(urisOf)) this.#add(pending, uri);
  }

  #add(pending: Pending | undefined, uri: string): void {
    if (pending !== undefined && pending.uris.size < mostPending) pending.uris.add(uri);
  }

  #listChanged(driver: DriverId): Pending | undefined {
    const pending = this.#pendingOf(driver);
    if (pending !== undefined) pending.isListChanged = true;
    return pending;
  }

  #pendingOf(driver: DriverId): Pending | undefined {
    if (!this.#listeners.has(driver)) return undefined;
    const pending = this.#pending.get(driver) ?? { uris: new Set(), isListChanged: false };
    this.#pending.set(driver, pending);
    this.#timer ??= this.#clock.after(delayMs, () => this.#flush());
    return pending;
  }

  #flush(): void {
    this.#timer = undefined;
    const waiting = [...this.#pending];
    this.#pending.clear();
    for (const [driver, { uris, isListChanged }] of waiting) {
      for (const listener of this.#listeners.get(driver) ?? []) {
        for (const uri of uris) listener.updated(uri);
        if (isListChanged) listener.listChanged();
      }
    }
  }
}
