import { settlesWithin } from '../../util/signals.ts';
import type { Tab } from '../tab.ts';
import { drawMs } from '../timing.ts';

/** A way to encode an image again. */
export interface Variant {
  /** At most 1. */
  readonly scale: number;
  /** Of a JPEG, 1 to 100. */
  readonly quality: number;
  readonly format: 'jpeg' | 'png';
}

interface Order {
  readonly image: string;
  readonly type: string;
  readonly variants: readonly Variant[];
  readonly maxBytes: number;
}

/**
 * Encodes an image as the first of these variants that has at most `maxBytes`; undefined if none has. It draws on a
 * canvas, so no image library is needed: in the page agent's world, or in a blank page of another context where there is
 * no such world. That works in every browser, but opens a window in some.
 */
export async function reencode(
  tab: Pick<Tab, 'page' | 'cdp'>,
  image: { readonly data: Buffer; readonly type: string },
  variants: readonly Variant[],
  maxBytes = Number.MAX_SAFE_INTEGER,
): Promise<Buffer | undefined> {
  const order = { image: image.data.toString('base64'), type: image.type, variants, maxBytes };
  const inPage = (await tab.cdp.open())?.run(draw, order);
  const isDrawn = inPage !== undefined && (await settlesWithin(inPage, drawMs));
  const drawn = (isDrawn ? await inPage : undefined) ?? (await drawElsewhere(tab, draw, order));
  return drawn === undefined || drawn === '' ? undefined : Buffer.from(drawn, 'base64');
}

/** Draws in a blank page of another context. */
export async function drawElsewhere<O>(
  { page }: Pick<Tab, 'page'>,
  drawing: (order: O) => Promise<string>,
  order: O,
): Promise<string | undefined> {
  const context = await page.context().browser()?.newContext();
  if (context === undefined) return undefined;
  try {
    const blank = await context.newPage();
    // Playwright's type for arguments of a page function does not accept a type parameter.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return await blank.evaluate(drawing as (given: unknown) => Promise<string>, order);
  } finally {
    await context.close();
  }
}

/** Runs in the page; an empty string if no variant is small enough. */
async function draw({ image: encoded, type, variants, maxBytes }: Order): Promise<string> {
  const longestSide = 16_384;
  const binary = atob(encoded);
  const source = new Uint8Array(binary.length);
  for (let at = 0; at < source.length; at++) source[at] = binary.charCodeAt(at);
  const image = await createImageBitmap(new Blob([source], { type: `image/${type}` }));
  for (const { scale, quality, format } of variants) {
    // Canvases have a maximum size.
    const fit = Math.min(scale, longestSide / Math.max(image.width, image.height));
    // Rounding up could exceed the requested number of pixels.
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
