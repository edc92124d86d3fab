import type { Locator } from 'playwright-core';
import type { CallContext } from '../../call/tool.ts';
import { untilAttached } from '../../session/act/missing.ts';
import type { Session } from '../../session/session.ts';
import type { Tab } from '../../session/tab.ts';
import type { Target } from '../../session/snapshot/target.ts';
import { aimAt, requiredSelector } from './argument-shapes.ts';
import type { TargetArguments } from './argument-shapes.ts';
import { actionWait } from './timeouts.ts';

export interface ReadingCall extends CallContext {
  readonly session: Session;
  readonly tab: Tab;
  readonly args: TargetArguments & { readonly timeout?: number | undefined };
}

/** All matches of a selector, or one element. */
export interface ToRead {
  readonly locator: Locator;
  readonly isOne: boolean;
}

/** Waits for the element to read; the first match of a selector. */
export async function elementToRead(call: ReadingCall, what: string): Promise<Locator> {
  const { tab, args, session, settings, signal } = call;
  const wait = actionWait(settings, args.timeout);
  const target = requiredSelector(args, session);
  const { locator } = await locateToRead(call, target, what, wait.timeout);
  const first = locator.first();
  await untilAttached(tab, target, first, { ...wait, signal });
  return first;
}

/** The current matches of the selector. */
export async function elementsToRead(call: ReadingCall, what: string): Promise<ToRead> {
  return locateToRead(call, requiredSelector(call.args, call.session), what);
}

export async function locateToRead(
  { tab, response, signal }: ReadingCall,
  target: Target,
  what: string,
  timeoutMs?: number,
): Promise<ToRead> {
  response.attempt({ what, url: tab.page.url(), ...aimAt(target), ...(timeoutMs === undefined ? {} : { timeoutMs }) });
  const isOne = target.kind === 'ref';
  const { locator } = await tab.refs.locate(target, isOne ? await tab.observe(signal) : undefined, signal);
  return { locator, isOne };
}

/**
 * Runs a function in the page, on all matches. Playwright evaluates on several elements in the main world, where refs do
 * not resolve, so the element of a ref is passed as a handle.
 */
export async function readAll<A, R>(
  { settings, signal }: ReadingCall,
  { locator, isOne }: ToRead,
  read: (elements: readonly Element[], arg: A) => R,
  arg: A,
): Promise<R> {
  // Playwright's types for arguments are stricter than these functions need.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const reader = read as (elements: readonly Element[], arg: unknown) => R;
  if (!isOne) return locator.evaluateAll(reader, arg);
  const wait = { timeout: settings.timeouts.action, signal };
  const list = await locator.evaluateHandle((element): readonly Element[] => [element], undefined, wait);
  try {
    return await list.evaluate(reader, arg);
  } finally {
    await list.dispose();
  }
}
