import type { Frame } from 'playwright-core';
import { untilFonts } from '../../page/reads/screenshot.ts';
import { settlesWithin } from '../../util/signals.ts';

/** Whether the fonts of the frames load within the time. */
export async function hasFonts(frames: readonly Frame[], limitMs: number): Promise<boolean> {
  // A frame that is detached or has no document loads none.
  const asked = frames.map(async (frame) => frame.evaluate(untilFonts).catch(() => undefined));
  return settlesWithin(Promise.all(asked), limitMs);
}
