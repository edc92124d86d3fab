import type { Locator } from 'playwright-core';
import { isTimeout } from '../../browser/failure.ts';
import { ToolError } from '../../errors.ts';
import { forgetFonts, readPageSize, readViewport, scrollToElement } from '../../page/reads/screenshot.ts';
import type { PageSize, ViewportSize } from '../../page/reads/screenshot.ts';
import { withTimeout } from '../../util/signals.ts';
import type { CaptureFormat } from '../agent/cdp-channel.ts';
import type { Located } from '../snapshot/target.ts';
import type { Tab } from '../tab.ts';
import { captureView } from './capture-view.ts';
import { hasFonts } from './fonts.ts';
import { capturePollMs, fontsMs, restoreMs, stableMs } from '../timing.ts';

export const imageTypes = ['png', 'jpeg', 'webp'] as const;
export type ImageType = (typeof imageTypes)[number];

export interface Screenshot {
  readonly data: Buffer;
  readonly type: ImageType;
  /** The viewport, if the screenshot is of the viewport. */
  readonly viewport?: Pick<ViewportSize, 'width' | 'height'>;
  /** Fonts of the page had not loaded. */
  readonly isWithoutFonts?: boolean;
}

export interface CaptureRequest {
  /** The element to capture; else the viewport, or the full page. */
  readonly located?: Located | undefined;
  readonly fullPage: boolean;
  readonly type: ImageType;
  readonly quality?: number | undefined;
  readonly scale: 'css' | 'device';
  /** Animations are stopped, so that two screenshots of the same page are equal. */
  readonly isStill?: boolean;
  /** Elements to cover with a plain color. */
  readonly masked?: readonly Locator[];
  readonly timeout: number;
  /** Milliseconds for the element to become visible, and whether to wait that long even if the page is at rest. */
  readonly visibleMs: number;
  readonly waitsFully: boolean;
  readonly signal: AbortSignal;
}

/** Somewhat more than browsers can encode. */
const mostPixels = 200_000_000;
/** Slate, which is readable beside any page. */
const maskColor = '#94a3b8';
const onePixel = { x: 0, y: 0, width: 1, height: 1 };

/** Captures the viewport, the full page or an element. */
export async function captureScreenshot(tab: Tab, request: CaptureRequest): Promise<Screenshot> {
  const { located, timeout, signal } = request;
  if (located !== undefined) await untilVisible(tab, located, request);
  const taken = await captureInTime(tab, request);
  if (located !== undefined) await withTimeout(expectInViewport(tab, located), timeout, signal);
  return taken;
}

/** Waits until the element is visible, or the page is at rest. */
async function untilVisible(tab: Tab, located: Located, request: CaptureRequest): Promise<void> {
  const { visibleMs: timeout, waitsFully, signal } = request;
  const mayAppear = async (): Promise<boolean> => waitsFully || tab.actions.isBusy(signal);
  const end = performance.now() + timeout;
  await located.locator.waitFor({ state: 'attached', timeout, signal });
  do {
    const moment = Math.max(1, Math.min(capturePollMs, end - performance.now()));
    const waiting = located.locator.waitFor({ state: 'visible', timeout: moment, signal });
    if (await waiting.then(() => true).catch(() => false)) return;
    signal.throwIfAborted();
  } while (performance.now() < end && (await mayAppear()));
  throw new ToolError('ELEMENT_NOT_CLICKABLE', { target: located.label, reason: 'it is not visible, or has no size.' });
}

/** An element that cannot be scrolled into the viewport makes browsers capture something else. */
async function expectInViewport({ page }: Tab, { locator, label }: Located): Promise<void> {
  const [box, viewport] = await Promise.all([locator.boundingBox(), page.evaluate(readViewport)]);
  if (box === null) return;
  const isBeside = box.x + box.width <= 0 || box.x >= viewport.width;
  const isAboveOrBelow = box.y + box.height <= 0 || box.y >= viewport.height;
  if (!isBeside && !isAboveOrBelow) return;
  const reason = 'it cannot be scrolled into the viewport.';
  throw new ToolError('ELEMENT_NOT_CLICKABLE', { target: label, reason });
}

async function captureInTime(tab: Tab, request: CaptureRequest): Promise<Screenshot> {
  const { timeout, signal } = request;
  try {
    // Scripts evaluated on the way have no timeout of their own.
    return await withTimeout(capture(tab, request), timeout, signal);
  } catch (error) {
    // A script that hangs would block the next call as well.
    await tab.unblock();
    throw error;
  }
}

