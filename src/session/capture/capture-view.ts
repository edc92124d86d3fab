import { prepareView, showCaret } from '../../page/reads/screenshot.ts';
import { imageSize } from '../../util/images.ts';
import type { CaptureFormat } from '../agent/cdp-channel.ts';
import type { Tab } from '../tab.ts';
import { hasFonts } from './fonts.ts';
import type { Screenshot } from './screenshot.ts';

export interface ViewRequest extends CaptureFormat {
  readonly scale: 'css' | 'device';
  readonly fontsLimitMs: number;
}

/**
 * Captures the viewport on our own CDP channel, as Playwright would, in fewer messages: fonts loaded, no caret. Undefined
 * if there is no channel, and where the image would differ from Playwright's.
 */
export async function captureView(
  tab: Pick<Tab, 'page' | 'cdp'>,
  { scale, fontsLimitMs, ...format }: ViewRequest,
): Promise<Screenshot | undefined> {
  const channel = tab.cdp.current;
  if (channel === undefined) return undefined;
  const others = tab.page.frames().filter((frame) => frame !== tab.page.mainFrame());
  const [view, hasAllFonts] = await Promise.all([
    channel.run(prepareView, undefined),
    others.length === 0 || hasFonts(others, fontsLimitMs),
  ]);
  try {
    if (view === undefined || !view.hasFonts || !hasAllFonts || view.isInFrame || view.zoom !== 1) return undefined;
    // The image has CSS pixels only where Playwright emulates the size.
    const isEmulated = tab.page.viewportSize() !== null;
    if (view.ratio !== 1 && (scale === 'device' || !isEmulated)) return undefined;
    const data = await channel.captureViewport(format);
    const { width, height } = imageSize(data);
    const isWhole = width === view.width && height === view.height;
    return isWhole ? { data, type: format.type, viewport: view } : undefined;
  } finally {
    // Messages on one channel run in order, so the next call need not wait for it.
    void channel.run(showCaret, undefined);
  }
}
