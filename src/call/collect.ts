import { toToolError } from '../browser/failure.ts';
import type { Config } from '../config/schema.ts';
import type { Session } from '../session/session.ts';
import { changedLines } from '../session/snapshot.ts';
import type { PageState } from '../session/agent.ts';
import type { Tab } from '../session/tab.ts';
import { cut, oneLine } from '../util/text.ts';
import { timestampName } from '../session/workspace.ts';
import type { Report, SnapshotReport, TabReport } from './report.ts';
import type { Response, SnapshotIntent } from './response.ts';

export interface CollectOptions {
  readonly settings: Pick<Config, 'snapshot' | 'codegen' | 'timeouts'>;
  readonly signal: AbortSignal;
  readonly now: () => Date;
  /** Which tool answers a modal state. */
  readonly clearedBy: (kind: string) => string;
}

/** Where things stood before the call; what is new since then is told. */
export interface Before {
  readonly consolePosition: ReadonlyMap<string, number>;
}

const mostErrors = 3;
const longestError = 200;
const mostPending = 3;

export function markBefore(session: Session): Before {
  return {
    consolePosition: new Map(session.tabs.map((tab) => [tab.id, tab.console.position])),
  };
}

/** One look at the browser after the call: everything the answer will show, as data. */
export async function collect(
  session: Session,
  response: Response,
  before: Before,
  options: CollectOptions,
): Promise<Report> {
  const tab = session.current;
  const outcome = response.setOff;
  const state =
    outcome?.state !== undefined && outcome.popups.length === 0 ? outcome.state : await tab?.state(options.signal);
  const snapshot = tab === undefined ? undefined : await lookAt(tab, response.wantedSnapshot, state, session, options);
  const events = await session.takeEvents();
  const result = [...response.lines, ...outcomeLines(session, response, snapshot), ...response.notes];
  return {
    result: snapshot?.note === undefined ? result : [...result, snapshot.note],
    code: options.settings.codegen === 'none' ? [] : response.code,
    images: response.images,
    modals: session.tabs.flatMap((open) =>
      open.modals.map((modal) => `- [${modal.description}]: answer it with ${options.clearedBy(modal.kind)}`),
    ),
    events: [...events, ...consoleEvents(tab, before)],
    ...(response.hidesPage ? {} : pageParts(session, tab)),
    ...(snapshot?.report === undefined ? {} : { snapshot: snapshot.report }),
    ...(response.structured === undefined ? {} : { data: response.structured }),
  };
}

/** All tabs, with their titles as they are now. */
export async function tabReports(session: Session, signal: AbortSignal): Promise<readonly TabReport[]> {
  await Promise.all(session.tabs.map((tab) => tab.state(signal)));
  return session.tabs.map((tab, index) => tabReport(session, tab, index));
}

function pageParts(session: Session, tab: Tab | undefined): Pick<Report, 'page' | 'tabs'> {
  const tabs =
    session.tabs.length > 1 ? { tabs: session.tabs.map((open, index) => tabReport(session, open, index)) } : {};
  if (tab === undefined) return tabs;
  const status = tab.status === undefined ? {} : { status: tab.status };
  const page = { url: cut(tab.page.url(), 500), title: cut(tab.title, 200), ...status, ...tab.console.counts() };
  return { ...tabs, page };
}

function tabReport(session: Session, tab: Tab, index: number): TabReport {
  const { id, title, page } = tab;
  return { index, id, url: cut(page.url(), 200), title: cut(title, 100), active: tab === session.current };
}

interface Look {
  readonly report?: SnapshotReport;
  /** A line for the result: nothing changed, or where the snapshot was written. */
  readonly note?: string;
}

