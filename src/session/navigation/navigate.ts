import type { Page, Request } from 'playwright-core';
import { isDownload, isGone, isInterrupted, isTimeout, netErrorOf, reasonOf } from '../../browser/failure.ts';
import { ToolError } from '../../errors.ts';
import type { Activity } from '../settle/activity.ts';
import { freezeNavigation } from '../settle/navigation-freeze.ts';
import { blockedCommitMs, errorPageMs, longestPageSilenceMs } from '../timing.ts';
import type { CdpConnection } from '../agent/cdp-channel.ts';
import { mainFrameOf, withoutFragment } from './main-frame.ts';
import type { MainFrame } from './main-frame.ts';
import { NavigationWatch } from './navigation-watch.ts';

export interface OpenOptions {
  readonly activity: Activity;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly waitUntil?: 'load' | 'domcontentloaded' | 'networkidle' | 'commit';
}

/** The parts of a tab that are needed to navigate. */
interface OpenPage {
  readonly page: Page;
  readonly reloadLoop: { readonly isActive: boolean };
  /** The CDP channel; Chromium only. */
  readonly cdp: Pick<CdpConnection, 'open' | 'current'>;
  /** A script that blocked a navigation was stopped. */
  scriptStopped(): void;
  /** The page does not respond; the next call replaces it. */
  markHung(): void;
}

/** The result of a navigation; `nothing` is an answer without a document. */
export type Opened =
  | { readonly is: 'page' }
  | { readonly is: 'download' }
  | { readonly is: 'nothing'; readonly status: number };

const attempts = 3;
/** The part of its timeout that a navigation gives an old page that does not respond. */
const silentShare = 1 / 5;
/** Status codes that leave the document in place. */
const withoutDocument = new Set([204, 205]);

/** Goes to a URL. A navigation that turns into a download, or is answered without a document, is not a failure. */
export async function openUrl(tab: OpenPage, url: string, options: OpenOptions): Promise<Opened> {
  const { page, cdp, reloadLoop } = tab;
  const { signal, activity, timeoutMs } = options;
  const left = page.url();
  const stuck = new AbortController();
  using arrival = new Arrival(page, url, () => activity.countDocuments());
  using watch = new NavigationWatch({
    main: mainFrameOf(page),
    channel: () => cdp.current,
    hasCommitted: () => arrival.hasCommitted,
    silentMs: Math.max(blockedCommitMs, (timeoutMs === 0 ? longestPageSilenceMs : timeoutMs) * silentShare),
    onStopped: () => tab.scriptStopped(),
    onSilent: () => stuck.abort(new ToolError('PAGE_UNRESPONSIVE', { url: left })),
  });
  watch.begin();
  const either = AbortSignal.any([signal, activity.inReloadLoop, stuck.signal]);
  const navigation = { page, url, arrival, options: { ...options, signal: either } };
  try {
    return await (reloadLoop.isActive ? goToFrozen(navigation) : goTo(navigation));
  } catch (error) {
    if (stuck.signal.aborted && !signal.aborted) {
      // A page that responds again must not commit the navigation during a later call.
      await cdp.current?.stopLoading();
      tab.markHung();
      throw stuck.signal.reason;
    }
    // The document is there; in a reload loop it never loads completely.
    if (activity.inReloadLoop.aborted && !signal.aborted) return { is: 'page' };
    const isAnswered = error instanceof ToolError && error.code === 'NAVIGATION_FAILED';
    const { status = 0 } = arrival;
    if (isAnswered && withoutDocument.has(status)) return { is: 'nothing', status };
    const isGivenUp = signal.aborted || (error instanceof ToolError && error.code === 'NAVIGATION_TIMEOUT');
    // Without this, the navigation could commit during a later call. A document that has committed continues to load.
    if (isGivenUp && !arrival.hasCommitted) await (await cdp.open())?.stopLoading();
    throw error;
  }
}

