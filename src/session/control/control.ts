import { ToolError } from '../../errors.ts';
import { cut, pageText } from '../../util/text.ts';
import { controlLimitMs, controlProgressMs, controlWaitMs } from '../timing.ts';

/** Who takes control: the holder of a visit or of a key, not of a connection. */
export interface Person {
  readonly id: string;
  /** For other people. */
  readonly name: string;
}

/** Who has a session, as people see it. */
export interface ControlState {
  readonly person: Person;
  /** `waiting` for the running call to end. */
  readonly phase: 'waiting' | 'held';
  readonly isPrivate: boolean;
  /** Milliseconds that are left. */
  readonly leftMs: number;
}

/** Why control went back to the agent. */
type ControlEnd = 'given' | 'limit' | 'revoked';

export interface ControlDeps {
  /** Enters the queue of the session at its head; resolves with what releases it. */
  readonly hold: (signal: AbortSignal) => Promise<() => void>;
  /** The queue is held; the person has control when this resolves. */
  readonly taken: (isPrivate: boolean) => Promise<void>;
  /** Control ends: the last input is finished before the next call. */
  readonly ending: () => Promise<void>;
  readonly changed: () => void;
  /** Reports a line in the next answer. */
  readonly tell: (event: string) => void;
}

interface Grip {
  readonly person: Person;
  readonly isPrivate: boolean;
  readonly cancel: AbortController;
  heldSince: number | undefined;
  until: number;
  timer: NodeJS.Timeout | undefined;
  release: () => void;
  isEnding: boolean;
}

/** A call that waits for its turn. */
interface WaitingCall extends Disposable {
  /** Aborts when a person has used the session for longer than a call waits. */
  readonly signal: AbortSignal;
}

interface Waiter {
  readonly abort: (reason: Error) => void;
  readonly progress: (message: string) => void;
  timer: NodeJS.Timeout | undefined;
}

const longestNote = 2000;

/**
 * Who has a session: the agent or a person. A person's control is a task at the head of the session's queue, so that no
 * call can run at the same time. It belongs to the person, not to a connection, and outlives pages.
 */
export class Control {
  readonly #deps: ControlDeps;
  readonly #waiters = new Set<Waiter>();
  #grip: Grip | undefined;

  constructor(deps: ControlDeps) {
    this.#deps = deps;
  }

  get state(): ControlState | undefined {
    const grip = this.#grip;
    if (grip === undefined) return undefined;
    const { person, isPrivate, heldSince, until } = grip;
    const phase = heldSince === undefined ? 'waiting' : 'held';
    return { person, phase, isPrivate, leftMs: Math.max(0, until - performance.now()) };
  }

  /** Whether pictures and logs of the page are for this person only. */
  get privateTo(): Person | undefined {
    return this.#grip?.isPrivate === true && this.#grip.heldSince !== undefined ? this.#grip.person : undefined;
  }

  /** For how long a person has had it. */
  get heldSeconds(): number {
    const since = this.#grip?.heldSince;
    return since === undefined ? 0 : Math.round((performance.now() - since) / 1000);
  }

  isHeldBy(id: string): boolean {
    const grip = this.#grip;
    return grip?.person.id === id && grip.heldSince !== undefined && !grip.isEnding;
  }

  /** Requests control; it is held once the running call has ended. False if another person has it. */
  take(person: Person, isPrivate: boolean): boolean {
    if (this.#grip !== undefined) return this.#grip.person.id === person.id && !this.#grip.isEnding;
    const grip: Grip = {
      person,
      isPrivate,
      cancel: new AbortController(),
      heldSince: undefined,
      until: performance.now() + controlLimitMs,
      timer: undefined,
      release: () => undefined,
      isEnding: false,
    };
    this.#grip = grip;
    this.#schedule(grip);
    this.#deps.hold(grip.cancel.signal).then(
      async (release) => this.#hold(grip, release),
      // The person no longer waits, or the session is closed.
      () => this.#forget(grip),
    );
    this.#deps.changed();
    return true;
  }

