import { bodyOf, isSvg, tagOf } from '../dom/dom.ts';
import { blankItem } from './items.ts';
import type { Item, Piece } from './items.ts';

/** What the browser has made a page of, itself: a picture or a recording. Other documents come to undefined. */
export function mediaIn(document: Document, root: Element): readonly Piece[] | undefined {
  const { contentType: type } = document;
  const media = root.firstElementChild;
  if (root !== bodyOf(document) || !/^(?:image|video|audio)\//.test(type)) return undefined;
  if (media instanceof HTMLImageElement) return [itemOf(media, 'img', pictureText(media, type))];
  return media instanceof HTMLVideoElement ? [recordingOf(media, type)] : undefined;
}

/** A document that is a drawing has its texts and links told, and that there is more to see. */
export function withDrawing(document: Document, root: Element, pieces: readonly Piece[]): readonly Piece[] {
  if (root !== bodyOf(document) || !isSvg(root) || tagOf(root) !== 'svg') return pieces;
  const text = '(an SVG drawing; use browser_take_screenshot to see it)';
  return [{ kind: 'text', text, breaks: true }, ...pieces];
}

function itemOf(element: Element, role: string, value: string): Item {
  return { ...blankItem(element, role, true), value, hasRef: true };
}

function pictureText(picture: HTMLImageElement, type: string): string {
  const { naturalWidth, naturalHeight } = picture;
  if (naturalWidth === 0 && picture.complete) return `(a picture, ${type}, that the browser cannot show)`;
  const what = [type, ...sizeOf(naturalWidth, naturalHeight)].join(', ');
  return `(a picture, ${what}; use browser_take_screenshot with this ref)`;
}

/** A document with sound alone has a video in it, too. */
function recordingOf(media: HTMLVideoElement, type: string): Item {
  const isSound = type.startsWith('audio/');
  const what = isSound ? 'a sound' : 'a video';
  const role = isSound ? 'audio' : 'video';
  const isBroken = media.error !== null || media.networkState === HTMLMediaElement.NETWORK_NO_SOURCE;
  if (isBroken) return itemOf(media, role, `(${what}, ${type}, that the browser cannot play)`);
  const seconds = Math.round(media.duration);
  const length = Number.isFinite(seconds) ? [seconds === 1 ? '1 second' : `${seconds} seconds`] : [];
  const facts = [what, type, ...sizeOf(media.videoWidth, media.videoHeight), ...length].join(', ');
  const way = isSound ? 'it cannot be heard from here' : 'use browser_take_screenshot with this ref';
  return itemOf(media, role, `(${facts}; ${way})`);
}

function sizeOf(width: number, height: number): readonly string[] {
  return width === 0 ? [] : [`${width} × ${height} pixels`];
}
