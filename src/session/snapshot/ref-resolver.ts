import type { Locator, Page } from 'playwright-core';
import { ToolError } from '../../errors.ts';
import type { Command, DirectAction, Finding, WhyNot } from '../../page/protocol.ts';
import type { FieldKind } from '../../page/reads/field-kind.ts';
import { similarLines } from '../../view/similar.ts';
import type { Observation, PageState } from '../agent/page-agents.ts';
import type { KnownRefs } from './known-refs.ts';
import { namesAnother } from './description.ts';
import { labelOf, needsPath, refCode } from './ref-code.ts';
import type { RefInfo, SnapshotSource } from './snapshot-source.ts';
import type { Snapshots } from './snapshots.ts';
import { locateSelector } from './target.ts';
import type { Located, Target } from './target.ts';
import { stateLimitMs } from '../timing.ts';

interface ResolverTab {
  readonly page: Page;
  readonly snapshots: Snapshots;
  state(signal: AbortSignal): Promise<PageState | undefined>;
}

type RefTarget = Extract<Target, { readonly kind: 'ref' }>;

const mostCandidates = 5;

/** Leads from the refs of a tab's snapshots to elements, and back. */
export class RefResolver {
  readonly #tab: ResolverTab;
  readonly #source: SnapshotSource;
  readonly #known: KnownRefs;

  constructor(tab: ResolverTab, source: SnapshotSource, known: KnownRefs) {
    this.#tab = tab;
    this.#source = source;
    this.#known = known;
  }

  get(ref: string): RefInfo | undefined {
    return this.#known.get(ref);
  }

  /** The refs of the document that snapshots have shown. */
  get shown(): readonly string[] {
    return [...this.#known.all.keys()];
  }

  /** A lookup to send with a state request; undefined for selectors, and for refs of other frames or sources. */
  finding(target: Target | undefined, wantsKind: boolean): Finding | undefined {
    const ref = this.#mainRef(target);
    const info = this.#known.get(ref);
    return info === undefined ? undefined : { ref, wantsPath: needsPath(info), wantsKind };
  }

  /** The agent command for a direct action on a target; undefined where the agent cannot resolve the target. */
  directCommand(
    target: Target | undefined,
    action: DirectAction | undefined,
  ): Extract<Command, { do: 'act' }> | undefined {
    const ref = this.#mainRef(target);
    if (action === undefined || this.#known.get(ref) === undefined) return undefined;
    return { do: 'act', ref, document: this.#known.document, action };
  }

  /** Resolves a target. A ref that leads nowhere fails at once. */
  async locate(
    target: Target,
    observed: Observation | undefined,
    signal: AbortSignal,
    wantsKind = false,
  ): Promise<Located & { readonly kind?: FieldKind }> {
    const { page } = this.#tab;
    if (target.kind === 'selector') return locateSelector(page, target);
    const info = this.#known.get(target.ref);
    if (info === undefined) throw await this.#unknown(target, signal);
    const was = labelOf(info);
    const isOtherDocument = observed !== undefined && observed.state.mainDocument !== this.#known.document;
    const finding = { ref: target.ref, wantsPath: needsPath(info), wantsKind };
    const seen = observed?.found?.ref === target.ref ? observed.found.is : undefined;
    const known = wantsKind && seen !== undefined && !('kind' in seen) ? undefined : seen;
    const found = isOtherDocument
      ? undefined
      : (known ?? (await this.#source.find(page, finding, stateLimitMs, signal)));
    if (found?.is === 'here' || found?.is === 're-rendered') {
      const ref = found.is === 'here' ? target.ref : found.ref;
      this.#known.set(ref, info);
      const moved = found.is === 'here' ? [] : [`${target.given} was re-rendered and is ${ref} now.`];
      const notes = [...moved, ...this.#contradiction(target, info)];
      const note = notes.length === 0 ? {} : { note: notes.join(' ') };
      const around = { refs: this.#known.all, nodes: this.#tab.snapshots.shown?.view.whole ?? [] };
      const code = refCode(ref, info, found.css, this.#source.frameOf(page, ref), around);
      const kind = found.kind === undefined ? {} : { kind: found.kind };
      return { locator: this.#source.locate(page, ref), code, label: was, ...note, ...kind };
    }
    throw await this.#stale(target.given, info, signal);
  }

  async #unknown({ ref, given }: RefTarget, signal: AbortSignal): Promise<ToolError> {
    const past = this.#known.past(ref);
    return past === undefined ? new ToolError('REF_NOT_FOUND', { ref: given }) : this.#stale(given, past, signal);
  }

  async #stale(ref: string, info: RefInfo, signal: AbortSignal): Promise<ToolError> {
    return new ToolError('STALE_REF', { ref, was: labelOf(info), candidates: await this.#alike(info, signal) });
  }

  /** A selector that matches only the element of a ref; undefined if it is unknown. */
  async cssPath(ref: string, signal: AbortSignal): Promise<string | undefined> {
    const finding = { ref, wantsPath: true, wantsKind: false };
    const found = await this.#source.find(this.#tab.page, finding, stateLimitMs, signal);
    return found.is === 'here' || found.is === 're-rendered' ? found.css : undefined;
  }

  /** Assigns refs to elements that locators found; they work like those of a snapshot. */
  async refsOf(locators: readonly Locator[], signal: AbortSignal): Promise<readonly string[]> {
    const found = await this.#source.name(locators, stateLimitMs, signal);
    // A snapshot knows the role and the name of a ref better.
    const fresh = new Map([...found].filter(([ref]) => this.#known.get(ref) === undefined));
    this.#known.add(fresh, (await this.#tab.state(signal))?.mainDocument ?? '');
    return [...found.keys()];
  }

  /** What blocks an action on the element; the refs it names are registered. */
  async whyNot(
    locator: Locator,
    isEditing: boolean,
    limitMs: number,
    signal: AbortSignal,
    isGuarded = false,
  ): Promise<WhyNot | undefined> {
    const why = await this.#source.why(locator, isEditing, limitMs, signal, isGuarded);
    for (const named of [why?.by, ...(why?.ways ?? [])])
      if (named !== undefined) this.#known.set(named.ref, { role: named.role, name: named.name });
    return why;
  }

  /** The element that is drawn in place of one that is not visible itself. */
  standIn({ is, by }: WhyNot): Locator | undefined {
    return is === 'drawn' && by !== undefined ? this.#source.locate(this.#tab.page, by.ref) : undefined;
  }

  /** Lines of the current page that a lost ref may have meant; their refs work. */
  async #alike(info: RefInfo, signal: AbortSignal): Promise<readonly string[]> {
    const state = await this.#tab.state(signal);
    const options = { signal, timeoutMs: stateLimitMs, secrets: state?.secrets ?? [] };
    const { nodes } = await this.#tab.snapshots.take(options, state);
    return similarLines(nodes, info).slice(0, mostCandidates);
  }

  /** The caller's description names another element of the page. */
  #contradiction({ given, described = '' }: RefTarget, { role, name }: RefInfo): readonly string[] {
    const names = [...this.#known.all.values()].map((info) => info.name);
    if (!namesAnother(described, name, names)) return [];
    return [`${given} is ${labelOf({ role, name })}, not ${JSON.stringify(described)}.`];
  }

  #mainRef(target: Target | undefined): string {
    return this.#source.hasAgents && target?.kind === 'ref' && target.ref.startsWith('e') ? target.ref : '';
  }
}
