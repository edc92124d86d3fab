import type { ToolError } from '../../errors.ts';
import type { Tab } from '../tab.ts';
import type { Checkpoint } from './checkpoint.ts';
import { restoredEvent, crashText, goQuietly, lossText, browserLostError, reopenTabs } from './recovery.ts';
import type { Loss } from './recovery.ts';
import type { StorageState } from './storage-state.ts';

/** What recovery needs from its session. */
interface RecoverySession {
  newTab(signal: AbortSignal): Promise<Tab>;
  activeTab(signal: AbortSignal): Promise<Tab>;
  closeTab(tab: Tab): Promise<void>;
  select(tab: Tab): void;
}

export interface RecoveryOptions {
  readonly dormant: Checkpoint | undefined;
  readonly navigationMs: number;
  /** The next context starts with this storage. */
  readonly startWith: (state: StorageState) => void;
  /** Reports an event in the next answer. */
  readonly report: (event: string) => void;
}

/** Restores a session after its server was restarted, its browser was lost or its page crashed. */
export class SessionRecovery {
  readonly #session: RecoverySession;
  readonly #options: RecoveryOptions;
  #dormant: Checkpoint | undefined;
  #loss: Loss | undefined;

  constructor(session: RecoverySession, options: RecoveryOptions) {
    this.#session = session;
    this.#options = options;
    this.#dormant = options.dormant;
  }

  /** The saved state, until the session is used again. */
  get dormant(): Checkpoint | undefined {
    return this.#dormant;
  }

  /** The browser was lost and has not been replaced yet. */
  get isLost(): boolean {
    return this.#loss !== undefined;
  }

  lost(loss: Loss): void {
    this.#loss = loss;
  }

  /** The error of a call during which the browser was lost: whatever failed, the loss is the cause. */
  errorOf(error: unknown): ToolError | undefined {
    return this.#loss === undefined ? undefined : browserLostError(this.#loss, error);
  }

  /** Restores tabs and storage that an earlier server saved. */
  async wake(signal: AbortSignal): Promise<void> {
    const saved = this.#dormant;
    if (saved === undefined) return;
    this.#dormant = undefined;
    const { startWith, report, navigationMs } = this.#options;
    startWith(saved.state);
    try {
      const tabs = await reopenTabs(saved, async () => this.#session.newTab(signal), navigationMs, signal);
      this.#session.select(tabs[saved.active] ?? (await this.#session.activeTab(signal)));
      report(restoredEvent(tabs.length));
    } catch (error) {
      this.#dormant = saved;
      throw error;
    }
  }

  /** After a loss: opens the last URL in a new browser, unless the call replaces the page anyway. */
  async restore(signal: AbortSignal, replacesPage: boolean): Promise<void> {
    const loss = this.#loss;
    if (loss === undefined) return;
    this.#loss = undefined;
    const { report, navigationMs } = this.#options;
    const { activeUrl = 'about:blank' } = loss;
    if (replacesPage || activeUrl === 'about:blank') {
      report(lossText(loss));
      return;
    }
    const tab = await this.#session.newTab(signal);
    report(lossText(loss, await goQuietly(tab.page, activeUrl, navigationMs, signal)));
  }

  /** After a crash of one page: opens its URL in a new tab. */
  async reopen(tab: Tab, signal: AbortSignal, replacesPage: boolean): Promise<void> {
    const { report, navigationMs } = this.#options;
    const url = tab.page.url();
    await this.#session.closeTab(tab);
    const fresh = await this.#session.newTab(signal);
    report(crashText(url, replacesPage ? undefined : await goQuietly(fresh.page, url, navigationMs, signal)));
  }
}
