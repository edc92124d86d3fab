import { bodyOf, isSvg, tagOf } from '../dom/dom.ts';
import { blankItem } from '../walk/items.ts';
import type { Item, Piece } from '../walk/items.ts';

const pdfText = '(PDF document; read the page to get its text)';

/** The content of a document that the browser made for an image, audio, video or PDF file; undefined for other documents. */
export function mediaIn(document: Document, root: Element): readonly Piece[] | undefined {
  const { contentType: type } = document;
  const media = root.firstElementChild;
  if (root === bodyOf(document) && type === 'application/pdf') return [{ kind: 'text', text: pdfText, breaks: true }];
  if (root !== bodyOf(document) || !/^(?:image|video|audio)\//.test(type)) return undefined;
  if (media instanceof HTMLImageElement) return [itemOf(media, 'img', imageText(media, type))];
  return media instanceof HTMLVideoElement ? [recordingOf(media, type)] : undefined;
}

/** An SVG document: its texts and links, and a line that suggests a screenshot. */
export function withDrawing(document: Document, root: Element, pieces: readonly Piece[]): readonly Piece[] {
  if (root !== bodyOf(document) || !isSvg(root) || tagOf(root) !== 'svg') return pieces;
  const text = '(SVG drawing; take a screenshot to see it)';
  return [{ kind: 'text', text, breaks: true }, ...pieces];
}

function itemOf(element: Element, role: string, value: string): Item {
  return { ...blankItem(element, role, true), value, hasRef: true };
}

function imageText(picture: HTMLImageElement, type: string): string {
  const { naturalWidth, naturalHeight } = picture;
  if (naturalWidth === 0 && picture.complete) return `(image, ${type}, that the browser cannot show)`;
  const what = [type, ...sizeOf(naturalWidth, naturalHeight)].join(', ');
  return `(image, ${what}; screenshot this ref to see it)`;
}

/** An audio document has a video element too. */
function recordingOf(media: HTMLVideoElement, type: string): Item {
  const isSound = type.startsWith('audio/');
  const role = isSound ? 'audio' : 'video';
  const isBroken = media.error !== null || media.networkState === HTMLMediaElement.NETWORK_NO_SOURCE;
  if (isBroken) return itemOf(media, role, `(${role}, ${type}, that the browser cannot play)`);
  const seconds = Math.round(media.duration);
  const length = Number.isFinite(seconds) ? [seconds === 1 ? '1 second' : `${seconds} seconds`] : [];
  const facts = [role, type, ...sizeOf(media.videoWidth, media.videoHeight), ...length].join(', ');
  return itemOf(media, role, isSound ? `(${facts})` : `(${facts}; screenshot this ref to see it)`);
}

function sizeOf(width: number, height: number): readonly string[] {
  return width === 0 ? [] : [`${width} × ${height} pixels`];
}
