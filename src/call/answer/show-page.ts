import type { Config } from '../../config/schema/schema.ts';
import { ToolError } from '../../errors.ts';
import { isErrorPage } from '../../session/navigation/main-frame.ts';
import type { Observation, PageState } from '../../session/agent/page-agents.ts';
import type { Session } from '../../session/session.ts';
import type { Tab } from '../../session/tab.ts';
import type { Artifact } from '../../session/files/artifacts.ts';
import { estimateTokens } from '../../util/tokens.ts';
import { diffViews } from '../../view/diff.ts';
import type { ShownView } from '../../view/diff.ts';
import { fitRest, fitView } from '../../view/fit.ts';
import type { Place } from '../../view/fit.ts';
import { readCursor } from '../../view/fold.ts';
import { movedFocus } from '../../view/focus.ts';
import { findNode, linesOf, shownLine, textOf } from '../../view/node.ts';
import type { RefForm, ViewNode } from '../../view/node.ts';
import { limitDepth, onlyInView, onlyInteractive, searchView } from '../../view/select.ts';
import { wrapLines } from '../../view/wrap.ts';
import type { SnapshotReport } from './report.ts';
import type { SnapshotIntent } from './response.ts';

export interface ShowSettings {
  readonly mode: Config['snapshot']['mode'];
  readonly boxes: boolean;
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
}

/** If the changes cost more than this share of the page, the page is shown instead. */
const mostChange = 0.7;
const header = 20;
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
    const view = { whole, shown: fitView(whole, settings.maxTokens) };
    const isSameDocument = state !== undefined && shown?.document === state.mainDocument;
    tab.snapshots.remember(view, state);
    const changes =
      tellsChanges && isSameDocument
        ? changeReport(shown.view, view, { maxTokens: settings.maxTokens, isAlways: mode === 'diff', form })
        : undefined;
    const moved = intent.tellsFocus === true && isSameDocument ? focusNote(shown.view.whole, whole, form) : {};
    if (changes?.lines.length === 0) return moved;
    if (whole.length === 0) return { note: isErrorPage(tab.page) ? 'The page did not load.' : 'The page is empty.' };
    return {
      ...(changes === undefined ? {} : moved),
      report: changes ?? { form: 'yaml', lines: linesIn(view.shown, form) },
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
  { search, target, boxes, allRefs = false }: SnapshotIntent,
  state: PageState | undefined,
  settings: ShowSettings,
): Promise<readonly ViewNode[]> {
  const { signal, timeoutMs, redact } = settings;
  const secrets = state?.secrets ?? [];
  const options = { ...(target && { target }), boxes: boxes ?? settings.boxes, allRefs, around: search, secrets };
  const { nodes } = await tab.snapshots.take({ ...options, signal, timeoutMs }, state);
  return wrapLines(nodes, redact);
}

export function isPart(intent: SnapshotIntent): boolean {
  const { target, depth, cursor, search, pattern, interactiveOnly, viewport, boxes, allRefs } = intent;
  const isNarrow = [target, depth, cursor, search, pattern].some((option) => option !== undefined);
  return isNarrow || [interactiveOnly, viewport, boxes, allRefs].some((option) => option === true);
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
  if (intent.depth !== undefined) nodes = limitDepth(nodes, Math.max(1, intent.depth));
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
  return { ...noted, report: { form: 'yaml', lines: linesIn(fit(nodes, maxTokens, place), form) } };
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

interface ChangeOptions {
  readonly maxTokens: number;
  readonly isAlways: boolean;
  readonly form: RefForm;
}

/** The changes, or undefined where the page itself is shorter. */
function changeReport(before: ShownView, now: ShownView, options: ChangeOptions): SnapshotReport | undefined {
  const { maxTokens, isAlways, form } = options;
  const { lines, unseen } = diffViews(before, now, form);
  const cost = estimateTokens(lines.join('\n'));
  const whole = estimateTokens(linesIn(now.shown, form).join('\n'));
  if (!isAlways && (cost > maxTokens || cost > whole * mostChange + header)) return undefined;
  const count = unseen === 1 ? '1 line' : `${unseen} lines`;
  const more = unseen === 0 ? [] : [`# ${count} changed in parts of the page that were not shown`];
  return { form: 'diff', lines: [...lines, ...more] };
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
