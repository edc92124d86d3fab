import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import * as z from 'zod';
import type { RunningCalls } from '../call/running-calls.ts';
import { EventHistory } from '../events/bus.ts';
import type { EventBus } from '../events/bus.ts';
import type { Logger } from '../log.ts';
import type { Handoffs } from '../session/control/handoffs.ts';
import type { SessionStore } from '../session/store.ts';
import type { Refusal } from '../transport/access/guard.ts';
import type { KeyIdentity } from '../transport/access/keys.ts';
import { readJson } from '../transport/http/body.ts';
import type { Identify, WebRoutes } from '../transport/http/endpoint.ts';
import { sendText } from '../transport/http/respond.ts';
import { Access, visitSeconds } from './access.ts';
import type { Entrance, Pass, Visitor } from './access.ts';
import { changeControl } from './control-routes.ts';
import { Films } from './films.ts';
import { Pictures } from './pictures.ts';
import { tokenHeader } from './protocol.ts';
import { changeProblem, cookieOf, isOwnOrigin, setCookie } from './request-checks.ts';
import { DashboardState, consoleOf, isHiddenFrom, requestsOf } from './state.ts';
import { sendPage, staticPaths } from './static-files.ts';
import { Viewer } from './viewer.ts';

export interface DashboardDeps {
  readonly store: SessionStore;
  readonly events: EventBus;
  readonly running: RunningCalls;
  readonly log: Logger;
  readonly version: string;
  /** Removes secrets. */
  readonly redact: (value: unknown) => unknown;
  readonly handoffs: Handoffs;
  /** Where people reach this server, if not by host and port. */
  readonly publicUrl: string | undefined;
  /** The driver of a key. */
  readonly driverOf: (identity: KeyIdentity) => string;
}

interface Call {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly identify: Identify;
}

const watchPath = '/api/v1/watch';
const maxBody = 64 * 1024;
const mostViewers = 64;
const ticketSchema = z.strictObject({ ticket: z.string().max(200) });

const notFound: Refusal = { status: 404, message: 'Nothing is served at this path.' };
const unauthorized: Refusal = {
  status: 401,
  message: 'Authentication required. Open the link that the server printed, or send the key.',
};

