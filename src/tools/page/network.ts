import { isUtf8 } from 'node:buffer';
import * as z from 'zod';
import type { Request, Response as PageResponse } from 'playwright-core';
import { defineTool } from '../../call/tool.ts';
import type { CallContext } from '../../call/tool.ts';
import { ToolError } from '../../errors.ts';
import type { NetworkEntry } from '../../session/events/network-log.ts';
import { answerOf, isSecretHeader, withoutSecrets } from '../../session/events/request-facts.ts';
import type { Session } from '../../session/session.ts';
import type { Tab } from '../../session/tab.ts';
import { cut, oneLine, pageUrl, quoteBlock } from '../../util/text.ts';
import { hidden } from '../lib/argument-shapes.ts';
import { compileRegex, readRegex, withinTime } from '../lib/patterns/regex.ts';

const parts = ['request-headers', 'request-body', 'response-headers', 'response-body'] as const;
type Part = (typeof parts)[number];

/** Types of static resources; listed only on request. */
const staticTypes = new Set(['image', 'font', 'stylesheet', 'media', 'script', 'manifest', 'texttrack']);
const longestUrl = 200;
/** Characters of a body that are shown at once. */
const longestPart = 8000;

export const networkRequests = defineTool({
  name: 'browser_network_requests',
  title: 'Network',
  description: 'List the requests of the page; with index, show one.',
  toolsets: ['core', 'viewpoint'],
  effect: 'read',
  scope: 'tab',
  positional: ['filter'],
  ignoresModals: true,
  input: {
    filter: z.string().optional().describe('Regular expression for the URL'),
    static: z.boolean().optional().describe('Include images, scripts, styles'),
    index: z.number().optional().describe('Request to show'),
    part: z.enum(parts).optional().describe('Part to show'),
    offset: hidden(z.number().optional().describe('Offset in a long body')),
    filename: z.string().optional().describe('Save to this file'),
  },
  synonyms: { includeStatic: 'static' },
  run: async (call) => {
    const { tab, args, response } = call;
    response.withoutPage();
    if (args.index === undefined && (args.part !== undefined || args.offset !== undefined)) {
      const problems = ['Give index as well: which request the part is of.'];
      throw new ToolError('MISSING_PARAMETER', { problems, accepted: ['index', 'part'] });
    }
    if (args.index !== undefined) return show(call, tab, call.session, { ...args, index: args.index });
    const matches = await matcher(args.filter);
    const entries = tab.network.entries().filter(({ request }) => matches(request.url()));
    const wanted = await Promise.all(
      entries.map(async ({ request }) => args.static === true || !isStatic(request) || (await hasFailed(request))),
    );
    const shown = await Promise.all(entries.filter((_, place) => wanted[place]).map(lineOf));
    const lines = shown.map((line) => withoutSecrets(line, tab, true));
    const more = entries.length - lines.length;
    if (more > 0) response.note(`Not listed: ${more} for images, scripts and styles. Give static: true to see them.`);
    if (args.filename !== undefined) {
      const data = `${lines.join('\n')}\n`;
      const file = await call.session.files.save({
        kind: 'network-log',
        name: args.filename,
        data,
        mimeType: 'text/plain',
        tab: tab.id,
      });
      response.file(file.artifact);
      response.text(`${lines.length} requests written to ${file.shown}`);
      return undefined;
    }
    if (lines.length === 0) response.text(more > 0 ? 'No other requests.' : 'No requests.');
    else response.foreign();
    for (const line of lines) response.text(line);
    return undefined;
  },
});

export const networkRequest = defineTool({
  name: 'browser_network_request',
  title: 'Network request',
  description: 'Show one request of the page: its headers or bodies.',
  effect: 'read',
  scope: 'tab',
  positional: ['index', 'part'],
  ignoresModals: true,
  input: {
    index: z.number().describe('Number from browser_network_requests'),
    part: z.enum(parts).optional().describe('Part to show'),
    offset: z.number().optional().describe('Offset in a long body'),
    filename: z.string().optional().describe('Save to this file'),
  },
  run: async (call) => {
    call.response.withoutPage();
    await show(call, call.tab, call.session, call.args);
  },
});

interface ShowArguments {
  readonly index: number;
  readonly part?: Part | undefined;
  readonly offset?: number | undefined;
  readonly filename?: string | undefined;
}

async function show(
  { response, secrets }: CallContext,
  tab: Tab,
  session: Session,
  args: ShowArguments,
): Promise<void> {
  const entry = tab.network.entry(args.index);
  if (entry === undefined) {
    throw new ToolError('NO_SUCH_REQUEST', { index: args.index });
  }
  const { request } = entry;
  const answer = await answerOf(request);
  if (args.filename !== undefined) {
    const body = await bytesOf(args.part, request, answer);
    // Unchanged, unless it contains text that was typed into a secret field: that is redacted.
    if (body !== undefined && !body.isText && !tab.typedSecrets.all.some((secret) => body.data.includes(secret))) {
      const file = await session.files.save({ kind: 'file', name: args.filename, data: body.data, tab: tab.id });
      response.file(file.artifact);
      response.text(`${body.data.length} bytes written to ${file.shown}`);
      return;
    }
  }
  const whole =
    args.part === undefined ? await overview(entry, request, answer) : await partOf(args.part, request, answer);
  // Redacted before the range is cut: a range could start in the middle of a secret.
  const text = secrets.redact(withoutSecrets(whole, tab, args.part !== 'response-body'));
  if (args.filename !== undefined) {
    const file = await session.files.save({
      kind: 'file',
      name: args.filename,
      data: text,
      mimeType: 'text/plain',
      tab: tab.id,
    });
    response.file(file.artifact);
    response.text(`Written to ${file.shown}`);
    return;
  }
  const from = Math.max(0, Math.floor(args.offset ?? 0));
  const end = wholeUntil(text, Math.min(text.length, from + longestPart));
  if (from > 0 || end < text.length) {
    const more = end < text.length ? ` Continue with offset ${end}, or save all of it with filename.` : '';
    response.text(`Characters ${Math.min(from, end)} to ${end} of ${text.length}.${more}`);
  }
  response.foreign();
  response.text(quoteBlock(text.slice(from, end)));
}

