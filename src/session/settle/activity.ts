import type { Download, Page, Request } from 'playwright-core';
import { isTimeout } from '../../browser/failure.ts';
import { settlesWithin } from '../../util/signals.ts';
import { mainFrameOf } from '../navigation/main-frame.ts';
import type { MainFrame } from '../navigation/main-frame.ts';
import { sentAnswerMs } from '../timing.ts';
import { PollingDetector } from './polling.ts';
import type { ReloadLoop } from './reload-loop.ts';

/** Requests that stay open, or that nothing on the page waits for. */
const background = new Set(['eventsource', 'websocket', 'ping', 'media', 'image', 'font', 'texttrack', 'manifest']);

/** Follows one page from just before an action until it has settled. */
export class Activity implements Disposable {
  readonly #main: MainFrame;
  readonly #loop: ReloadLoop;
  readonly #options: ActivityOptions;
  readonly #pending = new Set<Request>();
  readonly #polling = PollingDetector.duringAction();
  readonly #firstRequest: number;
  readonly #firstCommit: number;
  /** When the page announced a navigation that it has not requested yet. */
  #announcedAt: number | undefined;
  /** File choosers that were announced and are not open yet. */
  #choosers = 0;
  /** The position in the reload loop detector from which documents count. */
  #countsFrom: number | undefined;
  readonly #inLoop = new AbortController();
  /** Set once polling is no longer waited for: timers due after this moment only continue it. */
  #pollingSince: number | undefined;
  #requests = 0;
  #lastRequestAt = Number.NEGATIVE_INFINITY;
  #wake: () => void = () => undefined;
  #interrupted = false;
  /** Tabs that were announced one by one, and whether one was announced by other events. */
  #openings = 0;
  #opensSome = false;
  #endsEarly = false;
  #announceInterrupt: () => void = () => undefined;
  /** Resolves when waiting has become pointless: a dialog opened, the page closed, a download began. */
  readonly whenInterrupted: Promise<void>;
  /** Also resolves when the page turns out to be in a reload loop. */
  readonly whenStopped: Promise<void>;
  readonly downloads: Download[] = [];
  readonly popups: Page[] = [];

  constructor(main: MainFrame, loop: ReloadLoop, options: ActivityOptions) {
    this.#main = main;
    this.#loop = loop;
    this.#options = options;
    this.#firstRequest = main.requests;
    this.#firstCommit = main.commits;
    this.whenInterrupted = new Promise((resolve) => {
      this.#announceInterrupt = resolve;
    });
    const whenInLoop = new Promise<void>((resolve) => {
      this.inReloadLoop.addEventListener('abort', () => resolve(), { once: true });
    });
    this.whenStopped = Promise.race([this.whenInterrupted, whenInLoop]);
  }

  /** Counts documents from now on, to detect a reload loop. Earlier ones belong to the page that is left. */
  countDocuments(): void {
    this.#countsFrom ??= this.#loop.documents;
  }

  /** Ends the wait when the document is there, without its load event and requests. */
  endEarly(): void {
    this.#endsEarly = true;
  }

  get endsEarly(): boolean {
    return this.#endsEarly;
  }

  /** Aborted when the page turns out to be in a reload loop. */
  get inReloadLoop(): AbortSignal {
    return this.#inLoop.signal;
  }

  /** Ends all waiting. */
  interrupt(): void {
    this.#interrupted = true;
    this.#announceInterrupt();
    this.#notify();
  }

  /** A tab is about to open; Playwright reports it once it is there. */
  expectTab(isOnce: boolean): void {
    if (isOnce) this.#openings++;
    else this.#opensSome = true;
    this.#notify();
  }

  /** The page is about to navigate; Playwright reports the request once it is sent. */
  expectDocument(): void {
    this.#announcedAt = this.navigating ? undefined : performance.now();
    this.#notify();
  }

  /** A file chooser is about to open; Playwright reports it after several round trips. */
  expectChooser(): void {
    this.#choosers++;
    this.#notify();
  }

  chooserOpened(): void {
    this.#choosers--;
    this.#notify();
  }

  get expectsChooser(): boolean {
    return this.#choosers > 0;
  }

  /** For how long a navigation has been announced that is not requested yet. */
  get announcedForMs(): number | undefined {
    return this.#announcedAt === undefined ? undefined : performance.now() - this.#announcedAt;
  }

