import { randomBytes } from 'node:crypto';
import type { EventBus } from '../events/bus.ts';
import type { Logger } from '../log.ts';
import type { Secrets } from '../policy/secrets.ts';
import type { Session } from '../session/session.ts';
import { mapTexts } from '../util/map-texts.ts';
import { isRecord } from '../util/records.ts';
import { cut } from '../util/text.ts';
import { sizeOf } from './answer/answer-size.ts';
import type { CallResult, Report } from './answer/report.ts';
import type { CallOrigin } from './binding.ts';
import type { RunningCalls } from './running-calls.ts';
import { hidden, withoutTyped } from './arguments/typed-arguments.ts';

/** The part of a call that events are about. */
interface EventRequest extends CallOrigin {
  readonly name: string;
  readonly args: unknown;
  readonly trace?: string | undefined;
}

export interface CallEventDeps {
  readonly events: EventBus;
  readonly secrets: Secrets;
  readonly log: Logger;
  readonly running: RunningCalls;
}

export interface EndedCall {
  readonly report: Report;
  readonly result: CallResult;
  readonly tokens: number;
}

const longestText = 500;

/** Reports the start and the end of one call to listeners, and its end to the log. */
export class CallEvents {
  /** Correlates the answer, the log and the events. */
  readonly id = randomBytes(4).toString('hex');
  readonly #deps: CallEventDeps;
  readonly #request: EventRequest;
  readonly #began = performance.now();
  #isAnnounced = false;

  constructor(deps: CallEventDeps, request: EventRequest) {
    this.#deps = deps;
    this.#request = request;
  }

  /** Returns a signal that aborts when a person stops the call; undefined without listeners. */
  begin(session: Session | undefined): AbortSignal | undefined {
    this.#announce(session);
    const { events, running } = this.#deps;
    return events.isOn ? running.begin({ id: this.id, tool: this.#request.name, session: session?.id }) : undefined;
  }

  #announce(session: Session | undefined): void {
    const { events, log } = this.#deps;
    if (this.#isAnnounced) return;
    this.#isAnnounced = true;
    log.debug('call started', { call: this.id, tool: this.#request.name, session: session?.id });
    if (!events.isOn) return;
    const { trace } = this.#request;
    // Whether a text went into a password field is not known yet.
    events.emit({ type: 'call.started', ...this.#facts(session), args: this.#shown(true), trace });
  }

  ended(session: Session | undefined, { report, result, tokens }: EndedCall): void {
    const { events, log } = this.#deps;
    const ms = Math.round(performance.now() - this.#began);
    const bytes = sizeOf(result);
    const code = report.error?.kind;
    // A call with wrong arguments ends before it starts.
    this.#announce(session);
    this.#deps.running.end(this.id);
    log.info('call', {
      call: this.id,
      tool: this.#request.name,
      session: session?.id,
      ms,
      bytes,
      tokens,
      total: session?.tokens,
      outcome: code ?? 'ok',
    });
    if (!events.isOn) return;
    const hasSteps = isRecord(this.#request.args) && 'steps' in this.#request.args;
    const isDoubtful = hasSteps || code !== undefined || JSON.stringify(report.code).includes(hidden);
    const args = this.#shown(isDoubtful);
    events.emit({ type: 'call.ended', ...this.#facts(session), args, ms, bytes, tokens, code });
  }

  #facts(session: Session | undefined) {
    const { name: tool, driver } = this.#request;
    return { session: session?.id, call: this.id, tool, driver };
  }

  #shown(isDoubtful: boolean): unknown {
    const redacted = this.#deps.secrets.redactAll(withoutTyped(this.#request.args ?? {}, isDoubtful));
    return mapTexts(redacted, (text) => cut(text, longestText));
  }
}
