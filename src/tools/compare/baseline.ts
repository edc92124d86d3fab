import { ToolError } from '../../errors.ts';
import { hasBaselineMark, withBaselineMark } from '../../images/baseline-mark.ts';
import { reencode } from '../../session/capture/reencode.ts';
import type { SavedArtifact } from '../../session/files/session-files.ts';
import type { ReadableFile } from '../../session/files/workspace.ts';
import { readChecked } from '../../session/files/checked-file.ts';
import type { Session } from '../../session/session.ts';
import type { Tab } from '../../session/tab.ts';
import { imageSize } from '../../util/images.ts';
import type { Size } from '../../util/images.ts';
import { uriPrefix } from '../../util/resource-uri.ts';

export interface Baseline {
  /** The path or URI, as answers show it. */
  readonly shown: string;
  /** A PNG file. */
  readonly data: Buffer;
  /** Absent for a resource. */
  readonly file?: ReadableFile;
  readonly isMarked: boolean;
}

/** Decoding takes four bytes per pixel, several times. */
const mostPixels = 40_000_000;

/** A name without the extension of an image means a PNG file. */
export function baselineName(given: string): string {
  return given.startsWith(uriPrefix) || /\.(?:png|jpe?g|webp)$/i.test(given) ? given : `${given}.png`;
}

/** Reads the baseline; undefined if there is no such file. A resource must exist. */
export async function readBaseline(tab: Tab, session: Session, name: string): Promise<Baseline | undefined> {
  if (name.startsWith(uriPrefix)) {
    const data = await session.files.read(name);
    if (data === undefined)
      throw new ToolError('PATH_DENIED', { path: name.slice(0, 200), reason: 'there is no such resource' });
    return { shown: name, data: await asPng(tab, data, name), isMarked: false };
  }
  const file = await session.workspace.find(name);
  if (file === undefined) return undefined;
  const data = await readChecked(file.path);
  const shown = session.workspace.show(file.path);
  return { shown, data: await asPng(tab, data, shown), file, isMarked: hasBaselineMark(data) };
}

async function asPng(tab: Tab, data: Buffer, name: string): Promise<Buffer> {
  checkSize(imageSize(data), name);
  if (data.toString('latin1', 1, 4) === 'PNG') return data;
  const type = data.readUInt16BE(0) === 0xffd8 ? 'jpeg' : 'webp';
  const png = await reencode(tab, { data, type }, [{ scale: 1, quality: 100, format: 'png' }]);
  if (png === undefined) throw unreadable(name);
  return png;
}

/** Fails for an image that cannot be decoded in memory. */
export function checkSize({ width, height }: Size, name: string): void {
  if (width === 0 || height === 0) throw unreadable(name);
  if (width * height <= mostPixels) return;
  const problems = [
    `${name} has ${width}x${height} pixels; images of more than ${mostPixels / 1e6} megapixels are not compared.`,
  ];
  throw new ToolError('INVALID_ARGUMENT', { problems, accepted: ['ref', 'fullPage'] });
}

export function unreadable(name: string): ToolError {
  const problems = [`The baseline ${JSON.stringify(name)} is not a readable PNG, JPEG or WebP image.`];
  return new ToolError('INVALID_ARGUMENT', { problems, accepted: ['baseline'] });
}

/** Writes the baseline. An existing file is replaced only if the rules for files allow it, or if this tool wrote it. */
export async function writeBaseline(
  { id }: Tab,
  session: Session,
  name: string,
  {
    data,
    before,
    fullPage,
  }: { readonly data: Buffer; readonly before: Baseline | undefined; readonly fullPage: boolean },
): Promise<SavedArtifact> {
  if (!/\.png$/i.test(name)) {
    const problems = [
      `A new baseline is a PNG file: give a name that ends in .png, not ${JSON.stringify(name.slice(0, 200))}.`,
    ];
    throw new ToolError('INVALID_ARGUMENT', { problems, accepted: ['baseline'] });
  }
  const { workspace, files } = session;
  const place = before?.file === undefined ? name : await workspace.nameOf(before.file, name, before.isMarked);
  return files.save({
    kind: 'screenshot',
    name: place,
    data: withBaselineMark(data),
    mimeType: 'image/png',
    tab: id,
    metadata: { ...imageSize(data), fullPage },
  });
}
