import { once } from 'node:events';
import { expect } from 'vitest';
import { WebSocket } from 'ws';
import * as z from 'zod';
import type { ApiKey } from '../../src/config/schema/keys.ts';
import { tokenHeader } from '../../src/dashboard/protocol.ts';
import type { PersonInput } from '../../src/dashboard/protocol.ts';
import { startListener } from './http-listener.ts';
import type { HttpAnswer, Sent, StartOptions, TestListener } from './http-listener.ts';

const keys: readonly ApiKey[] = [
  { name: 'ann', key: 'ann-key', scope: {} },
  { name: 'bob', key: 'bob-key', scope: {} },
  { name: 'eye', key: 'eye-key', scope: { readOnly: true } },
];

export interface Person {
  readonly cookie: string;
  readonly token: string;
  /** The headers that the page of the dashboard sends. */
  readonly headers: Readonly<Record<string, string>>;
}

export const start = async (options: StartOptions = {}): Promise<TestListener> => startListener({ keys, ...options });

export function ownHeaders(server: TestListener): Readonly<Record<string, string>> {
  return { origin: server.url.origin, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' };
}

export async function enter(server: TestListener, by: Pick<Sent, 'key' | 'body'>): Promise<HttpAnswer> {
  const headers = { ...ownHeaders(server), [tokenHeader]: '' };
  return server.send({ method: 'POST', path: '/dashboard/enter', headers, key: null, body: {}, ...by });
}

export async function person(server: TestListener, by: Pick<Sent, 'key' | 'body'>): Promise<Person> {
  const answer = await enter(server, by);
  expect(answer.status).toBe(200);
  const cookie = /^pagehelm=[\w-]+/.exec(String(answer.headers['set-cookie']))?.[0] ?? '';
  const { token } = z.object({ token: z.string() }).parse(JSON.parse(answer.text));
  return { cookie, token, headers: { ...ownHeaders(server), cookie, [tokenHeader]: token } };
}

/** A session with a page, and its id. */
export async function openSession(
  server: TestListener,
  withKey: string,
  page = 'data:text/html,<title>Shop',
): Promise<string> {
  await using client = await server.client({}, withKey);
  await client.call('browser_navigate', { url: page });
  const { text } = await server.send({ path: '/api/v1/state', key: withKey });
  return z.object({ sessions: z.array(z.object({ id: z.string() })) }).parse(JSON.parse(text)).sessions[0]?.id ?? '';
}

export async function get(
  server: TestListener,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<HttpAnswer> {
  return server.send({ path, headers, key: null });
}

export interface Watching extends Disposable {
  /** Sends an input of the person; resolves with whether the page got it. */
  put(session: string, input: PersonInput): Promise<{ readonly isDone: boolean; readonly text?: string }>;
  readonly socket: WebSocket;
  readonly messages: Record<string, unknown>[];
  readonly frames: Buffer[];
}

export async function watch(server: TestListener, { cookie, token }: Person): Promise<Watching> {
  const url = `ws://127.0.0.1:${server.port}/api/v1/watch`;
  const socket = new WebSocket(url, { headers: { cookie, origin: server.url.origin } });
  const messages: Record<string, unknown>[] = [];
  const frames: Buffer[] = [];
  socket.on('message', (data, isBinary) => {
    if (!Buffer.isBuffer(data)) return;
    if (isBinary) frames.push(data);
    else messages.push(Object(JSON.parse(data.toString())));
  });
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'hello', token }));
  let next = 1;
  socket.setMaxListeners(0);
  const put: Watching['put'] = async (session, input) => {
    const id = next++;
    return new Promise((resolve) => {
      const listen = (data: unknown): void => {
        const message = Buffer.isBuffer(data) && data[0] === 0x7b ? Object(JSON.parse(data.toString())) : {};
        if (message.type !== 'done' || message.id !== id) return;
        socket.off('message', listen);
        resolve(message);
      };
      socket.on('message', listen);
      socket.once('close', () => resolve({ isDone: false }));
      socket.send(JSON.stringify({ type: 'input', session, id, input }));
    });
  };
  return { socket, messages, frames, put, [Symbol.dispose]: () => socket.terminate() };
}

/** Changes who has a session; the status and the text of the answer. */
export async function control(
  server: TestListener,
  { headers }: Pick<Person, 'headers'>,
  session: string,
  body: object,
): Promise<HttpAnswer> {
  return server.send({ method: 'POST', path: `/api/v1/sessions/${session}/control`, headers, key: null, body });
}

/** Takes control, and waits until it is held. */
export async function takeControl(
  server: TestListener,
  who: Person,
  session: string,
  how: { readonly force?: boolean; readonly isPrivate?: boolean } = {},
): Promise<void> {
  expect((await control(server, who, session, { do: 'take', ...how })).status).toBe(200);
  const isHeld = async (): Promise<boolean> =>
    /"isMine":true,"phase":"held"/.test((await get(server, '/api/v1/state', who.headers)).text);
  await expect.poll(isHeld, { timeout: 15_000 }).toBe(true);
}
