import type { Facts, Response } from '../../call/answer/response.ts';
import { act, actOnElement as actOnElementOf } from '../../session/act/act.ts';
import type { Acted, ActRequest, ElementRequest } from '../../session/act/act.ts';
import type { Action } from '../../session/act/action-runner.ts';
import type { Outcome } from '../../session/act/outcome.ts';
import type { Located } from '../../session/snapshot/target.ts';
import type { Session } from '../../session/session.ts';
import type { Tab } from '../../session/tab.ts';

export interface ActingCall {
  readonly session: Session;
  readonly tab: Tab;
  readonly response: Response;
  readonly signal: AbortSignal;
}

/** What the answer says about the action, besides its outcome. */
interface Reporting {
  /** The answer shows what changed on the page. Default true; data tools omit it. */
  readonly showsPage?: boolean;
  /** The action may have been meant to move the focus: report where it went. */
  readonly tellsFocus?: boolean;
  /** The line about the navigation. Default: the one of the outcome. */
  readonly navigatedTo?: (outcome: Outcome) => string | undefined;
  /** The data of the answer, for data tools. Default: the element, the URL and the title. */
  readonly facts?: (outcome: Outcome) => Facts | Promise<Facts>;
}

type Options<R extends ActRequest> = Omit<R, 'signal' | 'takesSnapshot'> & Reporting;

/** Runs an action on the page, and puts its outcome into the answer. */
export async function actOnPage(call: ActingCall, action: Action, options: Options<ActRequest>): Promise<Outcome> {
  const acted = await actQuietly(call, action, options);
  report(call, acted, options);
  return acted.outcome;
}

/** Runs an action on the page; the caller reports. For tools that act several times in one call. */
export async function actQuietly(call: ActingCall, action: Action, options: Options<ActRequest>): Promise<Acted> {
  return act(call.session, call.tab, action, requestOf(call, options));
}

/** Acts on an element, and puts the outcome into the answer. */
export async function actOnElement(
  call: ActingCall,
  options: Options<ElementRequest>,
): Promise<{ readonly located: Located; readonly outcome: Outcome }> {
  const acted = await actOnElementOf(call.session, call.tab, requestOf(call, options));
  report(call, acted, { ...options, selector: options.target.given });
  if (acted.located.note !== undefined) call.response.note(acted.located.note);
  return acted;
}

/** Puts the outcome of an action into the answer. */
export function report(
  { response }: ActingCall,
  { outcome, tab }: Acted,
  options: Reporting & { readonly selector?: string } = {},
): void {
  const { navigatedTo, facts, showsPage = true, tellsFocus = false } = options;
  response.outcome(navigatedTo === undefined ? outcome : { ...outcome, navigatedTo: navigatedTo(outcome) });
  const selector = options.selector === undefined ? {} : { selector: options.selector };
  response.facts(() => facts?.(outcome) ?? { ...selector, url: tab.page.url(), title: tab.title });
  if (showsPage) response.snapshot({ mode: 'changes', tellsFocus });
}

function requestOf<R extends ActRequest>({ signal, response }: ActingCall, options: Options<R>) {
  return { ...options, signal, takesSnapshot: response.showsPages && options.showsPage !== false };
}
