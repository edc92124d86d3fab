import type { EventBus } from '../events/bus.ts';
import type { Logger } from '../log.ts';
import type { SessionStore } from '../session/store.ts';
import { Film } from './film.ts';

/** The films of all sessions; each exists while its session does. */
export class Films implements AsyncDisposable {
  readonly #store: SessionStore;
  readonly #log: Logger;
  readonly #films = new Map<string, Film>();
  readonly #listening: Disposable;

  constructor(store: SessionStore, events: EventBus, log: Logger) {
    this.#store = store;
    this.#log = log;
    this.#listening = events.listen((event) => {
      if (event.type === 'session.closed') this.#close(event.session);
      // Another tab may be the current one now, or another browser.
      if (event.type === 'session.changed' || event.type === 'call.ended')
        this.#films.get(event.session ?? '')?.follow();
      // Others may see the page again.
      if (event.type === 'control.changed' || event.type === 'popups.changed') this.#films.get(event.session)?.renew();
    });
  }

  of(id: string): Film | undefined {
    const session = this.#store.all().find((each) => each.id === id);
    const known = this.#films.get(id);
    if (known !== undefined || session === undefined) return known;
    const film = new Film(session, this.#log);
    this.#films.set(id, film);
    return film;
  }

  /** The film of a session that was watched. */
  known(id: string): Film | undefined {
    return this.#films.get(id);
  }

  /** Films that record now. */
  get running(): number {
    return [...this.#films.values()].filter(({ isRunning }) => isRunning).length;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#listening[Symbol.dispose]();
    await Promise.all([...this.#films.values()].map(async (film) => film.end()));
    this.#films.clear();
  }

  #close(id: string): void {
    void this.#films.get(id)?.end();
    this.#films.delete(id);
  }
}
