import type { EventStore, JSONRPCMessage } from '@modelcontextprotocol/server';

interface StoredEvent {
  readonly log: SessionEvents;
  readonly id: string;
  readonly streamId: string;
  readonly message: JSONRPCMessage;
  readonly bytes: number;
}

export interface EventLimits {
  /** Of all connections together. */
  readonly totalBytes: number;
  readonly sessionEvents: number;
}

const defaultLimits: EventLimits = { totalBytes: 64 * 1024 * 1024, sessionEvents: 256 };

/** Messages that a client can fetch again after its stream broke, for all connections; the oldest go first. */
export class EventLog {
  readonly #limits: EventLimits;
  readonly #events = new Set<StoredEvent>();
  #bytes = 0;

  constructor(limits: Partial<EventLimits> = {}) {
    this.#limits = { ...defaultLimits, ...limits };
  }

  get bytes(): number {
    return this.#bytes;
  }

  session(): SessionEvents {
    return new SessionEvents(this, this.#limits.sessionEvents);
  }

  add(event: StoredEvent): void {
    this.#events.add(event);
    this.#bytes += event.bytes;
    for (const oldest of this.#events) {
      if (this.#bytes <= this.#limits.totalBytes) break;
      oldest.log.drop(oldest);
    }
  }

  remove(event: StoredEvent): void {
    if (this.#events.delete(event)) this.#bytes -= event.bytes;
  }
}

/** The events of one connection. Another connection's ids mean nothing here. */
export class SessionEvents implements EventStore {
  readonly #all: EventLog;
  readonly #limit: number;
  readonly #events = new Map<string, StoredEvent>();
  #last = 0;

  constructor(all: EventLog, limit: number) {
    this.#all = all;
    this.#limit = limit;
  }

  async storeEvent(streamId: string, message: JSONRPCMessage): Promise<string> {
    const id = String(++this.#last);
    const event = { log: this, id, streamId, message, bytes: JSON.stringify(message).length };
    this.#events.set(id, event);
    this.#all.add(event);
    const [oldest] = this.#events.values();
    if (this.#events.size > this.#limit && oldest !== undefined) this.drop(oldest);
    return id;
  }

  async getStreamIdForEventId(id: string): Promise<string | undefined> {
    return this.#events.get(id)?.streamId;
  }

  async replayEventsAfter(
    lastId: string,
    { send }: { send: (id: string, message: JSONRPCMessage) => Promise<void> },
  ): Promise<string> {
    const streamId = this.#events.get(lastId)?.streamId ?? '';
    for (const { id, streamId: stream, message } of this.#events.values())
      // The first event of a stream only gives it an id.
      if (stream === streamId && Number(id) > Number(lastId) && 'jsonrpc' in message) await send(id, message);
    return streamId;
  }

  drop(event: StoredEvent): void {
    this.#events.delete(event.id);
    this.#all.remove(event);
  }

  clear(): void {
    for (const event of this.#events.values()) this.drop(event);
  }
}

/** Events in a store that several processes share. Those that it cannot take now can be fetched at this process only. */
export class SharedEvents implements EventStore {
  readonly #shared: EventStore & { clear(): unknown };
  readonly #own: SessionEvents;

  constructor(shared: EventStore & { clear(): unknown }, own: SessionEvents) {
    this.#shared = shared;
    this.#own = own;
  }

  async storeEvent(streamId: string, message: JSONRPCMessage): Promise<string> {
    return this.#shared.storeEvent(streamId, message).catch(() => this.#own.storeEvent(streamId, message));
  }

  async getStreamIdForEventId(id: string): Promise<string | undefined> {
    return (await this.#own.getStreamIdForEventId(id)) ?? this.#shared.getStreamIdForEventId?.(id);
  }

  async replayEventsAfter(
    lastId: string,
    options: { send: (id: string, message: JSONRPCMessage) => Promise<void> },
  ): Promise<string> {
    const isOwn = (await this.#own.getStreamIdForEventId(lastId)) !== undefined;
    return (isOwn ? this.#own : this.#shared).replayEventsAfter(lastId, options);
  }

  clear(): void {
    this.#own.clear();
    // The store forgets them by itself after a while.
    void Promise.resolve(this.#shared.clear()).catch(() => undefined);
  }
}
