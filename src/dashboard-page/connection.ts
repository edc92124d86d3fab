import { frameHeaderBytes, readFrameHeader } from '../dashboard/protocol.ts';
import type { PageMessage, ServerMessage } from '../dashboard/protocol.ts';
import { token } from './api.ts';

export interface Wanted {
  readonly session: string;
  readonly width: number;
  readonly height: number;
  readonly fps: number;
}

interface Watch {
  readonly wanted: Wanted;
  readonly canvas: HTMLCanvasElement;
}

export interface ConnectionEvents {
  readonly message: (message: ServerMessage) => void;
  readonly connected: (isConnected: boolean) => void;
  /** The token is no longer accepted. */
  readonly refused: () => void;
}

const policyViolation = 1008;
const longestWaitMs = 10_000;

/** The WebSocket to the server; it reconnects and resumes what was watched. */
export class Connection {
  readonly #events: ConnectionEvents;
  readonly #watches = new Map<number, Watch>();
  #socket: WebSocket | undefined;
  #next = 1;
  #waitMs = 500;

  constructor(events: ConnectionEvents) {
    this.#events = events;
    document.addEventListener('visibilitychange', () => this.#resume());
    this.#connect();
  }

  /** Draws the frames of a session until the returned function is called. */
  watch(wanted: Wanted, canvas: HTMLCanvasElement): () => void {
    const stream = this.#next++ % 65_536;
    this.#watches.set(stream, { wanted, canvas });
    this.send({ type: 'watch', stream, ...wanted });
    return () => {
      this.#watches.delete(stream);
      this.send({ type: 'unwatch', stream });
    };
  }

  #connect(): void {
    const socket = new WebSocket(`${location.origin.replace(/^http/, 'ws')}/api/v1/watch`);
    socket.binaryType = 'arraybuffer';
    this.#socket = socket;
    socket.addEventListener('open', () => {
      this.#waitMs = 500;
      this.send({ type: 'hello', token: token() });
      this.#events.connected(true);
      this.#resume();
    });
    socket.addEventListener('message', ({ data }: MessageEvent<string | ArrayBuffer>) => {
      if (typeof data !== 'string') void this.#draw(data);
      // The server of this page sends the types of the protocol.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      else this.#events.message(JSON.parse(data) as ServerMessage);
    });
    socket.addEventListener('close', ({ code }) => {
      this.#events.connected(false);
      if (code === policyViolation) return this.#events.refused();
      setTimeout(() => this.#connect(), this.#waitMs);
      this.#waitMs = Math.min(longestWaitMs, this.#waitMs * 2);
      return undefined;
    });
  }

  /** A page in the background draws nothing, so that it requests nothing. */
  #resume(): void {
    for (const [stream, { wanted }] of this.#watches)
      this.send(document.hidden ? { type: 'unwatch', stream } : { type: 'watch', stream, ...wanted });
  }

  async #draw(data: ArrayBuffer): Promise<void> {
    const header = readFrameHeader(new DataView(data));
    const canvas = header === undefined ? undefined : this.#watches.get(header.stream)?.canvas;
    if (header === undefined) return;
    const image = await createImageBitmap(new Blob([data.slice(frameHeaderBytes)], { type: 'image/jpeg' }));
    if (canvas !== undefined) {
      canvas.width = image.width;
      canvas.height = image.height;
      canvas.dataset['seq'] = String(header.seq);
      // Of the viewport, for the places of clicks.
      canvas.dataset['width'] = String(header.width);
      canvas.dataset['height'] = String(header.height);
      canvas.getContext('2d')?.drawImage(image, 0, 0);
    }
    image.close();
    this.send({ type: 'ack', stream: header.stream, seq: header.seq });
  }

  /** False while there is no connection. */
  send(message: PageMessage): boolean {
    const isOpen = this.#socket?.readyState === WebSocket.OPEN;
    if (isOpen) this.#socket?.send(JSON.stringify(message));
    return isOpen;
  }
}
