import type { ErrorCode, ErrorView } from '../errors.ts';
import { cut, oneLine } from '../util/text.ts';
import type { Report } from './report.ts';
import type { Tool } from './tool.ts';

const longest = 500;
/** Errors whose next step the tool itself knows best. */
const aboutElement: ReadonlySet<ErrorCode> = new Set([
  'ELEMENT_NOT_FOUND',
  'ELEMENT_NOT_CLICKABLE',
  'ELEMENT_NOT_EDITABLE',
]);

/**
 * The error in three lines, where answers are sentences, and for a call that names its element as those tools do. What
 * asks for another call first says all there is to say.
 */
export function complaintOf(tool: Tool, args: unknown, error: ErrorView): Pick<Report, 'complaint'> {
  const given: Readonly<Record<string, unknown>> = typeof args === 'object' && args !== null ? { ...args } : {};
  const speaksSentences = tool.answer === 'sentences';
  const { complaint } = tool;
  if (complaint === undefined || !(speaksSentences || given['selector'] !== undefined)) return {};
  const message = cut(oneLine(error.message), longest * 2);
  if (speaksSentences && error.kind === 'NO_BROWSER') return { complaint: [`${message} ${error.hint}`] };
  const { doing, about, hint } = complaint;
  const value = about === undefined ? undefined : given[about[1]];
  const subject =
    about === undefined || value === undefined ? [] : [`${about[0]}: ${cut(oneLine(textOf(value)), longest)}`];
  const step = hint !== undefined && aboutElement.has(error.kind) ? hint : error.hint;
  return { complaint: [`Error ${doing}: ${message}`, ...subject, `Hint: ${step}`] };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
