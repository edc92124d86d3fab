import { validateHeaderName, validateHeaderValue } from 'node:http';
import { cut } from '../../util/text.ts';

/** Headers that a browser cannot send: it rejects them late with an unclear error, or leaves the page waiting. */
export function headerProblems(headers: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(headers)
    .filter(([name, value]) => !isHeader(name, value))
    .map(
      ([name]) => `The header ${JSON.stringify(cut(name, 60))} cannot be sent: its name or its value is not allowed.`,
    );
}

export function isHeader(name: string, value: string): boolean {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return true;
  } catch {
    return false;
  }
}
