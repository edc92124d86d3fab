import type { Socket } from 'node:net';

/** The socket in the run folder of a holder on which servers claim its browser. */
export const claimSocket = 'claim';
/** Says whose browser it is. */
export const heldFile = 'held.json';

/** What a server asks of a holder; one JSON object per line. */
export type HolderRequest =
  /** The first message: the holder answers it, and keeps its browser while the connection lasts. */
  | { readonly do: 'claim'; readonly key: string }
  /** This context belongs to a session. */
  | { readonly do: 'label'; readonly context: string; readonly session: string }
  /** The browser does not answer. */
  | { readonly do: 'silent'; readonly reason: string }
  /** Close the browser now. */
  | { readonly do: 'end' };

/** The answer to a claim: where the browser is, and which context belongs to which session. */
export type Claimed =
  | { readonly refused: string }
  | { readonly endpoint: string; readonly sessions: Readonly<Record<string, string>> };

/** Calls back for each line of JSON. */
export function onLines(socket: Socket, receive: (message: unknown) => void): void {
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (text + chunk).split('\n');
    text = lines.pop() ?? '';
    for (const line of lines) receive(JSON.parse(line));
  });
}

export function sendLine(socket: Socket, message: HolderRequest | Claimed): void {
  if (socket.writable) socket.write(`${JSON.stringify(message)}\n`);
}
