// These functions are serialized into the page, so they use no closures and no imports.

export interface PageSize {
  readonly width: number;
  readonly height: number;
  /** HTML documents have a body; image documents such as SVG files do not. */
  readonly hasBody: boolean;
}

/** The size of a full-page screenshot. A script can remove every element of a document. */
export function readPageSize(): PageSize {
  const { body }: { readonly body: Element | null } = document;
  const root: Element | null = document.documentElement;
  return { width: root?.scrollWidth ?? 0, height: root?.scrollHeight ?? 0, hasBody: body !== null };
}

export interface ViewportSize {
  /** In CSS pixels, as mouse coordinates. */
  readonly width: number;
  readonly height: number;
  /** Position in the document, from its left and top edges. */
  readonly left: number;
  readonly top: number;
  /** Scroll positions start at the right edge, as in right-to-left pages. */
  readonly isFromRight: boolean;
  /** Less than 1 if a mobile device is zoomed out to show a wide page. */
  readonly zoom: number;
}

export function readViewport(): ViewportSize {
  const { width, height, scale: zoom } = visualViewport ?? { width: innerWidth, height: innerHeight, scale: 1 };
  const size = zoom === 1 ? { width: innerWidth, height: innerHeight } : { width, height };
  const { body, documentElement }: { readonly body: Element | null; readonly documentElement: Element | null } =
    document;
  const main = body ?? documentElement;
  const { direction = '', writingMode = '' } = main === null ? {} : getComputedStyle(main);
  const scroller = document.scrollingElement ?? main;
  const hidden = scroller === null ? 0 : scroller.scrollWidth - scroller.clientWidth;
  const isFromRight =
    hidden > 0 && (writingMode.endsWith('-rl') || (direction === 'rtl' && !writingMode.endsWith('-lr')));
  return { ...size, left: scrollX + (isFromRight ? hidden : 0), top: scrollY, isFromRight, zoom };
}

export interface View extends Pick<ViewportSize, 'width' | 'height' | 'zoom'> {
  /** Image pixels per CSS pixel. */
  readonly ratio: number;
  /** The fonts that the document requests are there. */
  readonly hasFonts: boolean;
  /** A frame has the focus, and may show a caret. */
  readonly isInFrame: boolean;
}

/** Reads the viewport, and hides the blinking caret until `showCaret`. */
export function prepareView(): View {
  let focused: Element | null = document.activeElement;
  while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
  if (focused instanceof HTMLElement && focused.matches('input,textarea,[contenteditable]')) {
    const { style } = focused;
    const [value, priority] = [style.getPropertyValue('caret-color'), style.getPropertyPriority('caret-color')];
    style.setProperty('caret-color', 'transparent', 'important');
    // In the world of the page agent.
    Object.assign(globalThis, { pagehelmCaret: () => style.setProperty('caret-color', value, priority) });
  }
  const { width, height, scale: zoom } = visualViewport ?? { width: innerWidth, height: innerHeight, scale: 1 };
  const size = zoom === 1 ? { width: innerWidth, height: innerHeight } : { width, height };
  return {
    ...size,
    zoom,
    ratio: devicePixelRatio,
    hasFonts: document.fonts.status === 'loaded',
    isInFrame: focused !== null && /^(?:i?frame|object|embed)$/i.test(focused.localName),
  };
}

/** Shows a caret again that `prepareView` has hidden. */
export function showCaret(): void {
  const show: unknown = Reflect.get(globalThis, 'pagehelmCaret');
  if (typeof show === 'function') show();
  Reflect.deleteProperty(globalThis, 'pagehelmCaret');
}

/** Hides `document.fonts` in Playwright's world: Playwright waits for the fonts before a screenshot. */
export function forgetFonts(isForgotten: boolean): void {
  if (isForgotten) Object.defineProperty(document, 'fonts', { configurable: true, value: { ready: undefined } });
  else Reflect.deleteProperty(document, 'fonts');
}

/** Scrolls without animation, even if the element moves. */
export function scrollToElement(element: Element): void {
  element.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
}

/** Waits for the fonts that the document requests. */
export async function untilFonts(): Promise<void> {
  await document.fonts.ready;
}