/** The offset, moved back if it splits a surrogate pair. */
function wholeUntil(text: string, end: number): number {
  return /[\uD800-\uDBFF]/.test(text.charAt(end - 1)) && end < text.length ? end - 1 : end;
}

async function overview(entry: NetworkEntry, request: Request, answer: PageResponse | null): Promise<string> {
  const [asked, answered] = [
    await partOf('request-headers', request, answer),
    await partOf('response-headers', request, answer),
  ];
  return [await lineOf(entry), '', 'Request headers:', asked, '', 'Response headers:', answered].join('\n');
}

async function partOf(part: Part, request: Request, answer: PageResponse | null): Promise<string> {
  switch (part) {
    case 'request-headers':
      return headerLines(await request.allHeaders().catch(() => request.headers()));
    case 'request-body':
      return sentBody(request);
    case 'response-headers':
      return answer === null ? '(no response)' : headerLines(await answer.allHeaders().catch(() => answer.headers()));
    case 'response-body':
      return answer === null ? '(no response)' : bodyOf(request, answer);
  }
}

/** Redacts credentials in headers: an agent needs to know that they exist, not their values. */
function headerLines(headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries(headers).map(
    ([name, value]) => `${name}: ${isSecretHeader(name) ? '[REDACTED]' : oneLine(value)}`,
  );
  return lines.length === 0 ? '(none)' : lines.join('\n');
}

interface Body {
  readonly data: Buffer;
  readonly type: string;
  readonly isText: boolean;
}

async function bytesOf(
  part: Part | undefined,
  request: Request,
  answer: PageResponse | null,
): Promise<Body | undefined> {
  const isSent = part === 'request-body';
  if (!isSent && part !== 'response-body') return undefined;
  if (!isSent && !isOver(request)) return undefined;
  const data = isSent ? request.postDataBuffer() : await answer?.body().catch(() => null);
  const type = (isSent ? request : answer)?.headers()['content-type'] ?? '';
  return data === null || data === undefined ? undefined : { data, type, isText: isText(data, type) };
}

/** Streams: reading the body would wait for their end, which may never come. */
function isOver(request: Request): boolean {
  return request.timing().responseEnd >= 0 || request.failure() !== null;
}

async function sentBody(request: Request): Promise<string> {
  const body = await bytesOf('request-body', request, null);
  if (body !== undefined) return shownBody(body);
  const length = Number((await request.allHeaders().catch(() => request.headers()))['content-length'] ?? 0);
  // Browsers do not expose uploaded files.
  return length > 0 ? `(${length} bytes that the browser does not show, such as files)` : '(no body)';
}

async function bodyOf(request: Request, answer: PageResponse): Promise<string> {
  const status = answer.status();
  if ([204, 205].includes(status) || (status >= 300 && status < 400) || request.method() === 'HEAD') return '(no body)';
  if (!isOver(request)) return '(the body is incomplete)';
  const body = await bytesOf('response-body', request, answer);
  return body === undefined ? '(the body is no longer there)' : shownBody(body);
}

function shownBody({ data, type, isText: isShown }: Body): string {
  if (isShown) return data.toString('utf8');
  return `(${data.length} bytes of ${type === '' ? 'data' : oneLine(type)}; save them with filename)`;
}

function isText(data: Buffer, type: string): boolean {
  return /text|json|xml|javascript|form/.test(type) || (isUtf8(data) && !data.includes(0));
}

async function lineOf({ index, request, blockedBy }: NetworkEntry): Promise<string> {
  const url = cut(pageUrl(request.url()), longestUrl);
  const answer = await answerOf(request);
  const failure = request.failure();
  const status = answer === null ? [] : [`[${`${answer.status()} ${oneLine(answer.statusText())}`.trim()}]`];
  // A response can be discarded by the page: a script of the wrong type, an unread body.
  const rule = blockedBy();
  const reason = rule === undefined ? `failed: ${oneLine(failure?.errorText ?? '')}` : `blocked: ${rule}`;
  const problem = failure === null ? [] : [reason];
  const end = [...status, ...problem];
  return `${index}. [${request.method()}] ${url} => ${end.length === 0 ? '[pending]' : end.join(', ')}`;
}

function isStatic(request: Request): boolean {
  return staticTypes.has(request.resourceType());
}

async function hasFailed(request: Request): Promise<boolean> {
  return request.failure() !== null || ((await answerOf(request))?.status() ?? 0) >= 400;
}

/** A regular expression, with slashes around it or not. A path such as `/api/` is itself. */
export async function matcher(filter: string | undefined): Promise<(url: string) => boolean> {
  if (filter === undefined || filter === '') return () => true;
  const isPath = /^\/[\w-]+(?:\/[\w-]+)*\/$/.test(filter);
  const [, source = filter, flags = ''] = (isPath ? null : /^\/(.+)\/([a-z]*)$/.exec(filter)) ?? [];
  const pattern = withinTime(filter, await compileRegex(readRegex(filter, source, flags)));
  // A URL as it is written matches itself, though its question mark has a meaning in a pattern.
  return (url) => pattern.test(url.slice(0, 2000)) || url.includes(filter);
}
