import { keptMs, longestAnswer } from '../retention.ts';
import type { CallJournal, Held, JournalEntry } from '../stores.ts';
import { script } from './connection.ts';
import type { RedisConnection } from './connection.ts';
import { refuseOlderEpoch } from './fence.ts';
import { callKey, placementKey } from './keys.ts';
import { listOf, textOf } from './replies.ts';
import { StartedCalls } from './started-calls.ts';
import type { StartedCall } from './started-calls.ts';

const mostUnanswered = 10_000;

/**
 * Records a call as started unless it is known: 0 (fenced), or its state and answer. ARGV[4] and further are what the caller
 * knows of it: the entry may be lost, and the end of the call may not have been recorded.
 */
const beginCall = script(
  refuseOlderEpoch,
  `
local found = redis.call('HMGET', KEYS[2], 'hash', 'epoch', 'state', 'answer')
local isBehind = found[3] == 'running' and found[2] == ARGV[5] and ARGV[6] == 'done'
if ARGV[4] ~= '' and (not found[1] or isBehind) then
  found = {ARGV[4], ARGV[5], ARGV[6], ARGV[7] or false}
  redis.call('HSET', KEYS[2], 'hash', found[1], 'epoch', found[2], 'state', found[3])
  if found[4] then redis.call('HSET', KEYS[2], 'answer', found[4]) end
  redis.call('PEXPIRE', KEYS[2], ARGV[3])
end
if not found[1] then
  redis.call('HSET', KEYS[2], 'hash', ARGV[2], 'epoch', ARGV[1], 'state', 'running')
  redis.call('PEXPIRE', KEYS[2], ARGV[3])
  return {'new'}
end
if found[1] ~= ARGV[2] then return {'reused'} end
if found[3] == 'done' then return {'done', found[4]} end
if found[2] == ARGV[1] then return {'running'} end
return {'unknown'}`,
);

/** Records the end of a call. An entry that was lost meanwhile is created again if the caller knows the hash. */
const endCall = script(
  refuseOlderEpoch,
  `
if redis.call('EXISTS', KEYS[2]) == 0 then
  if ARGV[3] == '' then return 1 end
  redis.call('HSET', KEYS[2], 'hash', ARGV[3])
end
redis.call('HSET', KEYS[2], 'epoch', ARGV[1], 'state', 'done')
if ARGV[4] then redis.call('HSET', KEYS[2], 'answer', ARGV[4]) end
redis.call('PEXPIRE', KEYS[2], ARGV[2])
return 1`,
);

const forgetCall = script(
  refuseOlderEpoch,
  `
redis.call('DEL', KEYS[2])
return 1`,
);

export class RedisJournal implements CallJournal {
  readonly #redis: RedisConnection;
  readonly #started = new StartedCalls();
  /** Calls that do not run under the epoch, though the journal may say so: no answer came to what was sent. */
  readonly #unanswered = new Map<string, number>();

  constructor(redis: RedisConnection) {
    this.#redis = redis;
  }

  async begin({ driver, epoch }: Held, call: string, hash: string): Promise<JournalEntry> {
    const key = callKey(driver, call);
    const known = this.#started.get(key);
    const args = [epoch, hash, keptMs, ...argumentsOf(known)];
    const reply = await this.#redis.run(beginCall, [placementKey(driver), key], args).catch((error: unknown) => {
      if (known === undefined) this.#addUnanswered(key, epoch);
      throw error;
    });
    const [state, answer] = listOf(reply);
    const wasUnanswered = this.#unanswered.get(key) === epoch;
    this.#unanswered.delete(key);
    switch (textOf(state)) {
      case 'running':
        if (!wasUnanswered) return { state: 'running' };
        this.#started.set(key, { hash, epoch, isDone: false });
        return { state: 'new' };
      case 'new':
        this.#started.set(key, { hash, epoch, isDone: false });
        return { state: 'new' };
      case 'done':
        return { state: 'done', answer: Buffer.isBuffer(answer) ? answer.toString() : undefined };
      case 'reused':
        return { state: 'reused' };
      case 'unknown':
        return { state: 'unknown' };
      default:
        return { state: 'fenced' };
    }
  }

  async finish({ driver, epoch }: Held, call: string, answer: string | undefined): Promise<boolean> {
    const key = callKey(driver, call);
    const keys = [placementKey(driver), key];
    if (answer === undefined) {
      this.#started.delete(key);
      this.#addUnanswered(key, epoch);
      const isForgotten = (await this.#redis.run(forgetCall, keys, [epoch])) === 1;
      this.#unanswered.delete(key);
      return isForgotten;
    }
    const hash = this.#started.get(key)?.hash ?? '';
    const kept = Buffer.byteLength(answer) > longestAnswer ? [] : [answer];
    if (hash !== '') this.#started.set(key, { hash, epoch, isDone: true, answer: kept[0] });
    return (await this.#redis.run(endCall, keys, [epoch, keptMs, hash, ...kept])) === 1;
  }

  #addUnanswered(key: string, epoch: number): void {
    this.#unanswered.set(key, epoch);
    const [oldest] = this.#unanswered.keys();
    if (this.#unanswered.size > mostUnanswered && oldest !== undefined) this.#unanswered.delete(oldest);
  }
}

function argumentsOf(known: StartedCall | undefined): readonly (string | number)[] {
  if (known === undefined) return [''];
  const { hash, epoch, isDone, answer } = known;
  return [hash, epoch, isDone ? 'done' : 'running', ...(answer === undefined ? [] : [answer])];
}
