import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { cut } from '../../util/text.ts';

/** An answer to a request that is not served. */
export interface Refusal {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface GuardOptions {
  /** Address the listener is bound to. */
  readonly host: string;
  /** Further hosts: `name`, `name:port`, an origin such as `https://name`, or `*`. */
  readonly allowedHosts: readonly string[];
}

/** Headers that decide who may do what. A second one could be read differently by a proxy in front of this server. */
const singleHeaders = new Set([
  'authorization',
  'content-encoding',
  'content-length',
  'content-type',
  'host',
  'last-event-id',
  'mcp-protocol-version',
  'mcp-session-id',
  'origin',
  'transfer-encoding',
]);

interface AllowedHost {
  readonly scheme?: string;
  readonly hostname: string;
  readonly port?: string;
}

/**
 * Checks Host and Origin before anything else. A web page that rebinds its name to a loopback address sends its own name as
 * Host; a page that posts across origins sends its Origin. Neither may reach a protocol server.
 */
export class RequestGuard {
  readonly #options: GuardOptions;
  readonly #allowed: readonly AllowedHost[];

  constructor(options: GuardOptions) {
    this.#options = options;
    this.#allowed = options.allowedHosts.flatMap((entry) => readEntry(entry) ?? []);
  }

  check(request: IncomingMessage): Refusal | undefined {
    const doubled = doubledHeader(request.rawHeaders);
    if (doubled !== undefined) return { status: 400, message: `The request has more than one ${doubled} header.` };
    // Origin-form only: an absolute target names a second host.
    if (request.url?.startsWith('/') !== true) return { status: 400, message: 'The request target must be a path.' };
    return this.#checkHost(request) ?? this.#checkOrigin(request);
  }

  #checkHost({ headers: { host }, socket }: IncomingMessage): Refusal | undefined {
    const url = readHost(host);
    if (url === undefined) return { status: 400, message: 'The Host header is missing or malformed.' };
    const { hostname } = url;
    const isAllowed =
      isLoopbackName(hostname) ||
      this.#options.allowedHosts.includes('*') ||
      hostname === readHost(bracketed(this.#options.host))?.hostname ||
      // A page cannot rebind an IP address; this is the address the client has connected to.
      hostname === readHost(bracketed(plainAddress(socket.localAddress ?? '')))?.hostname ||
      this.#isListed(url);
    if (isAllowed) return undefined;
    const shown = cut(url.host, 100);
    return {
      status: 403,
      message: `Host "${shown}" is not allowed. To accept it, start the server with --allowed-hosts ${shown}.`,
    };
  }

  #checkOrigin({ headers: { origin, host } }: IncomingMessage): Refusal | undefined {
    if (origin === undefined || this.isAllowedOrigin(origin, host)) return undefined;
    const url = URL.canParse(origin) ? new URL(origin) : undefined;
    const shown = JSON.stringify(cut(origin, 100));
    const hint =
      url === undefined || url.host === ''
        ? ''
        : ` To accept it, start the server with --allowed-hosts ${cut(url.origin, 100)}.`;
    return { status: 403, message: `Origin ${shown} is not allowed.${hint}` };
  }

  /** The server's own origin, or one from the list; `*` in the list is about hosts only. */
  isAllowedOrigin(origin: string, host: string | undefined): boolean {
    const url = URL.canParse(origin) ? new URL(origin) : undefined;
    if (url === undefined || url.origin !== origin || !/^https?:$/.test(url.protocol)) return false;
    return url.host === readHost(host, url.protocol)?.host || this.#isListed(url);
  }

  #isListed({ protocol, hostname, port }: URL): boolean {
    return this.#allowed.some(
      (entry) =>
        entry.hostname === hostname &&
        (entry.port === undefined || entry.port === port) &&
        (entry.scheme === undefined || entry.scheme === protocol),
    );
  }
}

function doubledHeader(raw: readonly string[]): string | undefined {
  const seen = new Set<string>();
  for (let index = 0; index < raw.length; index += 2) {
    const name = raw[index]?.toLowerCase() ?? '';
    if (!singleHeaders.has(name)) continue;
    if (seen.has(name)) return name;
    seen.add(name);
  }
  return undefined;
}

/** The host in its canonical form: `LOCALHOST.` and `[0:0:0:0:0:0:0:1]` are as good as `localhost` and `[::1]`. */
function readHost(host: string | undefined, scheme = 'http:'): URL | undefined {
  if (host === undefined || !/^(?:\[[\da-f:.]+\]|[^\s:/?#@[\]\\%]+)(?::\d{1,5})?$/i.test(host)) return undefined;
  const text = `${scheme}//${host.replace(/\.(?=:\d+$|$)/, '')}/`;
  return URL.canParse(text) ? new URL(text) : undefined;
}

function readEntry(entry: string): AllowedHost | undefined {
  const [, scheme, rest = ''] = /^(?:(https?:)\/\/)?(.*?)\/?$/i.exec(entry.trim()) ?? [];
  const protocol = scheme?.toLowerCase();
  const url = readHost(bracketed(rest), protocol);
  if (url === undefined) return undefined;
  const isDefaultPort = protocol !== undefined && url.port === '';
  return {
    hostname: url.hostname,
    ...(protocol === undefined ? {} : { scheme: protocol }),
    ...(url.port === '' && !isDefaultPort ? {} : { port: url.port }),
  };
}

function bracketed(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host;
}

/** An IPv4 address of a socket that is open for both families. */
function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}

export function isLoopbackName(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}

/** Whether nothing but this machine can reach a listener on this address. */
export function isLoopbackHost(host: string): boolean {
  const hostname = readHost(bracketed(host))?.hostname;
  return hostname !== undefined && isLoopbackName(hostname);
}
