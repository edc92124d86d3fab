import { signal } from '@preact/signals';
import type { NativePopup, PersonInput, ServerState, SessionState, WatchedEvent } from '../dashboard/protocol.ts';
import { forgetToken, readCalls, token } from './api.ts';
import { Connection } from './connection.ts';

/** One call of the timeline. */
export interface CallLine {
  readonly id: string;
  readonly tool: string;
  readonly at: number;
  readonly args: unknown;
  readonly ms?: number;
  readonly tokens?: number;
  readonly code?: string;
  readonly isRunning: boolean;
  readonly hasPicture?: boolean;
}

const keptCalls = 300;

export const isIn = signal(token() !== '');
export const isConnected = signal(false);
export const server = signal<ServerState | undefined>(undefined);
/** The session that is shown large, by id. */
export const selected = signal<string | undefined>(
  new URLSearchParams(location.hash.slice(1)).get('session') ?? undefined,
);
export const calls = signal<ReadonlyMap<string, readonly CallLine[]>>(new Map());
/** The last thing that happened, for screen readers. */
export const announcement = signal('');

/** The native popups of the sessions that this person has. */
export const popups = signal<ReadonlyMap<string, readonly NativePopup[]>>(new Map());

interface InputResult {
  readonly isDone: boolean;
  readonly text?: string;
}

let connection: Connection | undefined;
let nextInput = 1;
const waiting = new Map<number, (result: InputResult) => void>();

function settle(id: number, result: InputResult): void {
  waiting.get(id)?.(result);
  waiting.delete(id);
}

/** Sends an input to the page of a session; resolves when the page has got it. Moves are not answered. */
export async function put(session: string, input: PersonInput): Promise<InputResult> {
  const id = nextInput++;
  const isSent = connect().send({ type: 'input', session, id, input });
  if (!isSent || input.kind === 'move') return { isDone: isSent };
  return new Promise((resolve) => void waiting.set(id, resolve));
}

/** Connects when the person is in. */
export function connect(): Connection {
  connection ??= new Connection({
    message: (message) => {
      if (message.type === 'state') server.value = message.state;
      else if (message.type === 'event') addEvent(message.event);
      else if (message.type === 'popups') popups.value = new Map(popups.value).set(message.session, message.popups);
      else settle(message.id, message);
    },
    connected: (value) => {
      isConnected.value = value;
      // An answer of an earlier connection never comes.
      if (!value) for (const id of waiting.keys()) settle(id, { isDone: false });
    },
    refused: () => {
      connection = undefined;
      forgetToken();
      isIn.value = false;
    },
  });
  return connection;
}

export function select(id: string | undefined): void {
  selected.value = id;
  history.replaceState(null, '', id === undefined ? location.pathname : `#session=${id}`);
  if (id !== undefined) void loadCalls(id);
}

/** Sessions at work first, then those that were used last. */
export function sessions(): readonly SessionState[] {
  return (server.value?.sessions ?? []).toSorted(
    (a, b) => Number(b.calls > 0) - Number(a.calls > 0) || Number(b.isOpen) - Number(a.isOpen) || a.idleMs - b.idleMs,
  );
}

export async function loadCalls(id: string): Promise<void> {
  const events = await readCalls(id);
  calls.value = new Map(calls.value).set(id, events.reduce(withEvent, []));
}

function addEvent(event: WatchedEvent): void {
  if (event.session === undefined) return;
  const known = calls.value.get(event.session) ?? [];
  calls.value = new Map(calls.value).set(event.session, withEvent(known, event));
  if (event.type === 'control.changed' && event.session === selected.value)
    announcement.value = event.phase === 'agent' ? 'The agent has control' : `${event.by ?? 'A person'} has control`;
  if (event.type === 'call.ended' && event.session === selected.value)
    announcement.value = `${event.tool ?? ''} ${event.code ?? 'succeeded'}`;
}

function withEvent(lines: readonly CallLine[], event: WatchedEvent): readonly CallLine[] {
  const { type, call: id = '', tool = '', at, args, ms, tokens, code } = event;
  if (type === 'call.started') return [...lines.slice(1 - keptCalls), { id, tool, at, args, isRunning: true }];
  if (type === 'picture') return lines.map((line) => (line.id === id ? { ...line, hasPicture: true } : line));
  if (type !== 'call.ended') return lines;
  const ended = {
    ...(ms === undefined ? {} : { ms }),
    ...(tokens === undefined ? {} : { tokens }),
    ...(code === undefined ? {} : { code }),
    args,
    isRunning: false,
  };
  return lines.map((line) => (line.id === id ? { ...line, ...ended } : line));
}
