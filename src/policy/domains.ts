import type { Config } from '../config/schema/schema.ts';

type DomainRules = Pick<Config['security'], 'allowedDomains' | 'blockedDomains'> & Config['network'];

/** One rule as it was written, and what it matches. */
interface Rule {
  readonly text: string;
  readonly host: string;
  /** Any, where it says none. */
  readonly port: string | undefined;
}

const portOf: Readonly<Record<string, string>> = { 'http:': '80', 'ws:': '80', 'https:': '443', 'wss:': '443' };

/** Which hosts may be reached: a block wins over an allow, and where something is allowed the rest is not. */
export class DomainPolicy {
  readonly #allowed: readonly Rule[];
  readonly #blocked: readonly Rule[];

  constructor({ allowedDomains = [], blockedDomains = [], allowedOrigins, blockedOrigins }: DomainRules) {
    this.#allowed = [...allowedDomains, ...allowedOrigins].map(readRule);
    this.#blocked = [...blockedDomains, ...blockedOrigins].map(readRule);
  }

  /** There are no rules: everything may be reached. */
  get isOpen(): boolean {
    return this.#allowed.length === 0 && this.#blocked.length === 0;
  }

  /** Why a host may not be reached; undefined when it may. */
  verdict(hostname: string, port: number): string | undefined {
    const host = plainHost(hostname);
    const matches = (rule: Rule): boolean =>
      (rule.port === undefined || rule.port === String(port)) && isHostOf(rule.host, host);
    const blocked = this.#blocked.find(matches);
    if (blocked !== undefined) return `the operator of this server has blocked ${blocked.text}`;
    if (this.#allowed.length === 0 || this.#allowed.some(matches)) return undefined;
    return 'the operator of this server has not allowed its domain';
  }

  /** The same for an address; what does not leave the machine is not its business. */
  verdictOn(address: string): string | undefined {
    if (this.isOpen || !URL.canParse(address)) return undefined;
    const { protocol, hostname, port } = new URL(address);
    const usual = portOf[protocol];
    return usual === undefined ? undefined : this.verdict(hostname, Number(port === '' ? usual : port));
  }
}

/** `*.example.com` and `.example.com` mean the domain itself and all below it, `*` every host. */
export function isHostOf(pattern: string, host: string): boolean {
  if (pattern === '*') return true;
  const domain = /^\*?\.(.+)$/.exec(pattern)?.[1];
  return domain === undefined ? host === pattern : host === domain || host.endsWith(`.${domain}`);
}

/** As URLs spell it, without brackets and the dot that may end a name. */
export function plainHost(hostname: string): string {
  return hostname
    .toLowerCase()
    .replace(/\.$/, '')
    .replaceAll(/^\[|\]$/g, '');
}

/** A domain, a host with a port, or an origin. */
function readRule(text: string): Rule {
  const [, scheme, host = '', port] =
    /^(?:([a-z*][a-z0-9+.-]*):\/\/)?(\[[^\]]*\]|[^/:]*)(?::(\d+|\*))?/i.exec(text.trim()) ?? [];
  const usual = scheme === undefined ? undefined : portOf[`${scheme.toLowerCase()}:`];
  return { text, host: plainHost(host), port: port === '*' ? undefined : (port ?? usual) };
}
