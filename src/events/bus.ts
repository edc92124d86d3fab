import { Ring } from '../util/ring.ts';
import type { EventBody, ServerEvent } from './event.ts';

/** Events of one session that are kept, and the size of their texts together. */
const keptEvents = 1000;
const keptCharacters = 2 * 1024 * 1024;
/** Sessions whose events are kept after their end. */
const keptSessions = 50;

type Listener = (event: ServerEvent) => void;

/** Passes events to those who listen. Without a listener an event costs a comparison. */
export class EventBus {
  readonly #now: () => number;
  readonly #listeners = new Set<Listener>();
  #seq = 0;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Whether there are listeners: events that take time to make are made only then. */
  get isOn(): boolean {
    return this.#listeners.size > 0;
  }

  /** The number of the newest event. */
  get seq(): number {
    return this.#seq;
  }

  emit(body: EventBody): void {
    if (this.#listeners.size === 0) return;
    const event = { ...body, seq: ++this.#seq, at: this.#now() };
    for (const listener of this.#listeners) listener(event);
  }

  /** A listener must not throw. */
  listen(listener: Listener): Disposable {
    // A function of its own: the same listener may listen twice.
    const own: Listener = (event) => listener(event);
    this.#listeners.add(own);
    return { [Symbol.dispose]: () => void this.#listeners.delete(own) };
  }
}

/** The newest events of each session, for those who begin to watch later. */
export class EventHistory implements Disposable {
  readonly #rings = new Map<string, Ring<ServerEvent>>();
  readonly #listening: Disposable;

  constructor(bus: EventBus) {
    this.#listening = bus.listen((event) => this.#keep(event));
  }

  /** Events of a session with a greater number, oldest first. */
  of(session: string, after = 0): readonly ServerEvent[] {
    const kept = this.#rings.get(session)?.items() ?? [];
    return after === 0 ? kept : kept.filter(({ seq }) => seq > after);
  }

  [Symbol.dispose](): void {
    this.#listening[Symbol.dispose]();
    this.#rings.clear();
  }

  #keep(event: ServerEvent): void {
    const { session } = { session: undefined, ...event };
    if (session === undefined) return;
    const ring = this.#rings.get(session) ?? new Ring<ServerEvent>(keptEvents, { total: keptCharacters, sizeOf });
    // Moved to the end: the first ring is the one that was used least recently.
    this.#rings.delete(session);
    this.#rings.set(session, ring);
    ring.push(event);
    const [oldest] = this.#rings.keys();
    if (this.#rings.size > keptSessions && oldest !== undefined) this.#rings.delete(oldest);
  }
}

function sizeOf(event: ServerEvent): number {
  return JSON.stringify(event).length;
}
