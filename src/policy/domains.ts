import { parseDomainRule } from '../config/domain-rule.ts';
import type { DomainRule } from '../config/domain-rule.ts';
import type { Config } from '../config/schema/schema.ts';
import { AddressSet, isPrivate } from './addresses.ts';
import { alwaysDenied, isDeniedHost, plainHost } from './denied-hosts.ts';

type KeyRules = Pick<Config['security'], 'allowedDomains' | 'blockedDomains'>;
type DomainRules = KeyRules &
  Config['network'] &
  Partial<Pick<Config['security'], 'blockPrivateNetworks' | 'egressMaxBytes' | 'egressMaxConnections'>>;

/** Limits of the egress of one session; none if absent. */
interface EgressLimits {
  readonly maxBytes?: number | undefined;
  readonly maxConnections?: number | undefined;
}

/** A rule and, for an address or a network, the addresses that it covers. */
interface Rule extends DomainRule {
  readonly addresses?: AddressSet;
  /** The option that sets it. */
  readonly option: string;
}

/** Rules of one source, and how a verdict names the source. */
interface RuleSet {
  readonly allowed: readonly Rule[];
  readonly blocked: readonly Rule[];
  readonly blocks: string;
  readonly doesNotAllow: string;
}

const notPublic =
  'it is a private or loopback address (--block-private-networks; the operator can add the exact host to --allowed-domains)';

const portOf: Readonly<Record<string, string>> = { 'http:': '80', 'ws:': '80', 'https:': '443', 'wss:': '443' };

/** Decides which hosts may be reached. A block wins over an allow; with an allowlist, everything else is blocked. */
export class DomainPolicy {
  #sets: readonly RuleSet[];
  readonly #blocksPrivate: boolean;
  readonly limits: EgressLimits;

  constructor(rules: DomainRules) {
    const { allowedDomains = [], blockedDomains = [], allowedOrigins, blockedOrigins } = rules;
    const allowed = [...read(allowedDomains, '--allowed-domains'), ...read(allowedOrigins, '--allowed-origins')];
    const blocked = [...read(blockedDomains, '--blocked-domains'), ...read(blockedOrigins, '--blocked-origins')];
    const operator = 'the operator of this server has';
    this.#sets = [{ allowed, blocked, blocks: `${operator} blocked`, doesNotAllow: `${operator} not allowed` }];
    this.#blocksPrivate = rules.blockPrivateNetworks === true;
    this.limits = { maxBytes: rules.egressMaxBytes, maxConnections: rules.egressMaxConnections };
  }

  /** A policy that also enforces the rules of an API key: a host must satisfy both. */
  narrowedBy(name: string, { allowedDomains = [], blockedDomains = [] }: KeyRules): DomainPolicy {
    const allowed = read(allowedDomains, 'allowedDomains of the key');
    const blocked = read(blockedDomains, 'blockedDomains of the key');
    const key = `the rules of the API key ${JSON.stringify(name)}`;
    const narrowed = new DomainPolicy({
      allowedOrigins: [],
      blockedOrigins: [],
      blockPrivateNetworks: this.#blocksPrivate,
      egressMaxBytes: this.limits.maxBytes,
      egressMaxConnections: this.limits.maxConnections,
    });
    const set = { allowed, blocked, blocks: `${key} block`, doesNotAllow: `${key} do not allow` };
    narrowed.#sets = [...this.#sets, set];
    return narrowed;
  }

  /** No rules and no limits: sessions need no egress proxy. */
  get isOpen(): boolean {
    const { maxBytes, maxConnections } = this.limits;
    return !this.#blocksPrivate && !this.#hasRules && maxBytes === undefined && maxConnections === undefined;
  }

