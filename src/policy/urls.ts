import { ToolError } from '../errors.ts';
import { alwaysDenied, isDeniedHost } from './denied-hosts.ts';

const longestUrl = 2_000_000;
const longestShown = 200;
const openableSchemes = new Set(['http:', 'https:', 'data:']);
/** Whether a URL is relative. */
export function isRelativeUrl(given: string): boolean {
  return /^(?:[?#]|\.{0,2}\/(?![\\/]))/.test(given.trim());
}

/** Whether a URL needs the operator's permission to be opened. */
export function isFileUrl(given: string): boolean {
  return /^file:/i.test(given.trim());
}

/** Completes and normalises a URL; throws for URLs that are never opened. */
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
    throw new ToolError('URL_BLOCKED', { url: shown, rule: alwaysDenied });
  }
  return url.href;
}

/** Adds a missing scheme. */
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