async function capture(tab: Tab, request: CaptureRequest): Promise<Screenshot> {
  const { located, fullPage, type, timeout, isStill = false, masked } = request;
  const element = located?.locator;
  const isView = element === undefined && !fullPage && !isStill && masked === undefined;
  const quality = type === 'png' || request.quality === undefined ? {} : { quality: request.quality };
  const fontsLimitMs = Math.min(fontsMs, timeout / 2);
  const view = isView ? await captureView(tab, { type, scale: request.scale, fontsLimitMs, ...quality }) : undefined;
  if (view !== undefined) return view;
  const area = await areaOf(tab, element, fullPage);
  if (area.width * area.height > mostPixels) {
    const reason = `it would have ${Math.round(area.width)}x${Math.round(area.height)} pixels`;
    throw new ToolError('SCREENSHOT_FAILED', { reason });
  }
  const started = performance.now();
  const isViewport = element === undefined && !fullPage;
  const [isReady, viewport] = await Promise.all([
    hasFonts(tab.page.frames(), fontsLimitMs),
    isViewport ? tab.page.evaluate(readViewport) : undefined,
  ]);
  const seen = { type, ...(viewport === undefined ? {} : { viewport }) };
  const options = {
    type,
    timeout: Math.max(1, timeout - (performance.now() - started)),
    signal: request.signal,
    scale: request.scale,
    ...(isStill ? { animations: 'disabled' as const } : {}),
    ...(masked === undefined ? {} : { mask: [...masked], maskColor }),
    ...quality,
  };
  const bare = area.hasBody ? undefined : await captureWithoutBody(tab, options);
  if (bare !== undefined) return { data: bare, type };
  const early = isReady ? undefined : await captureAsItIs(tab, element, fullPage, options);
  if (early !== undefined) return { data: early, ...seen, isWithoutFonts: true };
  const data = await (element === undefined
    ? tab.page.screenshot({ ...options, ...clipOfViewport(viewport) })
    : captureElement(tab, element, options));
  return { data, ...seen };
}

interface CaptureOptions extends CaptureFormat {
  readonly timeout: number;
  readonly signal: AbortSignal;
  readonly scale: 'css' | 'device';
  readonly animations?: 'disabled';
  readonly mask?: Locator[];
  readonly maskColor?: string;
}

/** Playwright waits for a body, which an SVG document never gets. Undefined outside of Chromium. */
async function captureWithoutBody(tab: Tab, options: CaptureOptions): Promise<Buffer | undefined> {
  if (!(await tab.answers(options.timeout / 4))) return undefined;
  const data = await (await tab.cdp.open())?.captureDocument(options);
  // Capturing beyond the viewport on our channel ends Playwright's device emulation; a screenshot of its own restores it.
  if (data !== undefined) await tab.page.screenshot({ clip: onePixel, timeout: restoreMs }).catch(() => undefined);
  return data;
}

/** In a right-to-left page the viewport is a clip of the full page. */
function clipOfViewport(viewport: ViewportSize | undefined) {
  if (viewport === undefined) return { fullPage: true };
  const { isFromRight, left: x, top: y, width, height } = viewport;
  return isFromRight ? { fullPage: true, clip: { x, y, width, height } } : {};
}

/** Playwright waits until an element is stable; one that never is gets captured while it moves. */
async function captureElement(tab: Tab, element: Locator, options: CaptureOptions): Promise<Buffer> {
  const early = (await isMisplaced(tab, element)) ? await captureAsItIs(tab, element, false, options) : undefined;
  if (early !== undefined) return early;
  try {
    return await element.screenshot({ ...options, timeout: Math.min(options.timeout, stableMs) });
  } catch (error) {
    const timeout = options.timeout - stableMs;
    if (!isTimeout(error) || timeout <= 0) throw error;
    const data = await captureAsItIs(tab, element, false, { ...options, timeout });
    return data ?? element.screenshot({ ...options, timeout });
  }
}

/** For an element that begins left of or above the page, Playwright has Chromium capture the corner of the viewport. */
async function isMisplaced({ page }: Tab, element: Locator): Promise<boolean> {
  const [box, { left, top, isFromRight }] = await Promise.all([element.boundingBox(), page.evaluate(readViewport)]);
  if (box === null) return false;
  const [x, y] = [box.x + left, box.y + top];
  return x + box.width > 0 && y + box.height > 0 && (isFromRight || x < 0 || y < 0);
}

/** The size of a full page or an element; a viewport is never too large. */
async function areaOf({ page }: Tab, element: Locator | undefined, fullPage: boolean): Promise<PageSize> {
  if (fullPage) return page.evaluate(readPageSize);
  return { width: 0, height: 0, ...(await element?.boundingBox()), hasBody: true };
}

/** Captures without Playwright's waits for fonts and for a stable element. Undefined outside of Chromium. */
async function captureAsItIs(
  tab: Tab,
  element: Locator | undefined,
  fullPage: boolean,
  options: CaptureOptions,
): Promise<Buffer | undefined> {
  const channel = (await tab.answers(options.timeout / 4)) ? await tab.cdp.open() : undefined;
  if (channel === undefined) return undefined;
  await element?.evaluate(scrollToElement);
  const box = await element?.boundingBox();
  const part = box === undefined || box === null ? {} : await clipOf(tab, box);
  await channel.run(forgetFonts, true);
  try {
    return await tab.page.screenshot({ ...options, fullPage, ...part });
  } finally {
    await channel.run(forgetFonts, false);
  }
}

type Box = NonNullable<Awaited<ReturnType<Locator['boundingBox']>>>;

/** An element that does not fit into the viewport is a clip of the full page. */
async function clipOf({ page }: Tab, box: Box) {
  const { width, height, left, top, isFromRight, zoom } = await page.evaluate(readViewport);
  const isInside = box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height;
  if (isInside && !isFromRight && zoom === 1) return { clip: box };
  return { fullPage: true, clip: { ...box, x: box.x + left, y: box.y + top } };
}
