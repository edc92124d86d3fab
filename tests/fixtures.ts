import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import type { ClientOptions } from '@modelcontextprotocol/client';
import { expect, test as base } from 'vitest';
import * as z from 'zod';
import { loadApp } from '../src/app.ts';
import type { App, AppOptions } from '../src/app.ts';
import type { Content } from '../src/call/answer/report.ts';
import { loadConfig } from '../src/config/load.ts';
import { createLogger } from '../src/log.ts';
import type { ToolArgs, ToolName } from '../src/tools/all.ts';

export { expect };

/** A request that the site received. */
export interface SiteRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

/** Pages on a loopback address; a path that was not set answers 404. */
export interface Site extends AsyncDisposable {
  readonly requests: readonly SiteRequest[];
  set(path: string, answer: string | RequestListener): void;
  url(path: string): string;
}

/** A call's answer as a client sees it. */
export interface Answer {
  /** The whole text of the answer. */
  readonly text: string;
  readonly isError: boolean;
  readonly structured: Readonly<Record<string, unknown>> | undefined;
  /** Figures and facts for programs. */
  readonly meta: Readonly<Record<string, unknown>>;
  /** The most exact name of the error. */
  readonly kind: string | undefined;
  readonly content: readonly Content[];
  /** The body of a `### name` section, if the answer has it. */
  section(name: string): string | undefined;
  /** What the client knows about the page by then: answers tell URL and title only when they change. */
  readonly page: string;
}

type Rest<A> = object extends A ? readonly [args?: A] : readonly [args: A];
export type Call = <N extends ToolName>(name: N, ...args: Rest<ToolArgs<N>>) => Promise<Answer>;
/** For arguments that the types reject. */
export type CallRaw = (name: string, args: unknown) => Promise<Answer>;

/** A separate client with its own session. */
export interface Driver extends AsyncDisposable {
  readonly client: Client;
  readonly call: Call;
  readonly callRaw: CallRaw;
}

export interface TestApp extends AsyncDisposable {
  readonly app: App;
  /** The temporary working directory of the app. */
  readonly folder: string;
  /** The log lines of the app. */
  readonly log: readonly string[];
  drive(options?: ClientOptions): Promise<Driver>;
}

/** Prevents background traffic of the browser. */
const quietBrowser = ['--disable-background-networking', '--disable-component-update', '--disable-sync'];
const callLimitMs = 55_000;

