import type { Response } from '../../call/answer/response.ts';
import type { Session } from '../../session/session.ts';
import { estimateTokens } from '../../util/tokens.ts';
import { oneLine, visible } from '../../util/text.ts';

/** Tokens for headings, notes and the page header. */
const otherSections = 300;
/** The estimate of tokens is not exact. */
const certainty = 0.85;
const leastTokens = 150;

/** The tokens of an answer that its lines may take. */
export function lineBudget(maxTokens: number): number {
  return Math.max(leastTokens, (maxTokens - otherSections) * certainty);
}

/** How many of the first lines fit a token budget. */
export function fitting(lines: readonly string[], budget: number): number {
  let left = budget;
  const over = lines.findIndex((line) => (left -= estimateTokens(line) + 1) < 0);
  return over < 0 ? lines.length : over;
}

/** Lines of data from pages, in a fence that nothing inside can close. */
export function showFenced(response: Response, language: 'json' | 'csv', lines: readonly string[]): void {
  response.foreign();
  // In JSON the escape means the same.
  const tick = language === 'json' ? '\\u0060' : "'";
  const safe = lines.map((line) => visible(line).replaceAll(/`{3,}/g, (ticks) => tick.repeat(ticks.length)));
  for (const line of [`\`\`\`\`${language}`, ...safe, '````']) response.text(line);
}

interface DataFile {
  readonly name: string | undefined;
  readonly prefix: string;
  readonly extension: 'json' | 'csv';
  readonly data: string;
}

/** Writes data to a file of the session, links it, and returns its path as answers show it. */
export async function saveData(session: Session, response: Response, file: DataFile): Promise<string> {
  const { prefix, extension, name, data } = file;
  const saved = await session.files.save({
    kind: 'file',
    name,
    generated: { prefix, extension },
    data,
    mimeType: extension === 'csv' ? 'text/csv' : 'application/json',
    tab: session.current?.id,
  });
  response.file(saved.artifact);
  return oneLine(saved.shown);
}
