import * as z from 'zod';
import type { Locator } from 'playwright-core';
import { defineTool } from '../call/tool.ts';
import type { CallContext } from '../call/tool.ts';
import { ToolError } from '../errors.ts';
import { forgetFonts, readPageSize, readWindow, scrollToElement } from '../page/reads/picture.ts';
import type { PageSize, WindowSize } from '../page/reads/picture.ts';
import { pictureWithoutBody } from '../session/capture/bare-screenshot.ts';
import type { PictureFormat } from '../session/capture/bare-screenshot.ts';
import { redraw } from '../session/capture/reencode.ts';
import type { Print } from '../session/capture/reencode.ts';
import { hasFonts } from '../session/capture/fonts.ts';
import type { Session } from '../session/session.ts';
import type { Tab } from '../session/tab.ts';
import type { Located } from '../session/snapshot/target.ts';
import { timestampName } from '../session/files/workspace.ts';
import { imageSize, modelFit } from '../util/images.ts';
import { pageCode } from '../util/code.ts';
import { oneLine } from '../util/text.ts';
import { inTime } from './quick.ts';
import {
  aimAt,
  hidden,
  optionalTarget,
  optionalTargetShape,
  timeoutShape,
  wholeWithin,
} from './lib/argument-shapes.ts';
import type { TargetArguments } from './lib/argument-shapes.ts';

const types = ['png', 'jpeg', 'webp'] as const;
const visibleMs = 500;
const inlineQuality = 80;
/** What moves for longer than this moves for ever. */
const stillMs = 2000;
/** Fonts that a page waits for are worth a moment, and no more: some never come. */
const fontsMs = 3000;
/** Somewhat more than browsers manage; a page is as large as it likes to be. */
const mostPixels = 200_000_000;

interface ShotArguments extends TargetArguments {
  readonly fullPage?: boolean | undefined;
  readonly type?: (typeof types)[number] | undefined;
  readonly filename?: string | undefined;
  readonly quality?: number | undefined;
  readonly image?: 'file' | 'inline' | undefined;
  readonly scale?: 'css' | 'device' | undefined;
  readonly timeout?: number | undefined;
}

export const takeScreenshot = defineTool({
  name: 'browser_take_screenshot',
  title: 'Screenshot',
  description: 'Take a picture of the window, an element or the full page.',
  toolsets: ['core', 'viewpoint'],
  effect: 'read',
  scope: 'tab',
  input: {
    ...optionalTargetShape,
    fullPage: z.boolean().optional().describe('The whole scrollable page'),
    type: z.enum(types).optional().describe('Default png'),
    filename: z.string().optional().describe('File name'),
    quality: hidden(wholeWithin(0, 100).optional().describe('Quality of jpeg and webp, 0 to 100')),
    image: hidden(z.enum(['file', 'inline']).optional().describe('Where it goes; default: as the server is set')),
    scale: hidden(z.enum(['css', 'device']).optional().describe('Pixels of CSS or of the device')),
    ...timeoutShape,
  },
  complaint: {
    doing: 'taking screenshot',
    about: ['Selector', 'selector'],
    hint: 'Check if element exists and is visible',
  },
  run: async (call) => {
    const { tab, args, session, response, settings, signal } = call;
    const timeoutMs = args.timeout ?? settings.session.defaultTimeout;
    response.attempt({ what: 'The screenshot', timeoutMs, ...aimAt(optionalTarget(args, session)) });
    const { located, subject } = await subjectOf(tab, session, args, signal);
    if (located !== undefined) await untilVisible(tab, located, Math.min(timeoutMs, settings.timeouts.action), signal);
    const taken = await shoot(tab, located?.locator, args, call);
    if (located !== undefined) await inTime(expectInWindow(tab, located), timeoutMs, signal);
    const picture = await withinLimit(tab, taken, settings.security.maxScreenshotSize);
    const { width, height } = imageSize(picture.data);
    const mode = settings.imageResponses === 'omit' ? 'omit' : (args.image ?? settings.imageResponses);
    const isForEyesOnly = args.image === 'inline' && args.filename === undefined;
    const name =
      nameOf(args.filename, picture === taken, picture.type) ?? timestampName('page', call.now(), picture.type);
    const file = isForEyesOnly ? undefined : await session.workspace.save('screenshot', name, picture.data);
    const where = file === undefined ? '' : `: ${file.shown}`;
    response.withoutPage();
    const isConfirmed = mode === 'omit' && settings.compat !== 'playwright';
    response.text(
      isConfirmed ? `Took a screenshot of ${subject}.` : `Took a screenshot of ${subject} (${width}x${height})${where}`,
    );
    if (picture !== taken) response.note(reducedNote(taken, picture));
    if (file !== undefined && isMisnamed(file.path, picture.type))
      response.note(`The file is a ${picture.type}, as asked for.`);
    if (args.quality !== undefined && taken.type === 'png') response.note('A png has no quality: it was left out.');
    const saved = args.filename === undefined || file === undefined ? '' : ` and saved to ${file.shown}`;
    response.aside(`Screenshot captured (${width}x${height})${saved}`);
    const options = {
      ...(file === undefined ? {} : { path: file.shown }),
      ...(args.fullPage === true ? { fullPage: true } : {}),
    };
    // The code would tell where it is.
    if (!isConfirmed) response.ran((located?.code ?? pageCode).call('screenshot', options));
    const asTaken = mode === 'allow' || args.image === 'inline';
    // As it was taken: what a file may have is not the business of the answer.
    const image = mode === 'file' || mode === 'omit' ? undefined : await inlineImage(tab, args, taken, asTaken);
    if (image !== undefined) response.image({ data: image.data, mimeType: `image/${image.type}` });
    const isPlain = isConfirmed || (args.image === 'inline' && taken.window === undefined);
    const scale = isPlain ? undefined : scaleNote(taken.window, picture, image);
    if (scale !== undefined) response.note(scale);
  },
});

