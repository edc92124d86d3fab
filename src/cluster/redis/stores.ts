import type { Logger } from '../../log.ts';
import { defaultLeaseMs } from '../retention.ts';
import type { ClusterStores } from '../stores.ts';
import { RedisCheckpoints } from './checkpoints.ts';
import { RedisConnection } from './connection.ts';
import { RedisDirectory } from './directory.ts';
import { RedisEvents } from './events.ts';
import { RedisJournal } from './journal.ts';
import { redisLimits } from './limits.ts';

export interface RedisStoresOptions {
  readonly log: Logger;
  readonly leaseMs?: number;
  readonly commandTimeoutMs?: number;
}

/** Stores on Redis or Valkey. If Redis is away, they fail until it is back; see StoresUnavailable. */
export async function openRedisStores(url: string, options: RedisStoresOptions): Promise<ClusterStores> {
  const { log, leaseMs = defaultLeaseMs, commandTimeoutMs = 1000 } = options;
  const redis = await RedisConnection.open({ url, log, commandTimeoutMs });
  const directory = new RedisDirectory(redis, leaseMs);
  return {
    directory,
    checkpoints: new RedisCheckpoints(redis),
    journal: new RedisJournal(redis),
    events: new RedisEvents(redis),
    limits: redisLimits(redis),
    generation: () => directory.generation(),
    ping: () => redis.ping(),
    [Symbol.asyncDispose]: () => redis[Symbol.asyncDispose](),
  };
}
