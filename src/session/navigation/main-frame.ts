import type { Frame, Page, Request, Response } from 'playwright-core';

export interface NavigationListener {
  /** A document was requested; a redirect is another request. */
  readonly requested?: (request: Request) => void;
  /** The URL changed; `isNewDocument` is false for `pushState` and fragments. */
  readonly committed?: (isNewDocument: boolean) => void;
}

const observers = new WeakMap<Page, MainFrame>();

/** The observer of a page's main frame; created on first use, so a page has only one. */
export function mainFrameOf(page: Page): MainFrame {
  const known = observers.get(page);
  if (known !== undefined) return known;
  const observer = new MainFrame(page);
  observers.set(page, observer);
  return observer;
}

/** Observes the navigations of a page's main frame. Listeners are called after its own state is updated. */
export class MainFrame {
  readonly #page: Page;
  readonly #listeners = new Set<NavigationListener>();
  /** The last request of the redirect chain of the pending navigation. */
  #pending: Request | undefined;
  #requested: string | undefined;
  #answer: { readonly request: Request; readonly status: number } | undefined;
  /** The request that the present document was loaded with. */
  #document: Request | undefined;
  #status: number | undefined;
  #requests = 0;
  #commits = 0;

  constructor(page: Page) {
    this.#page = page;
    page.on('request', (request) => this.#onRequest(request));
    page.on('response', (response) => this.#onResponse(response));
    page.on('requestfailed', (request) => {
      // The answer had no body, or was a download, or an error page is about to commit.
      if (request === this.#pending) this.#pending = undefined;
    });
    page.on('download', () => {
      this.#pending = undefined;
    });
    page.on('framenavigated', (frame) => this.#onNavigated(frame));
  }

  get isNavigating(): boolean {
    return this.#pending !== undefined;
  }

  /** The URL that was last requested for the main frame. */
  get requestedUrl(): string | undefined {
    return this.#requested;
  }

  /** Whether the pending navigation has a response. */
  get isAnswered(): boolean {
    return this.#pending !== undefined && this.#answer?.request === this.#pending;
  }

  /** HTTP status of the present document; undefined if it did not come over HTTP. */
  get status(): number | undefined {
    return this.#status;
  }

  /** HTTP status of a request for a document, also if no document came with it. */
  statusOf(request: Request | undefined): number | undefined {
    return this.#answer?.request === request ? this.#answer?.status : undefined;
  }

  /** Requests for documents so far. */
  get requests(): number {
    return this.#requests;
  }

  /** URL changes so far, of documents and inside of them. */
  get commits(): number {
    return this.#commits;
  }

  /** Whether the request is for a document of the main frame. */
  owns(request: Request): boolean {
    if (!request.isNavigationRequest()) return false;
    try {
      return request.frame() === this.#page.mainFrame();
    } catch {
      // Playwright throws if the frame does not exist yet: the first document of a new page.
      return false;
    }
  }

  listen(listener: NavigationListener): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  #onRequest(request: Request): void {
    if (!this.owns(request)) return;
    this.#pending = request;
    this.#requested = request.url();
    this.#requests++;
    for (const { requested } of this.#listeners) requested?.(request);
  }

  #onResponse(response: Response): void {
    const request = response.request();
    if (request !== this.#pending && request !== this.#document) return;
    this.#answer = { request, status: response.status() };
    if (request === this.#document) this.#status = response.status();
  }

  #onNavigated(frame: Frame): void {
    if (frame !== this.#page.mainFrame()) return;
    // The request of an error page has failed before it commits.
    const isNewDocument = this.isNavigating || isErrorPage(this.#page);
    if (isNewDocument) {
      this.#document = this.#pending;
      this.#status = this.statusOf(this.#pending);
    }
    if (!isServed(this.#page)) this.#status = undefined;
    this.#pending = undefined;
    this.#commits++;
    for (const { committed } of this.#listeners) committed?.(isNewDocument);
  }
}

/** Whether the page shows the browser's own error page. */
export function isErrorPage(page: Page): boolean {
  return page.url().startsWith('chrome-error:');
}

/** Whether the document came from a server. */
function isServed(page: Page): boolean {
  return /^https?:/.test(page.url());
}

/** The page's URL; for an error page, the URL that could not be opened. */
export function addressOf(page: Page): string {
  return isErrorPage(page) ? (mainFrameOf(page).requestedUrl ?? page.url()) : page.url();
}

export function withoutFragment(url: string): string {
  return url.replace(/#.*$/s, '');
}