/** Navigates by history or reload; returns undefined as soon as the page turns out to be in a reload loop. */
export async function leaveBy<T>(
  activity: Activity,
  signal: AbortSignal,
  go: (signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  activity.countDocuments();
  try {
    return await go(AbortSignal.any([signal, activity.inReloadLoop]));
  } catch (error) {
    if (activity.inReloadLoop.aborted && !signal.aborted) return undefined;
    throw error;
  }
}

/** Distinguishes the wanted document from documents that the old page may be navigating to. */
class Arrival implements Disposable {
  readonly #main: MainFrame;
  readonly #url: string;
  readonly #left: string;
  readonly #listening: Disposable;
  /** The last request of the redirect chain. */
  #request: Request | undefined;
  hasCommitted = false;

  constructor(page: Page, url: string, onCommit: () => void) {
    this.#main = mainFrameOf(page);
    this.#url = withoutFragment(new URL(url).href);
    this.#left = withoutFragment(page.url());
    this.#listening = this.#main.listen({
      requested: (request) => {
        const from = request.redirectedFrom();
        const isWanted = from === null ? withoutFragment(request.url()) === this.#url : from === this.#request;
        if (isWanted) this.#request = request;
      },
      committed: () => {
        if (this.hasCommitted) return;
        // Not all documents are requested over the network: about:blank is not.
        const urls = [this.#url, withoutFragment(this.#request?.url() ?? this.#url)];
        this.hasCommitted = urls.includes(withoutFragment(page.url()));
        if (this.hasCommitted) onCommit();
      },
    });
  }

  [Symbol.dispose](): void {
    this.#listening[Symbol.dispose]();
  }

  /** HTTP status of the answer, once there is one. */
  get status(): number | undefined {
    return this.#request === undefined ? undefined : this.#main.statusOf(this.#request);
  }

  /** Whether a request belongs to the page that is left; it may arrive even after the new document. */
  isOfOldPage(request: Request): boolean {
    const address = withoutFragment(request.url());
    return address !== this.#url && (!this.hasCommitted || address === this.#left);
  }
}

interface Navigation {
  readonly page: Page;
  readonly url: string;
  readonly arrival: Arrival;
  readonly options: OpenOptions;
}

async function goTo(navigation: Navigation, attempt = 1): Promise<Opened> {
  const { page, url, options } = navigation;
  const { activity, signal, timeoutMs: timeout, waitUntil = 'domcontentloaded' } = options;
  try {
    await page.goto(url, { signal, timeout, waitUntil });
    if (options.waitUntil === 'commit' || options.waitUntil === 'domcontentloaded') activity.endEarly();
    return { is: 'page' };
  } catch (error) {
    signal.throwIfAborted();
    if (isDownload(error) || activity.downloads.length > 0) return { is: 'download' };
    // The old page navigated elsewhere at the same time, or its error page committed just now.
    if (isInterrupted(error) && attempt < attempts) return goToFrozen(navigation, attempt + 1);
    if (isTimeout(error)) throw new ToolError('NAVIGATION_TIMEOUT', { url, timeout }, { cause: error });
    if (isGone(error)) throw error;
    const netError = netErrorOf(error);
    // The URL of the tab is known once the browser's error page has committed; an aborted navigation has none.
    if (netError !== undefined && netError !== 'net::ERR_ABORTED') await untilErrorPage(page);
    const known = netError === undefined ? { reason: reasonOf(error) } : { netError, reason: netError };
    throw new ToolError('NAVIGATION_FAILED', { url, ...known }, { cause: error });
  }
}

async function untilErrorPage(page: Page): Promise<void> {
  const how = { timeout: errorPageMs, waitUntil: 'commit' } as const;
  await page.waitForURL(/^(?:chrome-error|about:neterror):/, how).catch(() => undefined);
}

/** Navigates while navigations of the old page are blocked. */
async function goToFrozen(navigation: Navigation, attempt = 1): Promise<Opened> {
  const { page, arrival } = navigation;
  const freeze = await freezeNavigation(page, (request) => arrival.isOfOldPage(request));
  try {
    return await goTo(navigation, attempt);
  } finally {
    await freeze[Symbol.asyncDispose]();
  }
}
