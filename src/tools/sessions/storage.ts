import * as z from 'zod';
import { reasonOf } from '../../browser/failure.ts';
import { defineTool } from '../../call/tool.ts';
import { ToolError } from '../../errors.ts';
import { hostOfCookie } from '../../session/persistence/storage-state.ts';
import { isRecord } from '../../util/records.ts';
import { estimateTokens } from '../../util/tokens.ts';
import { cut } from '../../util/text.ts';
import { hidden } from '../lib/argument-shapes.ts';

const sessionId = z.string().optional().describe('Session id or name');
const namedSession = z.string().describe('Session id or name');
/** Tokens for the envelope of the answer. */
const envelopeTokens = 100;

const cookie = z.object({
  name: z.string().describe('Name'),
  value: z.string().describe('Value'),
  domain: z.string().optional().describe('Domain; default that of the page'),
  path: z.string().optional().describe('Path, default /'),
  url: z.string().optional().describe('Address instead of domain and path'),
  expires: z.number().optional().describe('Seconds since 1970; default with the session'),
  httpOnly: z.boolean().optional().describe('Not for scripts'),
  secure: z.boolean().optional().describe('Only over https'),
  sameSite: z
    .preprocess((given) => (typeof given === 'string' ? capitalised(given) : given), z.enum(['Strict', 'Lax', 'None']))
    .optional()
    .meta({ type: 'string', enum: ['Strict', 'Lax', 'None'], description: 'With requests from other sites' }),
});

export const getCookies = defineTool({
  name: 'get_cookies',
  title: 'Get cookies',
  description: 'Get the cookies of a session.',
  toolsets: ['design'],
  effect: 'read',
  scope: 'tab',
  ignoresModals: true,
  answer: 'data',
  input: { sessionId, urls: hidden(z.array(z.string()).optional().describe('Only cookies for these URLs')) },
  run: async ({ args, tab, response }) => {
    const cookies = await tab.page.context().cookies(args.urls ?? []);
    response.data({ count: cookies.length, cookies });
  },
});

export const setCookies = defineTool({
  name: 'set_cookies',
  title: 'Set cookies',
  description: 'Set cookies of a session. Cookies with the same name, domain and path are replaced.',
  toolsets: ['design'],
  effect: 'manage',
  scope: 'tab',
  ignoresModals: true,
  answer: 'data',
  input: { cookies: z.array(cookie).describe('The cookies'), sessionId },
  run: async ({ args, session, tab, response }) => {
    const at = tab.page.url();
    const cookies = args.cookies.map((each) => placed(each, at));
    session.checkStorage(cookies.map(hostOfCookie));
    try {
      await tab.page.context().addCookies(cookies);
    } catch (error) {
      throw wrongCookies(`The browser refused them: ${cut(reasonOf(error), 200)}`);
    }
    response.data({ set: cookies.length });
  },
});

export const saveState = defineTool({
  name: 'save_state',
  title: 'Save the state',
  description: 'Get the cookies and storage of a session, for restore_state. With path, write them to a file instead.',
  toolsets: ['design'],
  effect: 'manage',
  scope: 'session',
  positional: ['sessionId', 'path'],
  answer: 'data',
  input: {
    sessionId: namedSession,
    path: hidden(z.string().optional().describe('File to write')),
    indexedDB: hidden(z.boolean().optional().describe('Include IndexedDB')),
    sessionStorage: hidden(z.boolean().optional().describe('Include the session storage of its tabs')),
  },
  synonyms: { filename: 'path' },
  run: async ({ args, session, response, maxTokens }) => {
    const { path, indexedDB = false, sessionStorage = false } = args;
    const skipped: string[] = [];
    const onSkipped = (url: string): void => void skipped.push(url);
    const state = await session.storageState({ indexedDB, sessionStorage, onSkipped });
    if (skipped.length > 0) response.note(`Without the session storage of ${skipped.join(', ')}: it does not respond.`);
    const answer = { sessionId: session.id, state };
    const isLarge = estimateTokens(JSON.stringify(answer)) > maxTokens - envelopeTokens;
    if (path === undefined && !isLarge) return response.data(answer);
    // Written as bytes, which are not redacted: a state without its secrets would not sign in.
    const file = await session.files.save({
      kind: 'storage-state',
      name: path,
      generated: { prefix: 'state', extension: 'json' },
      data: Buffer.from(JSON.stringify(state, undefined, 2)),
      mimeType: 'application/json',
    });
    response.file(file.artifact);
    if (path === undefined) response.note('The state is too large for the answer and was written to a file.');
    const { cookies, origins } = state;
    return response.data({
      sessionId: session.id,
      saved: file.shown,
      cookies: cookies.length,
      origins: origins.length,
    });
  },
});

export const restoreState = defineTool({
  name: 'restore_state',
  title: 'Restore a state',
  description: 'Replace the cookies and storage of a session with those from save_state.',
  toolsets: ['design'],
  effect: 'manage',
  scope: 'session',
  positional: ['sessionId'],
  answer: 'data',
  input: {
    sessionId: namedSession,
    state: z
      .preprocess(
        (given) => (typeof given === 'string' ? stateFromText(given) : given),
        z.record(z.string(), z.unknown()),
      )
      .describe('State from save_state, or an object with the path of its file'),
  },
  run: async ({ args, session, response, signal }) => {
    // The session checks every field of the state before it changes anything.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const given = stateIn(args.state) as Parameters<typeof session.setStorageState>[0];
    const { cookies, origins } = await session.setStorageState(given, signal);
    response.data({ sessionId: session.id, restored: true, cookies: cookies.length, origins: origins.length });
  },
});

/** Every form in which save_state returns a state: the state, the data or the answer around it, or the path of its file. */
function stateIn(given: Readonly<Record<string, unknown>>): unknown {
  const inner = [given['state'], given['data']].find(isRecord);
  if (inner !== undefined) return stateIn(inner);
  const path = [given['saved'], given['path']].find((value) => typeof value === 'string');
  return path ?? given;
}

function stateFromText(text: string): unknown {
  if (!text.trimStart().startsWith('{')) return { path: text };
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

type Cookie = z.output<typeof cookie>;

/** A cookie needs a domain or URL: its own, or that of the page. */
function placed({ domain, path, url, ...rest }: Cookie, page: string) {
  // Playwright distinguishes absent and undefined options.
  const options = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
  const known = { ...options, name: rest.name, value: rest.value };
  if (url !== undefined) return { ...known, url };
  if (domain !== undefined) return { ...known, domain, path: path ?? '/' };
  if (!/^https?:/.test(page)) throw wrongCookies(`The cookie ${JSON.stringify(rest.name)} needs a domain or a url`);
  return path === undefined ? { ...known, url: page } : { ...known, domain: new URL(page).hostname, path };
}

function wrongCookies(problem: string): ToolError {
  return new ToolError('INVALID_ARGUMENT', { problems: [`${problem}.`], accepted: ['cookies', 'sessionId'] });
}

function capitalised(text: string): string {
  const name = text.toLowerCase().replace('no_restriction', 'none');
  return name.charAt(0).toUpperCase() + name.slice(1);
}
