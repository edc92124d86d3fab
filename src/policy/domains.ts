import { parseDomainRule } from '../config/domain-rule.ts';
import type { DomainRule } from '../config/domain-rule.ts';
import type { Config } from '../config/schema/schema.ts';
import { AddressSet } from './addresses.ts';

type DomainRules = Pick<Config['security'], 'allowedDomains' | 'blockedDomains'> & Config['network'];

/** A rule and, for an address or a network, the addresses that it covers. */
interface Rule extends DomainRule {
  readonly addresses?: AddressSet;
}

const portOf: Readonly<Record<string, string>> = { 'http:': '80', 'ws:': '80', 'https:': '443', 'wss:': '443' };

/** Decides which hosts may be reached. A block wins over an allow; with an allowlist, everything else is blocked. */
export class DomainPolicy {
  readonly #allowed: readonly Rule[];
  readonly #blocked: readonly Rule[];

  constructor({ allowedDomains = [], blockedDomains = [], allowedOrigins, blockedOrigins }: DomainRules) {
    this.#allowed = [...allowedDomains, ...allowedOrigins].map(readRule);
    this.#blocked = [...blockedDomains, ...blockedOrigins].map(readRule);
  }

  /** No rules: every host may be reached. */
  get isOpen(): boolean {
    return this.#allowed.length === 0 && this.#blocked.length === 0;
  }

  /** Why a host may not be reached; undefined when it may. */
  verdict(hostname: string, port: number): string | undefined {
    const host = plainHost(hostname);
    const matches = (rule: Rule): boolean => isPortOf(rule, port) && isMatch(rule, host);
    const blocked = this.#blocked.find(matches);
    if (blocked !== undefined) return `the operator of this server has blocked ${blocked.text}`;
    if (this.#allowed.length === 0 || this.#allowed.some(matches)) return undefined;
    return 'the operator of this server has not allowed its domain';
  }

  /** Why an address that a name resolved to may not be dialled; only blocked addresses and networks count. */
  verdictOnAddress(address: string, port: number): string | undefined {
    const rule = this.#blocked.find((each) => isPortOf(each, port) && each.addresses?.has(address) === true);
    return rule === undefined ? undefined : `the operator of this server has blocked ${rule.text}`;
  }

  /** The verdict on a URL; URLs that cause no request are always allowed. */
  verdictOn(address: string): string | undefined {
    if (this.isOpen || !URL.canParse(address)) return undefined;
    const { protocol, hostname, port } = new URL(address);
    const usual = portOf[protocol];
    return usual === undefined ? undefined : this.verdict(hostname, Number(port === '' ? usual : port));
  }
}

function isPortOf(rule: Rule, port: number): boolean {
  return rule.port === undefined || rule.port === String(port);
}

function isMatch({ addresses, host: pattern }: Rule, host: string): boolean {
  return addresses === undefined ? isHostOf(pattern, host) : addresses.has(host);
}

/** `*.example.com` and `.example.com` match the domain and its subdomains, `*` every host. */
export function isHostOf(pattern: string, host: string): boolean {
  if (pattern === '*') return true;
  const domain = /^\*?\.(.+)$/.exec(pattern)?.[1];
  return domain === undefined ? host === pattern : host === domain || host.endsWith(`.${domain}`);
}

/** Lower case, without brackets and a trailing dot. */
export function plainHost(hostname: string): string {
  return hostname
    .toLowerCase()
    .replace(/\.$/, '')
    .replaceAll(/^\[|\]$/g, '');
}

/** The configuration has been checked, so a rule that cannot be parsed is a bug. */
function readRule(text: string): Rule {
  const rule = parseDomainRule(text);
  if ('problem' in rule) throw new Error(rule.problem);
  return rule.prefix === undefined ? rule : { ...rule, addresses: new AddressSet([[rule.host, rule.prefix]]) };
}
