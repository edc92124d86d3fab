import { imageSize } from '../src/util/images.ts';
import type { Size } from '../src/util/images.ts';
import type { Answer } from './fixtures.ts';

export interface AnswerImage {
  readonly data: Buffer;
  readonly mimeType: string;
  readonly size: Size;
}

/** The pictures in an answer. */
export function imagesIn(answer: Answer): readonly AnswerImage[] {
  return answer.content.flatMap((item) => {
    if (item.type !== 'image') return [];
    const data = Buffer.from(item.data, 'base64');
    return [{ data, mimeType: item.mimeType, size: imageSize(data) }];
  });
}

/**
 * The quality a JPEG was written with, read from its first quantisation value: the standard table begins with 16, which
 * a quality above 50 scales by (200 - 2 * quality) percent.
 */
export function isQuality(jpeg: Buffer, quality: number): boolean {
  const table = jpeg.indexOf(Buffer.from([0xff, 0xdb]));
  return jpeg[table + 5] === Math.floor((16 * (200 - 2 * quality) + 50) / 100);
}
