import { createHash } from 'node:crypto';
import type { CallResult } from '../call/answer/report.ts';
import type { CallHooks, RecordedCall } from '../call/call-hooks.ts';
import type { CallRequest } from '../call/dispatch.ts';
import type { Tool } from '../call/tool.ts';
import { ToolError } from '../errors.ts';
import type { Logger } from '../log.ts';
import type { DriverId } from '../session/session.ts';
import { pause } from '../util/signals.ts';
import type { CallJournal, Held, JournalEntry } from './stores.ts';

export interface AtMostOnceOptions {
  readonly journal: CallJournal;
  /** What this process holds of the driver; undefined if it holds nothing. */
  readonly heldOf: (driver: DriverId) => Held | undefined;
  /** Whether this process may wait for a journal that does not respond. */
  readonly mayWait?: () => boolean;
  readonly log: Logger;
}

const retryMs = 100;

/** Runs a call with an id at most once, whatever is repeated or lost. Calls that only read are simply run again. */
export class AtMostOnce {
  readonly #options: AtMostOnceOptions;
  /** Answers of calls that run now, by driver and id. */
  readonly #running = new Map<string, Promise<CallResult>>();

  constructor(options: AtMostOnceOptions) {
    this.#options = options;
  }

  readonly record: NonNullable<CallHooks['record']> = async (request, tool) => {
    const { callId } = request;
    if (callId === undefined || tool.effect === 'read') return undefined;
    const held = this.#options.heldOf(request.driver);
    if (held === undefined) throw new ToolError('CLUSTER_DEGRADED', { reason: 'this worker has lost the sessions' });
    return this.#begin(held, request, tool, callId);
  };

  /** A call must not run before it is recorded: a repetition elsewhere would run it again. */
  async #entryOf(held: Held, request: CallRequest, call: string): Promise<JournalEntry> {
    const { journal, mayWait = () => false } = this.#options;
    for (let isFirst = true; ; isFirst = false) {
      try {
        const entry = await journal.begin(held, call, hashOf(request));
        // An attempt whose answer was lost has recorded it.
        const isOwn = !isFirst && entry.state === 'running' && !this.#running.has(keyOf(request, call));
        return isOwn ? { state: 'new' } : entry;
      } catch (error) {
        request.signal.throwIfAborted();
        if (!mayWait()) {
          throw new ToolError(
            'CLUSTER_DEGRADED',
            { reason: 'the journal of calls does not respond' },
            { cause: error },
          );
        }
        await pause(retryMs, request.signal);
      }
    }
  }

  async #begin(held: Held, request: CallRequest, tool: Tool, call: string): Promise<RecordedCall> {
    const { journal, log } = this.#options;
    const entry = await this.#entryOf(held, request, call);
    const key = keyOf(request, call);
    switch (entry.state) {
      case 'fenced':
        throw new ToolError('CLUSTER_DEGRADED', { reason: 'another worker has the sessions' });
      case 'reused':
        throw new ToolError('CALL_ID_REUSED', { call });
      case 'unknown':
        throw new ToolError('EFFECT_UNKNOWN', { tool: tool.name });
      case 'running': {
        const first = this.#running.get(key);
        if (first === undefined) throw new ToolError('EFFECT_UNKNOWN', { tool: tool.name });
        return { answer: repeated(await first), end: async () => undefined };
      }
      case 'done':
        if (entry.answer === undefined) throw new ToolError('ANSWER_NOT_KEPT', { call });
        return { answer: repeated(readAnswer(entry.answer)), end: async () => undefined };
      case 'new':
        break;
    }
    let resolve: (result: CallResult) => void = () => undefined;
    const answer = new Promise<CallResult>((settle) => {
      resolve = settle;
    });
    this.#running.set(key, answer);
    return {
      end: async (result, effect) => {
        try {
          // A call without an effect may be repeated under its id.
          await journal.finish(held, call, effect === 'none' ? undefined : JSON.stringify(result));
        } catch (error) {
          // The call has run: its answer is sent, and a repetition gets EFFECT_UNKNOWN.
          log.warn('the end of a call was not recorded', { call, error });
        } finally {
          this.#running.delete(key);
          resolve(result);
        }
      },
    };
  }
}

function keyOf({ driver }: CallRequest, call: string): string {
  return `${driver}\n${call}`;
}

function hashOf({ name, args }: CallRequest): string {
  return createHash('sha256')
    .update(JSON.stringify([name, args ?? {}]))
    .digest('base64url');
}

function repeated(result: CallResult): CallResult {
  return { ...result, _meta: { ...result._meta, 'pagehelm/repeated': true } };
}

function readAnswer(text: string): CallResult {
  // Written by this class.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return JSON.parse(text) as CallResult;
}
