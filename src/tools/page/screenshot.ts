import { basename, isAbsolute } from 'node:path';
import * as z from 'zod';
import { defineTool } from '../../call/tool.ts';
import type { CallContext } from '../../call/tool.ts';
import { ToolError } from '../../errors.ts';
import { locateAttached } from '../../session/act/missing.ts';
import { reencode } from '../../session/capture/reencode.ts';
import { captureScreenshot, imageTypes } from '../../session/capture/screenshot.ts';
import type { ImageType, Screenshot } from '../../session/capture/screenshot.ts';
import type { Artifact } from '../../session/files/artifacts.ts';
import type { Session } from '../../session/session.ts';
import type { Located } from '../../session/snapshot/target.ts';
import type { Tab } from '../../session/tab.ts';
import { pageCode } from '../../util/code.ts';
import { imageSize, modelFit } from '../../util/images.ts';
import { oneLine } from '../../util/text.ts';
import {
  aimAt,
  hidden,
  optionalTarget,
  optionalTargetShape,
  timeoutShape,
  wholeWithin,
  within,
} from '../lib/argument-shapes.ts';
import type { TargetArguments } from '../lib/argument-shapes.ts';
import { withinLimit } from '../lib/image-limit.ts';
import { actionWait } from '../lib/timeouts.ts';

const inlineQuality = 80;

interface ShotArguments extends TargetArguments {
  readonly fullPage?: boolean | undefined;
  readonly type?: ImageType | undefined;
  readonly filename?: string | undefined;
  readonly quality?: number | undefined;
  readonly image?: 'file' | 'inline' | undefined;
  readonly scale?: 'css' | 'device' | undefined;
  readonly relativeTo?: 'output' | 'cwd' | undefined;
  readonly timeout?: number | undefined;
}

export const takeScreenshot = defineTool({
  name: 'browser_take_screenshot',
  title: 'Screenshot',
  description: 'Take a screenshot of the viewport, an element or the full page.',
  toolsets: ['core', 'viewpoint'],
  effect: 'read',
  scope: 'tab',
  positional: ['ref'],
  input: {
    ...optionalTargetShape,
    fullPage: z.boolean().optional().describe('Whole page'),
    type: z.enum(imageTypes).optional().describe('Default png'),
    filename: z.string().optional().describe('File name'),
    quality: hidden(wholeWithin(0, 100).optional().describe('Quality of jpeg and webp, 0 to 100')),
    image: z.enum(['inline', 'file']).optional().describe('Inline: in the answer'),
    relativeTo: hidden(z.enum(['output', 'cwd']).optional().describe('Where a relative file name starts')),
    scale: hidden(z.enum(['css', 'device']).optional().describe('CSS or device pixels')),
    ...timeoutShape,
  },
  sentenceError: {
    doing: 'taking screenshot',
    about: ['Selector', 'selector'],
    hint: 'Check if element exists and is visible',
  },
  run: async (call) => {
    const { tab, args, session, response, settings, signal } = call;
    const timeout = args.timeout ?? settings.session.defaultTimeout;
    const aim = aimAt(optionalTarget(args, session));
    response.attempt({ what: 'The screenshot', url: tab.page.url(), timeoutMs: timeout, ...aim });
    const { located, subject } = await subjectOf(call);
    const taken = await captureScreenshot(tab, {
      located,
      fullPage: args.fullPage === true,
      type: args.type ?? typeOfName(args.filename),
      quality: args.quality,
      scale: args.scale ?? 'css',
      timeout,
      visibleMs: args.timeout ?? Math.min(timeout, settings.timeouts.action),
      waitsFully: actionWait(settings, args.timeout).waitsFully,
      signal,
    });
    const mode = settings.imageResponses === 'omit' ? 'omit' : (args.image ?? settings.imageResponses);
    const isConfirmed = mode === 'omit';
    const { image: saved, path, artifact } = await save(call, taken);
    const { width, height } = imageSize(saved.data);
    response.withoutLook();
    // A confirmation does not say where the file is.
    if (artifact !== undefined && !isConfirmed) response.file(artifact);
    const size = `(${width}x${height})`;
    response.text(
      `Took a screenshot of ${subject}${isConfirmed ? '.' : ` ${size}${path === undefined ? '' : `: ${path}`}`}`,
    );
    if (mode === 'file' && args.image === undefined && args.filename === undefined && response.showsPages)
      response.note('To see it, take it with image: "inline".');
    const to = args.filename === undefined || path === undefined ? '' : ` and saved to ${shownAs(args, path)}`;
    response.aside(`Screenshot captured ${size}${to}`);
    const options = {
      ...(path === undefined ? {} : { path }),
      ...(args.fullPage === true ? { fullPage: true } : {}),
      // Without it, Playwright takes device pixels.
      scale: args.scale ?? 'css',
      // Playwright takes the type from the extension of the path, PNG without one.
      ...(typeOfName(path) === saved.type ? {} : { type: saved.type }),
      ...(args.quality === undefined || saved.type === 'png' ? {} : { quality: args.quality }),
    };
    if (!isConfirmed) response.ran((located?.code ?? pageCode).call('screenshot', options));
    const isUnchanged = mode === 'allow' || args.image === 'inline';
    // The limit of files does not apply to the image in the answer.
    const image = mode === 'file' || mode === 'omit' ? undefined : await inlineImage(tab, args, taken, isUnchanged);
    if (image !== undefined) response.image({ data: image.data, mimeType: `image/${image.type}` });
    const scale = isConfirmed ? undefined : scaleNote(taken.viewport, saved, image);
    if (scale !== undefined) response.note(scale);
    if (scale !== undefined && to === '' && path !== undefined) response.aside(`The full image is in ${path}.`);
  },
});

