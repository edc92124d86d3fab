import type { Config } from '../../config/schema/schema.ts';
import { ToolError } from '../../errors.ts';
import { isErrorPage } from '../../session/navigation/main-frame.ts';
import type { Observation, PageState } from '../../session/agent/page-agents.ts';
import type { Session } from '../../session/session.ts';
import type { Tab } from '../../session/tab.ts';
import type { Artifact } from '../../session/files/artifacts.ts';
import { estimateTokens } from '../../util/tokens.ts';
import { changedNodes, diffViews } from '../../view/diff.ts';
import type { ShownView } from '../../view/diff.ts';
import { fitRest, fitView } from '../../view/fit.ts';
import type { FitLimits, Place } from '../../view/fit.ts';
import { readCursor } from '../../view/fold.ts';
import { isFocused, movedFocus } from '../../view/focus.ts';
import { withoutRepeats } from '../../view/repeats.ts';
import { unseenLine } from '../../view/unseen.ts';
import { findNode, linesOf, shownLine, textOf } from '../../view/node.ts';
import type { RefForm, ViewNode } from '../../view/node.ts';
import { limitDepth, onlyInView, onlyInteractive, searchView } from '../../view/select.ts';
import { wrapLines } from '../../view/wrap.ts';
import type { SnapshotReport } from './report.ts';
import type { SnapshotIntent } from './response.ts';

export interface ShowSettings {
  readonly mode: Config['snapshot']['mode'];
  readonly boxes: boolean;
  readonly detail: Config['snapshot']['detail'];
  /** The token budget of the snapshot. */
  readonly maxTokens: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly now: () => Date;
  /** Takes out what must not be shown. */
  readonly redact: (text: string) => string;
}

/** The page as the answer shows it. */
export interface ShownPage {
  readonly report?: SnapshotReport;
  /** A line for the result: where the snapshot was written, how many lines matched. */
  readonly note?: string;
  /** The file with the snapshot. */
  readonly file?: Artifact;
  /** Nothing changed since the model last saw the page, not even in the field that the result names. */
  readonly isUnchanged?: true;
}

/** If the changes cost more than this share of the page, the page is shown instead. */
const mostChange = 0.7;
const header = 20;
/** Tokens of a page that is shown without folding. */
const wholeTokens = { terse: 500, normal: 1500, full: Number.POSITIVE_INFINITY } as const;
/** If more lines changed, those in folded parts stay folded. */
const mostWanted = 12;
/** A long text of one element is shown up to the token budget. */
const leastText = 200;
const charsPerToken = 3;

/** Takes the snapshot that the call requested: the whole page, a part, or what changed since the model last saw it. */
export async function showPage(
  session: Session,
  tab: Tab,
  intent: SnapshotIntent,
  observed: Observation | undefined,
  settings: ShowSettings,
): Promise<ShownPage> {
  const mode = intent.mode === 'full' ? 'full' : settings.mode;
  if (mode === 'none' || tab.modals.length > 0 || tab.crashed) return {};
  const { shown } = tab.snapshots;
  const state = observed?.state;
  const form = formOf(session);
  const tellsChanges = mode === 'auto' || mode === 'diff';
  try {
    const known = isPart(intent) ? undefined : tab.snapshots.unchanged(state);
    const seen = known?.whole ?? (await see(tab, intent, observed, settings));
    const whole =
      intent.search !== undefined && hasCutText(seen) ? await seeAround(tab, intent, state, settings) : seen;
    const part = isPart(intent) ? partOf(whole, intent) : undefined;
    if (intent.filename !== undefined || mode === 'file') {
      return await toFile(session, tab, linesIn(part?.nodes ?? whole, form), intent.filename);
    }
    if (part !== undefined) return partReport(part, intent.cursor !== undefined, settings.maxTokens, form);
    const isSameDocument = state !== undefined && shown?.document === state.mainDocument;
    const limits = limitsOf(settings, whole, isSameDocument ? shown.view.whole : undefined);
    const isNext = tellsChanges && !isSameDocument && intent.mode === 'changes' && settings.detail !== 'full';
    const repeats = withoutRepeats(isNext && shown?.origin === tab.snapshots.origin ? shown.view.whole : [], whole);
    const fitted = fitView(repeats.nodes, limits);
    const view = { whole, shown: repeats.restore(fitted) };
    tab.snapshots.remember(view, state, repeats.refs);
    const changes =
      tellsChanges && isSameDocument
        ? changeReport(shown.view, view, { settings, typed: intent.typed, isAlways: mode === 'diff', form })
        : undefined;
    const moved = intent.tellsFocus === true && isSameDocument ? focusNote(shown.view.whole, whole, form) : {};
    if (changes?.lines.length === 0) return { ...moved, ...(changes.isTold ? {} : { isUnchanged: true }) };
    if (whole.length === 0) return { note: isErrorPage(tab.page) ? 'The page did not load.' : 'The page is empty.' };
    return {
      ...(changes === undefined ? {} : moved),
      report: changes ?? { form: 'yaml', lines: linesIn(fitted, form) },
    };
  } catch (error) {
    settings.signal.throwIfAborted();
    // The action was done and must be reported, even if the page cannot be looked at now.
    if (intent.mode === 'changes') return { note: 'No snapshot could be taken after the action.' };
    throw error;
  }
}