async function subjectOf(tab: Tab, session: Session, args: ShotArguments, signal: AbortSignal) {
  const target = optionalTarget(args, session);
  if (target === undefined) return { subject: args.fullPage === true ? 'the full page' : 'the viewport' };
  if (args.fullPage === true) {
    const problems = ['Give either ref or fullPage, not both.'];
    throw new ToolError('MISSING_PARAMETER', { problems, accepted: ['ref', 'fullPage'] });
  }
  const located = await tab.locate(target, await tab.state(signal), signal);
  return { located, subject: oneLine(args.element ?? located.label) };
}

/** An element that is there and has nothing to show is not waited for, once the page has come to rest. */
async function untilVisible(tab: Tab, located: Located, timeout: number, signal: AbortSignal): Promise<void> {
  const end = performance.now() + timeout;
  await located.locator.waitFor({ state: 'attached', timeout, signal });
  do {
    const moment = Math.max(1, Math.min(visibleMs, end - performance.now()));
    const waiting = located.locator.waitFor({ state: 'visible', timeout: moment, signal });
    if (await waiting.then(() => true).catch(() => false)) return;
    signal.throwIfAborted();
  } while (performance.now() < end && (await tab.isBusy(signal)));
  throw new ToolError('ELEMENT_NOT_CLICKABLE', { target: located.label, reason: 'it is not visible, or has no size.' });
}

/** Of a place that cannot be scrolled to, browsers take a picture of something else. */
async function expectInWindow({ page }: Tab, { locator, label }: Located): Promise<void> {
  const [box, window] = await Promise.all([locator.boundingBox(), page.evaluate(readWindow)]);
  if (box === null) return;
  const isBeside = box.x + box.width <= 0 || box.x >= window.width;
  const isAboveOrBelow = box.y + box.height <= 0 || box.y >= window.height;
  if (!isBeside && !isAboveOrBelow) return;
  const reason = 'it lies where the page cannot be scrolled to.';
  throw new ToolError('ELEMENT_NOT_CLICKABLE', { target: label, reason });
}

interface Picture {
  readonly data: Buffer;
  readonly type: (typeof types)[number];
  /** The window when it was taken, if it is a picture of that. */
  readonly window?: WindowSize;
}

async function shoot(tab: Tab, element: Locator | undefined, args: ShotArguments, call: CallContext): Promise<Picture> {
  const timeout = args.timeout ?? call.settings.session.defaultTimeout;
  try {
    // What is asked of the page on the way has no limit of its own.
    return await inTime(take(tab, element, args, call, timeout), timeout, call.signal);
  } catch (error) {
    // A script that does not end would hold up the next call as well.
    await tab.unblock();
    throw error;
  }
}

