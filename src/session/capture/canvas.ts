import { settlesWithin } from '../../util/signals.ts';
import type { Tab } from '../tab.ts';
import { drawMs } from '../timing.ts';
import { drawElsewhere } from './reencode.ts';

interface Place {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** One thing to draw. Later steps cover earlier ones. */
export type Step =
  | ({ readonly do: 'fill'; readonly color: string } & Place)
  | ({ readonly do: 'outline'; readonly color: string; readonly line: number } & Place)
  | ({ readonly do: 'hatch'; readonly color: string; readonly line: number } & Place)
  /** An image by its index, in pale gray if requested; single pixels of an enlarged one stay visible. */
  | ({ readonly do: 'image'; readonly index: number; readonly isPale?: boolean } & Place)
  /** On one line, from the left; centered in the width if it is one run. */
  | ({ readonly do: 'text'; readonly runs: readonly TextRun[]; readonly isCentered?: boolean } & Place);

export interface TextRun {
  readonly text: string;
  readonly size: number;
  readonly weight: number;
  readonly color: string;
}

export interface Drawing {
  readonly width: number;
  readonly height: number;
  /** PNG files, in base64. */
  readonly images: readonly string[];
  readonly steps: readonly Step[];
}

/** Draws on a canvas of the page, like `reencode`, and encodes the result as a PNG. Undefined if there is no canvas. */
export async function drawOnCanvas(tab: Pick<Tab, 'page' | 'cdp'>, drawing: Drawing): Promise<Buffer | undefined> {
  const inPage = (await tab.cdp.open())?.run(draw, drawing);
  const isDrawn = inPage !== undefined && (await settlesWithin(inPage, drawMs));
  const drawn = (isDrawn ? await inPage : undefined) ?? (await drawElsewhere(tab, draw, drawing));
  return drawn === undefined || drawn === '' ? undefined : Buffer.from(drawn, 'base64');
}

/** Runs in the page; an empty string if it has no canvas. */
async function draw({ width, height, images: encoded, steps }: Drawing): Promise<string> {
  const fonts = 'system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif';
  const images: ImageBitmap[] = [];
  for (const text of encoded) {
    const binary = atob(text);
    const bytes = new Uint8Array(binary.length);
    for (let at = 0; at < bytes.length; at++) bytes[at] = binary.charCodeAt(at);
    images.push(await createImageBitmap(new Blob([bytes], { type: 'image/png' })));
  }
  const canvas = new OffscreenCanvas(width, height);
  const pen = canvas.getContext('2d');
  if (pen === null) return '';
  pen.imageSmoothingQuality = 'high';
  pen.textBaseline = 'middle';
  for (const step of steps) {
    const { x, y, width: w, height: h } = step;
    pen.save();
    if (step.do === 'fill') {
      pen.fillStyle = step.color;
      pen.fillRect(x, y, w, h);
    } else if (step.do === 'image') {
      const image = images[step.index];
      pen.imageSmoothingEnabled = image !== undefined && w < image.width;
      if (step.isPale === true) {
        pen.filter = 'grayscale(1)';
        pen.globalAlpha = 0.25;
      }
      if (image !== undefined) pen.drawImage(image, x, y, w, h);
    } else if (step.do === 'text') {
      let at = step.isCentered === true ? x + w / 2 : x;
      if (step.isCentered === true) pen.textAlign = 'center';
      for (const { text, size, weight, color } of step.runs) {
        pen.font = `${weight} ${size}px ${fonts}`;
        pen.fillStyle = color;
        pen.fillText(text, at, y + h / 2, Math.max(1, step.isCentered === true ? w : x + w - at));
        at += pen.measureText(text).width;
      }
    } else {
      pen.strokeStyle = step.color;
      pen.lineWidth = step.line;
      pen.beginPath();
      pen.rect(x, y, w, h);
      if (step.do === 'hatch') pen.clip();
      for (let at = step.do === 'hatch' ? -h : w; at < w; at += step.line * 5) {
        pen.moveTo(x + at, y + h);
        pen.lineTo(x + at + h, y);
      }
      pen.stroke();
    }
    pen.restore();
  }
  const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: 'image/png' })).arrayBuffer());
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}
