import { isDeepStrictEqual } from 'node:util';
import type { Page } from 'playwright-core';
import { ToolError } from '../../errors.ts';
import type { DirectAction, DirectResult } from '../../page/protocol.ts';
import { withTimeout } from '../../util/signals.ts';
import type { Target } from '../snapshot/target.ts';
import type { Tab } from '../tab.ts';
import type { Prepared } from './action-runner.ts';

type MouseClick = NonNullable<Parameters<Page['mouse']['click']>[2]>;

/**
 * An action that has a fast path: the page agent checks the element in one message, and one input follows. Playwright's
 * own checks take ten to twenty messages and wait for two frames. An element that is not ready takes the fallback.
 */
export type FastAction =
  | { readonly do: 'click'; readonly options: MouseClick }
  | { readonly do: 'hover' }
  | { readonly do: 'fill'; readonly text: string }
  | { readonly do: 'check'; readonly isOn: boolean }
  | { readonly do: 'select'; readonly values: readonly string[] };

export interface FastPath {
  readonly tab: Tab;
  readonly target: Target;
  readonly action: FastAction;
  /** Milliseconds that each step may take. */
  readonly timeout: number;
  readonly signal: AbortSignal;
  /** Given if the action has no other input. */
  readonly speculate?: Prepared['speculate'] | undefined;
}

/** A direct action that was sent before, with its result. */
export interface Started {
  readonly action: DirectAction | undefined;
  readonly result: Promise<DirectResult>;
}

/** The page agent's part of a fast action. */
export function directActionOf(action: FastAction): DirectAction {
  switch (action.do) {
    case 'click':
    case 'hover':
      return { kind: 'point' };
    case 'fill':
      return { kind: 'text' };
    case 'check':
      return { kind: 'check', isOn: action.isOn };
    case 'select':
      return { kind: 'options', values: action.values };
  }
}

/** Takes the fast path; false, with nothing changed, if the element is not ready for it. */
export async function tryFastPath(path: FastPath, started?: Started): Promise<boolean> {
  const { tab, target, timeout, signal } = path;
  const action = directActionOf(path.action);
  const isStarted = started !== undefined && isDeepStrictEqual(started.action, action);
  const result = await withTimeout(isStarted ? started.result : tab.actions.direct(target, action), timeout, signal);
  if (result.is === 'gone' || result.is === 'declined') return false;
  await complete(path, result);
  return true;
}

/** Presses a key without modifiers: down and up are sent together. */
export async function pressKeyAtOnce({ page: { keyboard } }: Tab, key: string, { speculate }: Prepared): Promise<void> {
  const pressing = [keyboard.down(key), keyboard.up(key)];
  speculate('keyup');
  await Promise.all(pressing);
}

async function complete(path: FastPath, result: DirectResult): Promise<void> {
  const { tab, action, timeout, signal } = path;
  const { mouse, keyboard } = tab.page;
  switch (action.do) {
    case 'click':
      if (result.is === 'at') await withTimeout(mouse.click(result.x, result.y, action.options), timeout, signal);
      return;
    case 'hover':
      if (result.is === 'at') await withTimeout(mouse.move(result.x, result.y), timeout, signal);
      return;
    case 'fill': {
      const writing = action.text === '' ? keyboard.press('Delete') : keyboard.insertText(action.text);
      path.speculate?.('input');
      await withTimeout(writing, timeout, signal);
      return;
    }
    case 'check':
      if (result.is === 'at') await clickBox(path, result);
      return;
    case 'select':
      return;
  }
}

/** Completes a click or a hover at a point of the viewport; undefined for actions that need the element itself. */
export function actionAt(path: FastPath | undefined): ((point: { x: number; y: number }) => Promise<void>) | undefined {
  if (path?.action.do !== 'click' && path?.action.do !== 'hover') return undefined;
  return async (point) => complete(path, { is: 'at', ...point });
}

async function clickBox(path: FastPath, at: { x: number; y: number }): Promise<void> {
  const { tab, target, action, timeout, signal, speculate } = path;
  const isSet = async (): Promise<boolean> => {
    const { is } = await tab.actions.direct(target, directActionOf(action));
    // The page may have removed the box.
    return is === 'done' || is === 'gone';
  };
  const clicking = tab.page.mouse.click(at.x, at.y);
  // Usually the click is done when this is answered.
  const early = isSet();
  speculate?.('input');
  await withTimeout(clicking, timeout, signal);
  const isDone = (await withTimeout(early, timeout, signal)) || (await withTimeout(isSet(), timeout, signal));
  if (!isDone) throw boxUnchanged(target.given);
}

/** The click was received, and the page kept or restored the state of the box. */
export function boxUnchanged(target: string): ToolError {
  return new ToolError('ELEMENT_NOT_CLICKABLE', { target, reason: 'clicking it did not change its state.' });
}
