import type { Locator, Page } from 'playwright-core';

/** A rectangle in the viewport. */
export interface VisiblePart {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** The part of the viewport that an element occupies; the whole viewport if it is not rendered. */
export async function visiblePart(page: Page, locator: Locator): Promise<VisiblePart> {
  const { width, height } = page.viewportSize() ?? { width: 1280, height: 720 };
  const box = (await locator.boundingBox()) ?? { x: 0, y: 0, width, height };
  return {
    left: Math.max(0, box.x),
    right: Math.min(width, box.x + box.width),
    top: Math.max(0, box.y),
    bottom: Math.min(height, box.y + box.height),
  };
}

export async function isInViewport(page: Page, locator: Locator): Promise<boolean> {
  const { left, right, top, bottom } = await visiblePart(page, locator);
  return left < right && top < bottom;
}
