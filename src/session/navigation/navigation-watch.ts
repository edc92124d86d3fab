import { settlesWithin } from '../../util/signals.ts';
import type { CdpChannel } from '../agent/cdp-channel.ts';
import { blockedCommitMs, busyDocumentMs, navigationPollMs } from '../timing.ts';
import type { MainFrame } from './main-frame.ts';

/** The CDP channel as far as the watch needs it; Chromium only. */
type WatchChannel = Pick<CdpChannel, 'stopScript' | 'evaluates' | 'heartbeat'>;

export interface NavigationWatchOptions {
  readonly main: MainFrame;
  readonly channel: () => WatchChannel | undefined;
  /** Whether the wanted document is there. */
  readonly hasCommitted: () => boolean;
  readonly onStopped: () => void;
  /** No script blocks the old document, and it does not respond: for example, it computes its layout. */
  readonly onSilent: () => void;
}

/**
 * Stops scripts that block a navigation: handlers of `beforeunload` and `pagehide` in the old document, and a script of
 * the new one that does not return. Without this, each would use up the whole timeout of the navigation.
 */
export class NavigationWatch implements Disposable {
  readonly #options: NavigationWatchOptions;
  readonly #requestsBefore: number;
  #timer: NodeJS.Timeout | undefined;
  /** Since when the old document blocks the new one, or the new one does not evaluate scripts. */
  #blockedSince: number | undefined;
  #isAsking = false;
  #isOver = false;

  constructor(options: NavigationWatchOptions) {
    this.#options = options;
    this.#requestsBefore = options.main.requests;
  }

  begin(): void {
    this.#timer = setInterval(() => this.#check(), navigationPollMs);
    this.#timer.unref();
  }

  [Symbol.dispose](): void {
    this.#isOver = true;
    clearInterval(this.#timer);
  }

  #check(): void {
    const channel = this.#options.channel();
    if (channel === undefined) return;
    if (this.#options.hasCommitted()) void this.#checkNew(channel);
    else this.#checkOld(channel);
  }

  /** The document is requested after `beforeunload`, and committed after `pagehide`. */
  #checkOld(channel: WatchChannel): void {
    const { main } = this.#options;
    const isWaitingForServer = main.requests > this.#requestsBefore && !main.isAnswered;
    if (isWaitingForServer) this.#blockedSince = undefined;
    else if (this.#stopAfter(blockedCommitMs, channel)) void this.#endSilent(channel);
  }

  async #endSilent(channel: WatchChannel): Promise<void> {
    const { hasCommitted, onSilent } = this.#options;
    const responds = await settlesWithin(channel.heartbeat(), blockedCommitMs);
    if (!responds && !hasCommitted() && !this.#isOver) onSilent();
  }

  async #checkNew(channel: WatchChannel): Promise<void> {
    if (this.#isAsking) {
      this.#stopAfter(busyDocumentMs, channel);
      return;
    }
    this.#blockedSince = undefined;
    this.#isAsking = true;
    await channel.evaluates();
    this.#isAsking = false;
  }

  /** Returns whether the time is over. */
  #stopAfter(limitMs: number, channel: WatchChannel): boolean {
    this.#blockedSince ??= performance.now();
    if (performance.now() - this.#blockedSince < limitMs) return false;
    this.#blockedSince = undefined;
    this.#options.onStopped();
    void channel.stopScript();
    return true;
  }
}
