import { isIP, isIPv4 } from 'node:net';

/** A rule for hosts: a domain, a host with a port, an origin, an IP address or a network in CIDR notation. */
export interface DomainRule {
  readonly text: string;
  /** A name, `*`, or a name with `*.` in front for a domain and its subdomains; an address for address rules. */
  readonly host: string;
  /** Any port if undefined. */
  readonly port: string | undefined;
  /** The prefix length of an address rule. */
  readonly prefix?: number;
}

const defaultPorts: Readonly<Record<string, string>> = { http: '80', ws: '80', https: '443', wss: '443' };
const syntax = /^(?:([a-z*][a-z0-9+.-]*):\/\/)?(\[[^\]]*\]|[^/:]*|[\da-f:.]+)(?:\/(\d+))?(?::(\d+|\*))?\/?$/i;
const name = /^(?:\*\.|\.)?[\w-]+(?:\.[\w-]+)*\.?$/;

/** Parses a rule; a rule that could never match is a problem instead. */
export function parseDomainRule(given: string): DomainRule | { readonly problem: string } {
  const text = given.trim();
  const problem = (hint: string): { readonly problem: string } => ({
    problem: `${JSON.stringify(given)} is not a rule: ${hint}`,
  });
  if (/[\s,;]/.test(text)) return problem('write each rule as a separate item of the list');
  const [, scheme, rawHost = '', prefix, port] = syntax.exec(text) ?? [];
  if (rawHost === '') return problem('write a domain (*.example.com), an origin (https://example.com) or an address');
  if (port !== undefined && port !== '*' && !isPort(port)) return problem('a port is a number from 1 to 65535');
  if (/[@%]/.test(rawHost) || /^\*?\.+$/.test(rawHost)) return problem('write the host alone, such as *.example.com');
  const host = normalHost(rawHost);
  const kind = isIP(host);
  const rule = {
    text: given,
    host,
    port: port === '*' ? undefined : (port ?? defaultPorts[scheme?.toLowerCase() ?? '']),
  };
  if (prefix !== undefined) {
    if (kind === 0 || Number(prefix) > (kind === 4 ? 32 : 128)) return problem('write a network as 10.0.0.0/8');
    return { ...rule, prefix: Number(prefix) };
  }
  if (kind !== 0) return { ...rule, prefix: kind === 4 ? 32 : 128 };
  const network = /^((?:\d{1,3}\.){1,3})\*(?:\.\*)*$/.exec(host)?.[1];
  if (network !== undefined) return problem(`write ${cidrOf(network)}`);
  const bareHost = `http://${host.replace(/^\*?\./, '')}`;
  const address = URL.canParse(bareHost) ? new URL(bareHost).hostname : '';
  if (isIPv4(address)) return problem(`write ${address}`);
  if (host === '*') return rule;
  if (name.test(host)) return address === '' ? problem('no URL can have this host') : rule;
  const bare = /^\*([\w-]+(?:\.[\w-]+)*)$/.exec(host)?.[1];
  return problem(
    bare === undefined
      ? 'a wildcard stands for the first labels of a name only, as in *.example.com'
      : `write *.${bare}`,
  );
}

function isPort(text: string): boolean {
  return Number(text) > 0 && Number(text) <= 65_535;
}

/** Why a rule can never match, if so. */
export function domainRuleProblem(text: string): string | undefined {
  const rule = parseDomainRule(text);
  return 'problem' in rule ? rule.problem : undefined;
}

/** Lower case, without brackets and a trailing dot; names in Punycode, as URLs spell them. */
function normalHost(raw: string): string {
  const host = raw
    .toLowerCase()
    .replace(/\.$/, '')
    .replaceAll(/^\[|\]$/g, '');
  const [, wildcard = '', rest = host] = /^(\*\.|\.)?(.*)$/.exec(host) ?? [];
  const isAscii = /^[\w.*:-]*$/.test(rest);
  return isAscii || !URL.canParse(`http://${rest}`) ? host : `${wildcard}${new URL(`http://${rest}`).hostname}`;
}

/** `10.1.` as `10.1.0.0/16`. */
function cidrOf(network: string): string {
  const parts = network.split('.').filter((part) => part !== '');
  return `${[...parts, 0, 0, 0].slice(0, 4).join('.')}/${parts.length * 8}`;
}
