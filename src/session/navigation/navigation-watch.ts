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
  /** How long the old document may be silent after its script was stopped. */
  readonly silentMs: number;
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
  /** The script of the old document was stopped; whether the document has responded since. */
  #stop: { isAnswered: boolean } | undefined;

  constructor(options: NavigationWatchOptions) {
    this.#options = options;
    this.#requestsBefore = options.main.requests;
  }

  begin(): void {
    this.#timer = setInterval(() => this.#check(), navigationPollMs);
    this.#timer.unref();
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    if (this.#options.hasCommitted()) this.#endStop();
  }

  #check(): void {
    const channel = this.#options.channel();
    if (channel === undefined) return;
    if (this.#options.hasCommitted()) void this.#checkNew(channel);
    else this.#checkOld(channel);
  }

  /** The document is requested after `beforeunload`, and committed after `pagehide`. */
  #checkOld(channel: WatchChannel): void {
    const { main, silentMs, onSilent } = this.#options;
    const isWaitingForServer = main.requests > this.#requestsBefore && !main.isAnswered;
    if (isWaitingForServer || this.#stop?.isAnswered === true) {
      this.#endStop();
      this.#blockedSince = undefined;
      return;
    }
    this.#blockedSince ??= performance.now();
    const blockedMs = performance.now() - this.#blockedSince;
    if (blockedMs < blockedCommitMs) return;
    if (this.#stop === undefined) this.#stop = stopped(channel);
    else if (blockedMs >= blockedCommitMs + silentMs) onSilent();
  }

  /** Only a document that goes on was blocked by its script. */
  #endStop(): void {
    if (this.#stop !== undefined) this.#options.onStopped();
    this.#stop = undefined;
  }

  async #checkNew(channel: WatchChannel): Promise<void> {
    this.#endStop();
    if (this.#isAsking) {
      this.#stopBusy(channel);
      return;
    }
    this.#blockedSince = undefined;
    this.#isAsking = true;
    await channel.evaluates();
    this.#isAsking = false;
  }

  #stopBusy(channel: WatchChannel): void {
    this.#blockedSince ??= performance.now();
    if (performance.now() - this.#blockedSince < busyDocumentMs) return;
    this.#blockedSince = undefined;
    this.#options.onStopped();
    void channel.stopScript();
  }
}

function stopped(channel: WatchChannel): { isAnswered: boolean } {
  const stop = { isAnswered: false };
  void channel.stopScript();
  void channel.heartbeat().then(() => (stop.isAnswered = true));
  return stop;
}
