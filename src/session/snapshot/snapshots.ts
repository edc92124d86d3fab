import type { Page } from 'playwright-core';
import type { InlineSnapshot, Walked } from '../../page/protocol.ts';
import type { ShownView } from '../../view/diff.ts';
import type { PageState } from '../agent/page-agents.ts';
import { isTimeout } from '../../browser/failure.ts';
import { ToolError } from '../../errors.ts';
import { quietMs, snapshotLimitMs, snapshotRetryMs } from '../timing.ts';
import type { KnownRefs } from './known-refs.ts';
import type { PageView, SnapshotOptions, SnapshotSource } from './snapshot-source.ts';

/** The last view of a tab that an answer showed, with the page state it was taken at. */
interface Shown {
  readonly document: string;
  readonly documents: string;
  readonly changes: number;
  readonly scene: string;
  /** Number of actions before it. */
  readonly actions: number;
  readonly view: ShownView;
  readonly origin: string;
  /** Refs of earlier documents that the client still uses, and what they stand for. */
  readonly aliases: ReadonlyMap<string, string>;
}

interface SnapshotTab {
  readonly page: Page;
  readonly isHung: boolean;
  /** False if nothing makes the page answer. */
  unblock(): Promise<boolean>;
}

/** Takes the snapshots of a tab, and remembers the one that was shown last. */
export class Snapshots {
  readonly #tab: SnapshotTab;
  readonly #source: SnapshotSource;
  readonly #refs: KnownRefs;
  #actions = 0;
  #shown: Shown | undefined;

  constructor(tab: SnapshotTab, source: SnapshotSource, refs: KnownRefs) {
    this.#tab = tab;
    this.#source = source;
    this.#refs = refs;
  }

  get shown(): Shown | undefined {
    return this.#shown;
  }

  /** An action may change what a snapshot shows without a mutation, such as a field's value. */
  countAction(): void {
    this.#actions++;
  }

  /** A snapshot to request together with the state, unless the page is as it was shown. */
  inlineRequest({ isUpdate = false, isKnown = true } = {}): { readonly snapshot?: InlineSnapshot } {
    const how = this.#source.inlineRequest(this.#tab.page, isUpdate);
    const unless = isKnown ? momentOf(this.#shown, this.#actions) : {};
    return how === undefined ? {} : { snapshot: { ...how, ...unless } };
  }

  /** A snapshot to request together with the state after an action, if the page is at rest then. */
  inlineAtRest(): { readonly snapshot?: InlineSnapshot } {
    const how = this.#source.inlineRequest(this.#tab.page, true);
    return how === undefined ? {} : { snapshot: { ...how, onceAtRest: { restMs: quietMs } } };
  }

  /** Takes a snapshot of the page or a part of it, and registers its refs. */
  async take(options: SnapshotOptions, state: PageState | undefined, inline?: Walked): Promise<PageView> {
    const view = await this.#takeOrRetry({ ...options, inline });
    this.#refs.add(view.refs, view.document ?? state?.mainDocument ?? '');
    return view;
  }

  /** A page that a script blocks gets a second chance once the script is stopped. */
  async #takeOrRetry(options: SnapshotOptions): Promise<PageView> {
    const { page } = this.#tab;
    const timeoutMs = Math.min(options.timeoutMs, snapshotLimitMs);
    try {
      return await this.#source.take(page, { ...options, timeoutMs });
    } catch (error) {
      const isBlocked = isTimeout(error) || (error instanceof ToolError && error.code === 'TIMEOUT');
      const isBack = await this.#tab.unblock();
      options.signal.throwIfAborted();
      if (this.#tab.isHung) throw new ToolError('PAGE_UNRESPONSIVE', { url: page.url() }, { cause: error });
      if (!isBlocked || !isBack) throw error;
      return this.#source.take(page, { ...options, timeoutMs: Math.min(timeoutMs, snapshotRetryMs) });
    }
  }

  /** Later changes are reported relative to this view. `repeated`: refs of the page before that stay valid. */
  remember(view: ShownView, state: PageState | undefined, repeated: ReadonlyMap<string, string> = new Map()): void {
    const now = shownNow(view, state, this.#actions);
    const { document, aliases: known = new Map<string, string>() } = this.#shown ?? {};
    const aliases = document === now.document ? known : carried(known, repeated);
    this.#shown = { ...now, aliases, origin: this.origin };
    this.#refs.carry(aliases);
  }

  /** The next answer shows the page whole. */
  forget(): void {
    this.#shown = undefined;
  }

  /** The origin of the page. */
  get origin(): string {
    const url = this.#tab.page.url();
    return URL.canParse(url) ? new URL(url).origin : '';
  }

  /** The view that was shown, if the page cannot have changed since. */
  unchanged(state: PageState | undefined): ShownView | undefined {
    return isAsShown(this.#shown, state, this.#actions) ? this.#shown?.view : undefined;
  }
}

/** What refs stand for in the next document: those that stay valid, and those that stood for one of them. */
function carried(
  aliases: ReadonlyMap<string, string>,
  repeated: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const older = [...aliases].flatMap(([ref, stood]) => {
    const now = repeated.get(stood);
    return now === undefined ? [] : [[ref, now] as const];
  });
  return new Map([...older, ...repeated]);
}

function shownNow(view: ShownView, state: PageState | undefined, actions: number): Omit<Shown, 'aliases' | 'origin'> {
  const { mainDocument: document = '', documents = '', changes = -1, scene = '' } = state ?? {};
  return { document, documents, changes, scene, actions, view };
}

/** Whether the page cannot have changed since: no mutation, no motion, no action. */
function isAsShown(shown: Shown | undefined, state: PageState | undefined, actions: number): boolean {
  if (shown === undefined || state === undefined || shown.actions !== actions) return false;
  return shown.documents === state.documents && shown.changes === state.changes && shown.scene === state.scene;
}

/** The state in which a page of one document needs no new snapshot. */
function momentOf(shown: Shown | undefined, actions: number): Pick<InlineSnapshot, 'unless'> {
  if (shown === undefined || shown.actions !== actions) return {};
  const { document, changes, scene } = shown;
  return { unless: { document, changes, scene } };
}
