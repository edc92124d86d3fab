import type { ErrorCode, ErrorView } from '../errors.ts';
import { cut, oneLine } from '../util/text.ts';
import type { Report } from './answer/report.ts';
import type { Tool } from './tool.ts';

const longest = 500;
/** Errors for which the tool has its own hint. */
const aboutElement: ReadonlySet<ErrorCode> = new Set([
  'ELEMENT_NOT_FOUND',
  'ELEMENT_NOT_CLICKABLE',
  'ELEMENT_NOT_EDITABLE',
]);

/** How the text of an error is written: in three lines, or with the code of the tool's own vocabulary. */
export function errorText(tool: Tool, args: unknown, error: ErrorView): Pick<Report, 'sentenceError' | 'errorLabel'> {
  if (tool.toolsets.includes('sessions')) return { errorLabel: error.errorCode };
  if (tool.toolsets.includes('design')) return { errorLabel: error.code };
  return sentenceErrorOf(tool, args, error);
}

/**
 * The error in three lines, for tools that answer with sentences and for calls with a `selector`, as those tools take it.
 * NO_BROWSER is one line, which names the next call.
 */
export function sentenceErrorOf(tool: Tool, args: unknown, error: ErrorView): Pick<Report, 'sentenceError'> {
  const given: Readonly<Record<string, unknown>> = typeof args === 'object' && args !== null ? { ...args } : {};
  const speaksSentences = tool.answer === 'sentences';
  const { sentenceError } = tool;
  if (sentenceError === undefined || !(speaksSentences || given['selector'] !== undefined)) return {};
  const message = cut(oneLine(error.message), longest * 2);
  if (speaksSentences && error.kind === 'NO_BROWSER') return { sentenceError: [`${message} ${error.hint}`] };
  const { doing, about, hint } = sentenceError;
  const value = about === undefined ? undefined : given[about[1]];
  const subject =
    about === undefined || value === undefined ? [] : [`${about[0]}: ${cut(oneLine(textOf(value)), longest)}`];
  const step = hint !== undefined && aboutElement.has(error.kind) ? hint : error.hint;
  return { sentenceError: [`Error ${doing}: ${message}`, ...subject, `Hint: ${step}`] };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
