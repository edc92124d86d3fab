import { readFile, stat } from 'node:fs/promises';
import type { CallContext } from '../../call/tool.ts';
import { ToolError } from '../../errors.ts';
import type { ReadRequest, ReadResult } from '../../page/reading/read.ts';
import { untilAttached } from '../../session/act/missing.ts';
import type { Session } from '../../session/session.ts';
import { readPdf } from '../../page/reads/pdf.ts';
import type { Tab } from '../../session/tab.ts';
import type { Target } from '../../session/snapshot/target.ts';
import { cut } from '../../util/text.ts';
import { aimAt } from '../lib/argument-shapes.ts';
import { neverCalled, withText } from '../lib/page-function.ts';
import { actionWait } from '../lib/timeouts.ts';
import { pdfPages } from './pdf.ts';

/** A text to read. */
export interface Content {
  readonly form: 'markdown' | 'json' | 'text';
  readonly text: string;
}

export interface ReadingCall extends CallContext {
  readonly session: Session;
  readonly tab: Tab;
}

const mostBytes = 50_000_000;

/** The PDF that the last navigation downloaded, if the browser has no viewer for it. */
export async function contentOfDownload({ tab, session, response }: ReadingCall): Promise<Content | undefined> {
  const { downloadedPdf: uri } = tab;
  if (uri === undefined) return undefined;
  const content = await contentOfFile(session, uri);
  response.note('This is the PDF that the last navigation downloaded. To read the page in the tab, give ref "body".');
  return content;
}

/** The main content of the page, or of an element. */
export async function contentOfPage(call: ReadingCall, target: Target | undefined, isWhole: boolean): Promise<Content> {
  const { tab, response, signal } = call;
  response.attempt({ what: 'Reading', url: tab.page.url(), ...aimAt(target) });
  const observed = await tab.observe(signal);
  const ref = target === undefined ? undefined : await refOf(call, target);
  const request = { ref, isWhole, firstRef: tab.agents.firstRef };
  const reader = await loadReader();
  const isInFrame = ref?.startsWith('f') === true;
  const result =
    isInFrame && target !== undefined
      ? await (await tab.refs.locate(target, observed, signal)).locator.evaluate(reader.element, request)
      : await tab.readInPage(reader.page, request);
  if (result === undefined) throw new ToolError('PAGE_UNRESPONSIVE', { url: tab.page.url() });
  if (result.type === 'application/pdf' && target === undefined) return contentOfViewer(tab);
  const links = new Map(result.refs.map(([each, name]) => [each, { role: 'link', name }]));
  tab.agents.noteRefs([...links.keys()]);
  tab.refs.adopt(links, observed?.state.mainDocument ?? '');
  return { form: formOf(result.type), text: result.text };
}

export async function refOf({ tab, signal, settings }: ReadingCall, target: Target): Promise<string | undefined> {
  if (target.kind === 'ref') {
    // Fails if it is stale.
    await tab.refs.locate(target, await tab.observe(signal), signal);
    return target.ref;
  }
  const { locator } = await tab.refs.locate(target, undefined, signal);
  const first = locator.first();
  await untilAttached(tab, target, first, { ...actionWait(settings, undefined), signal });
  return (await tab.refs.refsOf([first], signal))[0];
}

function formOf(type: string): Content['form'] {
  if (/json/.test(type)) return 'json';
  return /^text\/(?!html|xml|markdown)/.test(type) ? 'text' : 'markdown';
}

interface Reader {
  readonly page: (request: ReadRequest) => ReadResult;
  readonly element: (element: Element, request: ReadRequest) => ReadResult;
}

/** The reader, as functions whose text is sent to the page. */
async function loadReader(): Promise<Reader> {
  const { source } = await import('pagehelm:page-reader');
  return {
    page: withText((): ReadResult => neverCalled(), `(request) => (${source})(request)`),
    element: withText((): ReadResult => neverCalled(), `(element, request) => (${source})(request, element)`),
  };
}

/** The PDF that the viewer of the browser shows. The viewer has no text: the page loads the file again, from the cache. */
async function contentOfViewer(tab: Tab): Promise<Content> {
  const url = tab.page.url();
  const unreadable = (reason: string): ToolError => new ToolError('UNREADABLE_FILE', { path: cut(url, 300), reason });
  const read = await tab.readInPage(readPdf, mostBytes);
  if (read?.data === undefined) throw unreadable(read?.problem ?? 'the page could not load it again');
  const data = Buffer.from(read.data, 'base64');
  if (!data.subarray(0, 1024).includes('%PDF-')) throw unreadable('the server answers with something else now');
  return { form: 'markdown', text: await textOfPdf(data, unreadable) };
}

/** A file that the session has downloaded or written, by its path or URI. */
export async function contentOfFile(session: Session, name: string): Promise<Content> {
  const unreadable = (reason: string): ToolError => new ToolError('UNREADABLE_FILE', { path: name, reason });
  const data = name.includes('://') ? await session.files.read(name) : await fileAt(session, name, unreadable);
  if (data === undefined) throw unreadable('there is no such file in this session');
  if (data.length > mostBytes) throw unreadable(`it is larger than ${mostBytes} bytes`);
  if (data.subarray(0, 1024).includes('%PDF-')) return { form: 'markdown', text: await textOfPdf(data, unreadable) };
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(data).replaceAll('\r\n', '\n');
    if (text.includes('\u0000')) throw unreadable('it is neither a PDF nor text');
    return { form: /\.json$/i.test(name) ? 'json' : 'text', text };
  } catch (error) {
    throw error instanceof ToolError ? error : unreadable('it is neither a PDF nor text');
  }
}

async function fileAt(session: Session, name: string, unreadable: (reason: string) => ToolError): Promise<Buffer> {
  const { path } = await session.workspace.readable(name);
  if ((await stat(path)).size > mostBytes) throw unreadable(`it is larger than ${mostBytes} bytes`);
  return readFile(path);
}

async function textOfPdf(data: Buffer, unreadable: (reason: string) => ToolError): Promise<string> {
  const pages = await pdfPages(new Uint8Array(data)).catch((error: unknown) => {
    throw unreadable(`it is not a readable PDF (${error instanceof Error ? error.message : String(error)})`);
  });
  return pages.map((text, index) => `## Page ${index + 1}\n\n${text}`.trimEnd()).join('\n\n');
}
