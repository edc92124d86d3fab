import type { Page } from 'playwright-core';
import type { PageAgents } from '../agent/page-agents.ts';

/** How a picture is to be. */
export interface PictureFormat {
  readonly type: 'jpeg' | 'png' | 'webp';
  /** Of all but a PNG. */
  readonly quality?: number;
}

const defaultQuality = 80;
/** To restore what is imitated takes no longer. */
const restoreMs = 2000;
const onePixel = { x: 0, y: 0, width: 1, height: 1 };

/**
 * A picture of a whole document that has no body, which Playwright would wait for. Undefined where there is no other way
 * (not Chromium).
 */
export async function pictureWithoutBody(
  { page, agents }: { readonly page: Page; readonly agents: PageAgents },
  { type, quality = defaultQuality }: PictureFormat,
): Promise<Buffer | undefined> {
  const session = (await agents.lane())?.session;
  if (session === undefined) return undefined;
  const { cssContentSize } = await session.send('Page.getLayoutMetrics');
  const { data } = await session.send('Page.captureScreenshot', {
    format: type,
    ...(type === 'png' ? {} : { quality }),
    clip: { ...cssContentSize, scale: 1 },
    captureBeyondViewport: true,
  });
  // Chromium ends what Playwright's session imitates of a device when another one has taken a part of the page; a picture
  // of Playwright's own brings it back.
  await page.screenshot({ clip: onePixel, timeout: restoreMs }).catch(() => undefined);
  return Buffer.from(data, 'base64');
}
