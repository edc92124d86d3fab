import { parseDomainRule } from '../config/domain-rule.ts';
import type { DomainRule } from '../config/domain-rule.ts';
import type { Config } from '../config/schema/schema.ts';
import { AddressSet } from './addresses.ts';

type KeyRules = Pick<Config['security'], 'allowedDomains' | 'blockedDomains'>;
type DomainRules = KeyRules & Config['network'];

/** A rule and, for an address or a network, the addresses that it covers. */
interface Rule extends DomainRule {
  readonly addresses?: AddressSet;
}

/** Rules of one source, and how a verdict names the source. */
interface RuleSet {
  readonly allowed: readonly Rule[];
  readonly blocked: readonly Rule[];
  readonly blocks: string;
  readonly doesNotAllow: string;
}

const portOf: Readonly<Record<string, string>> = { 'http:': '80', 'ws:': '80', 'https:': '443', 'wss:': '443' };

/** Decides which hosts may be reached. A block wins over an allow; with an allowlist, everything else is blocked. */
export class DomainPolicy {
  #sets: readonly RuleSet[];

  constructor({ allowedDomains = [], blockedDomains = [], allowedOrigins, blockedOrigins }: DomainRules) {
    const allowed = [...allowedDomains, ...allowedOrigins].map(readRule);
    const blocked = [...blockedDomains, ...blockedOrigins].map(readRule);
    const operator = 'the operator of this server has';
    this.#sets = [{ allowed, blocked, blocks: `${operator} blocked`, doesNotAllow: `${operator} not allowed` }];
  }

  /** A policy that also enforces the rules of an API key: a host must satisfy both. */
  narrowedBy(name: string, { allowedDomains = [], blockedDomains = [] }: KeyRules): DomainPolicy {
    const allowed = allowedDomains.map(readRule);
    const blocked = blockedDomains.map(readRule);
    const key = `the rules of the API key ${JSON.stringify(name)}`;
    const narrowed = new DomainPolicy({ allowedOrigins: [], blockedOrigins: [] });
    const set = { allowed, blocked, blocks: `${key} block`, doesNotAllow: `${key} do not allow` };
    narrowed.#sets = [...this.#sets, set];
    return narrowed;
  }

  /** No rules: every host may be reached. */
  get isOpen(): boolean {
    return this.#sets.every(({ allowed, blocked }) => allowed.length === 0 && blocked.length === 0);
  }

  /** Why a host may not be reached; undefined when it may. */
  verdict(hostname: string, port: number): string | undefined {
    const host = plainHost(hostname);
    const matches = (rule: Rule): boolean => isPortOf(rule, port) && isMatch(rule, host);
    for (const { allowed, blocked, blocks, doesNotAllow } of this.#sets) {
      const rule = blocked.find(matches);
      if (rule !== undefined) return `${blocks} ${rule.text}`;
      if (allowed.length > 0 && !allowed.some(matches)) return `${doesNotAllow} its domain`;
    }
    return undefined;
  }

  /** Why an address that a name resolved to may not be dialled; only blocked addresses and networks count. */
  verdictOnAddress(address: string, port: number): string | undefined {
    for (const { blocked, blocks } of this.#sets) {
      const rule = blocked.find((each) => isPortOf(each, port) && each.addresses?.has(address) === true);
      if (rule !== undefined) return `${blocks} ${rule.text}`;
    }
    return undefined;
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
