import type { Locator } from 'playwright-core';
import { ToolError } from '../../errors.ts';
import type { Wait } from './select-options.ts';

/** Values that browsers accept in fields with a format. */
export const formats: Readonly<Record<string, string>> = {
  date: 'a day as 2024-12-31',
  time: 'a time as 23:59',
  'datetime-local': 'a moment as 2024-12-31T23:59',
  month: 'a month as 2024-12',
  week: 'a week as 2024-W52',
  color: 'a colour as #ff8800',
  number: 'a number',
  range: 'a number',
};

/** Fills a field. A value of the wrong format is rejected: the browser would silently clear the field. */
export async function fillText(locator: Locator, text: string, wait: Wait): Promise<void> {
  // Read by Playwright in its own world; only fields with a format need a script in the page's world.
  const type = (await locator.getAttribute('type', wait))?.toLowerCase() ?? '';
  if (formats[type] !== undefined) await refuseUnread(locator, text, wait);
  await locator.fill(text, wait);
}

async function refuseUnread(locator: Locator, text: string, wait: Wait): Promise<void> {
  const { kind, held, scale } = await locator.evaluate(holdsOf, text, wait);
  const format = formats[kind];
  if (format === undefined || isSame(text, held)) return;
  throw new ToolError('BAD_FORMAT', { problem: `A ${kind} field takes ${format}${scale}.` });
}

/** Browsers shorten `23:59:00`, and normalize numbers and colours. */
function isSame(given: string, held: string): boolean {
  const wanted = given.trim().toLowerCase();
  if (held === '' || wanted === '') return held === wanted;
  const isShorter = wanted.includes(':') && wanted.startsWith(held.toLowerCase());
  return isShorter || wanted === held.toLowerCase() || Number(wanted) === Number(held);
}

interface Held {
  readonly kind: string;
  readonly held: string;
  /** The range of a slider. */
  readonly scale: string;
}

/** Runs in the page: the type of the field, and the value that a field of this type keeps of a text. */
function holdsOf(field: Element, text: string): Held {
  if (!(field instanceof HTMLInputElement)) return { kind: '', held: text, scale: '' };
  const like = field.ownerDocument.createElement('input');
  like.type = field.type;
  for (const limit of ['min', 'max', 'step'] as const) like[limit] = field[limit];
  like.value = text;
  const held = like.value;
  if (like.type !== 'range') return { kind: like.type, held, scale: '' };
  // The browser clamps to the range that the page's attributes give.
  like.value = '-1e9';
  const least = like.value;
  like.value = '1e9';
  const steps = like.step.toLowerCase() === 'any' ? '' : `, in steps of ${Number(like.step) || 1}`;
  return { kind: like.type, held, scale: ` from ${least} to ${like.value}${steps}` };
}
