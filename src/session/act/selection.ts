import type { Frame, Locator, Page } from 'playwright-core';
import { secretFields } from '../../page/aria/secret-fields.ts';
import {
  applySelection,
  readActiveElement,
  readFormats,
  readSelection,
  readTextContent,
  selectsOnlyWhole,
  takeSelectionEnds,
} from '../../page/reads/selection.ts';
import type { ReadSelection, TextRange } from '../../page/reads/selection.ts';

export interface SelectionRequest {
  /** The text to select; everything without it. */
  readonly text?: string | undefined;
  /** The selection ends with this text. */
  readonly to?: string | undefined;
  /** Sets the caret there, and selects nothing. */
  readonly caret?: 'before' | 'after' | undefined;
}

export interface Selection extends ReadSelection {
  readonly formats: readonly string[];
}

/**
 * Selects text in an element, with the mouse where that is possible: pages show toolbars when a button is released over a
 * selection. Answers why it could not.
 */
export async function selectIn(
  locator: Locator,
  request: SelectionRequest,
  timeout: number,
): Promise<'selected' | 'not there' | 'only whole'> {
  const text = await locator.evaluateHandle(readTextContent, undefined, { timeout });
  const isWhole = Object.values(request).every((part) => part === undefined);
  if (!isWhole && (await text.evaluate(selectsOnlyWhole))) return 'only whole';
  const range = rangeOf(await text.evaluate(({ content }) => content), request);
  if (range === undefined) return 'not there';
  await text.evaluate(applySelection, range);
  const ends = await text.evaluate(takeSelectionEnds);
  const box = ends === undefined ? null : await locator.boundingBox({ timeout });
  if (ends !== undefined && box !== null) {
    const { mouse } = locator.page();
    await mouse.move(box.x + ends.start.x, box.y + ends.start.y);
    await mouse.down();
    try {
      await mouse.move(box.x + ends.end.x, box.y + ends.end.y, { steps: 4 });
    } finally {
      await mouse.up();
    }
  }
  // The mouse may be off by a character.
  if (ends !== undefined) await text.evaluate(applySelection, range);
  await text.dispose();
  return 'selected';
}

/** Finds the wanted part of a text. White space does not matter, and case only if there is an exact match. */
function rangeOf(content: string, { text, to, caret }: SelectionRequest): TextRange | undefined {
  const found = text === undefined && to === undefined ? { start: 0, end: content.length } : search(content, text, to);
  if (found === undefined || caret === undefined) return found;
  const at = caret === 'before' ? found.start : found.end;
  return { start: at, end: at };
}

function search(content: string, text = '', to = text): TextRange | undefined {
  const kept: number[] = [];
  let plain = '';
  for (const [at, character] of content.split('').entries()) {
    const isSpace = /\s/.test(character);
    if (isSpace && (plain === '' || plain.endsWith(' '))) continue;
    plain += isSpace ? ' ' : character;
    kept.push(at);
  }
  const find = (wanted: string, from: number): number => {
    const exact = plain.indexOf(wanted, from);
    return exact >= 0 ? exact : plain.toLowerCase().indexOf(wanted.toLowerCase(), from);
  };
  const [first, last] = [text, to].map((part) => part.replaceAll(/\s+/g, ' '));
  if (first === undefined || last === undefined) return undefined;
  const start = find(first, 0);
  const lastAt = to === text ? start : find(last, start + first.length);
  if (start < 0 || lastAt < 0) return undefined;
  const lastKept = kept[lastAt + last.length - 1];
  return { start: kept[start] ?? content.length, end: lastKept === undefined ? 0 : lastKept + 1 };
}

/** The selection or the caret in the focused frame. */
export async function selectionOf(page: Page): Promise<Selection | undefined> {
  const frame = await focusedFrame(page.mainFrame());
  const selection = await frame.evaluate(readSelection, secretFields);
  return selection === undefined ? undefined : { ...selection, formats: await frame.evaluate(readFormats) };
}

async function focusedFrame(frame: Frame): Promise<Frame> {
  if (frame.childFrames().length === 0) return frame;
  const active = await frame.evaluateHandle(readActiveElement);
  const inner = await active.contentFrame();
  await active.dispose();
  return inner === null ? frame : focusedFrame(inner);
}