async function take(
  tab: Tab,
  element: Locator | undefined,
  args: ShotArguments,
  call: CallContext,
  timeout: number,
): Promise<Picture> {
  const type = args.type ?? typeOfName(args.filename);
  const area = await areaOf(tab, element, args);
  if (area.width * area.height > mostPixels) {
    const reason = `it would have ${Math.round(area.width)}x${Math.round(area.height)} pixels`;
    throw new ToolError('SCREENSHOT_FAILED', { reason });
  }
  const started = performance.now();
  const isWindow = element === undefined && args.fullPage !== true;
  const [isReady, window] = await Promise.all([
    hasFonts(tab.page, Math.min(fontsMs, timeout / 2)),
    isWindow ? tab.page.evaluate(readWindow) : undefined,
  ]);
  const seen = window === undefined ? {} : { window };
  const options = {
    type,
    timeout: Math.max(1, timeout - (performance.now() - started)),
    signal: call.signal,
    scale: args.scale ?? ('css' as const),
    ...(type === 'png' || args.quality === undefined ? {} : { quality: args.quality }),
  };
  const bare = area.hasBody ? undefined : await shootWithoutBody(tab, options);
  if (bare !== undefined) return { data: bare, type };
  const early = isReady ? undefined : await shootAsItIs(tab, element, args, options);
  if (early !== undefined) {
    call.response.note('Fonts of the page are still loading; the picture was taken without them.');
    return { data: early, type, ...seen };
  }
  const data = await (element === undefined
    ? tab.page.screenshot({ ...options, ...wholeOrWindow(window) })
    : shootElement(tab, element, args, options));
  return { data, type, ...seen };
}

interface ShotOptions extends PictureFormat {
  readonly timeout: number;
  readonly signal: AbortSignal;
  readonly scale: 'css' | 'device';
}

async function shootWithoutBody(tab: Tab, options: ShotOptions): Promise<Buffer | undefined> {
  return (await tab.answers(options.timeout / 4)) ? pictureWithoutBody(tab, options) : undefined;
}

/** Of a page that scrolls to the left the window is a part of the whole. */
function wholeOrWindow(window: WindowSize | undefined) {
  if (window === undefined) return { fullPage: true };
  const { isFromRight, left: x, top: y, width, height } = window;
  return isFromRight ? { fullPage: true, clip: { x, y, width, height } } : {};
}

/** Playwright waits until an element stands still. One that never does is taken as it moves. */
async function shootElement(tab: Tab, element: Locator, args: ShotArguments, options: ShotOptions): Promise<Buffer> {
  const early = (await isMistaken(tab, element)) ? await shootAsItIs(tab, element, args, options) : undefined;
  if (early !== undefined) return early;
  try {
    return await element.screenshot({ ...options, timeout: Math.min(options.timeout, stillMs) });
  } catch (error) {
    const timeout = options.timeout - stillMs;
    if (!(error instanceof Error) || error.name !== 'TimeoutError' || timeout <= 0) throw error;
    const data = await shootAsItIs(tab, element, args, { ...options, timeout });
    return data ?? element.screenshot({ ...options, timeout });
  }
}

/** Of what begins to the left of where the page does, Playwright has Chromium take the upper left corner of the window. */
async function isMistaken({ page }: Tab, element: Locator): Promise<boolean> {
  const [box, { left, top, isFromRight }] = await Promise.all([element.boundingBox(), page.evaluate(readWindow)]);
  if (box === null) return false;
  const [x, y] = [box.x + left, box.y + top];
  return x + box.width > 0 && y + box.height > 0 && (isFromRight || x < 0 || y < 0);
}

/** What a picture will show; the window is never too large. */
async function areaOf({ page }: Tab, element: Locator | undefined, { fullPage }: ShotArguments): Promise<PageSize> {
  if (fullPage === true) return page.evaluate(readPageSize);
  return { width: 0, height: 0, ...(await element?.boundingBox()), hasBody: true };
}

/**
 * Playwright waits for fonts, for the body of a full page, and for an element to stand still, for as long as a picture may
 * take. Undefined where there is no other way to take one.
 */
