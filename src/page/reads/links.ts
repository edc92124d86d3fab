// These functions are serialized into the page, so they use no closures and no imports.

export interface RawLink {
  readonly url: string;
  readonly text: string;
  readonly rel?: string;
}

export interface RawLinks {
  readonly links: RawLink[];
  /** Links to a URL that another link has too. */
  readonly repeated: number;
  /** Links that run a script. */
  readonly scripts: number;
}

/** The links in some elements, with absolute URLs, each URL once. Includes open shadow roots. */
export function readLinks(roots: readonly Element[]): RawLinks {
  let [repeated, scripts] = [0, 0];
  const found = new Map<string, RawLink>();
  const nameOf = (link: Element): string => {
    const text = link instanceof HTMLElement ? link.innerText : (link.textContent ?? '');
    const picture = link.querySelector('img[alt]')?.getAttribute('alt');
    const other = [link.getAttribute('aria-label'), picture, link.getAttribute('title'), link.getAttribute('alt')];
    return (
      [text, ...other].map((name) => (name ?? '').replaceAll(/\s+/g, ' ').trim()).find((name) => name !== '') ?? ''
    );
  };
  const collect = (link: Element): void => {
    const href = link.getAttribute('href') ?? link.getAttribute('xlink:href');
    if (href === null) return;
    if (/^\s*javascript:/i.test(href)) scripts += 1;
    else if (URL.canParse(href, document.baseURI)) add(link, new URL(href, document.baseURI).href);
  };
  const add = (link: Element, url: string): void => {
    const text = nameOf(link);
    const rel = link.getAttribute('rel')?.trim();
    const known = found.get(url);
    if (known === undefined) found.set(url, { url, text, ...(rel ? { rel } : {}) });
    else repeated += 1;
    if (known?.text === '' && text !== '') found.set(url, { ...known, text });
  };
  const visit = (root: Element | ShadowRoot): void => {
    if (root instanceof Element && root.matches('a, area')) collect(root);
    for (const part of root.querySelectorAll('*')) {
      if (part.matches('a, area')) collect(part);
      if (part.shadowRoot !== null) visit(part.shadowRoot);
    }
    if (root instanceof Element && root.shadowRoot !== null) visit(root.shadowRoot);
  };
  for (const root of roots) visit(root);
  return { links: [...found.values()], repeated, scripts };
}
