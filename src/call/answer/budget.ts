import { withToolNames } from '../../errors.ts';
import type { ErrorView, ToolNameOf } from '../../errors.ts';
import { estimateTokens } from '../../util/tokens.ts';
import { fitData } from './fit-data.ts';
import type { Report } from './report.ts';

/** Limit for one line, which may hold a whole document. */
const longestLine = 2000;
/** Tokens for headers, fences and the line that reports the cut. */
const reserve = 60;
/** The token estimate of arbitrary text is accurate to about a tenth. */
const certainty = 0.88;

/** Cuts a report to a token budget and says what was cut. The snapshot is cut first, then events, then the result. */
export function fitReport(whole: Report, maxTokens: number, nameOf: ToolNameOf): Report {
  if (whole.form === 'data' && whole.data !== undefined) return { ...whole, data: fitData(whole.data, maxTokens) };
  if (isSmall(whole, maxTokens)) return whole;
  const report = withShortLines(whole, maxTokens);
  // Notes are short, and there are many of them only if the caller gives hundreds of arguments.
  const notes = fitLines(report.notes ?? [], maxTokens / 4, 'Give fewer arguments.');
  const head = [...report.result, ...report.code, ...report.modals, report.page?.url ?? '', report.page?.title ?? ''];
  const tabs = (report.tabs ?? []).flatMap((tab) => [tab.url, tab.title]);
  let left = maxTokens - reserve - estimateTokens([...tabs, ...report.modals, ...notes].join('\n'));
  const result = (report.isNewestLast === true ? fitNewest : fitLines)(
    report.result,
    Math.max(200, left * certainty),
    'Request less, or save the result to a file with filename.',
  );
  left -=
    estimateTokens(head.join('\n')) - estimateTokens(report.result.join('\n')) + estimateTokens(result.join('\n'));
  const events = fitLines(
    report.events,
    Math.max(100, (left * certainty) / 4),
    withToolNames(['Use {browser_console_messages} to see them.', 'Give maxTokens for a longer answer.'], nameOf),
  );
  left -= estimateTokens(events.join('\n'));
  const { snapshot } = report;
  if (snapshot === undefined) return { ...report, result, notes, events };
  const way = withToolNames(
    [
      'Request a part of the page: {browser_snapshot} with ref, search or depth.',
      'Give maxTokens for a longer answer.',
    ],
    nameOf,
  );
  const lines = fitLines(snapshot.lines.map(shortLine), Math.max(100, left), way);
  return { ...report, result, notes, events, snapshot: { ...snapshot, lines } };
}

/** Whether the length alone shows that nothing must be cut: a character is at most about one token. */
function isSmall(
  { result, notes = [], code, modals, events, snapshot, page, tabs, ...rest }: Report,
  maxTokens: number,
): boolean {
  if (rest.error !== undefined || rest.sentenceError !== undefined || rest.data !== undefined) return false;
  const places = [page, ...(tabs ?? [])].flatMap((place) => [place?.url ?? '', place?.title ?? '']);
  const texts = [...result, ...notes, ...code, ...modals, ...events, ...(snapshot?.lines ?? []), ...places];
  const length = texts.reduce((sum, text) => sum + text.length + 1, 0);
  return length <= Math.min(longestLine, (maxTokens - reserve) / 2);
}

/** Shortens the parts that are a few lines at most, in case a caller or a page wrote very long ones. */
function withShortLines(report: Report, maxTokens: number): Report {
  const { error, sentenceError, data, ...rest } = report;
  // Data is left out as a whole: half of a value would be a wrong value.
  const fits = data !== undefined && estimateTokens(JSON.stringify(data)) <= maxTokens;
  return {
    ...rest,
    code: report.code.map(shortLine),
    ...(fits ? { data } : {}),
    ...(error === undefined ? {} : { error: shortError(error) }),
    ...(sentenceError === undefined ? {} : { sentenceError: sentenceError.map(shortLine) }),
  };
}

function shortError(error: ErrorView): ErrorView {
  const short = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(short);
    return typeof value === 'string' ? shortLine(value) : value;
  };
  const details = Object.fromEntries(Object.entries(error.details).map(([key, value]) => [key, short(value)]));
  return { ...error, message: shortLine(error.message), details };
}

function fitLines(lines: readonly string[], budget: number, way: string): readonly string[] {
  let left = budget;
  const kept: string[] = [];
  for (const line of lines) {
    const cost = estimateTokens(line) + 1;
    if (cost > left) {
      // A token is usually one character or more, so that this many characters cannot exceed the budget by much.
      const room = Math.max(0, Math.floor((left / cost) * line.length));
      const missing = lines.slice(kept.length).reduce((sum, rest) => sum + rest.length, 0) - room;
      return [...kept, ...(room > 0 ? [line.slice(0, room)] : []), `… cut here: ${missing} more characters. ${way}`];
    }
    kept.push(line);
    left -= cost;
  }
  return kept;
}

/** As above, for lines in chronological order: the oldest are dropped first. */
function fitNewest(lines: readonly string[], budget: number, way: string): readonly string[] {
  let left = budget;
  let from = lines.length;
  for (const line of lines.toReversed()) {
    left -= estimateTokens(line) + 1;
    if (left < 0) break;
    from--;
  }
  if (from === 0) return lines;
  // A line that exceeds the whole budget is cut rather than dropped.
  const shown = from === lines.length ? fitLines(lines.slice(-1), budget, way) : lines.slice(from);
  const older = Math.min(from, lines.length - 1);
  return older === 0 ? shown : [`… left out: ${older} older lines. ${way}`, ...shown];
}

function shortLine(line: string): string {
  return line.length <= longestLine
    ? line
    : `${line.slice(0, longestLine)}… (${line.length - longestLine} more characters)`;
}
