import type { Page } from 'playwright-core';

export interface Print {
  /** At most 1. */
  readonly scale: number;
  /** Of a JPEG, 1 to 100. */
  readonly quality: number;
  readonly format: 'jpeg' | 'png';
}

interface Order {
  readonly source: string;
  readonly prints: readonly Print[];
  readonly maxBytes: number;
}

/**
 * Draws a picture anew, as the first of these prints that has at most so many bytes; undefined when none has. It is done
 * on a canvas of a blank page in a context of its own, which every browser can.
 */
export async function redraw(
  page: Page,
  picture: { readonly data: Buffer; readonly type: string },
  prints: readonly Print[],
  maxBytes = Number.MAX_SAFE_INTEGER,
): Promise<Buffer | undefined> {
  const context = await page.context().browser()?.newContext();
  if (context === undefined) return undefined;
  try {
    const blank = await context.newPage();
    const source = `data:image/${picture.type};base64,${picture.data.toString('base64')}`;
    const drawn = await blank.evaluate(draw, { source, prints, maxBytes });
    return drawn === null ? undefined : Buffer.from(drawn, 'base64');
  } finally {
    await context.close();
  }
}

/** Runs in the page. */
async function draw({ source, prints, maxBytes }: Order): Promise<string | null> {
  const longestSide = 16_384;
  const image = await createImageBitmap(await (await fetch(source)).blob());
  for (const { scale, quality, format } of prints) {
    // A canvas has its limits too.
    const fit = Math.min(scale, longestSide / Math.max(image.width, image.height));
    const [width, height] = [image.width, image.height].map((side) => Math.max(1, Math.round(side * fit)));
    const canvas = new OffscreenCanvas(width ?? 1, height ?? 1);
    const pen = canvas.getContext('2d');
    if (pen === null) return null;
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
  return null;
}
