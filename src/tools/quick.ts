import { isDeepStrictEqual } from 'node:util';
import type { Page } from 'playwright-core';
import type { Grasped, Wish } from '../page/protocol.ts';
import { byInput, byKey } from '../session/act/speculative-snapshot.ts';
import type { Shortcuts } from '../session/act/outcome.ts';
import type { Tab } from '../session/tab.ts';
import type { Target } from '../session/snapshot/target.ts';
import { raceSignal, settlesWithin } from '../util/signals.ts';
import { boxStays } from './forms/boxes.ts';

/** What the page agent took hold of. */
type Held = Extract<Grasped, { readonly is: 'at' | 'done' }>;

/**
 * The short way of an action, for an element that is ready in the moment it is looked for: Playwright's own way there
 * takes ten to twenty questions to the browser and waits for two frames. All that needs patience goes Playwright's way.
 */
export interface Quick {
  readonly wish: Wish;
  /** Milliseconds that each part of it may take. */
  readonly timeout: number;
  /** What is left to do, with the element in hand. */
  readonly act: (held: Held, shortcuts: Pick<Shortcuts, 'lookAhead'>, signal: AbortSignal) => Promise<void>;
}

/** An element that was taken hold of along with the first question. */
export interface Start {
  readonly wish: Wish | undefined;
  readonly grasped: Promise<Grasped>;
}

interface Trying extends Pick<Shortcuts, 'lookAhead'> {
  readonly tab: Tab;
  readonly signal: AbortSignal;
  readonly start: Start | undefined;
}

type MouseClick = NonNullable<Parameters<Page['mouse']['click']>[2]>;

export function quickClick({ page }: Tab, { timeout, ...options }: MouseClick & { readonly timeout: number }): Quick {
  return { wish: { for: 'pointer' }, timeout, act: pointing(async (x, y) => page.mouse.click(x, y, options), timeout) };
}

export function quickHover({ page }: Tab, timeout: number): Quick {
  return { wish: { for: 'pointer' }, timeout, act: pointing(async (x, y) => page.mouse.move(x, y), timeout) };
}

export function quickText({ page: { keyboard } }: Tab, text: string, timeout: number): Quick {
  const act: Quick['act'] = async (_, { lookAhead }, signal) => {
    const writing = text === '' ? keyboard.press('Delete') : keyboard.insertText(text);
    if (text !== '') lookAhead(byInput);
    await inTime(writing, timeout, signal);
  };
  return { wish: { for: 'text' }, timeout, act };
}

/** Down and up go on their way together. */
export async function quickKey(
  { page: { keyboard } }: Tab,
  key: string,
  { lookAhead }: Pick<Shortcuts, 'lookAhead'>,
): Promise<void> {
  const pressing = [keyboard.down(key), keyboard.up(key)];
  lookAhead(byKey);
  await Promise.all(pressing);
}

export function quickOptions(values: readonly string[], timeout: number): Quick {
  return { wish: { for: 'options', values }, timeout, act: async () => undefined };
}

export function quickCheck(tab: Tab, target: Target, isOn: boolean, timeout: number): Quick {
  const wish = { for: 'check', isOn } as const;
  const click = pointing(async (x, y) => tab.page.mouse.click(x, y), timeout);
  const isSet = async (): Promise<boolean> => {
    const { is } = await tab.grasp({ target, wish });
    // The page may have taken the box away, and be right.
    return is === 'done' || is === 'gone';
  };
  const act: Quick['act'] = async (held, shortcuts, signal) => {
    if (held.is === 'done') return;
    const clicking = click(held, shortcuts, signal);
    shortcuts.lookAhead(byInput);
    const early = isSet();
    await clicking;
    // The question may have come before the click.
    const isDone = (await inTime(early, timeout, signal)) || (await inTime(isSet(), timeout, signal));
    if (!isDone) throw new Error(boxStays);
  };
  return { wish, timeout, act };
}

/** Whether the short way can be gone. */
export function isHeld(grasped: Grasped): grasped is Held {
  return grasped.is === 'at' || grasped.is === 'done';
}

/** Goes the short way in the middle of an action, if it can be gone. */
export async function tryQuick(
  { tab, signal, start, lookAhead }: Trying,
  target: Target,
  { wish, timeout, act }: Quick,
): Promise<boolean> {
  const isTaken = start !== undefined && isDeepStrictEqual(start.wish, wish);
  const held = await inTime(isTaken ? start.grasped : tab.grasp({ target, wish }), timeout, signal);
  if (!isHeld(held)) return false;
  await act(held, { lookAhead }, signal);
  return true;
}

function pointing(point: (x: number, y: number) => Promise<void>, timeout: number): Quick['act'] {
  return async (held, _, signal) => (held.is === 'at' ? inTime(point(held.x, held.y), timeout, signal) : undefined);
}

/** The agent, the mouse and the keyboard wait for a page that does not answer for as long as that takes. */
export async function inTime<T>(doing: Promise<T>, timeout: number, signal: AbortSignal): Promise<T> {
  const racing = raceSignal(doing, signal);
  if (!(await settlesWithin(racing, timeout))) throw new Error(`Timeout ${timeout}ms exceeded.`);
  return racing;
}
