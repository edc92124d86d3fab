import type { Page } from 'playwright-core';
import type { Response } from '../call/response.ts';
import { ToolError } from '../errors.ts';
import type { Wish } from '../page/protocol.ts';
import type { Blocked } from '../session/act/obstacles.ts';
import type { Session } from '../session/session.ts';
import type { Action, ActOptions, Outcome } from '../session/act/outcome.ts';
import type { Tab } from '../session/tab.ts';
import type { Located, Target } from '../session/snapshot/target.ts';
import { settlesWithin } from '../util/signals.ts';
import { inTime, isHeld } from './quick.ts';
import type { Quick } from './quick.ts';
import { aimAt } from './lib/argument-shapes.ts';

interface ActingCall {
  readonly session: Session;
  readonly tab: Tab;
  readonly response: Response;
  readonly signal: AbortSignal;
}

interface ActingOptions {
  readonly failure: ActOptions['failure'];
  /** Tabs it opens stay in the background, as a browser does for Ctrl+click. */
  readonly opensInBackground?: boolean;
  /** Milliseconds a tab that it opened may take to load. */
  readonly loadMs: number;
  readonly isDirect?: boolean;
  readonly isPassive?: boolean;
  /** It needs the element to be visible, enabled and in reach; false for what only reads it. */
  readonly isInput?: boolean;
  /** Playwright does it by a script, which reaches what no person could: that is looked at beforehand. */
  readonly isByScript?: boolean;
  /** The answer shows what changed on the page; data tools leave it out. */
  readonly showsPage?: boolean;
  /** It is done to move the focus, maybe. */
  readonly tellsFocus?: boolean;
  readonly target?: Target | undefined;
  readonly wantsKind?: boolean;
  /** What the target is likely wanted for, if that is not known yet. */
  readonly wish?: Wish | undefined;
  /** The short way, where nothing has to be waited for. */
  readonly quick?: Quick | undefined;
}

/** Acts on the page, waits for what that sets off, follows a tab it opened, and has the outcome told. */
export async function actOnPage(call: ActingCall, action: Action, options: ActingOptions): Promise<Outcome> {
  const { session, tab, response, signal } = call;
  const { failure, isDirect = false, isPassive = false, target, wantsKind } = options;
  const looks = response.showsPages && options.showsPage !== false;
  const wish = options.wish ?? options.quick?.wish;
  const how = { isDirect, isPassive, looks };
  const outcome = await tab.act(action, { signal, failure, ...how, target, wantsKind, wish });
  for (const opened of outcome.popups.map((popup) => session.tabOf(popup))) {
    if (opened !== undefined) opened.opener = tab;
  }
  if (options.opensInBackground !== true) await followPopup(session, outcome.popups, options.loadMs);
  response.outcome(outcome);
  const now = session.current ?? tab;
  response.facts(() => ({ url: now.page.url(), title: now.title }));
  if (options.showsPage !== false) response.snapshot({ mode: 'changes', tellsFocus: options.tellsFocus === true });
  return outcome;
}

/** Finds the element and acts on it; gives up early, with the reason, when it cannot be acted on. */
export async function actOnElement(
  call: ActingCall,
  target: Target,
  action: (located: Located, signal: AbortSignal) => Promise<unknown>,
  options: ActingOptions,
): Promise<{ readonly located: Located; readonly outcome: Outcome }> {
  let located: Located | undefined;
  const failure = { ...options.failure, ...aimAt(target) };
  const outcome = await actOnPage(
    call,
    async (before, shortcuts) => {
      located = await call.tab.locate(target, before, call.signal);
      const { quick } = options;
      const held = quick && (await inTime(shortcuts.grasped, quick.timeout, call.signal));
      if (held !== undefined && isHeld(held)) await quick?.act(held, shortcuts, call.signal);
      else if (options.isInput === false) await action(located, call.signal);
      else await unlessBlocked(call, located, options, action);
    },
    { ...options, failure, target },
  );
  if (located === undefined && outcome.modal !== undefined)
    throw new ToolError('MODAL_OPEN', { modal: outcome.modal.description, tool: 'the action' });
  // The action ran, or actOnPage would have thrown.
  if (located === undefined) throw new ToolError('INTERNAL_ERROR', { reason: 'the action did not run' });
  const now = call.session.current ?? call.tab;
  call.response.facts(() => ({ selector: target.given, url: now.page.url(), title: now.title }));
  if (located.note !== undefined) call.response.note(located.note);
  return { located, outcome };
}

/** Does it, and gives up early, with the reason, when the element cannot be acted on. */
export async function unlessBlocked(
  { tab, signal }: Pick<ActingCall, 'tab' | 'signal'>,
  located: Located,
  { failure: { editing: isEditing = false }, isByScript = isEditing }: Pick<ActingOptions, 'failure' | 'isByScript'>,
  action: (located: Located, signal: AbortSignal) => Promise<unknown>,
): Promise<void> {
  if (isByScript && tab.hasModal) {
    const found = await tab.blockedNow(located.locator, isEditing, signal);
    if (found !== undefined && found.instead === undefined) throw obstacleError(located, found, isEditing);
  }
  const giveUp = new AbortController();
  const done = new AbortController();
  const watching = AbortSignal.any([signal, done.signal]);
  let blocked: Blocked | undefined;
  const giving = tab.whenBlocked(located.locator, isEditing, watching).then((found) => {
    blocked = found;
    giveUp.abort();
    return undefined;
  });
  // When the action is done first, the watch ends by its signal and has nothing to say.
  giving.catch(() => undefined);
  try {
    const acting = action(located, AbortSignal.any([signal, giveUp.signal]));
    acting.catch(() => undefined);
    await Promise.race([acting, giving]).catch(async (error: unknown) => {
      blocked = await tab.blockedNow(located.locator, isEditing, signal, error);
      // What would be done instead takes time as well, and there is none left.
      if (blocked?.instead !== undefined || blocked === undefined) throw error;
    });
    // It may have been done in the moment it was given up.
    const isDone = blocked === undefined || (await acting.then(() => true).catch(() => false));
    if (blocked === undefined || isDone) return;
  } finally {
    done.abort();
  }
  const { instead, at } = blocked;
  if (instead === undefined) throw obstacleError(located, blocked, isEditing);
  await action({ ...located, locator: instead, position: at, own: located.locator }, signal);
}

function obstacleError({ label }: Located, { reason }: Blocked, isEditing: boolean): ToolError {
  const code = isEditing && /read-only|disabled/.test(reason) ? 'ELEMENT_NOT_EDITABLE' : 'ELEMENT_NOT_CLICKABLE';
  return new ToolError(code, { target: label, reason });
}

/** A tab that the page opened in the foreground becomes the current one, as it does for a person. */
async function followPopup(session: Session, popups: readonly Page[], loadMs: number): Promise<void> {
  const popup = popups.at(-1);
  const opened = popup === undefined || popup.isClosed() ? undefined : session.tabOf(popup);
  if (popup === undefined || opened === undefined) return;
  session.follow(opened);
  // A dialog that it opens while it loads ends the wait: the load goes on when it is answered.
  const loading = popup.waitForLoadState('load', { timeout: loadMs });
  loading.catch(() => undefined);
  await settlesWithin(Promise.race([loading, opened.dialogs.whenOpen()]), loadMs);
}
