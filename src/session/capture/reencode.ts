import type { Page } from 'playwright-core';
import { settlesWithin } from '../../util/signals.ts';
import type { PageAgents } from '../agent/page-agents.ts';

export interface Print {
  /** At most 1. */
  readonly scale: number;
  /** Of a JPEG, 1 to 100. */
  readonly quality: number;
  readonly format: 'jpeg' | 'png';
}

interface Order {
  readonly picture: string;
  readonly type: string;
  readonly prints: readonly Print[];
  readonly maxBytes: number;
}

/** A page that takes longer is busy with something else. */
const drawMs = 10_000;

/**
 * Draws a picture anew, as the first of these prints that has at most so many bytes; undefined when none has. It is done
 * on a canvas, so that no library that reads pictures is needed: that of the page agent's world, or where there is none,
 * that of a blank page in a context of its own, which every browser can make but some open a window for.
 */
export async function redraw(
  { page, agents }: { readonly page: Page; readonly agents: PageAgents },
  picture: { readonly data: Buffer; readonly type: string },
  prints: readonly Print[],
  maxBytes = Number.MAX_SAFE_INTEGER,
): Promise<Buffer | undefined> {
  const order = { picture: picture.data.toString('base64'), type: picture.type, prints, maxBytes };
  const inPage = (await agents.lane())?.run(draw, order);
  const isDrawn = inPage !== undefined && (await settlesWithin(inPage, drawMs));
  const drawn = (isDrawn ? await inPage : undefined) ?? (await drawElsewhere(page, order));
  return drawn === undefined || drawn === '' ? undefined : Buffer.from(drawn, 'base64');
}

async function drawElsewhere(page: Page, order: Order): Promise<string | undefined> {
  const context = await page.context().browser()?.newContext();
  if (context === undefined) return undefined;
  try {
    const blank = await context.newPage();
    return await blank.evaluate(draw, order);
  } finally {
    await context.close();
  }
}

/** Runs in the page; an empty text when no print is small enough. */
async function draw({ picture, type, prints, maxBytes }: Order): Promise<string> {
  const longestSide = 16_384;
  const binary = atob(picture);
  const source = new Uint8Array(binary.length);
  for (let at = 0; at < source.length; at++) source[at] = binary.charCodeAt(at);
  const image = await createImageBitmap(new Blob([source], { type: `image/${type}` }));
  for (const { scale, quality, format } of prints) {
    // A canvas has its limits too.
    const fit = Math.min(scale, longestSide / Math.max(image.width, image.height));
    // Never up: two sides that are rounded up may have more pixels than were asked for.
    const [width, height] = [image.width, image.height].map((side) => Math.max(1, Math.floor(side * fit + 1e-6)));
    const canvas = new OffscreenCanvas(width ?? 1, height ?? 1);
    const pen = canvas.getContext('2d');
    if (pen === null) return '';
    if (format === 'jpeg') {
      pen.fillStyle = 'white';
      pen.fillRect(0, 0, canvas.width, canvas.height);
    }
    pen.imageSmoothingQuality = 'high';
    pen.drawImage(image, 0, 0, canvas.width, canvas.height);
    const drawn = await canvas.convertToBlob({ type: `image/${format}`, quality: quality / 100 });
    if (drawn.size > maxBytes) continue;
    const bytes = new Uint8Array(await drawn.arrayBuffer());
    let text = '';
    for (const byte of bytes) text += String.fromCharCode(byte);
    return btoa(text);
  }
  return '';
}
