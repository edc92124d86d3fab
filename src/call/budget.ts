import { withToolNames } from '../errors.ts';
import type { ErrorView, ToolNameOf } from '../errors.ts';
import { estimateTokens } from '../util/tokens.ts';
import { fitData } from './fit-data.ts';
import type { Report } from './report.ts';

/** A single line may hold a whole document; no line is worth more than this. */
const longestLine = 2000;
/** Headers, fences and the line that says what was cut. */
const reserve = 60;
/** What a page or a script gives may be anything: its tokens are told to within a tenth. */
const certainty = 0.88;

/** Cuts a report to a token budget and says what it cut. The page is cut first, then events, then the result. */
export function fitReport(whole: Report, maxTokens: number, nameOf: ToolNameOf): Report {
  if (whole.form === 'data' && whole.data !== undefined) return { ...whole, data: fitData(whole.data, maxTokens) };
  if (isSmall(whole, maxTokens)) return whole;
  const report = withShortLines(whole, maxTokens);
  // They are short; only a caller that gives arguments by the hundred has many of them.
  const notes = fitLines(report.notes ?? [], maxTokens / 4, 'Give fewer arguments.');
  const head = [...report.result, ...report.code, ...report.modals, report.page?.url ?? '', report.page?.title ?? ''];
  const tabs = (report.tabs ?? []).flatMap((tab) => [tab.url, tab.title]);
  let left = maxTokens - reserve - estimateTokens([...tabs, ...report.modals, ...notes].join('\n'));
  const result = (report.isNewestLast === true ? fitNewest : fitLines)(
    report.result,
    Math.max(200, left * certainty),
    'Ask for less, or save the result to a file with filename.',
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

/** Whether nothing has to be cut, as its length alone tells: no character is more than about one token. */
function isSmall(
  { result, notes = [], code, modals, events, snapshot, page, tabs, ...rest }: Report,
  maxTokens: number,
): boolean {
  if (rest.error !== undefined || rest.complaint !== undefined || rest.data !== undefined) return false;
  const places = [page, ...(tabs ?? [])].flatMap((place) => [place?.url ?? '', place?.title ?? '']);
  const texts = [...result, ...notes, ...code, ...modals, ...events, ...(snapshot?.lines ?? []), ...places];
  const length = texts.reduce((sum, text) => sum + text.length + 1, 0);
  return length <= Math.min(longestLine, (maxTokens - reserve) / 2);
}

/** The parts that are a few lines at most, unless a caller or a page wrote a very long one. */
function withShortLines(report: Report, maxTokens: number): Report {
  const { error, complaint, data, ...rest } = report;
  // The text says what was cut; half of a value would be a wrong value.
  const fits = data !== undefined && estimateTokens(JSON.stringify(data)) <= maxTokens;
  return {
    ...rest,
    code: report.code.map(shortLine),
    ...(fits ? { data } : {}),
    ...(error === undefined ? {} : { error: shortError(error) }),
    ...(complaint === undefined ? {} : { complaint: complaint.map(shortLine) }),
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
      // Most tokens are a character or more, so a cut at this many characters per token cannot overshoot by much.
      const room = Math.max(0, Math.floor((left / cost) * line.length));
      const missing = lines.slice(kept.length).reduce((sum, rest) => sum + rest.length, 0) - room;
      return [...kept, ...(room > 0 ? [line.slice(0, room)] : []), `… cut here: ${missing} more characters. ${way}`];
    }
    kept.push(line);
    left -= cost;
  }
  return kept;
}

/** As above, for lines in the order of time: the oldest go first. */
function fitNewest(lines: readonly string[], budget: number, way: string): readonly string[] {
  let left = budget;
  let from = lines.length;
  for (const line of lines.toReversed()) {
    left -= estimateTokens(line) + 1;
    if (left < 0) break;
    from--;
  }
  if (from === 0) return lines;
  // A line that is too long for all of the budget is better shown in part than not at all.
  const shown = from === lines.length ? fitLines(lines.slice(-1), budget, way) : lines.slice(from);
  const older = Math.min(from, lines.length - 1);
  return older === 0 ? shown : [`… left out: ${older} older lines. ${way}`, ...shown];
}

function shortLine(line: string): string {
  return line.length <= longestLine
    ? line
    : `${line.slice(0, longestLine)}… (${line.length - longestLine} more characters)`;
}
