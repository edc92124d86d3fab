import type { WebSocket } from 'ws';
import type { EventBus } from '../events/bus.ts';
import type { ServerEvent } from '../events/event.ts';
import type { Session } from '../session/session.ts';
import type { Visitor } from './access.ts';
import type { Film, FilmViewer, Frame } from './film.ts';
import { messageSchema } from './messages.ts';
import type { ViewerMessage } from './messages.ts';
import { frameHeaderBytes, writeFrameHeader } from './protocol.ts';
import type { ServerMessage, ServerState } from './protocol.ts';

export interface ViewerDeps {
  readonly events: EventBus;
  /** The pass of the cookie that came with the request, if the token fits. */
  readonly admit: (token: string) => Visitor | undefined;
  readonly state: (visitor: Visitor) => ServerState;
  /** Undefined if there is none for this visitor. */
  readonly session: (visitor: Visitor, id: string) => Session | undefined;
  readonly film: (session: string) => Film | undefined;
  /** Removes secrets. */
  readonly redact: (value: unknown) => unknown;
}

type InputMessage = Extract<ViewerMessage, { type: 'input' }>;
const refused = { isDone: false };

interface Stream {
  readonly watching: Disposable;
  drawn(seq: number): void;
  /** Milliseconds that it has not drawn a frame that was sent. */
  waitsMs(): number;
}

/** Close codes of RFC 6455. */
const policyViolation = 1008;
const mostStreams = 32;
/** Messages in a second; a page sends one for each frame it has drawn. */
const mostMessages = 400;
/** A viewer that reads nothing is dropped when this much waits for it. */
const mostUnread = 4 * 1024 * 1024;
/** A viewer that draws nothing for this long is gone. */
const longestDrawMs = 30_000;
const helloMs = 5000;
const stateMs = 1000;

/** One page of the dashboard: sends it the state, events and frames. */
export class Viewer {
  readonly #socket: WebSocket;
  readonly #deps: ViewerDeps;
  readonly #streams = new Map<number, Stream>();
  readonly #timers: NodeJS.Timeout[] = [];
  #visitor: Visitor | undefined;
  #listening: Disposable | undefined;
  #messages = 0;