/** `{ x, y, width, height }` is accepted as well as `"x,y,width,height"`. */
const area = z.preprocess((given) => {
  const { success, data } = z
    .object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() })
    .safeParse(given);
  return success ? [data.x, data.y, data.width, data.height].join(',') : given;
}, z.string());

export const compareScreenshot = defineTool({
  name: 'browser_compare_screenshot',
  title: 'Compare with a baseline',
  description:
    'Compare the viewport, an element or the full page with a baseline image, and report what changed. Creates a missing baseline.',
  capabilities: ['testing'],
  effect: 'read',
  scope: 'tab',
  input: {
    baseline: z.string().min(1).describe('Path or resource URI of the baseline image'),
    ...optionalTargetShape,
    fullPage: z.boolean().optional().describe('The whole scrollable page'),
    threshold: within(0, 1).default(0.1).describe('Color tolerance per pixel, 0 to 1'),
    maxDiffPercent: within(0, 100).default(0).describe('Percentage of pixels that may differ'),
    ignore: z.array(area).optional().describe('Parts not to compare: "x,y,width,height", refs or selectors'),
    mask: z.array(z.string()).optional().describe('Elements to cover in the images: refs or selectors'),
    update: z.boolean().optional().describe('Accept the current state as the new baseline'),
    filename: hidden(z.string().optional().describe('File name of the difference image')),
    ...timeoutShape,
  },
  synonyms: { baseline_screenshot: 'baseline', baselinePath: 'baseline' },
  run: async (call) => {
    // Loaded on first use: few servers offer this tool.
    const { runCompare } = await import('../compare/run-compare.ts');
    await runCompare(call);
  },
});

type ShotCall = CallContext & { readonly args: ShotArguments; readonly session: Session; readonly tab: Tab };

async function subjectOf({
  tab,
  session,
  args,
  settings,
  signal,
}: ShotCall): Promise<{ readonly subject: string; readonly located?: Located }> {
  const target = optionalTarget(args, session);
  if (target === undefined) return { subject: args.fullPage === true ? 'the full page' : 'the viewport' };
  if (args.fullPage === true) {
    const problems = ['Give either ref or fullPage, not both.'];
    throw new ToolError('INVALID_ARGUMENT', { problems, accepted: ['ref', 'fullPage'] });
  }
  const wait = { ...actionWait(settings, args.timeout), signal };
  const located = await locateAttached(tab, target, await tab.observe(signal), wait);
  return { located, subject: oneLine(args.element ?? located.label) };
}

interface Saved {
  readonly image: Screenshot;
  /** As answers show it; undefined if the screenshot is only in the answer. */
  readonly path?: string;
  readonly artifact?: Artifact;
}

