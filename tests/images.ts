import { imageSize } from '../src/util/images.ts';
import type { Size } from '../src/util/images.ts';
import type { Answer, Call } from './fixtures.ts';

export interface AnswerImage {
  readonly data: Buffer;
  readonly mimeType: string;
  readonly size: Size;
}

/** The images in an answer. */
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

/** The colors of an image at some points, as RGB from 0 to 16, which is coarser than JPEG artifacts. */
export async function coloursAt(
  call: Call,
  { data, mimeType }: Pick<AnswerImage, 'data' | 'mimeType'>,
  points: readonly (readonly [x: number, y: number])[],
): Promise<readonly string[]> {
  const answer = await call('browser_evaluate', {
    function: `async (source, points) => {
      const image = Object.assign(new Image(), { src: source });
      await image.decode();
      const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d');
      canvas.drawImage(image, 0, 0);
      return points.map(([x, y]) => [...canvas.getImageData(x, y, 1, 1).data].slice(0, 3).map((value) => Math.round(value / 16)).join());
    }`,
    args: [`data:${mimeType};base64,${data.toString('base64')}`, points],
  });
  return JSON.parse(answer.section('Result') ?? '[]');
}