async function shootAsItIs(
  tab: Tab,
  element: Locator | undefined,
  { fullPage = false }: ShotArguments,
  options: ShotOptions,
): Promise<Buffer | undefined> {
  const lane = (await tab.answers(options.timeout / 4)) ? await tab.agents.lane() : undefined;
  if (lane === undefined) return undefined;
  await element?.evaluate(scrollToElement);
  const box = await element?.boundingBox();
  const part = box === undefined || box === null ? {} : await clipOf(tab, box);
  await lane.run(forgetFonts, true);
  try {
    return await tab.page.screenshot({ ...options, fullPage, ...part });
  } finally {
    await lane.run(forgetFonts, false);
  }
}

type Box = NonNullable<Awaited<ReturnType<Locator['boundingBox']>>>;

/** What is larger than the window is a part of the page. */
async function clipOf({ page }: Tab, box: Box) {
  const { width, height, left, top, isFromRight, zoom } = await page.evaluate(readWindow);
  const isInside = box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height;
  if (isInside && !isFromRight && zoom === 1) return { clip: box };
  return { fullPage: true, clip: { ...box, x: box.x + left, y: box.y + top } };
}

/** A picture that is too large for a file: worse ones, then smaller ones. */
const prints: readonly Print[] = [
  ...[80, 60, 40, 25].map((quality) => ({ scale: 1, quality })),
  ...[0.7, 0.5, 0.35, 0.25, 0.15].map((scale) => ({ scale, quality: 40 })),
].map((print) => ({ ...print, format: 'jpeg' }));

async function withinLimit(tab: Tab, picture: Picture, maxBytes: number): Promise<Picture> {
  if (picture.data.length <= maxBytes) return picture;
  const data = await redraw(tab, picture, prints, maxBytes);
  if (data === undefined) throw new ToolError('SCREENSHOT_TOO_LARGE', { bytes: picture.data.length, maxBytes });
  return { data, type: 'jpeg' };
}

/** What is a JPEG now is not called otherwise. */
function nameOf(wanted: string | undefined, isAsTaken: boolean, type: Picture['type']): string | undefined {
  if (wanted === undefined || isAsTaken || typeOfName(wanted) === type) return wanted;
  return `${wanted.replace(/\.(?:png|webp)$/i, '')}.jpg`;
}

function reducedNote(taken: Picture, picture: Picture): string {
  const { width, height } = imageSize(picture.data);
  return `The picture had ${taken.data.length} bytes, which is too much; it was reduced to a JPEG of ${width}x${height} with ${picture.data.length} bytes.`;
}

function typeOfName(name: string | undefined): (typeof types)[number] {
  const extension = name?.toLowerCase().split('.').at(-1);
  if (extension === 'jpg') return 'jpeg';
  return types.find((type) => type === extension) ?? 'png';
}

/** What reads a file by the end of its name would not get on with it. */
function isMisnamed(path: string, type: Picture['type']): boolean {
  return /\.(?:png|jpe?g|webp)$/i.test(path) && typeOfName(path) !== type;
}

/** The picture as a model may be given it: the one that was taken when it fits, else a smaller JPEG of the same. */
async function inlineImage(tab: Tab, args: ShotArguments, picture: Picture, asTaken: boolean): Promise<Picture> {
  const scale = modelFit(imageSize(picture.data));
  if (scale === 1 && (asTaken || picture.type === 'jpeg')) return picture;
  // Whoever asked for the picture in the answer gets the format that was asked for.
  const type = args.image === 'inline' && picture.type === 'png' ? 'png' : 'jpeg';
  const data = await redraw(tab, picture, [{ scale, quality: inlineQuality, format: type }]);
  return data === undefined ? picture : { data, type };
}

/** A point of a picture that was scaled is not that point of the window; undefined where it is. */
function scaleNote(window: WindowSize | undefined, file: Picture, image: Picture | undefined): string | undefined {
  const { width, height } = imageSize((image ?? file).data);
  const lead = image === undefined ? 'The picture was scaled' : `The picture in this answer is ${width}x${height}`;
  if (window === undefined) return width === imageSize(file.data).width ? undefined : `${lead}.`;
  if (Math.abs(width - window.width) < 1) return undefined;
  return `${lead}: its coordinates times ${Number((window.width / width).toFixed(4))} are those of the window.`;
}