  get #hasRules(): boolean {
    return this.#sets.some(({ allowed, blocked }) => allowed.length + blocked.length > 0);
  }

  /** Why a host may not be reached, and the option that says so; undefined when it may. */
  verdict(hostname: string, port: number): string | undefined {
    const host = plainHost(hostname);
    const matches = (rule: Rule): boolean => isPortOf(rule, port) && isMatch(rule, host);
    for (const { allowed, blocked, blocks, doesNotAllow } of this.#sets) {
      const rule = blocked.find(matches);
      if (rule !== undefined) return `${blocks} ${rule.text} (${rule.option})`;
      if (allowed.length > 0 && !allowed.some(matches)) return `${doesNotAllow} its domain (${optionsOf(allowed)})`;
    }
    return this.#isPrivateDenied(host, host, port) ? notPublic : undefined;
  }

  /** Why an address that a name resolved to may not be dialled; an allowlist of names does not apply to it. */
  verdictOnAddress(address: string, port: number, host: string): string | undefined {
    for (const { blocked, blocks } of this.#sets) {
      const rule = blocked.find((each) => isPortOf(each, port) && each.addresses?.has(address) === true);
      if (rule !== undefined) return `${blocks} ${rule.text} (${rule.option})`;
    }
    return this.#isPrivateDenied(address, host, port) ? notPublic : undefined;
  }

  /** A private address needs a rule for the address, or for exactly this name: `*` and `*.example.com` do not allow it. */
  #isPrivateDenied(address: string, host: string, port: number): boolean {
    if (!this.#blocksPrivate || !isPrivate(address)) return false;
    const allows = (rule: Rule): boolean =>
      isPortOf(rule, port) && (rule.addresses?.has(address) ?? (isExact(rule) && isMatch(rule, plainHost(host))));
    return !this.#sets.some(({ allowed }) => allowed.some(allows));
  }

  /** Why data may not be stored for a host: it, and all hosts below it, may not be reached on any port. */
  verdictOnStorage(hostname: string): string | undefined {
    const host = plainHost(hostname);
    if (isDeniedHost(host)) return alwaysDenied;
    // A cookie of a domain belongs to the hosts below it, too.
    const isFor = (rule: Rule): boolean => isMatch(rule, host) || rule.host.endsWith(`.${host}`);
    for (const { allowed, blocked, blocks, doesNotAllow } of this.#sets) {
      const rule = blocked.find((each) => each.port === undefined && isMatch(each, host));
      if (rule !== undefined) return `${blocks} ${rule.text} (${rule.option})`;
      if (allowed.length > 0 && !allowed.some(isFor)) return `${doesNotAllow} its domain (${optionsOf(allowed)})`;
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

/** Whether the host of a URL is the one of a rule. */
export type HostRule = (url: string) => boolean;

export function hostRule(rule: DomainRule): HostRule {
  const own = { ...rule, ...addressesOf(rule), option: '' };
  return (url) => {
    if (!URL.canParse(url)) return false;
    const { protocol, hostname, port } = pageOf(new URL(url));
    return isPortOf(own, Number(port === '' ? (portOf[protocol] ?? 0) : port)) && isMatch(own, plainHost(hostname));
  };
}

/** The page that has made the document of a blob: URL, which has its origin; the URL itself for others. */
function pageOf(url: URL): URL {
  return url.protocol === 'blob:' && url.origin !== 'null' ? new URL(url.origin) : url;
}

function addressesOf({ prefix, host }: DomainRule): { readonly addresses?: AddressSet } {
  return prefix === undefined ? {} : { addresses: new AddressSet([[host, prefix]]) };
}

function isPortOf(rule: Rule, port: number): boolean {
  return rule.port === undefined || rule.port === String(port);
}

function isMatch({ addresses, host: pattern }: Rule, host: string): boolean {
  return addresses === undefined ? isHostOf(pattern, host) : addresses.has(host);
}

/** Names below localhost are always this machine, so a wildcard there is exact enough. */
function isExact({ host }: Rule): boolean {
  return !/^(?:\*|\*?\.)/.test(host) || /^\*?\.(?:.+\.)?localhost$/.test(host);
}

function optionsOf(rules: readonly Rule[]): string {
  return [...new Set(rules.map(({ option }) => option))].join(', ');
}

/** `*.example.com` and `.example.com` match the domain and its subdomains, `*` every host. */
export function isHostOf(pattern: string, host: string): boolean {
  if (pattern === '*') return true;
  const domain = /^\*?\.(.+)$/.exec(pattern)?.[1];
  return domain === undefined ? host === pattern : host === domain || host.endsWith(`.${domain}`);
}

/** The configuration has been checked, so a rule that cannot be parsed is a bug. */
function read(texts: readonly string[], option: string): readonly Rule[] {
  return texts.map((text) => {
    const rule = parseDomainRule(text);
    if ('problem' in rule) throw new Error(rule.problem);
    return { ...rule, ...addressesOf(rule), option };
  });
}
