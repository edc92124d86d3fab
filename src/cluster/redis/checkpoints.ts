import type { DriverId } from '../../session/session.ts';
import type { CheckpointStore, Held } from '../stores.ts';
import { readClock, script } from './connection.ts';
import type { RedisConnection } from './connection.ts';
import { refuseOlderEpoch } from './fence.ts';
import { checkpointsKey, placementKey } from './keys.ts';
import { pairsOf } from './replies.ts';

/** Fields of a hash have no expiry before Redis 7.4, so each begins with its own. The epoch is kept as long as they are. */
const saveCheckpoint = script(
  refuseOlderEpoch,
  readClock,
  `
redis.call('HSET', KEYS[2], ARGV[2], string.format('%.0f ', now + ARGV[4]) .. ARGV[3])
for _, key in ipairs(KEYS) do
  if redis.call('PTTL', key) < tonumber(ARGV[4]) then redis.call('PEXPIRE', key, ARGV[4]) end
end
return 1`,
);

const removeCheckpoint = script(
  refuseOlderEpoch,
  `
redis.call('HDEL', KEYS[2], ARGV[2])
return 1`,
);

/** Sessions and checkpoints in turn, without the expired ones. */
const loadCheckpoints = script(
  readClock,
  `
local all = redis.call('HGETALL', KEYS[1])
local found = {}
for i = 1, #all, 2 do
  local space = string.find(all[i + 1], ' ', 1, true)
  if tonumber(string.sub(all[i + 1], 1, space - 1)) > now then
    found[#found + 1] = all[i]
    found[#found + 1] = string.sub(all[i + 1], space + 1)
  else
    redis.call('HDEL', KEYS[1], all[i])
  end
end
return found`,
);

export class RedisCheckpoints implements CheckpointStore {
  readonly #redis: RedisConnection;

  constructor(redis: RedisConnection) {
    this.#redis = redis;
  }

  async save({ driver, epoch }: Held, session: string, sealed: Buffer, ttlMs: number): Promise<boolean> {
    const keys = [placementKey(driver), checkpointsKey(driver)];
    return (await this.#redis.run(saveCheckpoint, keys, [epoch, session, sealed, Math.ceil(ttlMs)])) === 1;
  }

  async remove({ driver, epoch }: Held, session: string): Promise<boolean> {
    const keys = [placementKey(driver), checkpointsKey(driver)];
    return (await this.#redis.run(removeCheckpoint, keys, [epoch, session])) === 1;
  }

  async load(driver: DriverId): Promise<ReadonlyMap<string, Buffer>> {
    const pairs = pairsOf(await this.#redis.run(loadCheckpoints, [checkpointsKey(driver)]));
    return new Map(pairs.flatMap(([session, sealed]) => (Buffer.isBuffer(sealed) ? [[session, sealed] as const] : [])));
  }
}
