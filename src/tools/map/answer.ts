import type { CallContext } from '../../call/tool.ts';
import type { Session } from '../../session/session.ts';
import { estimateTokens } from '../../util/tokens.ts';
import { cut, pageUrl, plural, quoteBlock } from '../../util/text.ts';
import { fitting, lineBudget, saveData } from '../lib/data-file.ts';
import type { Visit } from './visit-all.ts';

type Block = readonly string[];

const longestMessage = 300;
const longestUrl = 300;
const mostImages = 4;

/** Puts the visits into one answer, in the order of the URLs, and those that failed below the others. */
export async function answerWithVisits(
  { response, maxTokens }: CallContext,
  session: Session,
  visits: readonly Visit[],
  filename: string | undefined,
): Promise<void> {
  const numbered = visits.map((visit, place) => ({ visit, number: place + 1 }));
  const done = numbered.filter(({ visit }) => visit.error === undefined);
  const failed = numbered.filter(({ visit }) => visit.error !== undefined);
  const results = done.map(({ visit, number }) => resultOf(visit, number));
  const failures = failed.map(({ visit, number }) => failureOf(visit, number));
  const facts = { done: done.length, failed: failures };
  const save = async (): Promise<string> =>
    saveData(session, response, {
      name: filename,
      prefix: 'map',
      extension: 'json',
      data: JSON.stringify({ ...facts, results }, null, 2),
    });
  response.withoutPage();
  response.foreign();
  response.text(`${done.length} of ${plural(visits.length, 'URL')} done.`);
  const blocks = done.map(({ visit, number }) => blockOf(visit, number));
  const below = failed.map(({ visit, number }) => failureLine(visit, number));
  const budget = Math.max(200, lineBudget(maxTokens) - costOf(below));
  const heads = { shown: blocks.map(([head = '']) => [head]), isCut: true };
  const { shown, isCut } = filename === undefined ? fitBlocks(blocks, budget) : heads;
  for (const line of shown.flat()) response.text(line);
  if (below.length > 0) response.text('Failed:');
  for (const line of below) response.text(line);
  if (isCut) {
    const file = await save();
    response.note(`${filename === undefined ? 'Not everything is shown: all' : 'All'} results are in ${file}`);
    response.data({ ...facts, file });
  } else response.data({ ...facts, results });
  attach(
    response,
    done.map(({ visit }) => visit),
  );
  const [first] = failed;
  if (done.length > 0 || first?.visit.error === undefined) return;
  const { error } = first.visit;
  const message = `All ${plural(visits.length, 'URL')} failed. ${cut(pageUrl(first.visit.url), longestUrl)}: ${error.message}`;
  response.fail({ ...error, message, details: { ...error.details, failed: failures } });
}

function attach(response: CallContext['response'], visits: readonly Visit[]): void {
  const images = visits.flatMap((visit) => visit.images);
  for (const image of images.slice(0, mostImages)) response.image(image);
  if (images.length > mostImages) response.note(`${images.length - mostImages} more images are not shown.`);
  for (const file of visits.flatMap(({ files }) => files)) response.file(file);
}

function resultOf({ url, endUrl, title, status, values }: Visit, number: number): Readonly<Record<string, unknown>> {
  const moved = endUrl === undefined || endUrl === url ? {} : { endUrl };
  const page = {
    ...(title === undefined || title === '' ? {} : { title }),
    ...(status === undefined ? {} : { status }),
  };
  return { number, url, ...moved, ...page, values };
}

function failureOf({ url, error, failedStep = 0, values }: Visit, number: number): Readonly<Record<string, unknown>> {
  const why = { step: failedStep, code: error?.kind, message: error?.message, retryable: error?.retryable };
  // What the steps before have returned.
  return { number, url, ...why, ...(Object.keys(values).length === 0 ? {} : { values }) };
}

/** The lines of a URL. With a single step, what it returned stands below the URL at once. */
function blockOf({ url, endUrl, status, lines }: Visit, number: number): Block {
  const moved = endUrl === undefined || endUrl === url ? '' : ` (now ${cut(pageUrl(endUrl), longestUrl)})`;
  const answered = status === undefined ? '' : ` (HTTP status ${status})`;
  const head = `${number}. ${cut(pageUrl(url), longestUrl)}${moved}${answered}`;
  const [first = '', ...rest] = lines;
  if (/^1\. \w+: done$/.test(first) && !rest.some((line) => /^\d/.test(line))) return [head, ...rest];
  const only = /^1\. \w+: done: (.*)$/s.exec(first)?.[1];
  if (only !== undefined && rest.length === 0) return [`${head}: ${only}`];
  return [head, ...lines.map((line) => `   ${line}`)];
}

function failureLine({ url, error, failedStep = 0 }: Visit, number: number): string {
  const where = failedStep === 0 ? '' : `step ${failedStep}: `;
  const message = quoteBlock(cut(error?.message ?? '', longestMessage)).replaceAll('\n', '\n   ');
  return `${number}. ${cut(pageUrl(url), longestUrl)}: ${where}[${error?.kind ?? ''}] ${message}`;
}

function costOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + estimateTokens(line) + 1, 0);
}

/** Cuts blocks to a common budget: the long ones share what the short ones leave. */
function fitBlocks(
  blocks: readonly Block[],
  budget: number,
): { readonly shown: readonly Block[]; readonly isCut: boolean } {
  const costs = blocks.map(costOf);
  let left = budget;
  let share = Number.POSITIVE_INFINITY;
  for (const [place, cost] of costs.toSorted((a, b) => a - b).entries()) {
    const fair = left / (blocks.length - place);
    if (cost > fair) {
      share = fair;
      break;
    }
    left -= cost;
  }
  const isLong = (place: number): boolean => (costs[place] ?? 0) > share;
  return {
    shown: blocks.map((lines, place) => (isLong(place) ? cutBlock(lines, share) : lines)),
    isCut: blocks.some((_, place) => isLong(place)),
  };
}

const leastCharacters = 200;

function cutBlock(lines: Block, share: number): Block {
  const [head = ''] = lines;
  const count = Math.max(1, fitting(lines, share - 10));
  const kept = [cut(head, Math.max(leastCharacters, share * 3)), ...lines.slice(1, count)];
  return count === lines.length ? kept : [...kept, `   … ${plural(lines.length - count, 'more line')}`];
}
