import { ToolError } from '../errors.ts';

interface Running {
  readonly id: string;
  readonly tool: string;
  readonly since: number;
  readonly session: string | undefined;
  readonly stop: AbortController;
}

/** The calls that run now, so that a person can stop one. */
export class RunningCalls {
  readonly #calls = new Map<string, Running>();

  /** The signal aborts when the call is stopped. */
  begin(call: { readonly id: string; readonly tool: string; readonly session: string | undefined }): AbortSignal {
    const stop = new AbortController();
    this.#calls.set(call.id, { ...call, since: Date.now(), stop });
    return stop.signal;
  }

  end(id: string): void {
    this.#calls.delete(id);
  }

  /** The oldest call in a session: later ones wait for it. */
  in(session: string): Omit<Running, 'stop'> | undefined {
    for (const { stop: _stop, ...call } of this.#calls.values()) if (call.session === session) return call;
    return undefined;
  }

  /** False if it has ended. */
  stop(id: string): boolean {
    const call = this.#calls.get(id);
    call?.stop.abort(new ToolError('STOPPED', { what: call.tool }));
    return call !== undefined;
  }

  /** A person takes the session from the call that runs in it. */
  interrupt(session: string): void {
    const call = [...this.#calls.values()].find((each) => each.session === session);
    call?.stop.abort(new ToolError('HUMAN_IN_CONTROL', { seconds: 0, what: call.tool }));
  }
}