  constructor(socket: WebSocket, deps: ViewerDeps) {
    this.#socket = socket;
    this.#deps = deps;
    socket.on('message', (data, isBinary) => this.#receive(isBinary ? undefined : textOf(data)));
    socket.on('error', () => undefined);
    socket.once('close', () => this.#end());
    const late = setTimeout(() => void (this.#visitor ?? this.#refuse('No token was sent')), helloMs);
    this.#timers.push(late);
  }

  close(): void {
    this.#socket.close(1001, 'The server is shutting down');
  }

  #receive(text: string | undefined): void {
    if (++this.#messages > mostMessages) return this.#refuse('Too many messages');
    const message = messageSchema.safeParse(parsed(text));
    if (!message.success) return this.#refuse('The message is not valid');
    const { data } = message;
    if (data.type === 'hello') return this.#greet(data.token);
    const visitor = this.#visitor;
    if (visitor === undefined) return this.#refuse('No token was sent');
    if (data.type === 'watch') return this.#watch(data, visitor);
    if (data.type === 'input') return void this.#input(data, visitor);
    if (data.type === 'ack') return this.#streams.get(data.stream)?.drawn(data.seq);
    this.#unwatch(data.stream);
    return undefined;
  }

  #greet(token: string): void {
    const visitor = this.#visitor ?? this.#deps.admit(token);
    if (visitor === undefined) return this.#refuse('The token is not valid');
    if (this.#visitor !== undefined) return undefined;
    this.#visitor = visitor;
    this.#sendState(visitor);
    for (const { id } of this.#deps.state(visitor).sessions) this.#sendPopups(id, visitor);
    this.#listening = this.#deps.events.listen((event) => this.#tell(event, visitor));
    const timer = setInterval(() => {
      this.#messages = 0;
      if ([...this.#streams.values()].some((each) => each.waitsMs() > longestDrawMs)) this.#socket.terminate();
      this.#sendState(visitor);
    }, stateMs);
    this.#timers.push(timer);
    return undefined;
  }

  #tell(event: ServerEvent, visitor: Visitor): void {
    const { session } = { session: undefined, ...event };
    if (session === undefined || this.#deps.session(visitor, session) === undefined) return;
    if (event.type === 'popups.changed') return this.#sendPopups(session, visitor);
    // The same names, as plain data.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    this.#send({ type: 'event', event: this.#deps.redact(event) } as ServerMessage);
    if (event.type !== 'control.changed') return undefined;
    this.#sendState(visitor);
    return this.#sendPopups(session, visitor);
  }

  #sendState(visitor: Visitor): void {
    this.#send({ type: 'state', state: this.#deps.state(visitor) });
  }

  #sendPopups(id: string, visitor: Visitor): void {
    const person = this.#deps.session(visitor, id)?.person;
    if (person?.control.isHeldBy(visitor.person.id) !== true) return;
    this.#send({ type: 'popups', session: id, popups: person.hands.popups.open });
  }

  /** Only the person in control has hands. */
  async #input({ session: id, id: number, input }: InputMessage, visitor: Visitor): Promise<void> {
    const person = this.#deps.session(visitor, id)?.person;
    const isAllowed = visitor.scope !== 'view' && person?.control.isHeldBy(visitor.person.id) === true;
    const result = isAllowed ? await person.hands.put(input).catch(() => refused) : refused;
    // A page sends many moves, and waits for none.
    if (input.kind !== 'move') this.#send({ type: 'done', id: number, ...result });
  }

  #watch(wanted: { stream: number; session: string; width: number; height: number; fps: number }, by: Visitor): void {
    this.#unwatch(wanted.stream);
    const session = this.#deps.session(by, wanted.session);
    const film = session === undefined ? undefined : this.#deps.film(wanted.session);
    if (session === undefined || film === undefined || this.#streams.size >= mostStreams) return;
    const { control } = session.person;
    let inFlight: number | undefined;
    let shown = 0;
    let sentAt = 0;
    const viewer: FilmViewer = {
      width: wanted.width,
      height: wanted.height,
      fps: wanted.fps,
      get isFree() {
        return inFlight === undefined;
      },
      show: (frame) => {
        if (inFlight !== undefined || frame.seq <= shown) return;
        if ((control.privateTo?.id ?? by.person.id) !== by.person.id) return;
        inFlight = frame.seq;
        shown = frame.seq;
        sentAt = performance.now();
        this.#sendFrame(wanted.stream, frame);
      },
    };
    const drawn = (seq: number): void => {
      if (seq !== inFlight) return;
      inFlight = undefined;
      film.freed(viewer);
    };
    const waitsMs = (): number => (inFlight === undefined ? 0 : performance.now() - sentAt);
    this.#streams.set(wanted.stream, { drawn, waitsMs, watching: film.add(viewer) });
  }

  #unwatch(id: number): void {
    this.#streams.get(id)?.watching[Symbol.dispose]();
    this.#streams.delete(id);
  }

  #sendFrame(id: number, { jpeg, ...facts }: Frame): void {
    const message = Buffer.allocUnsafe(frameHeaderBytes + jpeg.length).fill(0, 0, frameHeaderBytes);
    writeFrameHeader(new DataView(message.buffer, message.byteOffset, frameHeaderBytes), { stream: id, ...facts });
    jpeg.copy(message, frameHeaderBytes);
    this.#write(message);
  }

  #send(message: ServerMessage): void {
    this.#write(JSON.stringify(message));
  }

  #write(data: string | Buffer): void {
    if (this.#socket.bufferedAmount > mostUnread) this.#socket.terminate();
    else if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(data, () => undefined);
  }

  #refuse(reason: string): void {
    this.#socket.close(policyViolation, reason);
  }

  #end(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#listening?.[Symbol.dispose]();
    for (const id of this.#streams.keys()) this.#unwatch(id);
  }
}

function textOf(data: unknown): string | undefined {
  // `binaryType` is the default, so a message is one buffer.
  return Buffer.isBuffer(data) ? data.toString() : undefined;
}

function parsed(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}
