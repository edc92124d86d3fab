import { z } from 'zod';
import type { DriverId } from '../../session/session.ts';
import type { Acquired, Held, Located, Placement, SessionDirectory, WorkerInfo } from '../stores.ts';
import { Superseded } from '../superseded.ts';
import { readClock, script } from './connection.ts';
import type { RedisConnection } from './connection.ts';
import { generationKey, placementKey, workersKey } from './keys.ts';
import { listOf, numberOf, textOf } from './replies.ts';

/** Renewals that are sent together: more would delay those of other processes. */
const renewalsTogether = 200;
/** Epochs are kept after a driver was given up, so that late writes are still refused. */
const epochKeptMs = 24 * 60 * 60_000;

const workerInfo = z.object({
  name: z.string(),
  boot: z.string(),
  address: z.string(),
  version: z.string(),
  slots: z.number(),
  live: z.number(),
  waiting: z.number(),
  isDraining: z.boolean(),
  replaces: z.string().optional(),
  drivers: z.array(z.string()).optional(),
});

/**
 * Since when nothing was lost. A new value is set when the old one is missing (all data was lost), or when another server
 * answers (restarted or failed over: it may lack the last writes). Returned with the time until every owner has sent an
 * announcement, or 0.
 */
const readGeneration = script(
  readClock,
  `
local _, _, server = string.find(redis.call('INFO', 'server'), 'run_id:(%w+)')
local value = redis.call('GET', KEYS[1])
local _, _, since, knownServer = string.find(value or '', '^(%d+) (%w+)$')
-- A clock that was set back must not stop the cluster for longer than a lease.
if knownServer ~= server or tonumber(since) > now then
  since = string.format('%.0f', now)
  value = since .. ' ' .. server
  redis.call('SET', KEYS[1], value)
end
return {value, math.max(0, since + ARGV[1] - now)}`,
);

/** The owner whose lease has not ended: worker, boot, address, epoch. */
const readPlacement = script(
  readClock,
  `
local found = redis.call('HMGET', KEYS[1], 'worker', 'boot', 'address', 'epoch', 'until')
if not found[1] or tonumber(found[5]) <= now then return false end
return {found[1], found[2], found[3], found[4]}`,
);

/**
 * Takes a driver: owner if another worker has it, else the new epoch. Time is part of the epoch, so that it grows even when
 * the last one was lost. ARGV[6] is the last epoch that the caller knows of: a newer one of its own is that of a request
 * whose answer it did not get, so nothing ran under it.
 */
const takePlacement = script(
  readClock,
  `
local found = redis.call('HMGET', KEYS[1], 'worker', 'boot', 'address', 'epoch', 'until')
local last = tonumber(found[4]) or 0
if found[1] and tonumber(found[5]) > now then
  if found[1] ~= ARGV[1] then return {found[1], found[2], found[3], found[4]} end
  if found[2] == ARGV[2] and last > tonumber(ARGV[6]) then return last end
end
local epoch = math.max(last + 1, now)
redis.call('HSET', KEYS[1], 'worker', ARGV[1], 'boot', ARGV[2], 'address', ARGV[3],
  'epoch', string.format('%.0f', epoch), 'until', string.format('%.0f', now + ARGV[4]))
redis.call('PEXPIRE', KEYS[1], ARGV[5])
return epoch`,
);

/** Forgets an epoch under which nothing ran: the owner, whose entry was lost, can announce itself again. */
const undoPlacement = script(`
if redis.call('HGET', KEYS[1], 'epoch') == ARGV[1] then redis.call('DEL', KEYS[1]) end
return 1`);

/** Renews a placement, or creates it again after a loss of data. 0 if a newer epoch exists. */
const renewPlacement = script(
  readClock,
  `
local last = tonumber(redis.call('HGET', KEYS[1], 'epoch') or 0)
if last > tonumber(ARGV[6]) then return 0 end
redis.call('HSET', KEYS[1], 'worker', ARGV[1], 'boot', ARGV[2], 'address', ARGV[3],
  'epoch', ARGV[6], 'until', string.format('%.0f', now + ARGV[4]))
redis.call('PEXPIRE', KEYS[1], ARGV[5])
return 1`,
);

/** Gives a driver up. The epoch grows, so that writes and renewals that are under way are refused. */
const freePlacement = script(`
local last = tonumber(redis.call('HGET', KEYS[1], 'epoch') or 0)
if last == 0 or last > tonumber(ARGV[1]) then return 0 end
redis.call('HDEL', KEYS[1], 'worker', 'boot', 'address', 'until')
redis.call('HSET', KEYS[1], 'epoch', string.format('%.0f', ARGV[1] + 1))
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1`);

/** A worker’s announcement, after the time until which it is valid; the address of the boot that has its name, if one does. */
const announceWorker = script(
  readClock,
  `
local _, _, valid, info = string.find(redis.call('HGET', KEYS[1], ARGV[1]) or '', '^(%d+) (.*)$')
if valid and tonumber(valid) > now then
  local current = cjson.decode(info)
  if current.boot ~= ARGV[4] and current.boot ~= ARGV[5] then return current.address end
end
redis.call('HSET', KEYS[1], ARGV[1], string.format('%.0f ', now + ARGV[3]) .. ARGV[2])
redis.call('PEXPIRE', KEYS[1], 10 * ARGV[3])
return 1`,
);

