import type { BrowserContext, CDPSession, Page, Route } from 'playwright-core';
import { pause, settlesWithin } from '../../util/signals.ts';
import { detachLimitMs } from '../timing.ts';
import { NamedRoutes } from './named-routes.ts';

/** An answer that is given instead of a server's. */
export interface Mock {
  readonly matches: (url: URL) => boolean;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly delayMs: number;
  /** How often the mock applies; unlimited if absent. */
  readonly times?: number;
}

/** Limits of a connection; 0 means no limit. */
export interface Speed {
  /** Bytes in a second. */
  readonly download: number;
  readonly upload: number;
  readonly latencyMs: number;
}

/** The code of a socket that could not be opened. */
const lostConnection = 1006;
const everything = '**/*';

/** Blocks, mocks and throttling of a session. They survive the browser: a replacement after a crash gets them too. */
export class Traffic {
  /** Routes that callers have set up by a pattern. */
  readonly routes = new NamedRoutes();
  readonly #blocked = new Set<string>();
  readonly #mocks: Mock[] = [];
  readonly #used = new Map<Mock, number>();
  readonly #cdpSessions = new Map<Page, CDPSession>();
  #context: BrowserContext | undefined;
  #isRouting = false;
  #isOffline = false;
  #speed: Speed | undefined;

  /** From now on it is about this context. */
  async attach(context: BrowserContext): Promise<void> {
    this.#context = context;
    this.#isRouting = false;
    this.#cdpSessions.clear();
    await this.#route();
    await this.routes.attach(context);
    if (this.#blocked.has('websocket')) await this.#refuseSockets();
    if (this.#isOffline) await context.setOffline(true);
    context.on('page', (page) => {
      // A page that is gone before it could be slowed down needs no limit any more.
      if (this.#speed !== undefined && this.#context === context) this.#limit(page).catch(() => undefined);
    });
  }

  /** Removes them from a context that outlives its session. */
  async detach(): Promise<void> {
    const context = this.#context;
    if (context === undefined) return;
    this.#speed = undefined;
    const undone = [
      this.routes.detach(),
      ...(this.#isRouting ? [context.unroute(everything)] : []),
      ...(this.#isOffline ? [context.setOffline(false)] : []),
      ...[...this.#cdpSessions.values()].map((lane) => lane.detach()),
    ];
    this.#context = undefined;
    await settlesWithin(Promise.allSettled(undone), detachLimitMs);
  }

  get blocked(): readonly string[] {
    return [...this.#blocked];
  }

  get mocks(): number {
    return this.#mocks.length;
  }

  async block(type: string): Promise<void> {
    const isNew = !this.#blocked.has(type);
    this.#blocked.add(type);
    await this.#route();
    if (isNew && type === 'websocket') await this.#refuseSockets();
  }

  /** Later ones win. */
  async mock(mock: Mock): Promise<void> {
    this.#mocks.unshift(mock);
    await this.#route();
  }

  async setOffline(isOffline: boolean): Promise<void> {
    this.#isOffline = isOffline;
    await this.#context?.setOffline(isOffline);
    // The browser keeps both settings in one place, and has just been given one without the other.
    if (this.#speed !== undefined) await this.#limitAll();
  }

  /** False where the browser cannot do that: not Chromium. */
  async setSpeed(speed: Speed | undefined): Promise<boolean> {
    if (this.#context?.browser()?.browserType().name() !== 'chromium') return false;
    this.#speed = speed;
    await this.#limitAll();
    return true;
  }

  /** Only when there is something to do: routing turns the browser's cache off. */
  async #route(): Promise<void> {
    if (this.#isRouting || this.#context === undefined || (this.#blocked.size === 0 && this.#mocks.length === 0))
      return;
    this.#isRouting = true;
    await this.#context.route(everything, async (route) => this.#answer(route));
  }

  /** WebSockets bypass request routes. Those of workers cannot be blocked. */
  async #refuseSockets(): Promise<void> {
    const context = this.#context;
    await context?.routeWebSocket(/^/, (socket) => {
      if (this.#context === context) void socket.close({ code: lostConnection });
      else socket.connectToServer();
    });
  }

  async #answer(route: Route): Promise<void> {
    const request = route.request();
    const mock = this.#take(new URL(request.url()));
    if (mock === undefined) {
      return this.#blocked.has(request.resourceType()) ? route.abort('blockedbyclient') : route.fallback();
    }
    await pause(mock.delayMs, AbortSignal.timeout(mock.delayMs + 1000));
    const { status, headers, body } = mock;
    // The page may be closed by now; if not, it must not wait indefinitely.
    await route
      .fulfill({ status, headers: { ...headers }, body })
      .catch(async () => route.abort().catch(() => undefined));
  }

  #take(url: URL): Mock | undefined {
    const mock = this.#mocks.find(({ matches }) => matches(url));
    if (mock?.times === undefined) return mock;
    const used = (this.#used.get(mock) ?? 0) + 1;
    this.#used.set(mock, used);
    if (used >= mock.times) this.#mocks.splice(this.#mocks.indexOf(mock), 1);
    return mock;
  }

  async #limitAll(): Promise<void> {
    await Promise.all((this.#context?.pages() ?? []).map(async (page) => this.#limit(page)));
  }

  /** Apart from the tab's channel: `Network.enable` makes Chromium send every network event, which only throttled pages need. */
  async #openCdpSession(page: Page): Promise<CDPSession> {
    const cdp = await page.context().newCDPSession(page);
    this.#cdpSessions.set(page, cdp);
    page.once('close', () => this.#cdpSessions.delete(page));
    return cdp;
  }

  async #limit(page: Page): Promise<void> {
    const cdp = this.#cdpSessions.get(page) ?? (await this.#openCdpSession(page));
    const { download = 0, upload = 0, latencyMs = 0 } = this.#speed ?? {};
    await cdp.send('Network.enable');
    await cdp.send('Network.emulateNetworkConditions', {
      offline: this.#isOffline,
      latency: latencyMs,
      downloadThroughput: download > 0 ? download : -1,
      uploadThroughput: upload > 0 ? upload : -1,
    });
  }
}
