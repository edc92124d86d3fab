import type { Page } from 'playwright-core';
import { untilFonts } from '../../page/reads/picture.ts';
import { settlesWithin } from '../../util/signals.ts';

/** Whether the documents of a page have the fonts they ask for, or get them within the time. */
export async function hasFonts(page: Page, limitMs: number): Promise<boolean> {
  // A frame that is gone, or has no document, asks for none.
  const asked = page.frames().map(async (frame) => frame.evaluate(untilFonts).catch(() => undefined));
  return settlesWithin(Promise.all(asked), limitMs);
}