const listWorkers = script(
  readClock,
  `
local all = redis.call('HGETALL', KEYS[1])
local found = {}
for i = 1, #all, 2 do
  local _, _, valid, info = string.find(all[i + 1], '^(%d+) (.*)$')
  if tonumber(valid) > now then found[#found + 1] = info else redis.call('HDEL', KEYS[1], all[i]) end
end
return found`,
);

/** Only the boot that announced itself last is taken from the list. */
const removeWorker = script(`
local value = redis.call('HGET', KEYS[1], ARGV[1])
if value and cjson.decode(string.match(value, '^%d+ (.*)$')).boot == ARGV[2] then
  redis.call('HDEL', KEYS[1], ARGV[1])
end
return 1`);

export class RedisDirectory implements SessionDirectory {
  readonly leaseMs: number;
  readonly #redis: RedisConnection;
  /** The last epoch that each worker of this process got, by driver. */
  readonly #known = new Map<string, number>();

  constructor(redis: RedisConnection, leaseMs: number) {
    this.#redis = redis;
    this.leaseMs = leaseMs;
  }

  async announce(worker: WorkerInfo, held: readonly Held[]): Promise<readonly Held[]> {
    await this.#generation();
    const info = JSON.stringify(workerInfo.parse(worker));
    const args = [worker.name, info, this.leaseMs, worker.boot, worker.replaces ?? ''];
    const announced = await this.#redis.run(announceWorker, [workersKey], args);
    if (announced !== 1) throw new Superseded(worker.name, textOf(announced));
    const lost: Held[] = [];
    for (let at = 0; at < held.length; at += renewalsTogether) {
      const some = held.slice(at, at + renewalsTogether);
      const isHeld = await Promise.all(
        some.map(({ driver, epoch }) =>
          this.#redis.run(renewPlacement, [placementKey(driver)], [...this.#owner(worker), epoch]),
        ),
      );
      lost.push(...some.filter((_, index) => isHeld[index] !== 1));
    }
    return lost;
  }

  async workers(): Promise<readonly WorkerInfo[]> {
    const found = listOf(await this.#redis.run(listWorkers, [workersKey]));
    return found.map((each) => workerInfo.parse(JSON.parse(textOf(each))));
  }

  async locate(driver: DriverId): Promise<Located> {
    const placement = await this.#placement(driver);
    if (placement !== undefined) return { state: 'placed', placement };
    const { retryMs } = await this.#generation();
    return retryMs === 0 ? { state: 'free' } : { state: 'unsettled', retryMs };
  }

  async acquire(driver: DriverId, worker: Pick<WorkerInfo, 'name' | 'boot' | 'address'>): Promise<Acquired> {
    const before = await this.#generation();
    if (before.retryMs > 0) {
      const owner = await this.#placement(driver);
      return owner === undefined || owner.worker === worker.name ? { retryMs: before.retryMs } : { owner };
    }
    const knownKey = JSON.stringify([driver, worker.name, worker.boot]);
    const args = [...this.#owner(worker), this.#known.get(knownKey) ?? 0];
    const taken = await this.#redis.run(takePlacement, [placementKey(driver)], args);
    if (typeof taken !== 'number') return { owner: placementOf(driver, taken) };
    const after = await this.#generation();
    if (after.id !== before.id) {
      // The data was lost meanwhile, and with it perhaps the entry of an owner that still runs.
      await this.#redis.run(undoPlacement, [placementKey(driver)], [taken]);
      return { retryMs: after.retryMs };
    }
    this.#known.set(knownKey, taken);
    return { epoch: taken };
  }

  async release({ driver, epoch }: Held): Promise<void> {
    await this.#redis.run(freePlacement, [placementKey(driver)], [epoch, epochKeptMs]);
  }

  async generation(): Promise<string> {
    return (await this.#generation()).id;
  }

  async leave({ name, boot }: Pick<WorkerInfo, 'name' | 'boot'>): Promise<void> {
    await this.#redis.run(removeWorker, [workersKey], [name, boot]);
  }

  #owner({ name, boot, address }: Pick<WorkerInfo, 'name' | 'boot' | 'address'>): readonly (string | number)[] {
    return [name, boot, address, this.leaseMs, epochKeptMs];
  }

  async #placement(driver: DriverId): Promise<Placement | undefined> {
    const found = await this.#redis.run(readPlacement, [placementKey(driver)]);
    return found === null ? undefined : placementOf(driver, found);
  }

  /** While it is young, nothing that has no owner may be taken: the owner may only not have announced itself yet. */
  async #generation(): Promise<{ readonly id: string; readonly retryMs: number }> {
    const [id, restMs] = listOf(await this.#redis.run(readGeneration, [generationKey], [this.leaseMs]));
    const rest = numberOf(restMs);
    // Owners send several announcements in a lease, so it is worth asking before its end.
    return { id: textOf(id), retryMs: Math.min(rest, Math.ceil(this.leaseMs / 4)) };
  }
}

function placementOf(driver: DriverId, reply: unknown): Placement {
  const [worker, boot, address, epoch] = listOf(reply);
  return { driver, worker: textOf(worker), boot: textOf(boot), address: textOf(address), epoch: numberOf(epoch) };
}
