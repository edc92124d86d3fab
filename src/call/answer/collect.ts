import type { Page } from 'playwright-core';
import type { Config } from '../../config/schema/schema.ts';
import { addressOf } from '../../session/navigation/main-frame.ts';
import type { Outcome } from '../../session/act/outcome.ts';
import type { ConsoleLevel } from '../../session/events/console-log.ts';
import { modalElsewhere } from '../../session/events/blocked-by-dialog.ts';
import type { Observation } from '../../session/agent/page-agents.ts';
import type { Session } from '../../session/session.ts';
import type { NavigationFreeze } from '../../session/settle/navigation-freeze.ts';
import type { Tab } from '../../session/tab.ts';
import { settlesWithin } from '../../util/signals.ts';
import { cut, pageText, pageUrl } from '../../util/text.ts';
import { estimateTokens } from '../../util/tokens.ts';
import type { Envelope } from '../arguments/envelope.ts';
import { isPart, showPage } from './show-page.ts';
import type { ShownPage } from './show-page.ts';
import { plainReport } from './plain-report.ts';
import { fenceOf, printCode } from './print-code.ts';
import { linkTo } from './report.ts';
import type { AnswerForm, Report, TabReport } from './report.ts';
import type { Response } from './response.ts';
import { titleMs } from '../../session/timing.ts';

export interface CollectOptions {
  readonly settings: Pick<Config, 'snapshot' | 'codegen' | 'console' | 'timeouts' | 'compat'>;
  readonly form: AnswerForm;
  readonly signal: AbortSignal;
  readonly now: () => Date;
  readonly envelope: Envelope;
  /** Who is answered: a connection, else a driver; undefined for a step, which shows no page header. */
  readonly client: string | undefined;
  /** The tool that answers a modal state, if one is offered. */
  readonly clearedBy: (kind: string) => string | undefined;
  /** Removes secrets from a text. */
  readonly redact: (text: string) => string;
}

/** The state before the call; what is new since then is reported. */
export interface Before {
  readonly consolePosition: ReadonlyMap<string, number>;
}

/** Tokens for the page header, events and headings. */
const otherSections = 250;
const leastSnapshot = 100;
const mostErrors = 3;
const longestError = 200;
const mostPending = 3;
const longestAnnounced = 200;
const stoppedLine = 'The page kept reloading itself; navigation was stopped.';

export function markBefore(session: Session): Before {
  return {
    consolePosition: new Map(session.tabs.map((tab) => [tab.id, tab.console.position])),
  };
}

/** Reads everything the answer shows from the browser after the call. */
export async function collect(
  session: Session,
  response: Response,
  before: Before,
  options: CollectOptions,
): Promise<Report> {
  if (options.form !== 'sections') {
    const happened = options.form === 'data' ? outcomeLines(session, response) : [];
    const events = await session.takeEvents();
    for (const file of session.takeFiles()) response.file(file);
    return plainReport(response, options.form, [...happened, ...events]);
  }
  const tab = session.current;
  const code = codeParts(response, options.envelope.detail === 'terse' ? 'none' : options.settings.codegen);
  const outcome = response.setOff;
  const intent = response.wantedSnapshot;
  const titles = response.hidesPage ? undefined : askForTitles(session, outcome?.popups ?? [], options.signal);
  // A page that is blocked by another tab's dialog does not answer.
  const isHeldUp = tab !== undefined && (await modalElsewhere(session, tab)) !== undefined;
  const known = outcome?.popups.length === 0 ? observedBy(outcome) : undefined;
  const isAsked = !isHeldUp && known === undefined && response.needsLook;
  const asked = isAsked ? await observeOrStop(tab, response, options) : undefined;
  await using freeze = asked?.freeze;
  const observed = isHeldUp ? undefined : (known ?? asked?.observed);
  const snapshot =
    tab === undefined || intent === undefined || isHeldUp
      ? undefined
      : await showPage(session, tab, intent, observed, showSettings(response, code.code, options));
  const events = await session.takeEvents();
  const files = [...response.files, ...(snapshot?.file === undefined ? [] : [snapshot.file]), ...session.takeFiles()];
  await titles;
  const place = response.hidesPage ? {} : pageParts(session, tab, response, options);
  const lead = options.settings.compat === 'playwright' ? [] : response.sentences;
  const result = [
    ...lead,
    ...response.lines,
    ...outcomeLines(session, response, { shown: snapshot ?? {}, url: newUrl(place) }),
  ];
  const notes = [...response.notes];
  if (freeze !== undefined && outcome?.isStopped !== true) notes.push(stoppedLine);
  if (snapshot?.note !== undefined) notes.push(snapshot.note);
  return {
    result,
    notes,
    ...(response.isForeign ? { isForeign: true } : {}),
    ...(response.isNewestLast ? { isNewestLast: true } : {}),
    ...code,
    images: response.images,
    ...(files.length === 0 ? {} : { files: files.map(linkTo) }),
    modals: modalLines(session, tab, options),
    events: [...events, ...consoleEvents(tab, before, options.settings.console.level)],
    ...place,
    ...(snapshot?.report === undefined ? {} : { snapshot: snapshot.report }),
    ...(response.structured === undefined ? {} : { data: response.structured }),
  };
}

