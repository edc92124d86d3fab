import type { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';
import type { Refusal } from '../transport/access/guard.ts';
import { tokenHeader } from './protocol.ts';

const cookieName = 'pagehelm';

/** Over TLS, the prefix makes browsers refuse a cookie that another host set for this one. */
function nameFor(request: IncomingMessage): string {
  return isSecure(request) ? `__Host-${cookieName}` : cookieName;
}

/** Set by a gateway whose client uses TLS. A client that sets it itself gets a cookie that is more restricted. */
export const secureHeader = 'pagehelm-secure';

function isSecure({ socket, headers }: IncomingMessage): boolean {
  return socket instanceof TLSSocket || headers[secureHeader] === '1';
}

export function cookieOf(request: IncomingMessage): string | undefined {
  const name = nameFor(request);
  const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim().split('='));
  return pairs.find(([key]) => key === name)?.[1];
}

export function setCookie(request: IncomingMessage, value: string, seconds: number): string {
  const secure = isSecure(request) ? '; Secure' : '';
  return `${nameFor(request)}=${value}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${seconds}${secure}`;
}

/** A proxy in front may add TLS, so that the scheme is not compared. */
export function isOwnOrigin({ headers: { origin, host } }: IncomingMessage): boolean {
  return origin !== undefined && (origin === `http://${host}` || origin === `https://${host}`);
}

/** Why a request that changes something is refused: only the page of this server sends all three. */
export function changeProblem(request: IncomingMessage): Refusal | undefined {
  const { headers } = request;
  // A program with a key is no page of another site.
  const isProgram = headers.authorization !== undefined && headers.origin === undefined;
  if (isProgram) return undefined;
  const isOwn = isOwnOrigin(request) && headers['sec-fetch-site'] === 'same-origin';
  if (isOwn && headers[tokenHeader] !== undefined) return undefined;
  return { status: 403, message: 'Only the dashboard of this server may send this request.' };
}
