import { validateHeaderName, validateHeaderValue } from 'node:http';
import { cut } from '../../util/text.ts';

/** What no browser would send: it refuses it late, in words of its own, or leaves the page waiting. */
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