async function startSite(): Promise<Site> {
  const answers = new Map<string, string | RequestListener>();
  const requests: SiteRequest[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    requests.push({ method: request.method ?? '', path, headers: request.headers });
    const answer = answers.get(path) ?? answers.get(path.replace(/\?.*$/, ''));
    if (typeof answer === 'function') {
      answer(request, response);
      return;
    }
    response.setHeader('content-type', 'text/html; charset=utf-8');
    if (answer === undefined) response.statusCode = 404;
    response.end(answer ?? 'Not here');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the site has no port');
  return {
    requests,
    set: (path, answer) => void answers.set(path, answer),
    url: (path) => `http://127.0.0.1:${address.port}${path}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** An app built from source, in an empty folder, with additional flags. */
export async function startApp(
  flags: readonly string[] = [],
  { clock, heap, env, folder: given }: Pick<AppOptions, 'clock' | 'heap' | 'env'> & { readonly folder?: string } = {},
): Promise<TestApp> {
  const folder = given ?? (await mkdtemp(join(tmpdir(), 'helm-e2e-')));
  const argv = ['--headless', '--isolated', ...quietBrowser.map((arg) => `--browser-arg=${arg}`), ...flags];
  const { config } = loadConfig({ argv, env: {}, cwd: folder });
  const log: string[] = [];
  const write = (line: string): void => void log.push(line);
  const app = await loadApp({
    config,
    log: createLogger({ level: 'warn', write, now: () => new Date() }),
    cwd: folder,
    env: { ...process.env, XDG_STATE_HOME: join(folder, 'state'), ...env },
    ...(clock === undefined ? {} : { clock }),
    heap,
  });
  let drivers = 0;
  return {
    app,
    folder,
    log,
    drive: async (options) => drive(app, `driver-${drivers++}`, options),
    [Symbol.asyncDispose]: async () => {
      await app[Symbol.asyncDispose]();
      if (given === undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}

async function drive(app: App, name: string, options: ClientOptions = {}): Promise<Driver> {
  const [here, there] = InMemoryTransport.createLinkedPair();
  const serving = await app.serve(there, name);
  const client = new Client({ name: 'tests', version: '1.0.0' }, options);
  await client.connect(here);
  const knownPage = pageReader();
  const callRaw: CallRaw = async (tool, args) => {
    // Tests send invalid arguments on purpose.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const params = { name: tool, arguments: args as Record<string, unknown> };
    const result = await client.callTool(params, { timeout: callLimitMs });
    return answerOf(result, knownPage);
  };
  return {
    client,
    call: async (tool, ...[args]) => callRaw(tool, args ?? {}),
    callRaw,
    [Symbol.asyncDispose]: async () => {
      if (app.tools.some(({ name }) => name === 'browser_close')) await callRaw('browser_close', { all: true });
      await client.close();
      await serving[Symbol.asyncDispose]();
    },
  };
}

/** Reads URL and title from the page section, or from the result of a navigation, and remembers them. */
function pageReader(): (section: Answer['section']) => string {
  let url = '';
  let title = '';
  return (section) => {
    const lines = section('Page')?.split('\n') ?? [];
    const result = section('Result') ?? '';
    const opened = /^Successfully navigated to (.*)/.exec(result)?.[1];
    if (opened !== undefined) {
      url = /^Redirected to (.*)/m.exec(result)?.[1] ?? opened;
      title = /^Title: (.*)/m.exec(result)?.[1] ?? '';
    }
    const told = (label: string): string | undefined =>
      lines.find((line) => line.startsWith(`- Page ${label}: `))?.slice(`- Page ${label}: `.length);
    url = told('URL') ?? url;
    title = told('Title') ?? title;
    const isPlace = (line: string): boolean => /^- (?:Session|Tab): /.test(line);
    const rest = lines.filter((line) => !isPlace(line) && !line.startsWith('- Page '));
    return [...lines.filter(isPlace), `- Page URL: ${url}`, `- Page Title: ${title}`, ...rest].join('\n');
  };
}

export function answerOf(
  result: {
    readonly content: readonly unknown[];
    readonly isError?: boolean | undefined;
    readonly structuredContent?: unknown;
    readonly _meta?: unknown;
  },
  knownPage = pageReader(),
): Answer {
  // The server sends only these content types.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const content = result.content as readonly Content[];
  const text = content.flatMap((item) => (item.type === 'text' ? [item.text] : [])).join('\n');
  const sections = new Map(
    text
      .split(/^### /m)
      .slice(1)
      .map((part) => [part.slice(0, part.indexOf('\n')), part.slice(part.indexOf('\n') + 1).replace(/\n$/, '')]),
  );
  const section = (name: string): string | undefined => sections.get(name);
  return {
    text,
    isError: result.isError === true,
    // As above.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    structured: result.structuredContent as Readonly<Record<string, unknown>> | undefined,
    meta: z.record(z.string(), z.unknown()).catch({}).parse(result._meta),
    kind: kindOf(result.structuredContent),
    content,
    section,
    page: knownPage(section),
  };
}

function kindOf(structured: unknown): string | undefined {
  const { success, data } = z.object({ error: z.object({ kind: z.string() }) }).safeParse(structured);
  return success ? data.error.kind : undefined;
}

/** The data of a JSON answer; text and structured content are equal. */
export function data(answer: Answer): Readonly<Record<string, unknown>> {
  expect(answer.isError, answer.text).toBe(false);
  expect(JSON.parse(answer.text)).toEqual(answer.structured);
  expect(answer.structured?.['success']).toBe(true);
  return Object(answer.structured?.['data']);
}

/** Serves a page at the root of the site and opens it. */
export async function open(site: Site, call: Call, html: string): Promise<Answer> {
  site.set('/', html);
  return call('browser_navigate', { url: site.url('/') });
}

/** The value of an expression in the page, as shown in the answer. */
export async function evaluate(call: Call, expression: string): Promise<string | undefined> {
  return (await call('browser_evaluate', { function: `() => ${expression}` })).section('Result');
}

/** The ref of an element in a snapshot, by its role and name; it begins a line or stands within one. */
export function refOf(text: string, role: string, name?: string): string {
  const start = name === undefined ? role : `${role} ${JSON.stringify(name)}`;
  const onLine = (line: string): string | undefined => {
    const rest = line.replace(/^[\s+]*- /, '');
    if (rest.startsWith(start)) return /\[ref=([\w:-]+)\]/.exec(rest)?.[1];
    const at = name === undefined ? -1 : rest.indexOf(` ${start} `);
    return at === -1 ? undefined : /^(?: \[[^\]]*\])*? \[ref=([\w:-]+)\]/.exec(rest.slice(at + start.length + 1))?.[1];
  };
  for (const line of text.split('\n')) {
    const ref = onLine(line);
    if (ref !== undefined) return ref;
  }
  throw new Error(`No ${start} with a ref in:\n${text}`);
}

/** A delayed response, for effects that must be waited for. */
export function slowly(ms: number, body: string, contentType = 'text/html; charset=utf-8'): RequestListener {
  return (_request, response) => {
    setTimeout(() => response.setHeader('content-type', contentType).end(body), ms);
  };
}

/** A request that is accepted and never answered. */
export const never: RequestListener = () => undefined;

/** Client options for both eras of the protocol. */
export const eras = [
  { version: '2025-11-25', options: {} },
  { version: '2026-07-28', options: { versionNegotiation: { mode: { pin: '2026-07-28' } } } },
] as const;

/** Tests with a server started with these flags; the tests of a file share it, each with its own session. */
export function testWith(flags: readonly string[], env: NodeJS.ProcessEnv = {}) {
  return (
    base
      // vitest reads the required fixtures from the destructuring pattern, so it must be there.
      // oxlint-disable-next-line no-empty-pattern
      .extend('server', { scope: 'file' }, async ({}, { onCleanup }) => {
        const server = await startApp(flags, { env });
        onCleanup(async () => server[Symbol.asyncDispose]());
        return server;
      })
      // oxlint-disable-next-line no-empty-pattern
      .extend('site', async ({}, { onCleanup }) => {
        const site = await startSite();
        onCleanup(async () => site[Symbol.asyncDispose]());
        return site;
      })
      .extend('driver', async ({ server }, { onCleanup }) => {
        const driver = await server.drive();
        onCleanup(async () => driver[Symbol.asyncDispose]());
        return driver;
      })
      .extend('call', async ({ driver }) => driver.call)
      .extend('callRaw', async ({ driver }) => driver.callRaw)
  );
}

export const test = testWith([]);