function modalLines(session: Session, tab: Tab | undefined, { clearedBy }: CollectOptions): readonly string[] {
  return session.tabs.flatMap((open) =>
    open.modals.map((modal) => {
      const where = open === tab ? '' : ` in tab ${session.tabs.indexOf(open)} (${open.id})`;
      const tool = clearedBy(modal.kind);
      return `- [${modal.description}]${where}${tool === undefined ? '' : `: answer it with ${tool}`}`;
    }),
  );
}

/** Reads the state of the page. A reload loop is stopped first, and navigation stays frozen until the snapshot is taken. */
async function observeOrStop(
  tab: Tab | undefined,
  response: Response,
  options: CollectOptions,
): Promise<{ readonly observed: Observation | undefined; readonly freeze?: NavigationFreeze | undefined }> {
  const freeze = await tab?.reloadLoop.freeze();
  const observed = await observe(tab, response, options);
  if (observed !== undefined || freeze !== undefined) return { observed, freeze };
  // The page may have turned out to be in a reload loop only while it was asked.
  const later = await tab?.reloadLoop.freeze();
  return later === undefined ? { observed } : { observed: await observe(tab, response, options), freeze: later };
}

/** The page state after the action had settled. */
function observedBy({ state, snapshot }: Outcome): Observation | undefined {
  return state && { state, ...(snapshot === undefined ? {} : { snapshot }) };
}

async function observe(
  tab: Tab | undefined,
  response: Response,
  { signal, settings }: CollectOptions,
): Promise<Observation | undefined> {
  const intent = response.wantedSnapshot;
  const isPlain =
    intent?.target === undefined && intent?.boxes !== true && intent?.allRefs !== true && intent?.urls !== true;
  const isShown = intent?.mode === 'full' ? !settings.snapshot.boxes : response.showsPages;
  if (intent === undefined || !isPlain || !isShown) return tab?.observe(signal);
  const wanted = { isUpdate: intent.mode === 'changes', isKnown: !isPart(intent) };
  return tab?.observe(signal, tab.snapshots.inlineRequest(wanted));
}

function codeParts(response: Response, language: Config['codegen']): Pick<Report, 'code' | 'codeFence'> {
  if (language === 'none') return { code: [] };
  return { code: response.code.map((code) => printCode(code, language)), codeFence: fenceOf(language) };
}

function showSettings(
  response: Response,
  code: readonly string[],
  { settings, signal, now, envelope, redact }: CollectOptions,
): Parameters<typeof showPage>[4] {
  const said = estimateTokens([...response.lines, ...code, ...response.notes].join('\n'));
  return {
    mode: envelope.snapshotMode,
    detail: envelope.detail,
    boxes: settings.snapshot.boxes,
    timeoutMs: settings.timeouts.navigation,
    maxTokens: Math.max(leastSnapshot, envelope.maxTokens - said - otherSections),
    signal,
    now,
    redact,
  };
}