/** Writes the screenshot to a file, reduced if it is too large. */
async function save({ tab, args, session, settings, response }: ShotCall, taken: Screenshot): Promise<Saved> {
  const image = await withinLimit(tab, taken, settings.security.maxScreenshotSize);
  const isReduced = image !== taken;
  const { width, height } = imageSize(image.data);
  // A scaled image in the answer does not show everything: the original is kept.
  const isInlineOnly = args.image === 'inline' && args.filename === undefined && modelFit({ width, height }) === 1;
  const name = nameOf(args.filename, isReduced, image.type);
  const place = args.relativeTo === 'cwd' && name !== undefined && !isAbsolute(name) ? `./${name}` : name;
  const file = isInlineOnly
    ? undefined
    : await session.files.save({
        kind: 'screenshot',
        name: place,
        generated: { prefix: 'page', extension: image.type },
        data: image.data,
        mimeType: `image/${image.type}`,
        tab: tab.id,
        metadata: { width, height, fullPage: args.fullPage === true },
      });
  if (taken.isWithoutFonts === true) response.note('Taken before all fonts of the page had loaded.');
  if (isReduced)
    response.note(
      `The screenshot had ${taken.data.length} bytes, more than the limit; it was reduced to a JPEG of ${width}x${height} with ${image.data.length} bytes.`,
    );
  if (file !== undefined && isMisnamed(file.path, image.type))
    response.note(`The file is a ${image.type}, as requested.`);
  if (args.quality !== undefined && taken.type === 'png')
    response.note('PNG has no quality setting; quality was ignored.');
  return { image, ...(file === undefined ? {} : { path: file.shown, artifact: file.artifact }) };
}

/** The path as it was given, unless the file is somewhere else. */
function shownAs({ relativeTo, filename }: ShotArguments, path: string): string {
  return relativeTo === 'cwd' && filename !== undefined && basename(filename) === basename(path)
    ? oneLine(filename)
    : path;
}

/** A screenshot that was reduced to a JPEG gets the extension of one. */
function nameOf(wanted: string | undefined, isReduced: boolean, type: ImageType): string | undefined {
  if (wanted === undefined || !isReduced || typeOfName(wanted) === type) return wanted;
  return `${wanted.replace(/\.(?:png|webp)$/i, '')}.jpg`;
}

function typeOfName(name: string | undefined): ImageType {
  const extension = name?.toLowerCase().split('.').at(-1);
  if (extension === 'jpg') return 'jpeg';
  return imageTypes.find((type) => type === extension) ?? 'png';
}

/** Programs that choose a decoder by the extension cannot read such a file. */
function isMisnamed(path: string, type: ImageType): boolean {
  return /\.(?:png|jpe?g|webp)$/i.test(path) && typeOfName(path) !== type;
}

/** The image for the model: as taken if it fits, else a smaller JPEG. */
async function inlineImage(
  tab: Tab,
  args: ShotArguments,
  taken: Screenshot,
  isUnchanged: boolean,
): Promise<Screenshot> {
  const scale = modelFit(imageSize(taken.data));
  if (scale === 1 && (isUnchanged || args.type !== undefined || taken.type === 'jpeg')) return taken;
  // A caller who requested a type, or the image in the answer, gets that type.
  const isChosen = args.type !== undefined || args.image === 'inline';
  const format = isChosen && taken.type === 'png' ? 'png' : 'jpeg';
  const data = await reencode(tab, taken, [{ scale, quality: inlineQuality, format }]);
  return data === undefined ? taken : { data, type: format };
}

/** How to convert coordinates of a scaled image; undefined if it was not scaled. */
function scaleNote(
  viewport: Screenshot['viewport'],
  saved: Screenshot,
  image: Screenshot | undefined,
): string | undefined {
  const { width, height } = imageSize((image ?? saved).data);
  const lead = image === undefined ? 'The screenshot was scaled' : `The image in this answer is ${width}x${height}`;
  if (viewport === undefined) return width === imageSize(saved.data).width ? undefined : `${lead}.`;
  if (Math.abs(width - viewport.width) < 1) return undefined;
  return `${lead}: multiply its coordinates by ${Number((viewport.width / width).toFixed(4))} for viewport coordinates.`;
}