  get expectsTab(): boolean {
    return this.popups.length < Math.max(this.#openings, this.#opensSome ? 1 : 0);
  }

  get interrupted(): boolean {
    return this.#interrupted;
  }

  /** A main-frame navigation that began during the action is pending. */
  get navigating(): boolean {
    return this.#main.isNavigating && this.#main.requests > this.#firstRequest;
  }

  /** The URL of the main frame changed during the action. */
  get navigated(): boolean {
    return this.#main.commits > this.#firstCommit;
  }

  get pending(): readonly Request[] {
    return [...this.#pending];
  }

  /** Polling requests, which are not waited for. */
  get polls(): readonly Request[] {
    return this.#pollingSince === undefined ? [] : this.#polling.found;
  }

  /** Requests repeat; whether they change the page is to be found out. */
  get mayPoll(): boolean {
    return this.#pollingSince === undefined && this.#polling.found.length > 0;
  }

  /** The repeated requests change the page: continue to wait for them. */
  keepPolls(): void {
    this.#polling.clear();
  }

  /** Stop waiting for polls. Timers set more than `timersMs` from now only continue the polling. */
  dropPolls(timersMs: number): void {
    this.#pollingSince = performance.now() + timersMs;
    for (const request of this.#pending) if (this.#polling.has(request)) this.#pending.delete(request);
  }

  /** Only timers of the polling are left. */
  get onlyPolls(): boolean {
    return this.#pollingSince !== undefined && performance.now() >= this.#pollingSince;
  }

  /** Whether the action sent requests that are waited for. */
  get hadRequests(): boolean {
    return this.#requests > 0;
  }

  /** Milliseconds since a request of the action began or ended. */
  get quietMs(): number {
    return performance.now() - this.#lastRequestAt;
  }

  /** Resolves at the next event, or when the signal aborts. */
  async next(signal: AbortSignal): Promise<void> {
    if (signal.aborted || this.#interrupted) return;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }

  downloaded(download: Download): void {
    this.downloads.push(download);
    this.interrupt();
  }

  opened(popup: Page): void {
    this.popups.push(popup);
    this.#notify();
  }

  [Symbol.dispose](): void {
    this.#options.onEnd();
    this.#notify();
  }

  #notify(): void {
    this.#wake();
  }

  started(request: Request): void {
    if (this.#main.owns(request)) this.#announcedAt = undefined;
    else if (background.has(request.resourceType()) || this.#options.isBackground(request)) return;
    else if (this.#isPoll(request)) return;
    this.#requests++;
    this.#lastRequestAt = performance.now();
    this.#pending.add(request);
    this.#notify();
  }

  #isPoll(request: Request): boolean {
    if (this.#pollingSince !== undefined) return this.#polling.has(request);
    this.#polling.add(request);
    return false;
  }

  ended(request: Request): void {
    if (!this.#pending.delete(request)) return;
    this.#lastRequestAt = performance.now();
    this.#notify();
  }

  committed(isNewDocument: boolean): void {
    const from = isNewDocument ? this.#countsFrom : undefined;
    if (from !== undefined && this.#loop.isLoopSince(from)) this.#inLoop.abort();
    this.#announcedAt = undefined;
    this.#notify();
  }

  /** The document has loaded. Playwright never reports the end of the request for a media document. */
  loaded(): void {
    if (this.navigating) return;
    for (const request of this.#pending) if (this.#main.owns(request)) this.#pending.delete(request);
  }
}

interface ActivityOptions {
  /** Whether the page sends such requests by itself. */
  readonly isBackground: (request: Request) => boolean;
  readonly onEnd: () => void;
}

/** Listens to a page for as long as it is open: adding listeners for each action would take longer than many actions. */
export class ActivityWatch {
  readonly #main: MainFrame;
  readonly #loop: ReloadLoop;
  #current: Activity | undefined;

  constructor(page: Page, loop: ReloadLoop) {
    this.#main = mainFrameOf(page);
    this.#loop = loop;
    const ended = (request: Request): void => this.#current?.ended(request);
    const closed = (): void => this.#current?.interrupt();
    const opened = (popup: Page): void => this.#current?.opened(popup);
    const requested = (request: Request): void => {
      if (this.#current !== undefined && isOfNewPage(request)) this.#current.expectTab(false);
    };
    page.on('request', (request) => this.#current?.started(request));
    page.on('requestfinished', ended).on('requestfailed', ended);
    this.#main.listen({ committed: (isNewDocument) => this.#current?.committed(isNewDocument) });
    page.on('download', (download) => this.#current?.downloaded(download));
    page.on('filechooser', () => this.#current?.chooserOpened());
    page.on('close', closed).on('crash', closed);
    const context = page.context();
    context.on('page', opened).on('request', requested);
    page.once('close', () => context.off('page', opened).off('request', requested));
  }

  /** Follows an action until the activity is disposed of. */
  begin(isBackground: (request: Request) => boolean): Activity {
    const onEnd = (): void => {
      if (this.#current === activity) this.#current = undefined;
    };
    const activity = new Activity(this.#main, this.#loop, { isBackground, onEnd });
    this.#current = activity;
    return activity;
  }
}

/** The first request of a page that Playwright has not announced yet: it has no frame. */
function isOfNewPage(request: Request): boolean {
  if (!request.isNavigationRequest()) return false;
  try {
    request.frame();
    return false;
  } catch {
    return true;
  }
}

export async function unlessInterrupted<T>(answer: Promise<T>, activity: Activity): Promise<T | undefined> {
  const late = activity.whenInterrupted.then(async () =>
    (await settlesWithin(answer, sentAnswerMs)) ? answer : undefined,
  );
  return Promise.race([answer, late]);
}

/** Waits for the end of an action, or for a dialog that blocks it. */
export async function untilInterrupted(
  action: Promise<unknown> | undefined,
  activity: Activity,
  hasModal: () => boolean,
): Promise<void> {
  if (action === undefined) return;
  // A click that opened a dialog continues behind it; without this, its failure would be an unhandled rejection.
  action.catch(() => undefined);
  try {
    await Promise.race([action, activity.whenInterrupted]);
    if (!hasModal()) await action;
  } catch (error) {
    // Playwright's click waits for the navigation it began, which has its own limit.
    if (!isTimeout(error) || !activity.navigating) throw error;
  }
}
