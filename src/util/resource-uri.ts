/** The scheme of all resources: `playwright:///{kind}/{identifier}`. */
export const uriPrefix = 'playwright:///';

/** A parsed resource URI. */
export interface ResourceUri {
  readonly kind: string;
  /** The decoded parts of the identifier: session, page, element or time. */
  readonly path: readonly string[];
  readonly query: ReadonlyMap<string, string>;
}

/** A longer URI is refused before it is parsed. */
export const longestUri = 8192;
const mostParts = 3;
const longestPart = 128;
/** Ids, names, refs and times. A part that is only dots would leave its folder in `/artifacts/…`. */
const goodPart = /^(?!\.+$)[\w.:+-]+$/;
const goodKind = /^[a-z]+(?:-[a-z]+)*$/;

export function formatUri(kind: string, path: readonly string[], query: Readonly<Record<string, string>> = {}): string {
  const text = new URLSearchParams(query).toString();
  // A colon is legal in a path, and times are easier to read with it.
  const parts = path.map((part) => encodeURIComponent(part).replaceAll('%3A', ':'));
  return `${uriPrefix}${[kind, ...parts].join('/')}${text === '' ? '' : `?${text}`}`;
}

/** Undefined for anything but a well-formed URI of this scheme. */
export function parseUri(uri: string): ResourceUri | undefined {
  if (uri.length > longestUri || !uri.startsWith(uriPrefix)) return undefined;
  const [place = '', query, ...rest] = uri.slice(uriPrefix.length).split('?');
  if (rest.length > 0 || place.includes('#')) return undefined;
  const [kind = '', ...parts] = place.split('/');
  const path = parts.map(decoded);
  const isGood = path.every((part) => part !== undefined && part.length <= longestPart && goodPart.test(part));
  if (!goodKind.test(kind) || path.length === 0 || path.length > mostParts || !isGood) return undefined;
  const pairs = [...new URLSearchParams(query ?? '')];
  // Two values of one key could be read differently in two places.
  if (new Set(pairs.map(([key]) => key)).size < pairs.length) return undefined;
  return { kind, path: path.filter((part) => part !== undefined), query: new Map(pairs) };
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
