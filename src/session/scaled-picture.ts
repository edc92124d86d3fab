import type { PageAgents } from './agent.ts';

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** What to take a picture of, and how large it is to be. */
export interface ScaledPicture {
  /** A part of the window; else the window, or the whole page. */
  readonly part: Box | undefined;
  readonly isFull: boolean;
  readonly scale: number;
  readonly format: 'jpeg' | 'png' | 'webp';
  /** Of all but a PNG. */
  readonly quality?: number | undefined;
}

const defaultQuality = 80;

/**
 * A picture of the page or of a part of it, scaled while it is taken: there is no need for a library that reads pictures.
 * Undefined where the browser cannot do that (not Chromium).
 */
export async function scaledPicture(agents: PageAgents, picture: ScaledPicture): Promise<Buffer | undefined> {
  const session = (await agents.lane())?.session;
  if (session === undefined) return undefined;
  const { part, isFull, scale, format, quality: wanted = defaultQuality } = picture;
  const { cssLayoutViewport: view, cssContentSize: content } = await session.send('Page.getLayoutMetrics');
  const visible = { x: view.pageX, y: view.pageY, width: view.clientWidth, height: view.clientHeight };
  const inPage = part === undefined ? undefined : { ...part, x: part.x + view.pageX, y: part.y + view.pageY };
  const area = inPage ?? (isFull ? { x: 0, y: 0, width: content.width, height: content.height } : visible);
  const clip = { ...area, scale };
  const quality = format === 'png' ? {} : { quality: wanted };
  const options = { format, ...quality, clip, captureBeyondViewport: isFull || part !== undefined };
  const { data } = await session.send('Page.captureScreenshot', options);
  return Buffer.from(data, 'base64');
}
