import type { Locator, Page } from 'playwright-core';

/** What a snapshot said an element was. */
export interface RefInfo {
  readonly role: string;
  readonly name: string;
}

/** The page as text, with the elements it names. */
export interface Snapshot {
  readonly lines: readonly string[];
  readonly refs: ReadonlyMap<string, RefInfo>;
}

export interface LookOptions {
  readonly target?: Locator;
  readonly depth?: number;
  readonly boxes?: boolean;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** Field values that must not be shown. */
  readonly secrets: readonly string[];
}

/** How a page is seen and its refs are found again; the rest of the server knows nothing of how that is done. */
export interface Eyes {
  look(page: Page, options: LookOptions): Promise<Snapshot>;
  locate(page: Page, ref: string): Locator;
}

/** Playwright's own accessibility snapshot. */
export const ariaEyes: Eyes = {
  look: async (page, options) => {
    const { target, depth, boxes, signal, timeoutMs: timeout } = options;
    const wanted = {
      mode: 'ai' as const,
      signal,
      timeout,
      ...(depth === undefined ? {} : { depth }),
      boxes: boxes === true,
    };
    const text = await (target ?? page).ariaSnapshot(wanted);
    const lines = text === '' ? [] : text.split('\n').map((line) => masked(line, options.secrets));
    return { lines, refs: refsOf(lines) };
  },
  locate: (page, ref) => page.getByRef(ref),
};

const hidden = '[REDACTED]';

/** A text field's value stands behind its line's colon, quoted or not. */
function masked(line: string, secrets: readonly string[]): string {
  if (secrets.length === 0) return line;
  const match = /^(\s*- (?:textbox|searchbox|combobox|spinbutton)\b.*?\]): (.*)$/.exec(line);
  if (match === null) return line;
  const [, field = '', value = ''] = match;
  const plain = value.startsWith('"') ? unquoted(value) : value;
  return secrets.some((secret) => secret.trim() === plain.trim()) ? `${field}: ${hidden}` : line;
}

function unquoted(value: string): string {
  try {
    return String(JSON.parse(value));
  } catch {
    return value;
  }
}

function refsOf(lines: readonly string[]): ReadonlyMap<string, RefInfo> {
  const refs = new Map<string, RefInfo>();
  for (const line of lines) {
    const match = /^\s*- '?([\w-]+)(?: "((?:[^"\\]|\\.)*)")?.*?\[ref=((?:f\d+)?e\d+)\]/.exec(line);
    if (match === null) continue;
    const [, role = '', name = '', ref = ''] = match;
    refs.set(ref, { role, name: unquoted(`"${name}"`) });
  }
  return refs;
}

/** Lines that only one of two snapshots has, in the order of the page; undefined when too much changed to be worth it. */
export function changedLines(before: readonly string[], after: readonly string[]): readonly string[] | undefined {
  const old = before.map(comparable);
  const now = after.map(comparable);
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head++;
  let tail = 0;
  while (tail < old.length - head && tail < now.length - head && old.at(-1 - tail) === now.at(-1 - tail)) tail++;
  const removed = countOf(old.slice(head, old.length - tail));
  const added = countOf(now.slice(head, now.length - tail));
  const result: string[] = [];
  for (let i = head; i < before.length - tail; i++) {
    if (takeFrom(added, old[i])) continue;
    result.push(`- ${before[i]}`);
  }
  for (let i = head; i < after.length - tail; i++) {
    if (takeFrom(removed, now[i])) continue;
    result.push(`+ ${after[i]}`);
  }
  return result.length > Math.max(10, after.length / 2) ? undefined : result;
}

/** Focus moves with every click; it is no news. */
function comparable(line: string): string {
  return line.replace(' [active]', '');
}

function countOf(lines: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
  return counts;
}

function takeFrom(counts: Map<string, number>, line: string | undefined): boolean {
  const count = line === undefined ? 0 : (counts.get(line) ?? 0);
  if (line === undefined || count === 0) return false;
  counts.set(line, count - 1);
  return true;
}
