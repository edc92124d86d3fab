import { secretFields } from '../aria/secret-fields.ts';

/** Longer values are cut: one field must not hold a whole page. */
const longestValue = 5000;
const noText = new Set(['SCRIPT', 'STYLE', 'TEMPLATE', 'NOSCRIPT', 'IFRAME', 'OBJECT', 'EMBED']);
/** Elements that carry a value without being drawn. */
const valueTags = new Set(['META', 'LINK', 'DATA', 'TIME']);

/** The elements below a root, with those of open shadow trees in their place. */
export function elementsBelow(root: Element | ShadowRoot): readonly Element[] {
  const found: Element[] = [];
  const visit = (parent: Element | ShadowRoot): void => {
    for (const child of parent.children) {
      found.push(child);
      if (child.shadowRoot !== null) visit(child.shadowRoot);
      visit(child);
    }
  };
  if (root instanceof Element && root.shadowRoot !== null) visit(root.shadowRoot);
  visit(root);
  return found;
}

/** The matches of a CSS selector below a root, also in open shadow trees. */
export function queryDeep(root: Element, selector: string): readonly Element[] {
  const own = [...root.querySelectorAll(selector)];
  const shadows = elementsBelow(root).flatMap(({ shadowRoot }) => (shadowRoot === null ? [] : [shadowRoot]));
  const hosted = root.shadowRoot === null ? shadows : [root.shadowRoot, ...shadows];
  return [...own, ...hosted.flatMap((shadow) => [...shadow.querySelectorAll(selector)])];
}

export function parentOf(element: Element): Element | null {
  const root = element.getRootNode();
  return element.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
}

export function isShown(element: Element): boolean {
  if (noText.has(element.tagName)) return false;
  if (valueTags.has(element.tagName)) return true;
  return getComputedStyle(element).display === 'contents' || element.checkVisibility({ visibilityProperty: true });
}

export function squeezed(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, longestValue);
}

/** The drawn text of an element; that of an element that is not drawn as it is written. */
export function textOf(element: Element): string {
  return squeezed(element instanceof HTMLElement ? element.innerText : (element.textContent ?? ''));
}

export function absolute(href: string | null | undefined): string | undefined {
  const text = href?.trim() ?? '';
  return text !== '' && URL.canParse(text, document.baseURI) ? new URL(text, document.baseURI).href : undefined;
}

const addresses = new Set(['href', 'src', 'action', 'poster', 'data-src', 'data-href', 'cite']);

/** An attribute; addresses are absolute, values of secret fields are not read. */
export function attributeOf(element: Element, name: string): string | null {
  const value = element.getAttribute(name);
  if (value === null) return null;
  if (name.toLowerCase() === 'value' && element.matches(secretFields)) return '[REDACTED]';
  return addresses.has(name.toLowerCase()) ? (absolute(value) ?? value) : squeezed(value);
}

/** The value of an element: what a person reads there, or the machine-readable value that stands for it. */
export function valueOf(element: Element): string {
  if (element.matches(secretFields)) return '[REDACTED]';
  if (element instanceof HTMLInputElement) {
    return /^(?:checkbox|radio)$/.test(element.type) ? String(element.checked) : element.value;
  }
  if (element instanceof HTMLSelectElement || element instanceof HTMLTextAreaElement) return element.value;
  if (element instanceof HTMLMetaElement) return squeezed(element.content);
  if (element instanceof HTMLLinkElement) return absolute(element.getAttribute('href')) ?? '';
  const text = textOf(element);
  if (text !== '') return text;
  const image = imageOf(element);
  const named = [element.getAttribute('content'), element.getAttribute('aria-label'), element.getAttribute('title')];
  return named.map((name) => squeezed(name ?? '')).find((name) => name !== '') ?? image ?? '';
}

/** The address of an image. Images that load later have it in other attributes. */
export function imageOf(element: Element): string | undefined {
  const image = element instanceof HTMLImageElement ? element : element.querySelector('img');
  if (image === null) return absolute(element.getAttribute('content'));
  const later = image.getAttribute('data-src') ?? image.getAttribute('data-lazy-src');
  const now = image.getAttribute('src');
  const isPlaceholder = now === null || now.startsWith('data:');
  return absolute(isPlaceholder ? (later ?? now) : now) ?? (image.currentSrc || undefined);
}

/** The address that an element leads to. */
export function linkOf(element: Element): string | undefined {
  const link = element.matches('a[href], area[href], link[href]')
    ? element
    : (element.closest('a[href]') ?? element.querySelector('a[href]'));
  const href = link?.getAttribute('href') ?? null;
  return href !== null && /^\s*javascript:/i.test(href) ? undefined : absolute(href);
}
