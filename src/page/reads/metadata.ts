// These functions are serialized into the page, so they use no closures and no imports.

/** The metadata of a page. */
export function readMetadata(): Record<string, unknown> {
  const text = (value: string | null | undefined): string => (value ?? '').replaceAll(/\s+/g, ' ').trim();
  const meta = (name: string): string | undefined => {
    const found = document.querySelector(`meta[name="${name}" i]`)?.getAttribute('content');
    return text(found) === '' ? undefined : text(found);
  };
  const absolute = (href: string | null): string | undefined =>
    href !== null && URL.canParse(href, document.baseURI) ? new URL(href, document.baseURI).href : undefined;
  // Open Graph and Twitter cards are written with `property` or with `name`, and may repeat a key.
  const prefixed = (prefix: string): Record<string, string | string[]> => {
    const values = new Map<string, string | string[]>();
    for (const tag of document.querySelectorAll(`meta[property^="${prefix}:"], meta[name^="${prefix}:"]`)) {
      const key = (tag.getAttribute('property') ?? tag.getAttribute('name') ?? '').slice(prefix.length + 1);
      const value = text(tag.getAttribute('content'));
      const known = values.get(key);
      values.set(key, known === undefined ? value : [known, value].flat());
    }
    return Object.fromEntries(values);
  };
  const parsed = (source: string): unknown => {
    try {
      return JSON.parse(source);
    } catch {
      return { error: 'not JSON', text: source.trim().slice(0, 200) };
    }
  };
  const icons = [...document.querySelectorAll('link[rel~="icon" i], link[rel="apple-touch-icon" i]')];
  const headings = [...document.querySelectorAll<HTMLElement>('h1, h2, h3, h4, h5, h6')];
  return {
    url: location.href,
    title: document.title,
    description: meta('description'),
    canonical: absolute(document.querySelector('link[rel="canonical" i]')?.getAttribute('href') ?? null),
    language: document.documentElement.lang || undefined,
    charset: document.characterSet,
    keywords: meta('keywords'),
    author: meta('author'),
    robots: meta('robots'),
    viewport: meta('viewport'),
    openGraph: prefixed('og'),
    twitter: prefixed('twitter'),
    jsonLd: [...document.querySelectorAll('script[type="application/ld+json" i]')].map((script) =>
      parsed(script.textContent ?? ''),
    ),
    icons: icons.map((icon) => ({
      url: absolute(icon.getAttribute('href')),
      rel: icon.getAttribute('rel'),
      sizes: icon.getAttribute('sizes') ?? undefined,
      type: icon.getAttribute('type') ?? undefined,
    })),
    headings: headings.map((heading) => ({ level: Number(heading.tagName.slice(1)), text: text(heading.innerText) })),
  };
}

/** Load times of the document in milliseconds since the request. */
export function readTiming(): Record<string, number> {
  const [entry] = performance.getEntriesByType('navigation');
  if (!(entry instanceof PerformanceNavigationTiming)) return {};
  const { responseStart, responseEnd, domContentLoadedEventEnd, loadEventEnd } = entry;
  const parts = { responseStart, responseEnd, domContentLoaded: domContentLoadedEventEnd, load: loadEventEnd };
  const known = Object.entries(parts).filter(([, ms]) => ms > 0);
  const duration = Math.max(0, ...known.map(([, ms]) => ms));
  const rounded = known.map(([name, ms]): [string, number] => [name, Math.round(ms)]);
  return {
    startTime: Math.round(performance.timeOrigin),
    duration: Math.round(duration),
    ...Object.fromEntries(rounded),
  };
}
