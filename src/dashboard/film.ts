import type { CDPSession } from 'playwright-core';
import type { Logger } from '../log.ts';
import type { Session } from '../session/session.ts';
import type { Tab } from '../session/tab.ts';

/** One image of a page. */
export interface Frame {
  readonly seq: number;
  readonly at: number;
  /** Size of the viewport in CSS pixels. */
  readonly width: number;
  readonly height: number;
  readonly jpeg: Buffer;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

export interface FilmViewer extends Size {
  readonly fps: number;
  /** Whether it has drawn its last frame. */
  readonly isFree: boolean;
  show(frame: Frame): void;
}

const quality = 70;
/** A page at rest paints nothing, so that no frame comes: one is taken then. */
const firstFrameMs = 400;
/** While no viewer can draw, frames are still made, so that a viewer that was slow gets one of about this age. */
const stalledMs = 250;
/** Between a tab of the session and the next, or a reload of the dashboard, the film goes on. */
const lingerMs = 2000;

/**
 * Frames of the current tab of a session, by a screencast on a CDP session of its own. It runs only while there are viewers.
 * The page notices nothing: no focus, no size, no script and no request of it changes.
 */
export class Film {
  readonly #session: Session;
  readonly #log: Logger;
  readonly #viewers = new Set<FilmViewer>();
  #tab: Tab | undefined;
  #cdp: CDPSession | undefined;
  #size: Size = { width: 0, height: 0 };
  #frame: Frame | undefined;
  #seq = 0;
  #turn: Promise<void> = Promise.resolve();
  #linger: NodeJS.Timeout | undefined;
  #first: NodeJS.Timeout | undefined;
  #pace: NodeJS.Timeout | undefined;
  /** The browser makes few frames ahead of these. */
  #unacknowledged: (() => void)[] = [];
  #sentAt = 0;

  constructor(session: Session, log: Logger) {
    this.#session = session;
    this.#log = log;
  }

  get isRunning(): boolean {
    return this.#cdp !== undefined;
  }

  get viewers(): number {
    return this.#viewers.size;
  }

  add(viewer: FilmViewer): Disposable {
    clearTimeout(this.#linger);
    this.#viewers.add(viewer);
    if (this.#frame !== undefined) viewer.show(this.#frame);
    this.follow();
    return {
      [Symbol.dispose]: () => {
        this.#viewers.delete(viewer);
        if (this.#viewers.size > 0) return;
        clearTimeout(this.#linger);
        this.#linger = setTimeout(() => this.follow(), lingerMs);
        this.#linger.unref();
      },
    };
  }

  /** The current tab may have changed, or the last viewer left. */
  follow(): void {
    this.#turn = this.#turn
      .then(async () => this.#adjust())
      .catch((error: unknown) => {
        this.#log.debug('frames of a page are not available', { error });
      });
  }

  /** Who may see it has changed, or which tab is the current one. */
  renew(): void {
    if (this.#frame !== undefined) for (const viewer of this.#viewers) if (viewer.isFree) viewer.show(this.#frame);
    this.follow();
  }

  /** The newest frame. */
  get frame(): Frame | undefined {
    return this.#frame;
  }

  /** A viewer has drawn its frame. */
  freed(viewer: FilmViewer): void {
    if (this.#frame !== undefined && this.#viewers.has(viewer)) viewer.show(this.#frame);
    this.#acknowledgeInTime();
  }

  async end(): Promise<void> {
    clearTimeout(this.#linger);
    this.#viewers.clear();
    this.follow();
    await this.#turn;
  }

  async #adjust(): Promise<void> {
    const wanted = this.#viewers.size === 0 ? undefined : this.#session.current;
    const size = largest([...this.#viewers]);
    const fits = size.width <= this.#size.width && size.height <= this.#size.height;
    if (wanted === this.#tab && (wanted === undefined || (this.#cdp !== undefined && fits))) return;
    await this.#stop();
    this.#tab = wanted;
    this.#size = size;
    if (wanted !== undefined && !wanted.page.isClosed()) await this.#start(wanted);
  }

  async #start({ page }: Tab): Promise<void> {
    const cdp = await page.context().newCDPSession(page);
    this.#cdp = cdp;
    cdp.on('Page.screencastFrame', ({ data, metadata, sessionId }) => {
      if (this.#cdp !== cdp) return;
      this.#unacknowledged.push(() => void cdp.send('Page.screencastFrameAck', { sessionId }).catch(() => undefined));
      const { deviceWidth: width, deviceHeight: height, timestamp = Date.now() / 1000 } = metadata;
      this.#publish({ at: timestamp * 1000, width, height, jpeg: Buffer.from(data, 'base64') });
    });
    const { width: maxWidth, height: maxHeight } = this.#size;
    await cdp.send('Page.startScreencast', { format: 'jpeg', quality, maxWidth, maxHeight, everyNthFrame: 1 });
    const before = this.#seq;
    this.#first = setTimeout(() => {
      if (this.#seq === before && this.#cdp === cdp) void this.#takeOne(cdp).catch(() => undefined);
    }, firstFrameMs);
    this.#first.unref();
  }

  async #takeOne(cdp: CDPSession): Promise<void> {
    const { cssVisualViewport } = await cdp.send('Page.getLayoutMetrics');
    const { data } = await cdp.send('Page.captureScreenshot', { format: 'jpeg', quality, optimizeForSpeed: true });
    const { clientWidth: width, clientHeight: height } = cssVisualViewport;
    if (this.#cdp === cdp) this.#publish({ at: Date.now(), width, height, jpeg: Buffer.from(data, 'base64') });
  }

  async #stop(): Promise<void> {
    const cdp = this.#cdp;
    this.#cdp = undefined;
    this.#frame = undefined;
    this.#unacknowledged = [];
    clearTimeout(this.#first);
    clearTimeout(this.#pace);
    this.#pace = undefined;
    // The page may be gone.
    await cdp?.send('Page.stopScreencast').catch(() => undefined);
    await cdp?.detach().catch(() => undefined);
  }

  #publish(made: Omit<Frame, 'seq'>): void {
    this.#frame = { seq: ++this.#seq, ...made };
    this.#sentAt = performance.now();
    for (const viewer of this.#viewers) if (viewer.isFree) viewer.show(this.#frame);
    this.#acknowledgeInTime();
  }

  /** The browser makes the next frame when this one is acknowledged: at the rate of the fastest viewer that can draw. */
  #acknowledgeInTime(): void {
    if (this.#unacknowledged.length === 0) return;
    const free = [...this.#viewers].filter(({ isFree }) => isFree);
    const intervalMs = free.length === 0 ? stalledMs : 1000 / Math.max(...free.map(({ fps }) => fps));
    const waitMs = this.#sentAt + intervalMs - performance.now();
    clearTimeout(this.#pace);
    this.#pace = setTimeout(
      () => {
        for (const acknowledge of this.#unacknowledged.splice(0)) acknowledge();
      },
      Math.max(0, waitMs),
    );
  }
}

function largest(sizes: readonly Size[]): Size {
  const width = Math.max(0, ...sizes.map((size) => size.width));
  return { width, height: Math.max(0, ...sizes.map((size) => size.height)) };
}
