import type { Frame, Locator, Page } from 'playwright-core';
import { ToolError } from '../../errors.ts';
import type { Command, DirectAction, Finding, WhyNot } from '../../page/protocol.ts';
import type { FieldKind } from '../../page/reads/field-kind.ts';
import { pageText } from '../../util/text.ts';
import type { ViewNode } from '../../view/node.ts';
import { similarLines } from '../../view/similar.ts';
import type { Observation, PageState } from '../agent/page-agents.ts';
import { frameMatches } from './frame-matches.ts';
import type { KnownRefs } from './known-refs.ts';
import { attributeSelector, elementsWith, lineOf, nearElements, wordsOfSelector } from './near-matches.ts';
import { namesAnother } from './description.ts';
import { labelOf, needsPath, refCode } from './ref-code.ts';
import type { RefInfo, SnapshotSource } from './snapshot-source.ts';
import type { Snapshots } from './snapshots.ts';
import { locateSelector, readings } from './target.ts';
import type { Located, SelectorTarget, Target } from './target.ts';
import { stateLimitMs } from '../timing.ts';

interface ResolverTab {
  readonly page: Page;
  readonly snapshots: Snapshots;
  state(signal: AbortSignal): Promise<PageState | undefined>;
}

type RefTarget = Extract<Target, { readonly kind: 'ref' }>;

const mostCandidates = 5;
/** Elements with a word of a selector in an attribute that are compared. */
const mostNamed = 20;
const longestName = 60;

/** Leads from the refs of a tab's snapshots to elements, and back. */
export class RefResolver {
  readonly #tab: ResolverTab;
  readonly #source: SnapshotSource;
  readonly #known: KnownRefs;
  readonly #testIdAttribute: string;
  #check: (url: string) => void = () => undefined;

  constructor(tab: ResolverTab, source: SnapshotSource, known: KnownRefs, testIdAttribute: string) {
    this.#testIdAttribute = testIdAttribute;
    this.#tab = tab;
    this.#source = source;
    this.#known = known;
  }

  get(ref: string): RefInfo | undefined {
    return this.#known.get(this.#known.current(ref));
  }

  /** Whether a snapshot of this or an earlier document has shown the ref. */
  hasShown(ref: string): boolean {
    return this.#known.get(ref) !== undefined || this.#known.past(ref) !== undefined;
  }

  /** The frame of a ref; all frames if that is not known, and none if it is gone. */
  framesOf(ref: string): readonly Frame[] {
    const { page } = this.#tab;
    try {
      const frame = this.#source.frameOf(page, this.#known.current(ref));
      return frame === undefined ? page.frames() : [frame];
    } catch {
      return [];
    }
  }