  /** False if the person does not have it. */
  extend(id: string): boolean {
    if (!this.isHeldBy(id) || this.#grip === undefined) return false;
    this.#schedule(this.#grip);
    this.#deps.changed();
    return true;
  }

  /** Gives the session back; the next answer tells the note. False if the person does not have it. */
  async give(id: string, note = ''): Promise<boolean> {
    if (this.#grip?.person.id !== id) return false;
    await this.#end(this.#grip, 'given', note);
    return true;
  }

  /** Takes it from the person who has it. */
  async revoke(): Promise<boolean> {
    if (this.#grip === undefined) return false;
    await this.#end(this.#grip, 'revoked', '');
    return true;
  }

  /** The session is closed. */
  close(): void {
    if (this.#grip !== undefined) this.#forget(this.#grip);
  }

  /** A call waits for its turn: it waits for a person only so long. Dispose of it when the call runs. */
  wait(progress: (message: string) => void): WaitingCall {
    const controller = new AbortController();
    const waiter: Waiter = { abort: (reason) => controller.abort(reason), progress, timer: undefined };
    this.#waiters.add(waiter);
    if (this.#grip?.heldSince !== undefined) this.#startWaiting(waiter);
    return {
      signal: controller.signal,
      [Symbol.dispose]: () => {
        clearInterval(waiter.timer);
        this.#waiters.delete(waiter);
      },
    };
  }

  async #hold(grip: Grip, release: () => void): Promise<void> {
    // What cannot be prepared, such as the end of a recording, does not keep the person out.
    await this.#deps.taken(grip.isPrivate).catch(() => undefined);
    // The person may have gone meanwhile.
    if (this.#grip !== grip || grip.isEnding) {
      await this.#deps.ending();
      return release();
    }
    grip.heldSince = performance.now();
    grip.release = release;
    this.#schedule(grip);
    for (const waiter of this.#waiters) this.#startWaiting(waiter);
    this.#deps.changed();
    return undefined;
  }

  #schedule(grip: Grip): void {
    clearTimeout(grip.timer);
    grip.until = performance.now() + controlLimitMs;
    grip.timer = setTimeout(() => void this.#end(grip, 'limit', ''), controlLimitMs);
    grip.timer.unref();
  }

  #startWaiting(waiter: Waiter): void {
    const began = performance.now();
    const text = 'A person is using this page';
    waiter.progress(text);
    clearInterval(waiter.timer);
    waiter.timer = setInterval(() => {
      const since = this.#grip?.heldSince;
      if (since === undefined) return clearInterval(waiter.timer);
      const now = performance.now();
      if (now - began < controlWaitMs - controlProgressMs / 2) return waiter.progress(text);
      clearInterval(waiter.timer);
      return waiter.abort(new ToolError('HUMAN_IN_CONTROL', { seconds: Math.round((now - since) / 1000) }));
    }, controlProgressMs);
  }

  async #end(grip: Grip, why: ControlEnd, note: string): Promise<void> {
    if (this.#grip !== grip || grip.isEnding) return;
    grip.isEnding = true;
    const { heldSince } = grip;
    if (heldSince === undefined) return this.#forget(grip);
    await this.#deps.ending();
    this.#deps.tell(reportOf(Math.round((performance.now() - heldSince) / 1000), why, note));
    return this.#forget(grip);
  }

  #forget(grip: Grip): void {
    clearTimeout(grip.timer);
    if (this.#grip !== grip) return;
    this.#grip = undefined;
    for (const { timer } of this.#waiters) clearInterval(timer);
    grip.cancel.abort();
    grip.release();
    this.#deps.changed();
  }
}

/** The line in the next answer. The note is the text of a person, quoted as data. */
function reportOf(seconds: number, why: ControlEnd, note: string): string {
  const said = cut(pageText(note).trim(), longestNote);
  const until =
    why === 'limit' ? ', until the time limit' : why === 'revoked' ? ', until an operator took it back' : '';
  return `A person used this page for ${seconds} s${until}${said === '' ? '.' : ` and wrote: ${JSON.stringify(said)}`}`;
}
