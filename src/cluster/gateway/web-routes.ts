import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { driverOf } from '../../call/binding.ts';
import { claimedDriver } from '../../dashboard/access.ts';
import { cookieOf } from '../../dashboard/request-checks.ts';
import { sendPage, staticPaths } from '../../dashboard/static-files.ts';
import type { DriverId } from '../../session/session.ts';
import type { Refusal } from '../../transport/access/guard.ts';
import type { KeyIdentity } from '../../transport/access/keys.ts';
import { readBytes } from '../../transport/http/body.ts';
import type { Identify, WebRoutes } from '../../transport/http/endpoint.ts';
import { sendText } from '../../transport/http/respond.ts';
import { capacityOf } from './capacity.ts';
import type { Forward } from './forward.ts';
import type { Router } from './router.ts';

const capacityPath = '/api/v1/capacity';
const enterPath = '/dashboard/enter';
const maxBody = 64 * 1024;
const ticketPattern = /^\{"ticket":"([\w-]{1,200})"\}$/;

const unauthorized: Refusal = {
  status: 401,
  message: 'Authentication required. Open a link of browser_handoff, or send the key.',
};

/** The capacity of the cluster, and the dashboard of each key, which is served by the worker that has its sessions. */
export class GatewayRoutes implements WebRoutes {
  readonly #router: Router;
  readonly #forward: Forward;

  constructor(router: Router, forward: Forward) {
    this.#router = router;
    this.#forward = forward;
  }

  serves(path: string): boolean {
    return staticPaths.has(path) || path === enterPath || path.startsWith('/api/v1/');
  }

  async handle(request: IncomingMessage, response: ServerResponse, identify: Identify): Promise<Refusal | undefined> {
    const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
    if (staticPaths.has(path)) return sendPage(request, response, path);
    const identity = request.headers.authorization === undefined ? undefined : identify();
    if (identity !== undefined && 'status' in identity) return identity;
    if (path === capacityPath) return this.#capacity(request, response, identity);
    const body = request.method === 'POST' ? await readBytes(request, maxBody) : undefined;
    if (request.method === 'POST' && body === undefined) return { status: 413, message: 'The body is too large.' };
    const driver = driverFor(request, identity, path === enterPath ? body : undefined);
    if (driver === undefined) return unauthorized;
    await this.#forward.send(request, response, { driver, identity, body });
    return undefined;
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Refusal | undefined {
    const driver = driverFor(request, undefined, undefined);
    if (driver === undefined) return unauthorized;
    this.#forward.upgradeFor(request, socket, head, { driver });
    return undefined;
  }

  async #capacity(
    request: IncomingMessage,
    response: ServerResponse,
    identity: KeyIdentity | undefined,
  ): Promise<Refusal | undefined> {
    if (identity === undefined) return unauthorized;
    if (request.method !== 'GET') return { status: 405, message: 'Method not allowed.', headers: { Allow: 'GET' } };
    try {
      sendText(response, 200, 'application/json', JSON.stringify(capacityOf(await this.#router.workers())));
      return undefined;
    } catch {
      return { status: 503, message: 'The directory does not respond.', headers: { 'Retry-After': '2' } };
    }
  }
}

/** By the key, the ticket of a link or the cookie of a visit. The worker checks what they claim. */
function driverFor(
  request: IncomingMessage,
  identity: KeyIdentity | undefined,
  body: Buffer | undefined,
): DriverId | undefined {
  if (identity !== undefined) return driverOf({ key: identity.name, connection: undefined }, false);
  const [, ticket] = ticketPattern.exec(body?.toString() ?? '') ?? [];
  return claimedDriver(ticket ?? cookieOf(request) ?? '');
}