  /** Until it is disposed of, the document of each element that is looked up passes this check. */
  checkDocuments(check: (url: string) => void): Disposable {
    const before = this.#check;
    this.#check = check;
    return { [Symbol.dispose]: () => void (this.#check = before) };
  }

  /** The refs of the document that snapshots have shown. */
  get shown(): readonly string[] {
    return [...this.#known.all.keys()];
  }

  /** A lookup to send with a state request; undefined for selectors, and for refs of other frames or sources. */
  finding(target: Target | undefined, wantsKind: boolean): Finding | undefined {
    const ref = this.#mainRef(target);
    const info = this.#known.get(ref);
    return info === undefined ? undefined : this.#request(ref, info, wantsKind);
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
    given: Target,
    observed: Observation | undefined,
    signal: AbortSignal,
    wantsKind = false,
  ): Promise<Located & { readonly kind?: FieldKind }> {
    const { page } = this.#tab;
    if (given.kind === 'selector') {
      const found = given.prefersExact === true ? await this.#byName(given, signal) : locateSelector(page, given);
      if (typeof found === 'string') {
        return this.locate({ kind: 'ref', ref: found, given: given.given }, undefined, signal, wantsKind);
      }
      this.#check(page.url());
      return found;
    }
    const target = { ...given, ref: this.#known.current(given.ref) };
    const info = this.#known.get(target.ref);
    if (info === undefined) throw await this.#unknown(target, signal);
    const was = labelOf(info);
    const isOtherDocument = observed !== undefined && observed.state.mainDocument !== this.#known.document;
    const finding = this.#request(target.ref, info, wantsKind);
    const seen = observed?.found?.ref === target.ref ? observed.found.is : undefined;
    const known = wantsKind && seen !== undefined && !('kind' in seen) ? undefined : seen;
    const found = isOtherDocument
      ? undefined
      : (known ?? (await this.#source.find(page, finding, stateLimitMs, signal)));
    if (found?.is === 'here' || found?.is === 're-rendered') {
      const ref = found.is === 'here' ? target.ref : found.ref;
      for (const frame of this.framesOf(ref)) this.#check(frame.url());
      this.#known.set(ref, info);
      const moved = found.is === 'here' ? [] : [`${target.given} was re-rendered and is ${ref} now.`];
      const notes = [...moved, ...this.#contradiction(target, info)];
      const note = notes.length === 0 ? {} : { note: notes.join(' ') };
      const around = { refs: this.#known.all, nodes: this.#tab.snapshots.shown?.view.whole ?? [], was: target.ref };
      const code =
        (await this.#source.codeOf(page, ref)) ??
        refCode(ref, info, found, this.#source.frameOf(page, ref) ?? page.mainFrame(), around);
      const kind = found.kind === undefined ? {} : { kind: found.kind };
      return { locator: this.#source.locate(page, ref), code, label: was, ...note, ...kind };
    }
    throw await this.#stale(target.given, info, signal);
  }

  /** Elements of the page with a role and name, else the ref of the only one in a frame: snapshots print those too. */
  async #byName(given: SelectorTarget, signal: AbortSignal): Promise<Located | string> {
    const { page } = this.#tab;
    for (const target of readings(given)) {
      const located = locateSelector(page, target);
      if ((await located.locator.count()) > 0) return located;
      const ref = await this.#onlyRefInFrames(target, signal);
      if (ref !== undefined) return ref;
    }
    return locateSelector(page, given);
  }

  async #onlyRefInFrames(target: SelectorTarget, signal: AbortSignal): Promise<string | undefined> {
    const [only, ...others] = await frameMatches(this.#tab.page, target);
    if (only === undefined || others.length > 0) return undefined;
    const [ref] = await this.refsOf([only], signal);
    return ref;
  }

  #request(ref: string, info: RefInfo, wantsKind: boolean): Finding {
    return { ref, wantsPath: needsPath(info), wantsKind, testIdAttribute: this.#testIdAttribute };
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

  /** Registers refs that another reader of the document has given to elements. */
  adopt(infos: ReadonlyMap<string, RefInfo>, document: string): void {
    this.#known.add(new Map([...infos].filter(([ref]) => this.#known.get(ref) === undefined)), document);
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

  /** Elements of the current page that a selector without a match may have meant; their refs work. */
  async near(selector: string, signal: AbortSignal): Promise<readonly string[]> {
    const words = wordsOfSelector(selector);
    const css = attributeSelector(words);
    const named = css === undefined ? [] : await this.#tab.page.locator(css).filter({ visible: true }).all();
    const refs = await this.refsOf(named.slice(0, mostNamed), signal);
    const near = nearElements(await this.#nodes(signal), words, new Set(refs));
    return near.slice(0, mostCandidates).map(lineOf);
  }

  /** The visible matches of a locator, with refs, and how many more there are. */
  async visibleOf(
    locator: Locator,
    signal: AbortSignal,
  ): Promise<{ readonly lines: readonly string[]; readonly more: number }> {
    const visible = await locator.filter({ visible: true }).all();
    const shown = visible.slice(0, mostCandidates);
    const refs = await this.refsOf(shown, signal);
    const known = elementsWith(await this.#nodes(signal), new Set(refs));
    const lines = await Promise.all(
      refs.map(async (ref, at) => {
        const element = known.get(ref);
        if (element !== undefined) return lineOf(element);
        const text = (await shown[at]?.innerText({ timeout: stateLimitMs })) ?? '';
        const name = pageText(text.replaceAll(/\s+/g, ' ').trim().slice(0, longestName));
        return lineOf({ role: 'generic', ref, ...(name === '' ? {} : { name }) });
      }),
    );
    return { lines, more: visible.length - shown.length };
  }

  /** Lines of the current page that a lost ref may have meant; their refs work. */
  async #alike(info: RefInfo, signal: AbortSignal): Promise<readonly string[]> {
    return similarLines(await this.#nodes(signal), info).slice(0, mostCandidates);
  }

  async #nodes(signal: AbortSignal): Promise<readonly ViewNode[]> {
    const state = await this.#tab.state(signal);
    const options = { signal, timeoutMs: stateLimitMs, secrets: state?.secrets ?? [] };
    return (await this.#tab.snapshots.take(options, state)).nodes;
  }

  /** The caller's description names another element of the page. */
  #contradiction({ given, described = '' }: RefTarget, { role, name }: RefInfo): readonly string[] {
    const names = [...this.#known.all.values()].map((info) => info.name);
    if (!namesAnother(described, name, names)) return [];
    return [`${given} is ${labelOf({ role, name })}, not ${JSON.stringify(described)}.`];
  }

  #mainRef(target: Target | undefined): string {
    return this.#source.hasAgents && target?.kind === 'ref' && target.ref.startsWith('e')
      ? this.#known.current(target.ref)
      : '';
  }
}
