import type { CallContext } from '../../call/tool.ts';
import { ToolError } from '../../errors.ts';
import { withoutBaselineMark } from '../../images/baseline-mark.ts';
import { areaOf, countOf, coverageOf } from '../../images/rectangle.ts';
import type { Rectangle } from '../../images/rectangle.ts';
import { runComparison } from '../../images/run-comparison.ts';
import type { ComparisonResult } from '../../images/run-comparison.ts';
import type { Session } from '../../session/session.ts';
import type { Tab } from '../../session/tab.ts';
import { imageSize } from '../../util/images.ts';
import { oneLine } from '../../util/text.ts';
import { aimAt, optionalTarget } from '../lib/argument-shapes.ts';
import type { TargetArguments } from '../lib/argument-shapes.ts';
import { originOf, readArea, rectanglesOf } from './areas.ts';
import { baselineName, checkSize, readBaseline, unreadable, writeBaseline } from './baseline.ts';
import type { Baseline } from './baseline.ts';
import { changedElements } from './changed-elements.ts';
import type { ChangedElement } from './changed-elements.ts';
import { saveDifference } from './difference-image.ts';
import { steadyCapture } from './steady-capture.ts';
import type { Capture } from './steady-capture.ts';

export interface CompareArguments extends TargetArguments {
  readonly baseline: string;
  readonly fullPage?: boolean | undefined;
  readonly threshold: number;
  readonly maxDiffPercent: number;
  readonly ignore?: readonly string[] | undefined;
  readonly mask?: readonly string[] | undefined;
  readonly update?: boolean | undefined;
  readonly filename?: string | undefined;
  readonly timeout?: number | undefined;
}

export type CompareCall = CallContext & {
  readonly args: CompareArguments;
  readonly session: Session;
  readonly tab: Tab;
};

/** A region of the answer: the largest ones, with the elements in them. */
interface ShownRegion extends Rectangle {
  readonly elements: readonly ChangedElement[];
}

const mostRegions = 20;

export async function runCompare(call: CompareCall): Promise<void> {
  const { tab, session, args, response } = call;
  const target = optionalTarget(args, session);
  const timeoutMs = args.timeout ?? call.settings.session.defaultTimeout;
  response.attempt({ what: 'The comparison', timeoutMs, ...aimAt(target) });
  response.withoutPage();
  if (target !== undefined && args.fullPage === true) {
    const problems = ['Give either ref or fullPage, not both.'];
    throw new ToolError('INVALID_ARGUMENT', { problems, accepted: ['ref', 'fullPage'] });
  }
  const name = baselineName(args.baseline);
  const baseline = await readBaseline(tab, session, name);
  if (args.update === true && baseline !== undefined && baseline.file === undefined) {
    const problems = ['A resource cannot be replaced: give the path of the baseline to update it.'];
    throw new ToolError('INVALID_ARGUMENT', { problems, accepted: ['baseline', 'update'] });
  }
  const capture = await steadyCapture(call, target);
  if (baseline === undefined || args.update === true) await accept(call, name, baseline, await capture.steady());
  else await compare(call, baseline, capture);
}

/** Makes the screenshot the baseline. */
async function accept(
  { tab, session, args, response, settings }: CompareCall,
  name: string,
  before: Baseline | undefined,
  data: Buffer,
): Promise<void> {
  const maxBytes = settings.security.maxScreenshotSize;
  if (data.length > maxBytes) throw new ToolError('SCREENSHOT_TOO_LARGE', { bytes: data.length, maxBytes });
  const saved = await writeBaseline(tab, session, name, { data, before, fullPage: args.fullPage === true });
  const { width, height } = imageSize(data);
  const what = before === undefined ? 'There was no baseline. Created' : 'Updated the baseline';
  response.text(`${what} ${saved.shown} (${width}x${height}).`);
  response.file(saved.artifact);
  response.data({ status: before === undefined ? 'created' : 'updated', baseline: saved.shown, width, height });
}

