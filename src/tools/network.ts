import * as z from 'zod';
import type { Request, Response as PageResponse } from 'playwright-core';
import { defineTool } from '../call/tool.ts';
import type { CallContext } from '../call/tool.ts';
import { ToolError } from '../errors.ts';
import type { NetworkEntry } from '../session/network-log.ts';
import type { Session } from '../session/session.ts';
import type { Tab } from '../session/tab.ts';
import { cut, oneLine, quoteBlock } from '../util/text.ts';
import { hidden } from './shapes.ts';

const parts = ['request-headers', 'request-body', 'response-headers', 'response-body'] as const;
type Part = (typeof parts)[number];

/** What a page is made of; left out of the list unless asked for. */
const staticTypes = new Set(['image', 'font', 'stylesheet', 'media', 'script', 'manifest', 'texttrack']);
const secretHeaders =
  /^(?:(?:proxy-)?authorization|(?:set-)?cookie2?|.*(?:token|secret|password|api-?key|access-?key|credential|session-?id|signature).*)$/i;
/** Keys of forms and of JSON whose values open accounts. */
const secretKeys = 'pass(?:word|wd|phrase|code)?|pwd|otp|cvc|cvv|(?:client_)?secret|(?:access_|refresh_|id_)?token';
const secretPairs: readonly RegExp[] = [
  new RegExp(String.raw`(?<=(?:^|[?&;])[\w.[\]-]*(?:${secretKeys})[\]]?=)[^&\s]+`, 'gi'),
  new RegExp(String.raw`(?<="[\w.-]*(?:${secretKeys})"\s*:\s*")(?:[^"\\]|\\.)+`, 'gi'),
];
const shortestSecret = 4;
const longestUrl = 200;
/** What is shown of a body at once. */
const longestPart = 8000;

