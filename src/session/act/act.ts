import type { Page } from 'playwright-core';
import type { FailureContext } from '../../browser/failure.ts';
import { ToolError } from '../../errors.ts';
import type { DirectAction } from '../../page/protocol.ts';
import { settlesWithin } from '../../util/signals.ts';
import { labelOf } from '../snapshot/ref-code.ts';
import { selectorText } from '../snapshot/target.ts';
import type { Located, Target } from '../snapshot/target.ts';
import type { Tab } from '../tab.ts';
import type { Action } from './action-runner.ts';
import { noteClipboardUser } from './clipboard.ts';
import { actionAt, directActionOf, tryFastPath } from './fast-path.ts';
import type { FastAction } from './fast-path.ts';
import { unlessMissing, withCandidates } from './missing.ts';
import { runUnlessBlocked } from './obstacles.ts';
import type { ElementAction } from './obstacles.ts';
import type { Outcome } from './outcome.ts';

/** The tabs of a session. */
interface Tabs {
  readonly current: Tab | undefined;
  tabOf(page: Page): Tab | undefined;
  follow(tab: Tab): void;
}

export interface ActRequest {
  readonly signal: AbortSignal;
  readonly failure: FailureContext;
  /** Milliseconds that the page, or a tab opened by the action, may take to load. */
  readonly loadMs: number;
  /** Take a snapshot when the page has settled. */
  readonly takesSnapshot: boolean;
  /** Tabs that it opens stay in the background, as for Ctrl+click. */
  readonly opensInBackground?: boolean | undefined;
  readonly isDirect?: boolean | undefined;
  readonly isPassive?: boolean | undefined;
  /** The element to look up first. */
  readonly target?: Target | undefined;
  readonly wantsKind?: boolean | undefined;
  /** A direct action on that element to try first. */
  readonly direct?: DirectAction | undefined;
}

export interface ElementRequest extends ActRequest {
  readonly target: Target;
  readonly fast?: FastAction | undefined;
  /** Playwright's way, for an element that is not ready and for actions without a fast path. */
  readonly fallback: ElementAction;
  /** Whether the element must be visible, enabled and uncovered; false for actions that only read it. Default true. */
  readonly isInput?: boolean | undefined;
  readonly isByScript?: boolean | undefined;
  /** The caller gave the timeout: wait that long for the element to become ready, even if the page is at rest. */
  readonly waitsFully?: boolean | undefined;
}

export interface Acted {
  readonly outcome: Outcome;
  /** The current tab after the action. */
  readonly tab: Tab;
}

/** Runs an action, waits until its effects have settled, and follows a tab that it opened. */
export async function act(tabs: Tabs, tab: Tab, action: Action, request: ActRequest): Promise<Acted> {
  const { signal, failure, loadMs, target, wantsKind, direct, takesSnapshot } = request;
  const { isDirect = false, isPassive = false } = request;
  const options = { signal, failure, loadMs, target, wantsKind, direct, takesSnapshot, isDirect, isPassive };
  noteClipboardUser(tab.page);
  const outcome = await tab.actions.run(action, options);
  for (const opened of outcome.popups.map((popup) => tabs.tabOf(popup))) {
    if (opened !== undefined) opened.opener = tab;
  }
  if (request.opensInBackground !== true) await followPopup(tabs, outcome.popups, request.loadMs);
  return { outcome, tab: tabs.current ?? tab };
}

/** Resolves the target and acts on it: by the fast path, or by the fallback with a watch for obstacles. */
export async function actOnElement(
  tabs: Tabs,
  tab: Tab,
  request: ElementRequest,
): Promise<Acted & { readonly located: Located }> {
  const { target, fast, fallback, signal, isInput = true, isByScript, waitsFully } = request;
  const { timeoutMs = 0, editing: isEditing = false } = request.failure;
  const direct = fast === undefined ? request.direct : directActionOf(fast);
  let located: Located | undefined;
  const action: Action = async (before, prepared) => {
    located = await tab.refs.locate(target, before, signal);
    const started = { action: direct, result: prepared.direct };
    const path = fast && { tab, target, action: fast, timeout: timeoutMs, signal, speculate: prepared.speculate };
    if (path !== undefined && (await tryFastPath(path, started))) return;
    const found = located;
    const run = async (until: AbortSignal): Promise<void> => {
      if (!isInput) {
        await fallback(found, until);
        return;
      }
      const how = { isEditing, waitsFully: waitsFully ?? false, timeout: timeoutMs, actAt: actionAt(path) };
      const watched = { located: found, signal: until, ...how, ...(isByScript === undefined ? {} : { isByScript }) };
      await runUnlessBlocked(tab, watched, fallback);
    };
    if (waitsFully === false) await unlessMissing(tab, target, { locator: found.locator, signal }, run);
    else await run(signal);
  };
  const shown = target.kind === 'ref' ? tab.refs.get(target.ref) : undefined;
  const named = shown === undefined ? {} : { target: labelOf(shown) };
  const failure = { ...request.failure, ...describeTarget(target), ...named };
  const acted = await act(tabs, tab, action, { ...request, failure, direct }).catch(async (error: unknown) => {
    throw await withCandidates(tab, target, { locator: located?.locator, signal }, error);
  });
  if (located === undefined) {
    const { modal } = acted.outcome;
    if (modal !== undefined) throw new ToolError('MODAL_OPEN', { modal: modal.description, tool: 'the action' });
    throw new ToolError('INTERNAL_ERROR', { reason: 'the action did not run' });
  }
  return { ...acted, located };
}

/** How errors name a target. */
export function describeTarget(target: Target): { readonly target: string; readonly selector?: string } {
  return { target: target.given, ...(target.kind === 'selector' ? { selector: selectorText(target) } : {}) };
}

/** A tab that the page opened in the foreground becomes the current one. */
async function followPopup(tabs: Tabs, popups: readonly Page[], loadMs: number): Promise<void> {
  const popup = popups.at(-1);
  const opened = popup === undefined || popup.isClosed() ? undefined : tabs.tabOf(popup);
  if (popup === undefined || opened === undefined) return;
  tabs.follow(opened);
  // A dialog that opens while the tab loads ends the wait: the load goes on when the dialog is answered.
  const loading = popup.waitForLoadState('load', { timeout: loadMs });
  loading.catch(() => undefined);
  await settlesWithin(Promise.race([loading, opened.dialogs.whenOpen()]), loadMs);
}
