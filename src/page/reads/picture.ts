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

export function readWindowSize(): Pick<PageSize, 'width' | 'height'> {
  return { width: innerWidth, height: innerHeight };
}

/** At once, also while it moves. */
export function scrollToElement(element: Element): void {
  element.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
}

/** Waits for the fonts that the document asks for. */
export async function untilFonts(): Promise<void> {
  await document.fonts.ready;
}
