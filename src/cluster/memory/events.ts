import type { EventStore, JSONRPCMessage } from '@modelcontextprotocol/server';
import { keptMs, mostEventBytes, mostEvents } from '../retention.ts';
import type { EventStreams } from '../stores.ts';

interface Event {
  readonly id: string;
  readonly stream: string;
  readonly message: JSONRPCMessage;
  readonly bytes: number;
  readonly at: number;
}

export class MemoryEvents implements EventStreams {
  readonly #now: () => number;
  readonly #connections = new Map<string, Event[]>();
  #last = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  connection(connection: string): EventStore & { clear(): Promise<void> } {
    const events = (): readonly Event[] => this.#connections.get(connection) ?? [];
    return {
      storeEvent: async (stream, message) => {
        const id = String(++this.#last);
        const bytes = Buffer.byteLength(JSON.stringify(message));
        this.#connections.set(
          connection,
          this.#limited([...events(), { id, stream, message, bytes, at: this.#now() }]),
        );
        return id;
      },
      getStreamIdForEventId: async (id) => events().find((event) => event.id === id)?.stream,
      replayEventsAfter: async (lastId, { send }) => {
        const known = events();
        const last = known.findIndex(({ id }) => id === lastId);
        const stream = known[last]?.stream;
        if (stream === undefined) return '';
        for (const { id, message, stream: other } of known.slice(last + 1))
          // The first event of a stream only gives it an id.
          if (other === stream && 'jsonrpc' in message) await send(id, message);
        return stream;
      },
      clear: async () => void this.#connections.delete(connection),
    };
  }

  loseData(): void {
    this.#connections.clear();
  }

  #limited(events: Event[]): Event[] {
    let bytes = events.reduce((sum, event) => sum + event.bytes, 0);
    const since = this.#now() - keptMs;
    const first = events.findIndex((event, index) => {
      const isKept = event.at >= since && events.length - index <= mostEvents && bytes <= mostEventBytes;
      bytes -= event.bytes;
      return isKept || index === events.length - 1;
    });
    return events.slice(first);
  }
}