async function see(
  tab: Tab,
  intent: SnapshotIntent,
  observed: Observation | undefined,
  settings: ShowSettings,
): Promise<readonly ViewNode[]> {
  const { signal, timeoutMs } = settings;
  const target = intent.target === undefined ? {} : { target: intent.target };
  const options = {
    ...target,
    signal,
    timeoutMs,
    boxes: intent.boxes ?? settings.boxes,
    allRefs: intent.allRefs === true,
    urls: intent.urls === true,
    isUpdate: intent.mode === 'changes',
    maxOneLine: Math.max(leastText, settings.maxTokens * charsPerToken),
    secrets: observed?.state.secrets ?? [],
  };
  const view = await tab.snapshots.take(options, observed?.state, observed?.snapshot);
  return wrapLines(view.nodes, settings.redact);
}

/** Whether a text shows only its beginning. */
function hasCutText(nodes: readonly ViewNode[]): boolean {
  return [...linesOf(nodes)].some(({ node }) => /… \(\d+ chars\)/.test(textOf(node)));
}

/** The page with the parts of long texts that contain the searched one. */
async function seeAround(
  tab: Tab,
  { search, target, boxes, allRefs = false, urls = false }: SnapshotIntent,
  state: PageState | undefined,
  settings: ShowSettings,
): Promise<readonly ViewNode[]> {
  const { signal, timeoutMs, redact } = settings;
  const secrets = state?.secrets ?? [];
  const options = { ...(target && { target }), boxes: boxes ?? settings.boxes, allRefs, urls, around: search, secrets };
  const { nodes } = await tab.snapshots.take({ ...options, signal, timeoutMs }, state);
  return wrapLines(nodes, redact);
}

export function isPart(intent: SnapshotIntent): boolean {
  const { target, depth, cursor, search, pattern, interactiveOnly, viewport, boxes, allRefs, urls } = intent;
  const isNarrow = [target, depth, cursor, search, pattern].some((option) => option !== undefined);
  return isNarrow || [interactiveOnly, viewport, boxes, allRefs, urls].some((option) => option === true);
}

interface Part {
  readonly nodes: readonly ViewNode[];
  readonly place: Place;
  /** The result of a search, as a sentence. */
  readonly note?: string;
}

/** The requested part of the page. */
function partOf(whole: readonly ViewNode[], intent: SnapshotIntent): Part {
  const { nodes: from, place } =
    intent.cursor === undefined ? { nodes: whole, place: { key: '', from: 0 } } : atCursor(whole, intent.cursor);
  let nodes = from;
  if (intent.viewport === true) nodes = onlyInView(nodes);
  if (intent.interactiveOnly === true) nodes = onlyInteractive(nodes);
  // Levels below the top one: several elements at the top are the level below the page. 0 is no limit.
  if (intent.depth !== undefined && intent.depth > 0)
    nodes = limitDepth(nodes, nodes.length === 1 ? intent.depth + 1 : intent.depth);
  const wanted = intent.pattern ?? intent.search;
  if (wanted === undefined) return { nodes, place };
  const { nodes: found, count } = searchView(nodes, wanted);
  const shown = typeof wanted === 'string' ? JSON.stringify(wanted) : wanted.shown;
  return { nodes: found, place, note: `${count === 1 ? '1 line contains' : `${count} lines contain`} ${shown}.` };
}

