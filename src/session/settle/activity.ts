import type { Download, Frame, Page, Request } from 'playwright-core';
import { isTimeout } from '../../browser/failure.ts';
import { settlesWithin } from '../../util/signals.ts';
import { Repeats } from './polling.ts';
import { Visits } from './document-count.ts';

/** Requests that are meant to stay open, or that nothing on the page waits for. */
const background = new Set(['eventsource', 'websocket', 'ping', 'media', 'image', 'font', 'texttrack', 'manifest']);

/** Follows one page from just before an action until it has settled. */
export class Activity implements Disposable {
  readonly #page: Page;
  readonly #isBackground: (request: Request) => boolean;
  readonly #pending = new Set<Request>();
  readonly #onEnd: () => void;
  /** What asks for the document that the main frame is on its way to. */
  #navigation: Request | undefined;
  /** When the page announced that it makes way for another document, until that is asked for. */
  #leavingSince: number | undefined;
  /** Choosers that were announced and did not come yet. */
  #choosers = 0;
  #navigated = false;
  /** The documents that came, once they are counted. */
  #visits: Visits | undefined;
  readonly #restless = new AbortController();
  readonly #repeats = new Repeats();
  /** Until when timers are waited for, once what is asked again and again is not any more. */
  #timersEnd: number | undefined;
  #requests = 0;
  #lastRequestAt = Number.NEGATIVE_INFINITY;
  #wake: () => void = () => undefined;
  #interrupted = false;
  /** Windows that were announced one by one, and whether there was a sign of one in another way. */
  #openings = 0;
  #opensSome = false;
  #announceInterrupt: () => void = () => undefined;
  /** Resolves when waiting has become pointless: a dialog opened, the page went away, a download began. */
  readonly whenInterrupted: Promise<void>;
  /** The same, or the page turns out to be restless. */
  readonly whenHeldUp: Promise<void>;
  readonly downloads: Download[] = [];
  readonly popups: Page[] = [];

  constructor(page: Page, isBackground: (request: Request) => boolean, onEnd: () => void) {
    this.#page = page;
    this.#isBackground = isBackground;
    this.#onEnd = onEnd;
    this.whenInterrupted = new Promise((resolve) => {
      this.#announceInterrupt = resolve;
    });
    const whenRestless = new Promise<void>((resolve) => {
      this.restless.addEventListener('abort', () => resolve(), { once: true });
    });
    this.whenHeldUp = Promise.race([this.whenInterrupted, whenRestless]);
  }

  /** From now on; those of a page that is being left say nothing about the one that is to come. */
  countDocuments(): void {
    this.#visits ??= new Visits();
  }

  /** Aborted when the page turns out to load itself anew for ever. */
  get restless(): AbortSignal {
    return this.#restless.signal;
  }

  /** Ends all waiting. */
  interrupt(): void {
    this.#interrupted = true;
    this.#announceInterrupt();
    this.#notify();
  }

  /** A tab is about to open; the browser announces it only when it is there. */
  expectTab(isOnce: boolean): void {
    if (isOnce) this.#openings++;
    else this.#opensSome = true;
    this.#notify();
  }

  /** The page is about to ask for another document; the browser announces the request only when it is made. */
  expectDocument(): void {
    this.#leavingSince = this.navigating ? undefined : performance.now();
    this.#notify();
  }

  /** The page asks for files; how they are given is known a little later. */
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

  /** For how long another document has been announced that was not asked for yet. */
  get leavingForMs(): number | undefined {
    return this.#leavingSince === undefined ? undefined : performance.now() - this.#leavingSince;
  }