export const networkRequests = defineTool({
  name: 'browser_network_requests',
  title: 'Network requests',
  description: 'List the requests of the page; with index, show one.',
  effect: 'read',
  scope: 'tab',
  ignoresModals: true,
  input: {
    filter: z.string().optional().describe('Text in the URL, or /regex/'),
    static: z.boolean().optional().describe('Also images, scripts, styles'),
    index: z.number().optional().describe('Which request to show'),
    part: z.enum(parts).optional().describe('Which part of it'),
    offset: hidden(z.number().optional().describe('Where in a long body to start')),
    filename: z.string().optional().describe('Save to this file'),
  },
  run: async (call) => {
    const { tab, args, response } = call;
    response.withoutPage();
    if (args.index !== undefined) return show(call, tab, call.session, { ...args, index: args.index });
    const matches = matcher(args.filter);
    const entries = tab.network.entries().filter(({ request }) => matches(request.url()));
    const wanted = await Promise.all(
      entries.map(async ({ request }) => args.static === true || !isStatic(request) || (await hasFailed(request))),
    );
    const shown = await Promise.all(entries.filter((_, place) => wanted[place]).map(lineOf));
    const lines = shown.map((line) => withoutSecrets(line, tab, true));
    if (args.filename !== undefined) {
      const file = await call.session.workspace.save('output', args.filename, `${lines.join('\n')}\n`);
      response.text(`${lines.length} requests written to ${file.shown}`);
      return undefined;
    }
    if (lines.length === 0) response.text('No requests.');
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
  ignoresModals: true,
  input: {
    index: z.number().describe('Number from browser_network_requests'),
    part: z.enum(parts).optional().describe('Which part of it'),
    offset: z.number().optional().describe('Where in a long body to start'),
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
    const problems = [`There is no request ${args.index} in this tab; list them with browser_network_requests.`];
    throw new ToolError('MISSING_PARAMETER', { problems, accepted: ['index'] });
  }
  const { request } = entry;
  const answer = await answerOf(request);
  if (args.filename !== undefined && args.part === 'response-body') {
    const body = await answer?.body().catch(() => undefined);
    if (body !== undefined && !isText(body, answer)) {
      const file = await session.workspace.save('output', args.filename, body);
      response.text(`${body.length} bytes written to ${file.shown}`);
      return;
    }
  }
  const whole =
    args.part === undefined ? await overview(entry, request, answer) : await partOf(args.part, request, answer);
  // Before a part is taken: a caller could begin in the middle of a value.
  const text = secrets.redact(withoutSecrets(whole, tab, args.part !== 'response-body'));
  if (args.filename !== undefined) {
    const file = await session.workspace.save('output', args.filename, text);
    response.text(`Written to ${file.shown}`);
    return;
  }
  const from = Math.max(0, Math.floor(args.offset ?? 0));
  const end = Math.min(text.length, from + longestPart);
  if (from > 0 || end < text.length) {
    const more = end < text.length ? ` Go on with offset ${end}, or save all of it with filename.` : '';
    response.text(`Characters ${Math.min(from, end)} to ${end} of ${text.length}.${more}`);
  }
  response.foreign();
  response.text(quoteBlock(text.slice(from, end)));
}

function inForm(value: string): string {
  return new URLSearchParams([['', value]]).toString().slice(1);
}

/** What was typed into secret fields is not shown on its way out; nor is what the page itself sends under such names. */
function withoutSecrets(text: string, tab: Tab, isSent: boolean): string {
  const typed = tab.typedSecrets.filter((value) => value.length >= shortestSecret);
  const forms = typed.flatMap((value) => [
    value,
    inForm(value),
    inForm(value).replaceAll('+', '%20'),
    JSON.stringify(value).slice(1, -1),
  ]);
  const plain = forms.reduce((shown, form) => shown.replaceAll(form, '[REDACTED]'), text);
  return isSent ? secretPairs.reduce((shown, pair) => shown.replaceAll(pair, '[REDACTED]'), plain) : plain;
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
      return request.postData() ?? '(no body)';
    case 'response-headers':
      return answer === null ? '(no response)' : headerLines(await answer.allHeaders().catch(() => answer.headers()));
    case 'response-body':
      return answer === null ? '(no response)' : bodyOf(answer);
  }
}

/** Values that open accounts are not shown: an agent needs to know that they are there, not what they are. */
function headerLines(headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries(headers).map(
    ([name, value]) => `${name}: ${secretHeaders.test(name) ? '[REDACTED]' : oneLine(value)}`,
  );
  return lines.length === 0 ? '(none)' : lines.join('\n');
}

async function bodyOf(answer: PageResponse): Promise<string> {
  try {
    const body = await answer.body();
    const type = answer.headers()['content-type'] ?? '';
    if (isText(body, answer)) return body.toString('utf8');
    return `(${body.length} bytes of ${type === '' ? 'data' : oneLine(type)}; save them with filename)`;
  } catch {
    return '(the body is no longer there)';
  }
}

function isText(body: Buffer, answer: PageResponse | null): boolean {
  const type = answer?.headers()['content-type'] ?? '';
  return /text|json|xml|javascript|form/.test(type) || !body.subarray(0, 1000).includes(0);
}

async function lineOf({ index, request }: NetworkEntry): Promise<string> {
  const url = cut(oneLine(request.url()), longestUrl);
  const answer = await answerOf(request);
  const failure = request.failure();
  const status = answer === null ? [] : [`[${`${answer.status()} ${oneLine(answer.statusText())}`.trim()}]`];
  // A page can give up what was answered: a script that is not one, a body that it left.
  const problem = failure === null ? [] : [`failed: ${oneLine(failure.errorText)}`];
  const end = [...status, ...problem];
  return `${index}. [${request.method()}] ${url} => ${end.length === 0 ? '[pending]' : end.join(', ')}`;
}

/** Null while there is none: asking for it would wait. */
export async function answerOf(request: Request): Promise<PageResponse | null> {
  return request.timing().responseStart >= 0 ? request.response().catch(() => null) : null;
}

function isStatic(request: Request): boolean {
  return staticTypes.has(request.resourceType());
}

async function hasFailed(request: Request): Promise<boolean> {
  return request.failure() !== null || ((await answerOf(request))?.status() ?? 0) >= 400;
}

export function matcher(filter: string | undefined): (url: string) => boolean {
  if (filter === undefined || filter === '') return () => true;
  const pattern = /^\/(.+)\/([a-z]*)$/.exec(filter);
  if (pattern === null) return (url) => url.includes(filter);
  try {
    const expression = new RegExp(pattern[1] ?? '', pattern[2]);
    return (url) => expression.test(url.slice(0, 2000));
  } catch {
    const problems = [`${JSON.stringify(cut(filter, 60))} is not a regular expression.`];
    throw new ToolError('MISSING_PARAMETER', { problems, accepted: ['filter'] });
  }
}
