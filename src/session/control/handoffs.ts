import { randomBytes } from 'node:crypto';
import { cut, oneLine } from '../../util/text.ts';
import type { DriverId, Session } from '../session.ts';

/** What became of a request for a person. */
export type HandoffOutcome = 'done' | 'failed' | 'declined' | 'timed out';

export interface HandoffRequest {
  readonly reason: string;
  readonly kind: string;
  readonly timeoutMs: number;
}

export interface HandoffResult {
  readonly outcome: HandoffOutcome;
  readonly note: string;
}

/** A request of an agent that a person does something in a session. */
export interface Handoff {
  /** Names the request for the agent; it is no key. */
  readonly ticket: string;
  readonly session: Session;
  readonly reason: string;
  readonly kind: string;
  /** Lets one person in to this session, once. */
  readonly link: string;
  readonly until: number;
  /** Resolves once. */
  readonly ended: Promise<HandoffResult>;
  readonly end: (result: HandoffResult) => void;
}

/** Makes a link that lets a person control one session until then. */
type LinkFor = (session: Session, lifeMs: number) => string;

const longestReason = 500;
const longestNote = 2000;
const mostOpen = 100;

/** The open requests of agents for a person. */
export class Handoffs {
  readonly #open = new Map<string, Handoff>();
  /** Called with each new request. */
  readonly #deliver: (handoff: Handoff) => void;
  readonly #changed: (session: Session) => void;
  #linkFor: LinkFor | undefined;

  constructor(deliver: (handoff: Handoff) => void, changed: (session: Session) => void) {
    this.#deliver = deliver;
    this.#changed = changed;
  }

  /** Whether people can be reached: a dashboard is served. */
  get isServed(): boolean {
    return this.#linkFor !== undefined;
  }

  serve(linkFor: LinkFor | undefined): void {
    this.#linkFor = linkFor;
  }

  /** Undefined if no dashboard is served. */
  create(session: Session, { reason, kind, timeoutMs }: HandoffRequest): Handoff | undefined {
    if (this.#linkFor === undefined || this.#open.size >= mostOpen) return undefined;
    let settle: (result: HandoffResult) => void = () => undefined;
    const ended = new Promise<HandoffResult>((resolve) => {
      settle = resolve;
    });
    const ticket = randomBytes(6).toString('hex');
    const timer = setTimeout(() => handoff.end({ outcome: 'timed out', note: '' }), timeoutMs);
    timer.unref();
    const handoff: Handoff = {
      ticket,
      session,
      reason: cut(oneLine(reason), longestReason),
      kind,
      link: this.#linkFor(session, timeoutMs),
      until: performance.now() + timeoutMs,
      ended,
      end: ({ outcome, note }) => {
        clearTimeout(timer);
        settle({ outcome, note: cut(oneLine(note), longestNote) });
        this.#changed(session);
      },
    };
    this.#open.set(ticket, handoff);
    this.#forgetLater(handoff);
    this.#deliver(handoff);
    this.#changed(session);
    return handoff;
  }

  /** Of this driver only. */
  get(driver: DriverId, ticket: string): Handoff | undefined {
    const found = this.#open.get(ticket);
    return found?.session.owner === driver ? found : undefined;
  }

  /** The newest open request in a session. */
  in(session: Session): Handoff | undefined {
    return [...this.#open.values()].findLast((each) => each.session === session && !this.#isOver.has(each));
  }

  readonly #isOver = new WeakSet<Handoff>();

  /** The result stays until the agent has asked for it, or for ten minutes. */
  #forgetLater(handoff: Handoff): void {
    const keptMs = 600_000;
    void handoff.ended.then(() => {
      this.#isOver.add(handoff);
      this.#changed(handoff.session);
      setTimeout(() => this.#open.delete(handoff.ticket), keptMs).unref();
    });
  }
}
