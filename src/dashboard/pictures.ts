import type { EventBus } from '../events/bus.ts';
import type { Films } from './films.ts';

interface Pending {
  readonly call: string;
  readonly timer: NodeJS.Timeout;
}

/** The page paints what a call did within this time; the answer has gone out before. */
const paintMs = 120;
const keptPerSession = 60;
const keptBytes = 24 * 1024 * 1024;

/** An image of the page after each call, taken from the film while the session is watched. */
export class Pictures implements Disposable {
  readonly #films: Films;
  readonly #events: EventBus;
  readonly #isPrivate: (session: string) => boolean;
  readonly #pending = new Map<string, Pending>();
  /** By session and call, oldest first. */
  readonly #kept = new Map<string, { readonly session: string; readonly jpeg: Buffer }>();
  readonly #listening: Disposable;
  #bytes = 0;

  constructor(films: Films, events: EventBus, isPrivate: (session: string) => boolean) {
    this.#films = films;
    this.#events = events;
    this.#isPrivate = isPrivate;
    this.#listening = events.listen((event) => {
      if (event.type === 'call.ended' && event.session !== undefined) this.#expect(event.session, event.call);
      // The picture must not show what the next call does.
      if (event.type === 'call.started' && event.session !== undefined) this.#take(event.session);
      if (event.type === 'session.closed') this.#forget(event.session);
    });
  }

  of(session: string, call: string): Buffer | undefined {
    return this.#kept.get(`${session} ${call}`)?.jpeg;
  }

  [Symbol.dispose](): void {
    this.#listening[Symbol.dispose]();
    for (const { timer } of this.#pending.values()) clearTimeout(timer);
    this.#pending.clear();
    this.#kept.clear();
  }

  #expect(session: string, call: string): void {
    clearTimeout(this.#pending.get(session)?.timer);
    const timer = setTimeout(() => this.#take(session), paintMs);
    timer.unref();
    this.#pending.set(session, { call, timer });
  }

  #take(session: string): void {
    const pending = this.#pending.get(session);
    if (pending === undefined) return;
    clearTimeout(pending.timer);
    this.#pending.delete(session);
    const frame = this.#films.running === 0 ? undefined : this.#films.known(session)?.frame;
    if (frame === undefined || this.#isPrivate(session)) return;
    this.#kept.set(`${session} ${pending.call}`, { session, jpeg: frame.jpeg });
    this.#bytes += frame.jpeg.length;
    const own = [...this.#kept].filter(([, picture]) => picture.session === session);
    if (own.length > keptPerSession) this.#drop(own[0]?.[0]);
    while (this.#bytes > keptBytes) this.#drop(this.#kept.keys().next().value);
    this.#events.emit({ type: 'picture', session, call: pending.call });
  }

  #drop(key: string | undefined): void {
    if (key === undefined) return;
    this.#bytes -= this.#kept.get(key)?.jpeg.length ?? 0;
    this.#kept.delete(key);
  }

  #forget(session: string): void {
    clearTimeout(this.#pending.get(session)?.timer);
    this.#pending.delete(session);
    for (const [key, picture] of this.#kept) if (picture.session === session) this.#drop(key);
  }
}
