import * as z from 'zod';
import type { Config } from '../config/schema/schema.ts';
import { readElements } from '../page/reads/element.ts';
import { secretFields } from '../page/aria/secret-fields.ts';
import { requestFacts, withoutSecrets } from '../session/events/request-facts.ts';
import { addressOf } from '../session/navigation/main-frame.ts';
import type { Session } from '../session/session.ts';
import type { Tab } from '../session/tab.ts';
import { formatUri } from '../util/resource-uri.ts';
import { cut, pageText, pageUrl, visible } from '../util/text.ts';
import { linesOf, shownLine } from '../view/node.ts';
import { wrapLines } from '../view/wrap.ts';
import type { ResourceEntry } from './entry.ts';
import { liveForm } from './kinds.ts';

/** A read of an open page, inside the queue of its session. */
export interface LiveRead {
  readonly session: Session;
  readonly tab: Tab;
  readonly timeouts: Config['timeouts'];
  readonly redact: (text: string) => string;
  readonly signal: AbortSignal;
}

const longestUrl = 2000;
const longestTitle = 200;
const longestText = 1000;
const mostElements = 50;
const mostAttributes = 100;
const json = 'application/json';

// The page can change what its functions return.
const elementFacts = z.array(
  z.object({
    tagName: z.string(),
    attributes: z.record(z.string(), z.string()),
    boundingBox: z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() }).optional(),
  }),
);

/** A page as lists show it, without asking the browser. */
export function pageEntry(session: Session, tab: Tab): ResourceEntry {
  const title = cut(pageText(tab.title), longestTitle);
  const url = cut(pageUrl(addressOf(tab.page)), longestUrl);
  const viewport = tab.page.viewportSize() ?? undefined;
  return {
    uri: formatUri('page', [session.uriId, tab.id]),
    name: title === '' ? url : title,
    description: 'An open page',
    mimeType: json,
    metadata: { url, title, ...(viewport === undefined ? {} : { viewport }), createdAt: tab.createdAt },
  };
}

/** A log or snapshot of a page as lists show it. */
export function liveEntry(kind: string, session: Session, tab: Tab): ResourceEntry {
  const { name = kind, description = '', mimeType = json } = liveForm(kind) ?? {};
  return {
    uri: formatUri(kind, [session.uriId, tab.id]),
    name: `${name} of ${session.uriId}/${tab.id}`,
    description,
    mimeType,
  };
}

/** URL, title and viewport as they are now. */
export async function readPage({ session, tab, signal }: LiveRead): Promise<ResourceEntry> {
  await tab.state(signal);
  const entry = pageEntry(session, tab);
  if (tab.page.viewportSize() !== null || tab.modals.length > 0) return entry;
  // A window of an external browser has no emulated viewport.
  const viewport = await tab.page.evaluate(() => ({ width: innerWidth, height: innerHeight }));
  return { ...entry, metadata: { ...entry.metadata, viewport } };
}

export async function readNetworkLog({
  session,
  tab,
}: LiveRead): Promise<ResourceEntry & { readonly content: unknown }> {
  const requests = await Promise.all(tab.network.entries().map(requestFacts));
  const content = requests.map(({ url, method, status = 0, resourceType, timing, failure }) => ({
    url: cut(visible(withoutSecrets(url, tab, true)), longestUrl),
    method,
    status,
    resourceType,
    timing: { startTime: timing.startTime, duration: timing.duration ?? 0 },
    ...(failure === undefined ? {} : { failure: pageText(failure) }),
  }));
  const metadata = {
    requestCount: content.length,
    responseCount: content.filter(({ status }) => status > 0).length,
    errorCount: content.filter(({ status, failure }) => status >= 400 || failure !== undefined).length,
  };
  return { ...liveEntry('network-log', session, tab), metadata, content };
}

export function readConsoleLog({ session, tab }: LiveRead): ResourceEntry & { readonly content: unknown } {
  const content = tab.console.entries('debug', false).map(({ level, kind, text, location }) => ({
    level,
    kind,
    text: cut(pageText(text), longestText),
    location: cut(pageUrl(location), longestUrl),
  }));
  const { errors: errorCount, warnings: warningCount } = tab.console.counts();
  const metadata = { messageCount: content.length, errorCount, warningCount };
  return { ...liveEntry('console-log', session, tab), metadata, content };
}

/** The page as text. What the model has seen stays as it is, so that the next answer reports the right changes. */
export async function readSnapshot({ session, tab, timeouts, redact, signal }: LiveRead): Promise<string> {
  const state = await tab.state(signal);
  const options = { signal, timeoutMs: timeouts.navigation, secrets: state?.secrets ?? [] };
  const { nodes } = await tab.snapshots.take(options, state);
  const form = session.name === session.uriId ? {} : { refPrefix: `${session.name}:` };
  return [...linesOf(wrapLines(nodes, redact))].map((line) => `${shownLine(line, form)}\n`).join('');
}

/** One element, by its ref. */
export async function readElement(read: LiveRead, ref: string): Promise<ResourceEntry> {
  const { session, tab, timeouts, signal } = read;
  const own = ref.startsWith(`${session.name}:`) ? ref.slice(session.name.length + 1) : ref;
  const target = { kind: 'ref', ref: own, given: ref } as const;
  const { locator, label } = await tab.refs.locate(target, await tab.observe(signal), signal);
  const wait = { timeout: timeouts.action, signal };
  const list = await locator.evaluateHandle((element): readonly Element[] => [element], undefined, wait);
  try {
    const [facts] = elementFacts.parse(await list.evaluate(readElements, { most: 1, secret: secretFields }));
    const selector = (await tab.refs.cssPath(own, signal)) ?? own;
    return elementEntry(formatUri('element', [session.uriId, tab.id, own]), label, selector, facts);
  } finally {
    await list.dispose();
  }
}

/** The elements that match a selector, with their URIs. */
export async function readMatches({ session, tab, signal }: LiveRead, selector: string): Promise<object> {
  const target = { kind: 'selector', selector, type: 'css', options: {}, given: selector } as const;
  const { locator } = await tab.refs.locate(target, undefined, signal);
  const total = await locator.count();
  const most = Math.min(total, mostElements);
  const all = elementFacts.parse(await locator.evaluateAll(readElements, { most, secret: secretFields }));
  const refs = await tab.refs.refsOf(
    all.map((_, index) => locator.nth(index)),
    signal,
  );
  const content = all.map((facts, index) => {
    const own = total === 1 ? selector : `${selector} >> nth=${index}`;
    const ref = refs.length === all.length ? refs[index] : undefined;
    const page = [session.uriId, tab.id];
    const uri =
      ref === undefined ? formatUri('element', page, { selector: own }) : formatUri('element', [...page, ref]);
    return elementEntry(uri, facts.tagName, own, facts);
  });
  return { total, content };
}

function elementEntry(
  uri: string,
  name: string,
  selector: string,
  facts: z.output<typeof elementFacts>[number] | undefined,
): ResourceEntry {
  const { tagName = '', attributes = {}, boundingBox } = facts ?? {};
  const shown = Object.entries(attributes)
    .slice(0, mostAttributes)
    .map(([key, value]) => [visible(cut(key, 100)), visible(value)]);
  return {
    uri,
    name,
    mimeType: json,
    metadata: {
      selector,
      tagName,
      attributes: Object.fromEntries(shown),
      ...(boundingBox === undefined ? {} : { boundingBox }),
    },
  };
}
