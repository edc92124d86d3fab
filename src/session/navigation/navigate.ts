import type { Frame, Page, Request, Response } from 'playwright-core';
import { isGone, isTimeout, netErrorOf, reasonOf } from '../../browser/failure.ts';
import { ToolError } from '../../errors.ts';
import { isMainNavigation } from '../settle/activity.ts';
import type { Activity } from '../settle/activity.ts';
import { holdStill } from '../settle/navigation-freeze.ts';
import { withoutFragment } from '../settle/document-count.ts';

export interface OpenOptions {
  /** Of the action that it is. */
  readonly activity: Activity;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly waitUntil?: 'load' | 'domcontentloaded' | 'networkidle' | 'commit';
}

/** A tab, as far as it is needed here. */
interface OpenPage {
  readonly page: Page;
  readonly restlessness: { readonly isThere: boolean };
  /** The short way to the page, which not every browser has. */
  readonly agents: { lane(): Promise<{ stopLoading(): Promise<boolean> } | undefined> };
}

/** What a URL turned out to be. */
export type Opened = 'page' | 'download' | 'nothing';

const attempts = 3;
const errorPageMs = 300;
/** Answers that leave the document as it is. */
const withoutDocument = new Set([204, 205]);

/** Goes to a URL. A navigation that turns into a download, or is answered without a document, is no failure. */
export async function openUrl(
  { page, agents, restlessness }: OpenPage,
  url: string,
  options: OpenOptions,
): Promise<Opened> {
  const { signal, activity } = options;
  using arrival = new Arrival(page, url, () => activity.countDocuments());
  const either = AbortSignal.any([signal, activity.restless]);
  const hasDownload = (): boolean => activity.downloads.length > 0;
  try {
    const go = restlessness.isThere ? goToFromRestless : goTo;
    return await go(page, url, { ...options, signal: either }, arrival, hasDownload);
  } catch (error) {
    // It is there, and will never be ready.
    if (activity.restless.aborted && !signal.aborted) return 'page';
    const isAnswered = error instanceof ToolError && error.code === 'NAVIGATION_FAILED';
    if (isAnswered && withoutDocument.has(arrival.status)) return 'nothing';
    const isGivenUp = signal.aborted || (error instanceof ToolError && error.code === 'NAVIGATION_TIMEOUT');
    // What was given up must not come in under a later call. A document that is there already goes on loading.
    if (isGivenUp && !arrival.hasCome) await (await agents.lane())?.stopLoading();
    throw error;
  }
}

/** Goes to another document in another way; one that loads itself anew for ever is not waited for. */
export async function leaveBy<T>(
  activity: Activity,
  signal: AbortSignal,
  go: (signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  activity.countDocuments();
  try {
    return await go(AbortSignal.any([signal, activity.restless]));
  } catch (error) {
    if (activity.restless.aborted && !signal.aborted) return undefined;
    throw error;
  }
}

/** Tells the document that was asked for from those of the page that is being left, which may be on their way as well. */
class Arrival implements Disposable {
  readonly #page: Page;
  readonly #url: string;
  readonly #left: string;
  readonly #onCome: () => void;
  /** What asks for it: the last of a chain of redirects. */
  #request: Request | undefined;
  hasCome = false;
  /** Of the answer, once there is one. */
  status = 0;

  constructor(page: Page, url: string, onCome: () => void) {
    this.#page = page;
    this.#url = withoutFragment(new URL(url).href);
    this.#left = withoutFragment(page.url());
    this.#onCome = onCome;
    page.on('request', this.#onRequest).on('response', this.#onResponse).on('framenavigated', this.#onNavigated);
  }

  [Symbol.dispose](): void {
    this.#page.off('request', this.#onRequest).off('response', this.#onResponse);
    this.#page.off('framenavigated', this.#onNavigated);
  }

  /** Whether a request is the old page's, which may come even after the new one: that one's are its own business. */
  isInTheWay(request: Request): boolean {
    const address = withoutFragment(request.url());
    return address !== this.#url && (!this.hasCome || address === this.#left);
  }

  readonly #onRequest = (request: Request): void => {
    if (!isMainNavigation(request, this.#page)) return;
    const from = request.redirectedFrom();
    const isAsked = from === null ? withoutFragment(request.url()) === this.#url : from === this.#request;
    if (isAsked) this.#request = request;
  };

  readonly #onResponse = (response: Response): void => {
    if (response.request() === this.#request) this.status = response.status();
  };

  readonly #onNavigated = (frame: Frame): void => {
    if (this.hasCome || frame !== this.#page.mainFrame()) return;
    // Not all documents are asked for by a request: about:blank is not.
    const urls = [this.#url, withoutFragment(this.#request?.url() ?? this.#url)];
    this.hasCome = urls.includes(withoutFragment(frame.url()));
    if (this.hasCome) this.#onCome();
  };
}

async function goTo(
  page: Page,
  url: string,
  options: OpenOptions,
  arrival: Arrival,
  hasDownload: () => boolean,
  attempt = 1,
): Promise<Opened> {
  const { signal, timeoutMs: timeout, waitUntil = 'domcontentloaded' } = options;
  try {
    await page.goto(url, { signal, timeout, waitUntil });
    return 'page';
  } catch (error) {
    signal.throwIfAborted();
    const reason = reasonOf(error);
    if (/Download is starting/.test(reason) || hasDownload()) return 'download';
    // The page that is being left was about to go elsewhere itself, or its error page was still on its way in.
    if (/interrupted by another navigation/.test(reason) && attempt < attempts) {
      return goToFromRestless(page, url, options, arrival, hasDownload, attempt + 1);
    }
    if (isTimeout(error)) throw new ToolError('NAVIGATION_TIMEOUT', { url, timeout }, { cause: error });
    if (isGone(error)) throw error;
    const netError = netErrorOf(error);
    // Where the tab is shows when the browser's own page about that has come in; what was aborted has none.
    if (netError !== undefined && netError !== 'net::ERR_ABORTED') await untilErrorPage(page);
    const known = netError === undefined ? { reason } : { netError, reason: netError };
    throw new ToolError('NAVIGATION_FAILED', { url, ...known }, { cause: error });
  }
}

async function untilErrorPage(page: Page): Promise<void> {
  const how = { timeout: errorPageMs, waitUntil: 'commit' } as const;
  await page.waitForURL(/^(?:chrome-error|about:neterror):/, how).catch(() => undefined);
}

/** Keeps the page that is being left from going elsewhere meanwhile. */
async function goToFromRestless(...[page, url, options, arrival, ...rest]: Parameters<typeof goTo>): Promise<Opened> {
  const still = await holdStill(page, (request) => arrival.isInTheWay(request));
  try {
    return await goTo(page, url, options, arrival, ...rest);
  } finally {
    await still[Symbol.asyncDispose]();
  }
}
