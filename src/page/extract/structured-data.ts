import { imageOf, linkOf, valueOf } from './query.ts';

const mostScripts = 50;
const longestScript = 500_000;
const mostScopes = 500;
const deepest = 8;

/** JSON-LD, microdata and Open Graph data of the document. */
export function structuredData(root: Element): Readonly<Record<string, unknown>> {
  const openGraph = Object.fromEntries(
    [...document.querySelectorAll('meta[property^="og:"], meta[name^="twitter:"]')].map((tag) => [
      tag.getAttribute('property') ?? tag.getAttribute('name') ?? '',
      tag.getAttribute('content') ?? '',
    ]),
  );
  const scopes = [...root.querySelectorAll('[itemscope]:not([itemprop])')].slice(0, mostScopes);
  const found = { jsonLd: jsonLd(root), microdata: scopes.map((scope) => microdata(scope)), openGraph };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => Object.keys(value).length > 0));
}

/** The objects of all JSON-LD scripts, those of graphs one by one. Scripts that are not JSON or very long are left out. */
export function jsonLd(root: ParentNode): readonly unknown[] {
  const scripts = [...root.querySelectorAll('script[type="application/ld+json" i]')].slice(0, mostScripts);
  return scripts.flatMap((script) => {
    if ((script.textContent ?? '').length > longestScript) return [];
    try {
      const parsed: unknown = JSON.parse(script.textContent ?? '');
      const all: readonly unknown[] = Array.isArray(parsed) ? parsed : [parsed];
      return all.flatMap(graphOf);
    } catch {
      return [];
    }
  });
}

function graphOf(value: unknown): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  const graph: unknown = Reflect.get(value, '@graph');
  return Array.isArray(graph) ? graph : [value];
}

function microdata(scope: Element, depth = 0): Readonly<Record<string, unknown>> {
  const type = scope.getAttribute('itemtype')?.trim();
  const found: Record<string, unknown> = type === undefined || type === '' ? {} : { '@type': type };
  for (const element of propertiesOf(scope)) {
    const isNested = element.hasAttribute('itemscope') && depth < deepest;
    const value = isNested ? microdata(element, depth + 1) : propertyValue(element);
    for (const name of (element.getAttribute('itemprop') ?? '').split(/\s+/).filter((each) => each !== '')) {
      const known = Object.hasOwn(found, name) ? found[name] : undefined;
      const joined = known === undefined ? value : [known, value].flat();
      Object.defineProperty(found, name, { value: joined, enumerable: true, configurable: true, writable: true });
    }
  }
  return found;
}

/** The properties of an item, not those of items inside; also those that it refers to. */
function propertiesOf(scope: Element): readonly Element[] {
  const referred = (scope.getAttribute('itemref') ?? '')
    .split(/\s+/)
    .flatMap((id) => (id === '' ? [] : (document.querySelector(`#${CSS.escape(id)}`) ?? [])));
  return [scope, ...referred].flatMap((root) => {
    const inside = [...root.querySelectorAll('[itemprop]')];
    const own = inside.filter((element) => {
      const owner = element.parentElement?.closest('[itemscope]') ?? null;
      return owner === scope || (root !== scope && (owner === null || !root.contains(owner)));
    });
    return root !== scope && root.hasAttribute('itemprop') ? [root, ...own] : own;
  });
}

function propertyValue(element: Element): string {
  const content = element.getAttribute('content');
  if (content !== null) return content;
  if (element.matches('a, area, link')) return linkOf(element) ?? valueOf(element);
  if (element.matches('img')) return imageOf(element) ?? '';
  return (
    element.getAttribute('datetime') ??
    (element.matches('data, meter') ? element.getAttribute('value') : null) ??
    valueOf(element)
  );
}