/** All tabs with their current titles. */
export async function tabReports(session: Session, signal: AbortSignal): Promise<readonly TabReport[]> {
  await Promise.all(session.tabs.map((tab) => tab.state(signal)));
  return session.tabs.map((tab, index) => tabReport(session, tab, index));
}

/** Reads the titles of tabs that were opened in the background, within a short limit. */
async function askForTitles(session: Session, popups: readonly Page[], signal: AbortSignal): Promise<void> {
  const opened = popups
    .map((page) => session.tabOf(page))
    .filter((tab) => tab !== undefined && tab !== session.current);
  const asking = opened.map(async (tab) => {
    await tab?.page.waitForLoadState('domcontentloaded', { timeout: titleMs });
    await tab?.state(signal);
  });
  // A slow or blocked tab is listed without its title.
  await settlesWithin(Promise.allSettled(asking), titleMs);
}

/** What the client does not know yet about the open tabs, if there are several, and about the current page. */
function pageParts(
  session: Session,
  tab: Tab | undefined,
  response: Response,
  { client, envelope, settings }: CollectOptions,
): Pick<Report, 'page' | 'tabs'> {
  const tabs = session.tabs.map((open, index) => tabReport(session, open, index));
  if (tab === undefined) return tabs.length > 1 ? { tabs } : {};
  const url = addressOf(tab.page);
  const { title, status } = tab;
  const counts = tab.console.counts();
  const facts = {
    place: JSON.stringify([tab.id, url, title, status]),
    counts: JSON.stringify([tab.id, counts]),
    // The page header tells a new address of the current tab.
    tabs: JSON.stringify(tabs.map((open) => (open.active ? open.id : open))),
  };
  const news = client === undefined ? new Set<string>() : session.reportedPlaces.report(client, facts);
  const intent = response.wantedSnapshot;
  const isAsked = intent?.mode === 'full' && !isPart(intent);
  const isAlways = envelope.detail === 'full' || settings.compat === 'playwright' || isAsked;
  const isPlaceKnown = !isAlways && !news.has('place');
  const isAddressKnown = isPlaceKnown || (!isAlways && response.toldUrl === url);
  const known = [
    ...(isAddressKnown ? (['address'] as const) : []),
    ...(isPlaceKnown ? (['status'] as const) : []),
    ...(!isAlways && !news.has('counts') ? (['console'] as const) : []),
  ];
  const page = {
    url: cut(url, 500),
    title: cut(title, 200),
    ...(status === undefined ? {} : { status }),
    ...counts,
    known,
  };
  return tabs.length > 1 && (isAlways || news.has('tabs')) ? { tabs, page } : { page };
}

/** The URL that the page header shows. */
function newUrl({ page }: Pick<Report, 'page'>): string | undefined {
  return page?.known?.includes('address') === true ? undefined : page?.url;
}

function tabReport(session: Session, tab: Tab, index: number): TabReport {
  const { id, title, page } = tab;
  return { index, id, url: cut(addressOf(page), 200), title: cut(title, 100), active: tab === session.selected };
}

