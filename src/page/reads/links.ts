// Each of these is sent to the page as it is: it closes over nothing and imports nothing.

export interface RawLink {
  readonly url: string;
  readonly text: string;
  readonly rel?: string;
}

/** The links in some elements, with their addresses made absolute, each address once. Also those in open shadow roots. */
export function readLinks(roots: readonly Element[]): RawLink[] {
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
    if (href === null || /^\s*javascript:/i.test(href) || !URL.canParse(href, document.baseURI)) return;
    const url = new URL(href, document.baseURI).href;
    const text = nameOf(link);
    const rel = link.getAttribute('rel')?.trim();
    const known = found.get(url);
    if (known === undefined) found.set(url, { url, text, ...(rel ? { rel } : {}) });
    else if (known.text === '' && text !== '') found.set(url, { ...known, text });
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
  return [...found.values()];
}
