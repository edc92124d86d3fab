import type { Config } from '../config/schema.ts';
import { ToolError } from '../errors.ts';
import type { PageState } from '../session/agent.ts';
import type { Session } from '../session/session.ts';
import type { Tab } from '../session/tab.ts';
import { timestampName } from '../session/workspace.ts';
import { estimateTokens } from '../util/tokens.ts';
import { diffViews } from '../view/diff.ts';
import type { ShownView } from '../view/diff.ts';
import { fitView } from '../view/fit.ts';
import type { Place } from '../view/fit.ts';
import { readCursor } from '../view/fold.ts';
import { findNode, linesOf, shownLine } from '../view/node.ts';
import type { ViewNode } from '../view/node.ts';
import { limitDepth, onlyInView, onlyInteractive, searchView } from '../view/select.ts';
import type { SnapshotReport } from './report.ts';
import type { SnapshotIntent } from './response.ts';

export interface LookSettings {
  readonly mode: Config['snapshot']['mode'];
  readonly boxes: boolean;
  /** What the snapshot may cost. */
  readonly maxTokens: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly now: () => Date;
}

/** What is told of the page. */
export interface Look {
  readonly report?: SnapshotReport;
  /** A line for the result: where the snapshot was written, how many lines matched. */
  readonly note?: string;
}

/** A change that costs more than this part of the whole page is told by showing the page. */
const mostChange = 0.7;
const header = 20;

/** Looks at the page as the call wants it: the whole, a part, or what changed since the model last saw it. */
export async function lookAt(
  session: Session,
  tab: Tab,
  intent: SnapshotIntent,
  state: PageState | undefined,
  settings: LookSettings,
): Promise<Look> {
  const mode = intent.mode === 'full' ? 'full' : settings.mode;
  if (mode === 'none' || tab.modals.length > 0 || tab.crashed) return {};
  const shown = tab.shown;
  const tellsChanges = mode === 'auto' || mode === 'diff';
  const isSame = state !== undefined && shown?.documents === state.documents && shown.changes === state.changes;
  if (tellsChanges && isSame) return {};
  try {
    const whole = await see(tab, intent, state, settings);
    if (intent.filename !== undefined || mode === 'file')
      return await toFile(session, whole, intent.filename, settings);
    if (isPart(intent)) return part(whole, intent, settings.maxTokens);
    const view = { whole, shown: fitView(whole, settings.maxTokens) };
    const isSameDocument = state !== undefined && shown?.document === state.mainDocument;
    tab.remember(view, state);
    const changes =
      tellsChanges && isSameDocument ? changeReport(shown.view, view, settings.maxTokens, mode === 'diff') : undefined;
    if (changes?.lines.length === 0) return {};
    if (whole.length === 0) return { note: 'The page is empty.' };
    return { report: changes ?? { form: 'yaml', lines: textOf(view.shown) } };
  } catch (error) {
    settings.signal.throwIfAborted();
    // The action was done and must be reported, even if the page cannot be looked at now.
    if (intent.mode === 'changes') return { note: 'The page could not be looked at; take a browser_snapshot.' };
    throw error;
  }
}

async function see(
  tab: Tab,
  intent: SnapshotIntent,
  state: PageState | undefined,
  settings: LookSettings,
): Promise<readonly ViewNode[]> {
  const { signal, timeoutMs } = settings;
  const target = intent.target === undefined ? {} : { target: intent.target };
  const options = {
    ...target,
    signal,
    timeoutMs,
    boxes: intent.boxes ?? settings.boxes,
    secrets: state?.secrets ?? [],
  };
  return (await tab.look(options, state)).nodes;
}

function isPart({ target, depth, cursor, search, interactiveOnly, viewport }: SnapshotIntent): boolean {
  return (
    [target, depth, cursor, search].some((option) => option !== undefined) ||
    interactiveOnly === true ||
    viewport === true
  );
}

function part(whole: readonly ViewNode[], intent: SnapshotIntent, maxTokens: number): Look {
  const { nodes: from, place } =
    intent.cursor === undefined ? { nodes: whole, place: { key: '', from: 0 } } : atCursor(whole, intent.cursor);
  let nodes = from;
  if (intent.viewport === true) nodes = onlyInView(nodes);
  if (intent.interactiveOnly === true) nodes = onlyInteractive(nodes);
  if (intent.depth !== undefined) nodes = limitDepth(nodes, Math.max(1, intent.depth));
  if (intent.search === undefined) return { report: { form: 'yaml', lines: textOf(fitView(nodes, maxTokens, place)) } };
  const { nodes: found, count } = searchView(nodes, intent.search);
  const note = `${count === 1 ? '1 line holds' : `${count} lines hold`} ${JSON.stringify(intent.search)}.`;
  return count === 0 ? { note } : { note, report: { form: 'yaml', lines: textOf(fitView(found, maxTokens)) } };
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

/** The changes, or undefined when showing the page says as much for less. */
function changeReport(
  before: ShownView,
  now: ShownView,
  maxTokens: number,
  always: boolean,
): SnapshotReport | undefined {
  const { lines, unseen } = diffViews(before, now);
  const cost = estimateTokens(lines.join('\n'));
  const whole = estimateTokens(textOf(now.shown).join('\n'));
  if (!always && (cost > maxTokens || cost > whole * mostChange + header)) return undefined;
  const more = unseen === 0 ? [] : [`# ${unseen} more changed lines in parts of the page that were not shown`];
  return { form: 'diff', lines: [...lines, ...more] };
}

async function toFile(
  session: Session,
  whole: readonly ViewNode[],
  name: string | undefined,
  settings: LookSettings,
): Promise<Look> {
  const text = `${textOf(whole).join('\n')}\n`;
  const file = await session.workspace.save('output', name ?? timestampName('page', settings.now(), 'yml'), text);
  return { note: `Snapshot written to ${file.shown}` };
}

function textOf(nodes: readonly ViewNode[]): readonly string[] {
  return [...linesOf(nodes)].map(shownLine);
}