function partReport({ nodes, place, note }: Part, isRest: boolean, maxTokens: number, form: RefForm): ShownPage {
  const noted = note === undefined ? {} : { note };
  if (nodes.length === 0) return noted;
  const fit = isRest ? fitRest : fitView;
  return { ...noted, report: { form: 'yaml', lines: linesIn(fit(nodes, { most: maxTokens }, place), form) } };
}

function atCursor(
  whole: readonly ViewNode[],
  cursor: string,
): { readonly nodes: readonly ViewNode[]; readonly place: Place } {
  const place = readCursor(cursor);
  const parent = place === undefined || place.key === '' ? whole : findNode(whole, place.key)?.children;
  if (place === undefined || parent === undefined) throw new ToolError('STALE_CURSOR', { cursor: cursor.slice(0, 60) });
  return { nodes: parent.slice(place.from), place };
}

/** The focused element and a few lines that changed in the same document are not folded. */
function limitsOf(
  { maxTokens, detail }: ShowSettings,
  whole: readonly ViewNode[],
  before: readonly ViewNode[] | undefined,
): FitLimits {
  const changed = before === undefined ? [] : changedNodes(before, whole);
  const wanted = new Set(changed.length <= mostWanted ? changed : []);
  const isWanted = (node: ViewNode): boolean => wanted.has(node) || isFocused(node);
  return { most: maxTokens, whole: wholeTokens[detail], isWanted };
}

interface ChangeOptions {
  readonly settings: ShowSettings;
  readonly typed: string | undefined;
  readonly isAlways: boolean;
  readonly form: RefForm;
}

/** The changes, or undefined where the page itself is shorter. */
function changeReport(
  before: ShownView,
  now: ShownView,
  { settings, typed, isAlways, form }: ChangeOptions,
): (SnapshotReport & { readonly isTold: boolean }) | undefined {
  const { maxTokens, detail } = settings;
  const { lines, unseen, isTypedLeftOut } = diffViews(before, now, {
    ...form,
    typed: detail === 'full' ? undefined : typed,
  });
  const cost = estimateTokens(lines.join('\n'));
  const whole = estimateTokens(linesIn(now.shown, form).join('\n'));
  if (!isAlways && (cost > maxTokens || cost > whole * mostChange + header)) return undefined;
  const more = unseen.length === 0 ? [] : [unseenLine(unseen, now, lines)];
  return { form: 'diff', lines: [...lines, ...more], isTold: isTypedLeftOut };
}

/** The focused element, if it changed. The diff leaves it out, because most actions move the focus. */
function focusNote(before: readonly ViewNode[], now: readonly ViewNode[], form: RefForm): Pick<ShownPage, 'note'> {
  const focused = movedFocus(before, now, form);
  return focused === undefined ? {} : { note: `The focus is on ${focused}.` };
}

async function toFile(
  { files }: Session,
  tab: Tab,
  lines: readonly string[],
  name: string | undefined,
): Promise<ShownPage> {
  const saved = await files.save({
    kind: 'snapshot',
    name,
    generated: { prefix: 'page', extension: 'yml' },
    data: `${lines.join('\n')}\n`,
    mimeType: 'text/yaml',
    tab: tab.id,
  });
  return { note: `Snapshot written to ${saved.shown}`, file: saved.artifact };
}

function linesIn(nodes: readonly ViewNode[], form: RefForm): readonly string[] {
  return [...linesOf(nodes)].map((line) => shownLine(line, form));
}

/** Refs of a named session carry its name, so that they are not used in another session. */
function formOf({ name }: Session): RefForm {
  return name === 'default' ? {} : { refPrefix: `${name}:` };
}
