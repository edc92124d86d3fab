import { randomUUID } from 'node:crypto';
import { Agent, request as httpRequest } from 'node:http';
import type { ClientRequest, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { Agent as TlsAgent, request as tlsRequest } from 'node:https';
import type { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';
import { driverOf } from '../../call/binding.ts';
import { secureHeader } from '../../dashboard/request-checks.ts';
import type { Logger } from '../../log.ts';
import type { DriverId } from '../../session/session.ts';
import type { KeyIdentity } from '../../transport/access/keys.ts';
import { readBytes } from '../../transport/http/body.ts';
import type { Forwarder } from '../../transport/http/endpoint.ts';
import { refuseUpgrade } from '../../transport/http/listener.ts';
import { refuse } from '../../transport/http/respond.ts';
import { pause } from '../../util/signals.ts';
import { identityHeader } from '../identity.ts';
import type { SignedIdentities } from '../identity.ts';
import type { Limits } from '../stores.ts';
import type { Router } from './router.ts';

export interface ForwardOptions {
  readonly router: Router;
  readonly identities: SignedIdentities;
  readonly limits: Limits;
  /** Requests of one key in a second; 0 means no limit. */
  readonly rate: number;
  readonly maxBodyBytes: number;
  /** How long a request waits for a worker: a lease, and what a worker needs to start. */
  readonly waitMs: number;
  readonly log: Logger;
}

/** Names the call for the journal, so that it can be sent again when its worker is lost. */
const callHeader = 'pagehelm-call-id';
/** Set by a worker that does not have the driver: where it is. */
export const ownerHeader = 'pagehelm-owner';
/** Misdirected Request. */
export const misdirected = 421;
const connectLimitMs = 2000;
const watchMs = 2000;
/** Until a worker that refused a request, or that is not there, is asked again. */
const busyMs = 250;
const awayMs = 100;
/** A shorter answer is sent as a whole, so that it can be replaced by that of another worker. */
const wholeBytes = 1_048_576;
/** Shorter than workers keep idle connections: a request never meets a connection that its worker is closing. */
const idleSocketMs = 30_000;
/** Headers of one connection, and those that only this cluster may set. */
const dropped = new Set([
  'authorization',
  'connection',
  'expect',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  identityHeader,
  callHeader,
  ownerHeader,
  secureHeader,
]);

/** One attempt to have a request answered by a worker. */
type Attempt =
  | { readonly is: 'answered'; readonly answer: IncomingMessage }
  /** The worker has not begun with it. */
  | { readonly is: 'refused'; readonly owner?: string | undefined; readonly retryMs: number }
  /** It may have begun with it. The journal knows. */
  | { readonly is: 'broken' };

/** Where a request goes, and who sends it; a person with a cookie has no key. */
export interface Addressed {
  readonly driver: DriverId;
  readonly identity?: KeyIdentity | undefined;
  readonly body?: Buffer | undefined;
}

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Buffer | undefined;
  readonly signal: AbortSignal;
}

/** Sends requests of clients to the worker that has their sessions, and again if that worker is lost. */
export class Forward implements Forwarder, Disposable {
  readonly #options: ForwardOptions;
  readonly #http = new Agent({ keepAlive: true, timeout: idleSocketMs, scheduling: 'lifo' });
  readonly #tls = new TlsAgent({ keepAlive: true, timeout: idleSocketMs, scheduling: 'lifo' });
  #pending = 0;

  constructor(options: ForwardOptions) {
    this.#options = options;
  }

  get pending(): number {
    return this.#pending;
  }

  async handle(request: IncomingMessage, response: ServerResponse, identity: KeyIdentity | undefined): Promise<void> {
    if (identity === undefined) throw new Error('a request without a key');
    const { rate, limits, maxBodyBytes } = this.#options;
    const allowed = identity.scope.rate ?? rate;
    const taken = allowed === 0 ? undefined : await limits.take(identity.name, allowed);
    if (taken?.isTaken === false) {
      const seconds = String(Math.max(1, Math.ceil(taken.retryMs / 1000)));
      refuse(response, {
        status: 429,
        message: 'Too many requests in a second (--rate-limit).',
        headers: { 'Retry-After': seconds },
      });
      return;
    }
    const body = request.method === 'POST' ? await readBytes(request, maxBodyBytes) : undefined;
    if (request.method === 'POST' && body === undefined) {
      const message = `Payload too large: the body may have at most ${maxBodyBytes} bytes.`;
      refuse(response, { status: 413, message, headers: { Connection: 'close' } });
      return;
    }
    await this.send(request, response, { driver: driverOfKey(identity), identity, body });
  }

  /** Sends a request to the worker of a driver. */
  async send(request: IncomingMessage, response: ServerResponse, { driver, identity, body }: Addressed): Promise<void> {
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const isStream = request.method === 'GET';
    if (!isStream) this.#pending++;
    try {
      await this.#serve(response, driver, {
        method: request.method ?? 'GET',
        path: request.url ?? '/',
        headers: this.#headersFor(request, identity),
        body,
        signal: gone.signal,
      });
    } finally {
      if (!isStream) this.#pending--;
    }
  }

  /** Connects a WebSocket with the worker. What is sent on it cannot be sent again, so it ends with the worker. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, identity: KeyIdentity | undefined): void {
    if (identity === undefined) throw new Error('a request without a key');
    this.upgradeFor(request, socket, head, { driver: driverOfKey(identity), identity });
  }

  upgradeFor(request: IncomingMessage, socket: Duplex, head: Buffer, to: Omit<Addressed, 'body'>): void {
    void this.#upgrade(request, socket, head, to).catch((error: unknown) => {
      this.#options.log.debug('a WebSocket was not forwarded', { error });
      socket.destroy();
    });
  }

  [Symbol.dispose](): void {
    this.#http.destroy();
    this.#tls.destroy();
  }

  #headersFor({ headers, socket }: IncomingMessage, identity: KeyIdentity | undefined): OutgoingHttpHeaders {
    const passed = Object.entries(headers).filter(([name]) => !dropped.has(name));
    // The key itself stays here. Workers only see that there was one.
    const signed =
      identity === undefined
        ? {}
        : { [identityHeader]: this.#options.identities.sign(identity), authorization: 'Pagehelm' };
    const secure = socket instanceof TLSSocket ? { [secureHeader]: '1' } : {};
    return { ...Object.fromEntries(passed), ...signed, ...secure, [callHeader]: randomUUID() };
  }

  async #serve(response: ServerResponse, driver: DriverId, sent: Sent): Promise<void> {
    const { router, waitMs, log } = this.#options;
    const deadline = performance.now() + waitMs;
    const silent = new Set<string>();
    let reason = '';
    let hasBegun = false;
    const generation = sent.method === 'POST' ? await router.generation() : undefined;
    while (!sent.signal.aborted) {
      const route = await router.find(driver, silent);
      if ('retryMs' in route) {
        ({ reason } = route);
        if (performance.now() + route.retryMs > deadline) break;
        await pause(route.retryMs, sent.signal);
        // Its worker may be back.
        silent.clear();
        continue;
      }
      // Without its entry in the journal, the request would have its effect again.
      if (hasBegun && !(await router.isComplete(generation))) {
        reason = 'the journal of calls may be lost';
        break;
      }
      using watch = this.#watch(driver, route.address);
      const signal = AbortSignal.any([sent.signal, watch.signal]);
      const attempt = await this.#send(route.address, { ...sent, signal });
      if (attempt.is === 'answered') {
        const end = await relay(response, attempt.answer);
        if (end === 'done') return;
        if (sent.method !== 'POST') break;
        log.info('a worker was lost during a request', { driver });
      }
      if (attempt.is !== 'refused' && sent.method === 'POST') hasBegun = true;
      router.forget(driver);
      if (performance.now() > deadline) break;
      if (attempt.is === 'refused' && attempt.owner !== undefined) router.moved(driver, attempt.owner);
      else if (attempt.is === 'refused') await pause(attempt.retryMs, sent.signal);
      else silent.add(route.address);
    }
    const why = reason === '' ? 'its worker does not respond' : reason;
    const message = hasBegun
      ? `The worker was lost during this request, which may have had its effect, and no other one can tell: ${why}.`
      : `The cluster cannot serve this request now: ${why}.`;
    // What was sent of a stream stays valid: the client resumes it.
    if (response.headersSent) response.end();
    // A client repeats what was refused with 503.
    else if (hasBegun) refuse(response, { status: 504, message });
    else refuse(response, { status: 503, message, headers: { 'Retry-After': '2' } });
  }

  /** Aborts when another worker may have the driver: one that is cut off would never answer. */
  #watch(driver: string, address: string): Disposable & { readonly signal: AbortSignal } {
    const lost = new AbortController();
    const timer = setInterval(() => {
      void this.#options.router.isAt(driver, address).then((isThere) => {
        if (!isThere) lost.abort();
      });
    }, watchMs);
    return { signal: lost.signal, [Symbol.dispose]: () => clearInterval(timer) };
  }

  async #send(address: string, { method, path, headers, body, signal }: Sent): Promise<Attempt> {
    const length = body === undefined ? {} : { 'content-length': body.length };
    return new Promise((resolve) => {
      const outgoing = this.#request(address, { method, path, headers: { ...headers, ...length }, signal });
      outgoing.once('response', (answer) => {
        const isMisplaced = answer.statusCode === misdirected;
        const isBusy = answer.statusCode === 503;
        if (!isMisplaced && !isBusy) return resolve({ is: 'answered', answer });
        const owner = answer.headers[ownerHeader];
        answer.resume();
        resolve({ is: 'refused', owner: typeof owner === 'string' ? owner : undefined, retryMs: busyMs });
      });
      outgoing.once('error', () =>
        resolve(hasConnected(outgoing) ? { is: 'broken' } : { is: 'refused', retryMs: awayMs }),
      );
      outgoing.end(body);
    });
  }

  #request(
    address: string,
    options: { method: string; path: string; headers: OutgoingHttpHeaders; signal: AbortSignal },
  ): ClientRequest {
    // The path is sent as it came: as part of a URL, `//name` would be another host.
    const url = new URL(address);
    const isTls = url.protocol === 'https:';
    const outgoing = isTls
      ? tlsRequest(url, { ...options, agent: this.#tls })
      : httpRequest(url, { ...options, agent: this.#http });
    outgoing.once('socket', (socket) => {
      if (!socket.connecting) return;
      const timer = setTimeout(() => outgoing.destroy(new Error('no connection')), connectLimitMs);
      socket.once(isTls ? 'secureConnect' : 'connect', () => clearTimeout(timer));
      socket.once('close', () => clearTimeout(timer));
    });
    return outgoing;
  }

  async #upgrade(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    { driver, identity }: Omit<Addressed, 'body'>,
  ): Promise<void> {
    const { router, waitMs } = this.#options;
    const gone = new AbortController();
    socket.once('close', () => gone.abort());
    const deadline = performance.now() + waitMs;
    const headers = { ...this.#headersFor(request, identity), connection: 'Upgrade', upgrade: 'websocket' };
    const busy = {
      status: 503,
      message: 'The cluster cannot serve this request now.',
      headers: { 'Retry-After': '2' },
    };
    while (!gone.signal.aborted) {
      const route = await router.find(driver);
      if (performance.now() > deadline) return refuseUpgrade(socket, busy);
      if ('retryMs' in route) {
        await pause(route.retryMs, gone.signal);
        continue;
      }
      const outcome = await this.#upgradeAt(route.address, request, headers, { socket, head, signal: gone.signal });
      if (outcome === 'done') return;
      router.forget(driver);
      if (outcome !== undefined) router.moved(driver, outcome);
      else await pause(awayMs, gone.signal);
    }
  }

  /** `done`, or the address of the worker that has the driver, or undefined to try again. */
  async #upgradeAt(
    address: string,
    request: IncomingMessage,
    headers: OutgoingHttpHeaders,
    { socket, head, signal }: { readonly socket: Duplex; readonly head: Buffer; readonly signal: AbortSignal },
  ): Promise<string | undefined> {
    return new Promise((resolve) => {
      const outgoing = this.#request(address, { method: 'GET', path: request.url ?? '/ws', headers, signal });
      outgoing.once('upgrade', (answer, upstream, first) => {
        const lines = [`HTTP/1.1 101 Switching Protocols`, ...headerLines(answer.rawHeaders)];
        socket.write(`${lines.join('\r\n')}\r\n\r\n`);
        if (first.length > 0) socket.write(first);
        if (head.length > 0) upstream.write(head);
        upstream.pipe(socket).pipe(upstream);
        const end = (): void => {
          upstream.destroy();
          socket.destroy();
        };
        for (const each of [upstream, socket]) each.on('error', end).once('close', end);
        resolve('done');
      });
      outgoing.once('response', (answer) => {
        const owner = answer.headers[ownerHeader];
        answer.resume();
        if (answer.statusCode === misdirected || answer.statusCode === 503) {
          resolve(typeof owner === 'string' ? owner : undefined);
          return;
        }
        refuseUpgrade(socket, { status: answer.statusCode ?? 502, message: 'The worker refused the connection.' });
        resolve('done');
      });
      outgoing.once('error', () => resolve(undefined));
      outgoing.end();
    });
  }
}

function driverOfKey({ name }: KeyIdentity): DriverId {
  return driverOf({ key: name, connection: undefined }, false);
}

function hasConnected({ socket }: ClientRequest): boolean {
  return socket !== null && socket !== undefined && !socket.connecting && socket.bytesWritten > 0;
}

const eventStream = 'text/event-stream';

/** Passes an answer on. `broken`: the worker was lost before its end, and the client can be given another answer. */
async function relay(response: ServerResponse, answer: IncomingMessage): Promise<'done' | 'broken'> {
  const isStream = answer.headers['content-type']?.startsWith(eventStream) === true;
  // What follows a part of a stream must be events.
  if (response.headersSent && !isStream) {
    answer.destroy();
    response.end();
    return 'done';
  }
  const isWhole = !isStream && Number(answer.headers['content-length'] ?? 0) <= wholeBytes;
  const head = (): void => {
    const headers = Object.entries(answer.headers).filter(([name]) => !dropped.has(name));
    if (!response.headersSent) response.writeHead(answer.statusCode ?? 502, Object.fromEntries(headers));
  };
  const kept: Buffer[] = [];
  if (!isWhole) {
    head();
    response.flushHeaders();
  }
  return new Promise((resolve) => {
    const onDrain = (): void => void answer.resume();
    response.on('drain', onDrain);
    answer.on('data', (chunk: Buffer) => {
      if (isWhole) kept.push(chunk);
      else if (!response.write(chunk)) answer.pause();
    });
    answer.once('error', () => undefined);
    answer.once('close', () => {
      response.off('drain', onDrain);
      if (!answer.complete && (isWhole || isStream) && !response.destroyed) return resolve('broken');
      if (!answer.complete) response.destroy();
      else {
        head();
        response.end(Buffer.concat(kept));
      }
      resolve('done');
    });
  });
}

function headerLines(raw: readonly string[]): readonly string[] {
  return raw.flatMap((name, index) => (index % 2 === 0 ? [`${name}: ${raw[index + 1] ?? ''}`] : []));
}