/** The outcome of the action, in sentences, except for what the snapshot shows. */
function outcomeLines(
  session: Session,
  response: Response,
  { shown: snapshot, url }: { readonly shown?: ShownPage; readonly url?: string | undefined } = {},
): readonly string[] {
  const outcome = response.setOff;
  const lines: string[] = [];
  if (outcome === undefined) return lines;
  // The page header tells a new URL too.
  const isTold = outcome.navigatedTo === url && response.sentences.length + response.lines.length > 0;
  if (outcome.navigatedTo !== undefined && !isTold)
    lines.push(`Navigated to ${cut(pageUrl(outcome.navigatedTo), 300)}`);
  for (const tab of outcome.popups.map((page) => session.tabOf(page))) {
    if (tab === undefined) continue;
    const isNow = tab === session.selected ? ', now the current one' : ', in the background';
    lines.push(
      `Opened tab ${session.tabs.indexOf(tab)} (${tab.id})${isNow}: ${cut(pageUrl(addressOf(tab.page)), 300)}`,
    );
  }
  if (outcome.closed) lines.push('The tab closed itself.');
  if (outcome.modal !== undefined) lines.push(`It opened ${outcome.modal.description}.`);
  // A message that is still on the page is in the snapshot; one that is gone is only here.
  const shown = wordsOf(snapshot?.report?.lines.join('\n') ?? '');
  for (const text of outcome.announced) {
    if (!shown.includes(wordsOf(text))) lines.push(`The page said: ${JSON.stringify(firstSentence(pageText(text)))}`);
  }
  if (outcome.isStopped) lines.push(stoppedLine);
  else if (outcome.stillLoading) lines.push('The page is still loading.');
  if (outcome.pending.length > 0) {
    const urls = outcome.pending.slice(0, mostPending).map((request) => cut(pageUrl(request.url()), 100));
    lines.push(
      `Still waiting for ${outcome.pending.length === 1 ? '1 request' : `${outcome.pending.length} requests`}: ${urls.join(', ')}`,
    );
  }
  const polls = outcome.polls?.slice(0, mostPending).map((request) => cut(pageUrl(request.url()), 100)) ?? [];
  // Without a snapshot, nothing is known about changes.
  const isSilent = lines.length === 0 && snapshot?.isUnchanged === true && snapshot.note === undefined;
  if (isSilent && !response.hasEffect && response.wantedSnapshot?.mode === 'changes')
    lines.push(effectLine(outcome.effects));
  if (polls.length > 0) lines.push(`The page is polling; not waiting for: ${polls.join(', ')}`);
  return lines;
}

/** The words of a text, however they are separated: a snapshot puts bars and quotes between its parts. */
function wordsOf(text: string): string {
  return ` ${text.replaceAll(/[^\p{L}\p{N}]+/gu, ' ').trim()} `;
}

function firstSentence(text: string): string {
  const [sentence = text] = /^.*?[\p{L}\p{N}]{2}.*?[.!?…](?=\s)/u.exec(text) ?? [];
  return sentence.length < text.length ? `${cut(sentence, longestAnnounced)} …` : cut(text, longestAnnounced);
}

/** The effect, if it is known. Without one, more than text and controls may still have changed. */
function effectLine(effects: Outcome['effects']): string {
  if (effects === undefined) return 'No text or control changed.';
  if ('isDrawn' in effects) return 'The canvas was drawn on.';
  if ('scrolled' in effects) return `Scrolled to ${effects.scrolled} %.`;
  if ('selected' in effects) return `Selection: ${JSON.stringify(pageText(effects.selected))}`;
  if ('shifted' in effects)
    return `${JSON.stringify(pageText(effects.shifted.text))} moved ${distanceOf(effects.shifted.by)}.`;
  return `It moved ${distanceOf(effects.moved)}.`;
}

function distanceOf([x, y]: readonly [number, number]): string {
  const across = x === 0 ? [] : [`${Math.abs(x)} px ${x > 0 ? 'right' : 'left'}`];
  const along = y === 0 ? [] : [`${Math.abs(y)} px ${y > 0 ? 'down' : 'up'}`];
  return [...across, ...along].join(', ');
}

/** The errors since the call began, with where they were thrown, and the number of other messages. */
function consoleEvents(tab: Tab | undefined, before: Before, level: ConsoleLevel): readonly string[] {
  if (tab === undefined) return [];
  const entries = tab.console.since(before.consolePosition.get(tab.id) ?? 0, level);
  const errors = entries.filter((entry) => entry.level === 'error');
  const lines = errors.slice(0, mostErrors).map((entry) => {
    const mark = entry.kind === 'page error' ? '[PAGE ERROR]' : '[ERROR]';
    const place = entry.kind === 'page error' && entry.location !== '' ? ` @ ${cut(pageUrl(entry.location), 200)}` : '';
    return `${mark} ${cut(pageText(entry.text), longestError)}${place}`;
  });
  if (errors.length > mostErrors) lines.push(`${errors.length - mostErrors} more console errors`);
  const others = entries.length - errors.length;
  if (others > 0) lines.push(others === 1 ? '1 new console message' : `${others} new console messages`);
  return lines;
}