  get expectsTab(): boolean {
    return this.popups.length < Math.max(this.#openings, this.#opensSome ? 1 : 0);
  }

  get interrupted(): boolean {
    return this.#interrupted;
  }

  /** The main frame is on its way to another document. */
  get navigating(): boolean {
    return this.#navigation !== undefined;
  }

  get navigated(): boolean {
    return this.#navigated;
  }

  get pending(): readonly Request[] {
    return [...this.#pending];
  }

  /** What the page asks for again and again, and is not waited for. */
  get polls(): readonly Request[] {
    return this.#timersEnd === undefined ? [] : this.#repeats.found;
  }

  /** Something is asked for again and again, and it is to be found out whether that leads to anything. */
  get mayPoll(): boolean {
    return this.#timersEnd === undefined && this.#repeats.found.length > 0;
  }

  /** It does. */
  keepPolls(): void {
    this.#repeats.clear();
  }

  /** It does not; timers that are set after those that there are, which take so long, are for more of it. */
  letPoll(timersMs: number): void {
    this.#timersEnd = performance.now() + timersMs;
    for (const request of this.#pending) if (this.#repeats.has(request)) this.#pending.delete(request);
  }

  /** What timers there are is of no interest. */
  get onlyPolls(): boolean {
    return this.#timersEnd !== undefined && performance.now() >= this.#timersEnd;
  }

  /** Whether the action had any effect on the network. */
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
    this.#navigation = undefined;
    this.interrupt();
  }

  opened(popup: Page): void {
    this.popups.push(popup);
    this.#notify();
  }

  [Symbol.dispose](): void {
    this.#onEnd();
    this.#notify();
  }

  #notify(): void {
    this.#wake();
  }

  started(request: Request): void {
    if (isMainNavigation(request, this.#page)) {
      this.#navigation = request;
      this.#leavingSince = undefined;
    } else if (background.has(request.resourceType()) || this.#isBackground(request)) return;
    else if (this.#isPoll(request)) return;
    this.#requests++;
    this.#lastRequestAt = performance.now();
    this.#pending.add(request);
    this.#notify();
  }

  #isPoll(request: Request): boolean {
    if (this.#timersEnd !== undefined) return this.#repeats.has(request);
    this.#repeats.add(request);
    return false;
  }

  ended(request: Request): void {
    if (!this.#pending.delete(request)) return;
    this.#lastRequestAt = performance.now();
    // A navigation that ended without a commit became a download, or failed: the old document stays.
    if (request === this.#navigation && request.failure() !== null) this.#navigation = undefined;
    this.#notify();
  }

  committed(frame: Frame): void {
    if (frame !== this.#page.mainFrame()) return;
    // Else it is the same document at another address.
    if (this.navigating) this.#visits?.add(frame.url());
    if (this.#visits?.areEndless === true) this.#restless.abort();
    this.#navigation = undefined;
    this.#leavingSince = undefined;
    this.#navigated = true;
    this.#notify();
  }

  /** The document is all there. Playwright never says so of the request for a recording, which its player takes over. */
  loaded(): void {
    if (this.navigating) return;
    for (const request of this.#pending) if (isMainNavigation(request, this.#page)) this.#pending.delete(request);
  }
}

/** Listens to a page for its life: to begin and to end with each action would cost more than many an action. */
export class ActivityWatch {
  readonly #page: Page;
  #current: Activity | undefined;

  constructor(page: Page) {
    this.#page = page;
    const ended = (request: Request): void => this.#current?.ended(request);
    const closed = (): void => this.#current?.interrupt();
    const opened = (popup: Page): void => this.#current?.opened(popup);
    const asked = (request: Request): void => {
      if (this.#current !== undefined && isOfNewPage(request)) this.#current.expectTab(false);
    };
    page.on('request', (request) => this.#current?.started(request));
    page.on('requestfinished', ended).on('requestfailed', ended);
    page.on('framenavigated', (frame) => this.#current?.committed(frame));
    page.on('download', (download) => this.#current?.downloaded(download));
    page.on('filechooser', () => this.#current?.chooserOpened());
    page.on('close', closed).on('crash', closed);
    const context = page.context();
    context.on('page', opened).on('request', asked);
    page.once('close', () => context.off('page', opened).off('request', asked));
  }

  /** From now on, until it is disposed of. */
  begin(isBackground: (request: Request) => boolean): Activity {
    const activity = new Activity(this.#page, isBackground, () => {
      if (this.#current === activity) this.#current = undefined;
    });
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

export function isMainNavigation(request: Request, page: Page): boolean {
  if (!request.isNavigationRequest()) return false;
  try {
    return request.frame() === page.mainFrame();
  } catch {
    // Playwright throws when the frame of a navigation request is not there yet: that is a new page's own document.
    return false;
  }
}

/** An answer that was given before a dialog opened is here by then; one that was not does not come. */
const answerMs = 100;

export async function unlessInterrupted<T>(answer: Promise<T>, activity: Activity): Promise<T | undefined> {
  const late = activity.whenInterrupted.then(async () =>
    (await settlesWithin(answer, answerMs)) ? answer : undefined,
  );
  return Promise.race([answer, late]);
}

/** Waits for the end of an action, or for a dialog that holds it up. */
export async function untilInterrupted(
  action: Promise<unknown> | undefined,
  activity: Activity,
  hasModal: () => boolean,
): Promise<void> {
  if (action === undefined) return;
  // A click that opened a dialog goes on behind it; its end, whatever it is, belongs to nobody.
  action.catch(() => undefined);
  try {
    await Promise.race([action, activity.whenInterrupted]);
    if (!hasModal()) await action;
  } catch (error) {
    // Playwright's click waits for the navigation it began; how long that may take is not the click's business.
    if (!isTimeout(error) || !activity.navigating) throw error;
  }
}
