import type { ErrorView } from '../../errors.ts';
import type { StepEnd } from '../../call/steps.ts';
import { cut, quoteBlock, visible } from '../../util/text.ts';

const longestMessage = 1000;

/** The lines of a step that was run: one line, and below it, indented, what it returned. A brief line names only the code of an error. */
export function linesOf(number: number, name: string, end: StepEnd, isBrief: boolean): readonly string[] {
  const head = `${number}. ${name}`;
  if (end.error !== undefined && isBrief) return [`${head}: failed [${end.error.kind}]`];
  if (end.error !== undefined) return [`${head}: failed ${messageOf(end.error)}`];
  const { report, lead } = end;
  const shown =
    report?.form === 'data' ? [visible(JSON.stringify(report.data ?? {}))] : (report?.result.slice(lead) ?? []);
  const lines = [...shown, ...(report?.notes ?? []), ...(report?.events ?? [])].flatMap((line) => line.split('\n'));
  const page = (report?.snapshot?.lines ?? []).map((line) => line.replaceAll('```', "'''"));
  const [only] = lines;
  if (only !== undefined && lines.length === 1 && page.length === 0) return [`${head}: done: ${only}`];
  return [`${head}: done`, ...[...lines, ...page].map((line) => `   ${line}`)];
}

/** The code and the message of an error, on lines that cannot be mistaken for other steps. */
function messageOf({ kind, message, hint }: ErrorView): string {
  return [`[${kind}] ${quoteBlock(cut(message, longestMessage))}`, hint].join(' ').replaceAll('\n', '\n   ');
}

/** The lines of steps that were not run. */
export function notRun(from: number, to: number): readonly string[] {
  if (from > to) return [];
  return [from === to ? `${from}. not run` : `${from} to ${to}: not run`];
}