/** The dashboard and its interface, on the port of the server. */
export class Dashboard implements WebRoutes, AsyncDisposable {
  readonly access = new Access();
  readonly #deps: DashboardDeps;
  readonly #state: DashboardState;
  readonly #history: EventHistory;
  readonly #films: Films;
  readonly #pictures: Pictures;
  readonly #viewers = new Set<Viewer>();
  readonly #server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: maxBody,
  });

  constructor(deps: DashboardDeps) {
    const { store, events, running, version } = deps;
    this.#deps = deps;
    this.#history = new EventHistory(events);
    this.#films = new Films(store, events, deps.log);
    const isPrivate = (id: string): boolean => store.all().find((each) => each.id === id)?.person.isPrivate === true;
    this.#pictures = new Pictures(this.#films, events, isPrivate);
    const runningIn = (session: string) => running.in(session);
    const { handoffs } = deps;
    this.#state = new DashboardState({ store, version, handoffs, seq: () => events.seq, running: runningIn });
  }

  /** Agents can ask for a person from here on; `origin` is where this server listens. */
  listensAt(origin: string): void {
    const { handoffs, publicUrl = origin } = this.#deps;
    handoffs.serve((session, lifeMs) => {
      const pass = { driver: session.owner, scope: 'control', session: session.id, name: 'the person asked' } as const;
      const hash = new URLSearchParams({ ticket: this.access.ticket(pass, lifeMs), session: session.id });
      return `${publicUrl.replace(/\/$/, '')}/dashboard#${hash}`;
    });
  }

  get films(): Films {
    return this.#films;
  }

  get viewers(): number {
    return this.#viewers.size;
  }

  serves(path: string): boolean {
    return staticPaths.has(path) || path === '/dashboard/enter' || path.startsWith('/api/v1/');
  }

  async handle(request: IncomingMessage, response: ServerResponse, identify: Identify): Promise<Refusal | undefined> {
    const path = pathOf(request);
    const call = { request, response, identify };
    secure(response);
    if (staticPaths.has(path)) return sendPage(request, response, path);
    if (path === '/dashboard/enter') return this.#enter(call);
    if (path === watchPath) return { status: 426, message: 'This path serves WebSocket connections.' };
    const pass = this.#passOf(call);
    if ('status' in pass) return pass;
    return request.method === 'POST' ? this.#change(call, path, pass) : this.#read(call, path, pass);
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Refusal | undefined {
    if (pathOf(request) !== watchPath) return notFound;
    // A request without an Origin does not come from a page; a program has the key and can poll.
    if (!isOwnOrigin(request)) return { status: 403, message: 'Only the dashboard of this server may connect here.' };
    const cookie = cookieOf(request);
    if (cookie === undefined) return unauthorized;
    if (this.#viewers.size >= mostViewers)
      return { status: 503, message: 'Too many viewers.', headers: { 'Retry-After': '30' } };
    this.#server.handleUpgrade(request, socket, head, (webSocket) => {
      const viewer = new Viewer(webSocket, {
        events: this.#deps.events,
        admit: (token) => this.access.admit(cookie, token),
        state: (visitor) => this.#shown(this.#state.server(visitor)),
        session: (visitor, session) => this.#state.session(visitor, session),
        film: (session) => this.#films.of(session),
        redact: this.#deps.redact,
      });
      this.#viewers.add(viewer);
      webSocket.once('close', () => this.#viewers.delete(viewer));
    });
    return undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#deps.handoffs.serve(undefined);
    for (const viewer of this.#viewers) viewer.close();
    await this.#films[Symbol.asyncDispose]();
    this.#pictures[Symbol.dispose]();
    this.#history[Symbol.dispose]();
    this.#server.close();
  }

  /** Lets a person in by the ticket of a link, or by a key. */
  async #enter(call: Call): Promise<Refusal | undefined> {
    const { request, response } = call;
    if (request.method !== 'POST') return { status: 405, message: 'Method not allowed.', headers: { Allow: 'POST' } };
    const problem = changeProblem(request);
    if (problem !== undefined) return problem;
    const entrance = await this.#entranceOf(call);
    if ('status' in entrance) return entrance;
    response.setHeader('Set-Cookie', setCookie(request, entrance.cookie, visitSeconds));
    sendJson(response, { token: entrance.token });
    return undefined;
  }

  async #entranceOf({ request, identify }: Call): Promise<Entrance | Refusal> {
    if (request.headers.authorization !== undefined) {
      const identity = identify();
      if (identity === undefined) return unauthorized;
      return 'status' in identity ? identity : this.access.enter(this.#passOfKey(identity));
    }
    const body = await readJson(request, maxBody);
    if ('refusal' in body) return body.refusal;
    const { success, data } = ticketSchema.safeParse(body.value);
    const entrance = success ? this.access.redeem(data.ticket) : undefined;
    return entrance ?? { status: 403, message: 'The link was used or has expired. Enter with the key of the server.' };
  }

  /** By a key in the header, as programs send it, or by the cookie and the token of the page. */
  #passOf({ request, identify }: Call): Visitor | Refusal {
    if (request.headers.authorization !== undefined) {
      const identity = identify();
      if (identity === undefined) return unauthorized;
      if ('status' in identity) return identity;
      return { ...this.#passOfKey(identity), person: { id: `key:${identity.name}`, name: identity.name } };
    }
    const token = request.headers[tokenHeader];
    const pass = this.access.admit(cookieOf(request), typeof token === 'string' ? token : undefined);
    if (pass === undefined) return unauthorized;
    const isChange = request.method !== 'GET';
    return (isChange ? changeProblem(request) : undefined) ?? pass;
  }

  #passOfKey(identity: KeyIdentity): Pass {
    const scope = identity.scope.readOnly === true ? 'view' : 'control';
    return { driver: this.#deps.driverOf(identity), scope, name: identity.name };
  }

  async #read({ request, response }: Call, path: string, pass: Visitor): Promise<Refusal | undefined> {
    if (request.method !== 'GET') return { status: 405, message: 'Method not allowed.', headers: { Allow: 'GET' } };
    if (path === '/api/v1/state') {
      sendJson(response, this.#shown(this.#state.server(pass)));
      return undefined;
    }
    const [, id = '', what = '', call = ''] =
      /^\/api\/v1\/sessions\/([\w-]+)\/(calls|console|requests|pictures\/([\da-f]+))$/.exec(path) ?? [];
    const session = this.#state.session(pass, id);
    if (session === undefined) return notFound;
    if (call !== '') {
      const picture = this.#pictures.of(id, call);
      if (picture === undefined) return notFound;
      response.writeHead(200, { 'Content-Type': 'image/jpeg', 'Cache-Control': 'no-store' }).end(picture);
      return undefined;
    }
    if (what !== 'calls' && isHiddenFrom(session, pass)) {
      sendJson(response, []);
      return undefined;
    }
    const after = Number(new URLSearchParams(request.url?.split('?')[1]).get('after') ?? 0);
    if (what === 'calls') sendJson(response, this.#shown(this.#history.of(id, Number.isFinite(after) ? after : 0)));
    if (what === 'console') sendJson(response, this.#shown(consoleOf(session)));
    if (what === 'requests') sendJson(response, this.#shown(await requestsOf(session)));
    return undefined;
  }

  async #change({ request, response }: Call, path: string, pass: Visitor): Promise<Refusal | undefined> {
    const [, id = '', what = '', call = ''] =
      /^\/api\/v1\/sessions\/([\w-]+)\/(close|control|files|annotate|calls\/([\da-f]+)\/cancel)$/.exec(path) ?? [];
    const session = this.#state.session(pass, id);
    if (session === undefined) return notFound;
    if (pass.scope === 'view') return { status: 403, message: 'This key may only look.' };
    if (what === 'control' || what === 'files' || what === 'annotate') {
      const { running, handoffs } = this.#deps;
      const refusal = await changeControl({ request, session, visitor: pass, running, handoffs }, what);
      if (refusal !== undefined) return refusal;
    } else if (what === 'close') await this.#deps.store.close(session);
    else if (this.#deps.running.in(id)?.id !== call || !this.#deps.running.stop(call)) return notFound;
    this.#deps.log.info('a person changed a session', { session: id, change: what });
    sendJson(response, { done: true });
    return undefined;
  }

  /** Without secrets of the configuration. Text that was typed into a password field is redacted by its session. */
  #shown<T>(value: T): T {
    // Only texts are replaced; the shape of the data stays.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return this.#deps.redact(value) as T;
  }
}

function secure(response: ServerResponse): void {
  response.setHeader('X-Frame-Options', 'DENY');
  response.setHeader('Referrer-Policy', 'no-referrer');
  response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
  response.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
}

function sendJson(response: ServerResponse, value: unknown): void {
  sendText(response, 200, 'application/json', JSON.stringify(value));
}

function pathOf({ url = '/' }: IncomingMessage): string {
  return url.split('?', 1)[0] ?? '/';
}
