import type { BrowserContext } from 'playwright-core';
import { ToolError } from '../../errors.ts';
import { CallWatch } from '../housekeeping/call-watch.ts';
import type { WatchedSession } from '../housekeeping/call-watch.ts';
import type { Tab } from '../tab.ts';
import type { Checkpoint } from './checkpoint.ts';
import { browserLostError, crashWindowMs, goQuietly, mostCrashes, mostReopened, reopenTabs } from './recovery.ts';
import { breakerText, crashText, keptEvent, lossText, restoredEvent } from './recovery.ts';
import type { Loss, Reopened } from './recovery.ts';
import { seedTabStorage } from './session-storage.ts';
import type { TabStorage } from './session-storage.ts';
import { StorageBackup } from './storage-backup.ts';
import { withTabStorage } from './storage-state.ts';
import type { StorageState } from './storage-state.ts';

/** What recovery needs from its session. */
interface RecoverySession extends WatchedSession {
  readonly tabs: readonly Tab[];
  newTab(signal: AbortSignal): Promise<Tab>;
  openKept(signal: AbortSignal): Promise<readonly Tab[] | undefined>;
  activeTab(signal: AbortSignal): Promise<Tab>;
  closeTab(tab: Tab): Promise<void>;
  keepPlace(tab: Tab): (fresh: Tab) => void;
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
  /** The loss that was not repaired when the call began. */
  #earlierLoss: Loss | undefined;
  /** The loss that is being repaired. */
  #restoring: Loss | undefined;
  #backup: StorageBackup | undefined;
  /** Of the last call. */
  #watch: CallWatch | undefined;
  #crashes: readonly { readonly url: string; readonly at: number }[] = [];

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

  lost(loss: Omit<Loss, 'state'>): void {
    // Pages that were not open again yet are those of the loss before.
    const { tabs, active, state } = this.#restoring ?? { ...loss, state: undefined };
    this.#loss = { ...loss, tabs, active, state: this.#backup?.state ?? state };
    this.forgetStorage();
    this.#watch?.fail(browserLostError(this.#loss));
  }

  /** Keeps a copy of the storage of this context. */
  watchStorage(context: BrowserContext, initial: StorageState | undefined): void {
    this.#backup = new StorageBackup(context, () => this.#session.tabs, initial);
  }

  /** A page wrote to its storage, or another document was loaded. */
  storageChanged(tab: Tab): void {
    this.#backup?.changed(tab);
  }

  sessionStorageOf(tab: Tab): readonly TabStorage[] {
    return this.#backup?.sessionOf(tab) ?? [];
  }

  forgetStorage(): void {
    this.#backup?.[Symbol.dispose]();
    this.#backup = undefined;
  }

  /** Watches browser and page during a call with this timeout. */
  watchCall(timeoutMs: number | undefined): CallWatch {
    this.#watch = new CallWatch(this.#session, timeoutMs);
    this.#earlierLoss = this.#loss;
    this.#backup?.begin();
    return this.#watch;
  }

  /**
   * Before the answer: an action that it confirms must not be undone by a crash. Without changes this takes no time.
   * Throws if the browser, or the page, is lost before the copy is made.
   */
  async saveStorage(): Promise<void> {
    // The copy ends with its browser: of one that was lost during the call, the last changes are not in it.
    const isSaved = this.#backup === undefined ? this.#loss === this.#earlierLoss : await this.#backup.save();
    if (!isSaved && this.#loss !== undefined) throw browserLostError(this.#loss);
    const crashed = this.#backup?.crashed;
    if (crashed !== undefined) throw new ToolError('PAGE_CRASHED', { url: crashed.page.url() });
  }

  /** After the answer: looks for changes that the browser does not report. */
  afterCall(): void {
    this.#backup?.schedule();
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
      const kept = await this.#session.openKept(signal);
      if (kept !== undefined) {
        const current = kept[saved.active] ?? kept.at(-1);
        if (current !== undefined) this.#session.select(current);
        report(keptEvent(kept.length));
        return;
      }
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
    const { report, startWith } = this.#options;
    const { url = 'about:blank', storage = [] } = loss.tabs[loss.active] ?? {};
    const isFresh = replacesPage || url === 'about:blank';
    if (loss.state !== undefined) startWith(isFresh ? withTabStorage(loss.state, storage) : loss.state);
    if (isFresh) report(lossText(loss));
    else if (this.#countCrash(url)) report(`${lossText(loss)} ${breakerText(url)}`);
    else report(lossText(loss, await this.#reopenOrKeep(loss, signal)));
  }

  /** If no browser starts, the loss is kept for the next call. */
  async #reopenOrKeep(loss: Loss, signal: AbortSignal): Promise<Reopened> {
    this.#restoring = loss;
    try {
      return await this.#reopenLost(loss, signal);
    } catch (error) {
      if (this.#session.tabs.length === 0) this.#loss ??= loss;
      throw error;
    } finally {
      this.#restoring = undefined;
    }
  }

  /** Waits for the active tab only; the others load meanwhile. */
  async #reopenLost({ tabs, active }: Loss, signal: AbortSignal): Promise<Reopened> {
    const { navigationMs } = this.#options;
    const wanted = tabs.flatMap((tab, index) => {
      const isWanted = index === active || (tab.url !== 'about:blank' && Math.abs(index - active) <= mostReopened);
      return isWanted ? [{ ...tab, isActive: index === active }] : [];
    });
    let isBack = false;
    let current: Tab | undefined;
    const others: (() => void)[] = [];
    for (const { url, storage, isActive } of wanted) {
      const tab = await this.#session.newTab(signal);
      await this.#seed(tab, storage);
      const go = async (): Promise<boolean> => goQuietly(tab.page, url, navigationMs, signal);
      if (isActive) {
        current = tab;
        isBack = await go();
      } else {
        others.push(() => void go());
      }
    }
    for (const go of others) go();
    if (current !== undefined) this.#session.select(current);
    return { isBack, others: others.length };
  }

  async #seed(tab: Tab, storage: readonly TabStorage[]): Promise<void> {
    await seedTabStorage(tab.page, storage);
    this.#backup?.seed(tab, storage);
  }

  /** After a crash of one page, or when it does not respond: opens its URL in a new tab. */
  async reopen(tab: Tab, signal: AbortSignal, replacesPage: boolean): Promise<void> {
    const { report, navigationMs } = this.#options;
    const url = tab.page.url();
    const what = whyReopened(tab);
    const storage = this.sessionStorageOf(tab);
    const giveTo = this.#session.keepPlace(tab);
    await this.#session.closeTab(tab);
    const fresh = await this.#session.newTab(signal);
    giveTo(fresh);
    await this.#seed(fresh, storage);
    if (replacesPage) report(crashText(url, what, undefined));
    else if (this.#countCrash(url)) report(`The page ${what}. ${breakerText(url)}`);
    else report(crashText(url, what, await goQuietly(fresh.page, url, navigationMs, signal)));
  }

  /** Counts a crash of a URL; true if there were too many to open it again. */
  #countCrash(url: string): boolean {
    const now = performance.now();
    this.#crashes = [...this.#crashes.filter(({ at }) => now - at < crashWindowMs), { url, at: now }];
    return this.#crashes.filter((crash) => crash.url === url).length >= mostCrashes;
  }
}

function whyReopened(tab: Tab): string {
  if (tab.crashed) return 'had crashed';
  return tab.isHung ? 'did not respond' : 'kept opening dialogs';
}
