import { tokenHeader } from '../dashboard/protocol.ts';
import type { ConsoleLine, RequestLine, WatchedEvent } from '../dashboard/protocol.ts';

const stored = 'pagehelm-dashboard';

/** Kept by this origin: the cookie alone is worth nothing. */
export function token(): string {
  return localStorage.getItem(stored) ?? '';
}

export function forgetToken(): void {
  localStorage.removeItem(stored);
}

/** Lets the person in by the ticket of a link or by a key; the problem if that fails. */
export async function enter(by: { readonly ticket: string } | { readonly key: string }): Promise<string | undefined> {
  const authorization = 'key' in by ? { authorization: `Bearer ${by.key}` } : {};
  const response = await fetch('/dashboard/enter', {
    method: 'POST',
    headers: { ...authorization, 'content-type': 'application/json', [tokenHeader]: '' },
    body: JSON.stringify('ticket' in by ? by : {}),
  });
  const answer: unknown = await response.json();
  if (!response.ok) return problemIn(answer);
  localStorage.setItem(stored, String(Object(answer).token));
  return undefined;
}

function problemIn(answer: unknown): string {
  return String(Object(Object(answer).error).message ?? 'The server refused the request.');
}

/** Empty if the server refused: the session may be gone. */
async function lines(session: string, what: string): Promise<readonly unknown[]> {
  const response = await fetch(`/api/v1/sessions/${session}/${what}`, { headers: { [tokenHeader]: token() } });
  const answer: unknown = response.ok ? await response.json() : [];
  return Array.isArray(answer) ? answer : [];
}

// The server of this page sends the types of the protocol.
/* oxlint-disable typescript/no-unsafe-type-assertion */
export const readCalls = async (session: string): Promise<readonly WatchedEvent[]> =>
  (await lines(session, 'calls')) as readonly WatchedEvent[];
export const readConsole = async (session: string): Promise<readonly ConsoleLine[]> =>
  (await lines(session, 'console')) as readonly ConsoleLine[];
export const readRequests = async (session: string): Promise<readonly RequestLine[]> =>
  (await lines(session, 'requests')) as readonly RequestLine[];
/* oxlint-enable typescript/no-unsafe-type-assertion */

/** The problem if the change was refused. */
export async function change(path: string, body?: object | Blob): Promise<string | undefined> {
  const isJson = body !== undefined && !(body instanceof Blob);
  const type = isJson ? { 'content-type': 'application/json' } : {};
  const response = await fetch(path, {
    method: 'POST',
    headers: { [tokenHeader]: token(), ...type },
    ...(body === undefined ? {} : { body: isJson ? JSON.stringify(body) : body }),
  });
  return response.ok ? undefined : problemIn(await response.json());
}

/** The image of a page after a call, as a URL of this document; undefined if there is none. */
export async function readPicture(session: string, call: string): Promise<string | undefined> {
  const path = `/api/v1/sessions/${session}/pictures/${call}`;
  const response = await fetch(path, { headers: { [tokenHeader]: token() } });
  return response.ok ? URL.createObjectURL(await response.blob()) : undefined;
}
