import type { EventStore, JSONRPCMessage } from '@modelcontextprotocol/server';
import { keptMs, mostEventBytes, mostEvents } from '../retention.ts';
import type { EventStreams } from '../stores.ts';
import { readClock, script } from './connection.ts';
import type { RedisConnection } from './connection.ts';
import { connectionTag, eventBytesKey, eventsKey } from './keys.ts';
import { listOf, textOf } from './replies.ts';

/** Events that are read together: a replay of many must not take the time of a command. */
const readTogether = 100;

/** Adds an event, and removes the oldest ones over the limits of age, number and bytes. KEYS[2] counts the bytes. */
const addEvent = script(
  readClock,
  `
local id = redis.call('XADD', KEYS[1], '*', 's', ARGV[1], 'm', ARGV[2])
local bytes = redis.call('INCRBY', KEYS[2], #ARGV[2])
local length = redis.call('XLEN', KEYS[1])
while length > 1 do
  local oldest = redis.call('XRANGE', KEYS[1], '-', '+', 'COUNT', 1)[1]
  local isExpired = tonumber(string.match(oldest[1], '^%d+')) < now - ARGV[3]
  if not isExpired and length <= tonumber(ARGV[4]) and bytes <= tonumber(ARGV[5]) then break end
  redis.call('XDEL', KEYS[1], oldest[1])
  bytes = redis.call('DECRBY', KEYS[2], #oldest[2][4])
  length = length - 1
end
redis.call('PEXPIRE', KEYS[1], ARGV[3])
redis.call('PEXPIRE', KEYS[2], ARGV[3])
return id`,
);

const readEvents = script(`return redis.call('XRANGE', KEYS[1], ARGV[1], '+', 'COUNT', ARGV[2])`);

const removeEvents = script(`return redis.call('DEL', KEYS[1], KEYS[2])`);

interface Event {
  readonly entry: string;
  readonly stream: string;
  readonly message: JSONRPCMessage;
}

export class RedisEvents implements EventStreams {
  readonly #redis: RedisConnection;

  constructor(redis: RedisConnection) {
    this.#redis = redis;
  }

  connection(id: string): ConnectionEvents {
    return new ConnectionEvents(this.#redis, connectionTag(id));
  }
}

/** The events of one connection, in one Redis stream. Ids begin with the connection’s tag: others are unknown. */
class ConnectionEvents implements EventStore {
  readonly #redis: RedisConnection;
  readonly #tag: string;
  readonly #keys: readonly string[];

  constructor(redis: RedisConnection, tag: string) {
    this.#redis = redis;
    this.#tag = tag;
    this.#keys = [eventsKey(tag), eventBytesKey(tag)];
  }

  async storeEvent(stream: string, message: JSONRPCMessage): Promise<string> {
    const args = [stream, JSON.stringify(message), keptMs, mostEvents, mostEventBytes];
    return this.#idOf(textOf(await this.#redis.run(addEvent, this.#keys, args)));
  }

  async getStreamIdForEventId(id: string): Promise<string | undefined> {
    const entry = this.#entryOf(id);
    if (entry === undefined) return undefined;
    const [event] = await this.#read(entry, 1);
    return event?.entry === entry ? event.stream : undefined;
  }

  async replayEventsAfter(
    lastId: string,
    { send }: { send: (id: string, message: JSONRPCMessage) => Promise<void> },
  ): Promise<string> {
    const stream = await this.getStreamIdForEventId(lastId);
    if (stream === undefined) return '';
    let last = this.#entryOf(lastId) ?? '';
    for (;;) {
      const events = await this.#read(`(${last}`, readTogether);
      for (const { entry, stream: other, message } of events)
        // The first event of a stream only gives it an id.
        if (other === stream && 'jsonrpc' in message) await send(this.#idOf(entry), message);
      last = events.at(-1)?.entry ?? last;
      if (events.length < readTogether) return stream;
    }
  }

  async clear(): Promise<void> {
    await this.#redis.run(removeEvents, this.#keys);
  }

  #idOf(entry: string): string {
    return `${this.#tag}-${entry}`;
  }

  #entryOf(id: string): string | undefined {
    const [, tag, entry] = /^([\da-f]{16})-(\d{1,15}-\d{1,15})$/.exec(id) ?? [];
    return tag === this.#tag ? entry : undefined;
  }

  async #read(from: string, count: number): Promise<readonly Event[]> {
    const found = listOf(await this.#redis.run(readEvents, this.#keys, [from, count]));
    return found.map((each) => {
      const [entry, fields] = listOf(each);
      const [, stream, , message] = listOf(fields);
      return { entry: textOf(entry), stream: textOf(stream), message: JSON.parse(textOf(message)) };
    });
  }
}