async function lookAt(
  tab: Tab,
  intent: SnapshotIntent | undefined,
  state: PageState | undefined,
  session: Session,
  options: CollectOptions,
): Promise<Look> {
  const { mode } = options.settings.snapshot;
  if (intent === undefined || tab.modals.length > 0 || tab.crashed) return {};
  if (intent.mode === 'changes' && mode === 'none') return {};
  const shown = tab.shown;
  const isSame =
    shown !== undefined &&
    state !== undefined &&
    shown.documents === state.documents &&
    shown.changes === state.changes;
  const tellsChanges = intent.mode === 'changes' && (mode === 'auto' || mode === 'diff');
  if (tellsChanges && isSame) return {};
  try {
    const look = {
      ...intent,
      signal: options.signal,
      timeoutMs: options.settings.timeouts.navigation,
      secrets: state?.secrets ?? [],
    };
    const isWhole = intent.target === undefined && intent.depth === undefined;
    const { lines } = await tab.look(look, state, isWhole);
    if (intent.filename !== undefined || mode === 'file') {
      const name = intent.filename ?? timestampName('page', options.now(), 'yml');
      const file = await session.workspace.save('output', name, `${lines.join('\n')}\n`);
      return { note: `Snapshot written to ${file.shown}` };
    }
    const isSameDocument = shown !== undefined && state !== undefined && shown.document === state.mainDocument;
    const changes = tellsChanges && isSameDocument ? changedLines(shown.lines, lines) : undefined;
    if (changes?.length === 0) return {};
    return { report: { form: changes === undefined ? 'yaml' : 'diff', lines: changes ?? lines, cut: 0 } };
  } catch (error) {
    options.signal.throwIfAborted();
    // The action was done and must be reported, even if the page cannot be looked at now.
    if (intent.mode === 'changes') return { note: 'The page could not be looked at; take a browser_snapshot.' };
    throw toToolError(error, { what: 'The snapshot', timeoutMs: options.settings.timeouts.navigation });
  }
}

/** What the action set off, in sentences. */
function outcomeLines(session: Session, response: Response, look: Look | undefined): readonly string[] {
  const outcome = response.setOff;
  const lines: string[] = [];
  if (outcome === undefined) return lines;
  if (outcome.navigatedTo !== undefined) lines.push(`Navigated to ${cut(oneLine(outcome.navigatedTo), 300)}`);
  for (const tab of outcome.popups.map((page) => session.tabOf(page))) {
    if (tab === undefined) continue;
    const isNow = tab === session.current ? ', now the current one' : ', in the background';
    lines.push(`Opened tab ${session.indexOf(tab)} (${tab.id})${isNow}: ${cut(oneLine(tab.page.url()), 300)}`);
  }
  if (outcome.closed) lines.push('The tab closed itself.');
  if (outcome.modal !== undefined) lines.push(`It opened ${outcome.modal.description}.`);
  if (outcome.stillLoading) lines.push('The page is still loading.');
  if (outcome.pending.length > 0) {
    const urls = outcome.pending.slice(0, mostPending).map((request) => cut(oneLine(request.url()), 100));
    lines.push(
      `Still waiting for ${outcome.pending.length === 1 ? '1 request' : `${outcome.pending.length} requests`}: ${urls.join(', ')}`,
    );
  }
  const isSilent = lines.length === 0 && look?.report === undefined && look?.note === undefined;
  if (isSilent && response.wantedSnapshot?.mode === 'changes') lines.push('Nothing visible changed.');
  return lines;
}

function consoleEvents(tab: Tab | undefined, before: Before): readonly string[] {
  if (tab === undefined) return [];
  const errors = tab.console.errorsSince(before.consolePosition.get(tab.id) ?? 0);
  const lines = errors.slice(0, mostErrors).map((entry) => {
    const mark = entry.kind === 'page error' ? '[PAGE ERROR]' : '[ERROR]';
    return `${mark} ${cut(oneLine(entry.text), longestError)}`;
  });
  return errors.length > mostErrors ? [...lines, `${errors.length - mostErrors} more console errors`] : lines;
}
