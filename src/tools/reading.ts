import type { Locator } from 'playwright-core';
import type { CallContext } from '../call/tool.ts';
import type { Session } from '../session/session.ts';
import type { Tab } from '../session/tab.ts';
import type { Target } from '../session/target.ts';
import { aimAt, requiredSelector } from './shapes.ts';
import type { TargetArguments } from './shapes.ts';

export interface ReadingCall extends CallContext {
  readonly session: Session;
  readonly tab: Tab;
  readonly args: TargetArguments & { readonly timeout?: number | undefined };
}

/** The element that is to be read, once it is there; the first, where a selector matches several. */
export async function elementToRead(call: ReadingCall, what: string): Promise<Locator> {
  const timeout = call.args.timeout ?? call.settings.timeouts.action;
  const { locator } = await locateToRead(call, requiredSelector(call.args, call.session), what, timeout);
  const first = locator.first();
  await first.waitFor({ state: 'attached', timeout, signal: call.signal });
  return first;
}

/** Whatever the selector matches now. */
export async function elementsToRead(call: ReadingCall, what: string): Promise<Locator> {
  return (await locateToRead(call, requiredSelector(call.args, call.session), what)).locator;
}

export async function locateToRead(
  { tab, response, signal }: ReadingCall,
  target: Target,
  what: string,
  timeoutMs?: number,
): Promise<{ readonly locator: Locator }> {
  response.attempt({ what, url: tab.page.url(), ...aimAt(target), ...(timeoutMs === undefined ? {} : { timeoutMs }) });
  return tab.locate(target, target.kind === 'ref' ? await tab.state(signal) : undefined, signal);
}
