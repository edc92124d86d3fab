import type { Rectangle } from '../../images/rectangle.ts';
import type { ComparisonResult } from '../../images/run-comparison.ts';
import { drawOnCanvas } from '../../session/capture/canvas.ts';
import { reencode } from '../../session/capture/reencode.ts';
import type { Screenshot } from '../../session/capture/screenshot.ts';
import { sideBySide } from '../../session/capture/side-by-side.ts';
import type { SavedArtifact } from '../../session/files/session-files.ts';
import { imageSize, modelFit } from '../../util/images.ts';
import { withinLimit } from '../lib/image-limit.ts';
import type { Baseline } from './baseline.ts';
import type { CompareCall } from './run-compare.ts';

export interface Difference {
  readonly baseline: Baseline;
  readonly current: Buffer;
  readonly result: ComparisonResult & { readonly difference: Buffer };
  readonly regions: readonly Rectangle[];
  readonly ignored: readonly Rectangle[];
  /** As text. */
  readonly percent: string;
}

const inlineQuality = 80;

/** Draws both images and their difference side by side, saves the drawing, and adds it to the answer if images are wanted. */
export async function saveDifference(call: CompareCall, found: Difference): Promise<SavedArtifact | undefined> {
  const { tab, session, args, settings, response } = call;
  const { baseline, current, result, regions, ignored, percent } = found;
  const panels = [
    { title: 'Baseline', note: sizeText(baseline.data), image: baseline.data },
    { title: 'Current', note: sizeText(current), image: current },
    {
      title: 'Difference',
      note: [percent, ...legendOf(found)].join(' · '),
      image: current,
      overlay: result.difference,
    },
  ];
  const drawn = await drawOnCanvas(tab, sideBySide(panels, { regions, ignored }));
  if (drawn === undefined) return undefined;
  const image = await withinLimit(tab, { data: drawn, type: 'png' }, settings.security.maxScreenshotSize);
  const { imageResponses: mode } = settings;
  if (mode !== 'file' && mode !== 'omit') {
    const inline = await fitted(tab, image);
    response.image({ data: inline.data, mimeType: `image/${inline.type}` });
  }
  return session.files.save({
    kind: 'screenshot',
    name: args.filename,
    generated: { prefix: 'diff', extension: image.type },
    data: image.data,
    mimeType: `image/${image.type}`,
    tab: tab.id,
    metadata: { ...imageSize(image.data), fullPage: args.fullPage === true },
  });
}

function legendOf({ result, ignored }: Difference): readonly string[] {
  const count = result.regions.length;
  return [count === 1 ? '1 region' : `${count} regions`, ...(ignored.length === 0 ? [] : ['hatched: not compared'])];
}

function sizeText(data: Buffer): string {
  const { width, height } = imageSize(data);
  return `${width} × ${height}`;
}

/** Small enough for a model. */
async function fitted(tab: CompareCall['tab'], image: Screenshot): Promise<Screenshot> {
  const scale = modelFit(imageSize(image.data));
  if (scale === 1) return image;
  const data = await reencode(tab, image, [{ scale, quality: inlineQuality, format: 'jpeg' }]);
  return data === undefined ? image : { data, type: 'jpeg' };
}
