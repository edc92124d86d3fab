import { ToolError } from '../../errors.ts';
import { reencode } from '../../session/capture/reencode.ts';
import type { Variant } from '../../session/capture/reencode.ts';
import type { Screenshot } from '../../session/capture/screenshot.ts';
import type { Tab } from '../../session/tab.ts';

/** For a screenshot that is too large for a file: lower quality first, then smaller. */
const variants: readonly Variant[] = [
  ...[80, 60, 40, 25].map((quality) => ({ scale: 1, quality })),
  ...[0.7, 0.5, 0.35, 0.25, 0.15].map((scale) => ({ scale, quality: 40 })),
].map((variant) => ({ ...variant, format: 'jpeg' }));

/** The image, or a JPEG of it that is small enough. */
export async function withinLimit(tab: Tab, taken: Screenshot, maxBytes: number): Promise<Screenshot> {
  if (taken.data.length <= maxBytes) return taken;
  const data = await reencode(tab, taken, variants, maxBytes);
  if (data === undefined) throw new ToolError('SCREENSHOT_TOO_LARGE', { bytes: taken.data.length, maxBytes });
  return { data, type: 'jpeg' };
}
