import { isIPv4 } from 'node:net';
import { ToolError } from '../errors.ts';

const longestUrl = 2_000_000;
const longestShown = 200;
const openableSchemes = new Set(['http:', 'https:', 'data:']);
/** Cloud metadata services: an agent has no business there, whatever a page tells it. */
const deniedHosts = new Set(['metadata.google.internal', '100.100.100.200', '[fd00:ec2::254]']);
/** IPv6 networks whose last 32 bits are an IPv4 address: mapped, compatible, translated. */
const carriesIPv4 = [
  [0, 0, 0, 0, 0, 0xffff],
  [0, 0, 0, 0, 0, 0],
  [0x64, 0xff9b, 0, 0, 0, 0],
];

/** Whether a URL has a meaning only beside another one. */
export function isRelativeUrl(given: string): boolean {
  return /^(?:[?#]|\.{0,2}\/(?![\\/]))/.test(given.trim());
}

/** Whether it is for the operator to say if a URL may be opened. */
export function isFileUrl(given: string): boolean {
  return /^file:/i.test(given.trim());
}

/** The URL a caller means, completed and normalised; throws for what is never opened. */
export function checkedUrl(given: string, base?: string, opensFiles = false): string {
  const shown = given.slice(0, longestShown);
  if (given.length > longestUrl) throw new ToolError('INVALID_URL', { url: shown, reason: 'it is too long' });
  const text = given.trim();
  if (text === '') throw new ToolError('INVALID_URL', { url: shown, reason: 'it is empty' });
  const url = parse(base === undefined || !isRelativeUrl(text) ? complete(text) : new URL(text, base).href, shown);
  if (url.href === 'about:blank') return url.href;
  if (opensFiles && url.protocol === 'file:') return url.href;
  if (!openableSchemes.has(url.protocol)) throw new ToolError('SCHEME_BLOCKED', { url: shown, scheme: url.protocol });
  if (isDeniedHost(url.hostname)) {
    const rule = 'link-local and cloud metadata addresses are always denied';
    throw new ToolError('URL_BLOCKED', { url: shown, rule });
  }
  return url.href;
}

/** Whether a host, as a parsed URL spells it, is one that is always denied. */
export function isDeniedHost(hostname: string): boolean {
  const host = hostname.toLowerCase().replace(/\.$/, '');
  if (deniedHosts.has(host)) return true;
  if (isIPv4(host)) return host.startsWith('169.254.');
  if (!host.startsWith('[')) return false;
  const groups = groupsOf(host.slice(1, -1));
  const [first = 0, , , , , , high = 0, low = 0] = groups;
  if ((first & 0xffc0) === 0xfe80) return true;
  if (!carriesIPv4.some((network) => network.every((group, index) => group === groups[index]))) return false;
  return isDeniedHost([high >> 8, high & 0xff, low >> 8, low & 0xff].join('.'));
}

/** The eight numbers of an IPv6 address in the form that URL parsing gives it. */
function groupsOf(address: string): readonly number[] {
  const [head = [], tail = []] = address.split('::').map((half) => (half === '' ? [] : half.split(':')));
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0');
  return [...head, ...zeros, ...tail].map((group) => Number.parseInt(group, 16));
}

/** A URL without a protocol is completed rather than refused. */
function complete(text: string): string {
  if (/^[\\/]{2}/.test(text)) return text;
  if (/^(?:localhost|127(?:\.\d+){1,3}|\[::1\]|[\w.-]+\.localhost)(?::\d+)?(?:[/?#]|$)/i.test(text))
    return `http://${text}`;
  // "host:8080/path" would parse as a scheme called "host:".
  if (/^[\w-]+(?:\.[\w-]+)*:\d{1,5}(?:[/?#]|$)/.test(text)) return `http://${text}`;
  if (/^[a-z][a-z0-9+.-]*:/i.test(text.replaceAll(/[\t\n\r]/g, ''))) return text;
  return /^[^\s/?#]+\.[^\s/?#]+/.test(text) ? `https://${text}` : text;
}

function parse(text: string, shown: string): URL {
  try {
    return new URL(text);
  } catch {
    throw new ToolError('INVALID_URL', { url: shown, reason: 'it is not an absolute URL' });
  }
}