async function compare(call: CompareCall, baseline: Baseline, capture: Capture): Promise<void> {
  const { tab, args, signal, response } = call;
  const first = await capture.first();
  const { ignore = [], mask = [], threshold } = args;
  const areas = await Promise.all([...ignore, ...mask].map(async (given) => readArea(given, call)));
  const origin = await originOf(tab, capture.located, args.fullPage === true);
  const ignored: Rectangle[] = [];
  for (const area of areas) {
    const found = await rectanglesOf(area, origin);
    if (found.length === 0) response.note(`${JSON.stringify(oneLine(area.given))} matches no visible element.`);
    ignored.push(...found);
  }
  const plain = withoutBaselineMark(baseline.data);
  const run = async (current: Buffer): Promise<ComparisonResult> => {
    const size = imageSize(current);
    checkSize(size, 'The screenshot');
    // Browsers encode equal pixels in the same way.
    if (plain.equals(current)) {
      return { pixels: 0, compared: areaOf(size) - countOf(coverageOf(size, ignored)), regions: [] };
    }
    const answer = await runComparison({ baseline: baseline.data, current, threshold, ignored }, signal);
    if ('unreadable' in answer) throw unreadable(baseline.shown);
    return answer;
  };
  let [current, result] = [first, await run(first)];
  if (result.pixels > 0) {
    // The page may not have been rendered completely.
    current = await capture.steady();
    if (!current.equals(first)) result = await run(current);
  }
  const largest = new Set(result.regions.toSorted((a, b) => b.pixels - a.pixels).slice(0, mostRegions));
  const ordered = result.regions.filter((region) => largest.has(region));
  const inViewport = ordered.map((region) => ({ ...region, x: region.x - origin.x, y: region.y - origin.y }));
  const elements = await changedElements(tab, inViewport, signal);
  const regions = ordered.map((region, index) => ({ ...region, elements: elements[index] ?? [] }));
  const percent = percentOf(result);
  if (result.compared === 0) {
    const problems = ['The parts to ignore and to mask cover the whole image, so that nothing is compared.'];
    throw new ToolError('INVALID_ARGUMENT', { problems, accepted: ['ignore', 'mask'] });
  }
  report(call, { baseline, current, result, regions, percent });
  if (result.difference === undefined) return;
  const saved = await saveDifference(call, {
    baseline,
    current,
    result: { ...result, difference: Buffer.from(result.difference) },
    regions: ordered,
    ignored,
    percent: percentText(percent),
  });
  if (saved === undefined) response.note('The difference image could not be drawn.');
  else {
    response.text(`Difference image: ${saved.shown}`);
    response.file(saved.artifact);
  }
}

/** The percentage of pixels that differ, with four decimals, and more than zero if any does. */
function percentOf({ pixels, compared }: ComparisonResult): number {
  if (pixels === 0 || compared === 0) return 0;
  return Math.max(0.0001, Math.round((pixels / compared) * 1e6) / 1e4);
}

function percentText(percent: number): string {
  return percent > 0 && percent < 0.01 ? 'less than 0.01%' : `${percent.toFixed(2)}%`;
}

interface Found {
  readonly baseline: Baseline;
  readonly current: Buffer;
  readonly result: ComparisonResult;
  readonly regions: readonly ShownRegion[];
  readonly percent: number;
}

function report({ args, response }: CompareCall, { baseline, current, result, regions, percent }: Found): void {
  const isMatch = percent <= args.maxDiffPercent;
  const [before, now] = [imageSize(baseline.data), imageSize(current)];
  const isResized = before.width !== now.width || before.height !== now.height;
  response.text(headline({ baseline, result, percent, isMatch }));
  if (isResized) {
    response.text(
      `The size changed from ${before.width}x${before.height} to ${now.width}x${now.height}; pixels that only one image has count as different.`,
    );
  }
  for (const [index, { x, y, width, height, elements }] of regions.entries()) {
    const names = elements.map(({ label, ref }) => `${label} [ref=${ref}]`);
    response.text(
      `${index + 1}. ${x},${y} ${width}x${height}: ${names.length === 0 ? 'page background' : names.join(', ')}`,
    );
  }
  const left = result.regions.length - regions.length;
  if (left > 0) response.text(`${left} smaller regions are not listed.`);
  response.data({
    status: isMatch ? 'match' : 'different',
    diffPercent: percent,
    diffPixels: result.pixels,
    comparedPixels: result.compared,
    baseline: { path: baseline.shown, ...before },
    current: now,
    regions: regions.map(({ x, y, width, height, elements }) => ({ x, y, width, height, elements })),
  });
}

function headline({
  baseline,
  result,
  percent,
  isMatch,
}: Pick<Found, 'baseline' | 'result' | 'percent'> & { readonly isMatch: boolean }): string {
  if (result.pixels === 0) return `Matches ${baseline.shown}: no pixel differs.`;
  const count = result.regions.length === 1 ? '1 region' : `${result.regions.length} regions`;
  const share = `${percentText(percent)} of the pixels (${result.pixels} of ${result.compared}) in ${count}`;
  return isMatch
    ? `Matches ${baseline.shown} within the limit: ${share} differ.`
    : `Differs from ${baseline.shown}: ${share}.`;
}
