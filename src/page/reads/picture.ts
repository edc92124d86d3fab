// Each of these is sent to the page as it is: it closes over nothing and imports nothing.

export interface PageSize {
  readonly width: number;
  readonly height: number;
  /** It has a body, as pages have and pictures such as an SVG file have not. */
  readonly hasBody: boolean;
}

/** How large a picture of the whole page is. Scripts may leave a document without any element. */
export function readPageSize(): PageSize {
  const { body }: { readonly body: Element | null } = document;
  const root: Element | null = document.documentElement;
  return { width: root?.scrollWidth ?? 0, height: root?.scrollHeight ?? 0, hasBody: body !== null };
}

export interface WindowSize {
  /** In the pixels that the mouse is moved in. */
  readonly width: number;
  readonly height: number;
  /** Where it stands on the document, from the left and upper ends. */
  readonly left: number;
  readonly top: number;
  /** It can be scrolled to the left of where it began, as pages can that are written from the right. */
  readonly isFromRight: boolean;
  /** Less than 1 where a telephone shows the whole of a page that is wider than itself. */
  readonly zoom: number;
}

export function readWindow(): WindowSize {
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

/** In Playwright's world, which waits for them before it takes a picture. */
export function forgetFonts(isForgotten: boolean): void {
  if (isForgotten) Object.defineProperty(document, 'fonts', { configurable: true, value: { ready: undefined } });
  else Reflect.deleteProperty(document, 'fonts');
}

/** At once, also while it moves. */
export function scrollToElement(element: Element): void {
  element.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
}

/** Waits for the fonts that the document asks for. */
export async function untilFonts(): Promise<void> {
  await document.fonts.ready;
}
