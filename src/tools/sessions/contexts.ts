import * as z from 'zod';
import { defineTool } from '../../call/tool.ts';
import { ToolError } from '../../errors.ts';
import { addressOf } from '../../session/navigation/main-frame.ts';
import type { Session } from '../../session/session.ts';
import type { DriverSessions } from '../../session/store.ts';
import {
  checkSession,
  rareSessionFields,
  sessionFields,
  sessionOptions,
  sessionSynonyms,
} from '../lib/session-arguments.ts';
import { answerWithData, life, noteDiscarded, openSession, startingFrom } from './sessions.ts';
import { given, hidden } from '../lib/argument-shapes.ts';

const name = z.string().describe('Context name');

export const contextCreate = defineTool({
  name: 'browser_context_create',
  title: 'Create context',
  description: 'Create an isolated context (a session) and make it active. Also takes viewport, device, locale, ttl.',
  toolsets: ['core', 'viewpoint'],
  effect: 'manage',
  scope: 'driver',
  input: {
    name,
    proxy: sessionFields.proxy,
    storageState: sessionFields.storageState,
    userAgent: hidden(sessionFields.userAgent),
    viewport: hidden(sessionFields.viewport),
    ...rareSessionFields,
  },
  synonyms: sessionSynonyms,
  check: checkSession,
  run: async ({ args, sessions, response, settings, signal }) => {
    // The name is reserved for the default context, which always exists.
    sessions.active();
    const options = await startingFrom(args.from, sessions, sessionOptions(args, settings.security), signal);
    const session = await openSession(sessions, { name: args.name, ...life(args.ttl ?? 0), options }, signal);
    sessions.activate(session);
    answerWithData(response, { context: entryOf(session, sessions) });
  },
});

export const contextSwitch = defineTool({
  name: 'browser_context_switch',
  title: 'Switch context',
  description: 'Make a context active for further calls.',
  toolsets: ['core', 'viewpoint'],
  effect: 'manage',
  scope: 'driver',
  input: { name },
  run: async ({ args, sessions, response }) => {
    const session = sessions.get(args.name);
    sessions.activate(session);
    answerWithData(response, { context: entryOf(session, sessions) });
  },
});

export const contextList = defineTool({
  name: 'browser_context_list',
  title: 'List contexts',
  description: 'List the contexts, their pages, and the active one.',
  toolsets: ['core', 'viewpoint'],
  effect: 'read',
  scope: 'driver',
  input: {},
  run: async ({ sessions, response }) => {
    sessions.active();
    answerWithData(response, { contexts: sessions.list().map((session) => entryOf(session, sessions)) });
  },
});

export const contextClose = defineTool({
  name: 'browser_context_close',
  title: 'Close context',
  description: 'Close a context and its pages.',
  toolsets: ['core', 'viewpoint'],
  effect: 'manage',
  scope: 'driver',
  input: { name },
  run: async ({ args, sessions, response }) => {
    sessions.active();
    const session = sessions.find(args.name);
    if (sessions.list().length === 1) throw new ToolError('LAST_CONTEXT', { name: args.name });
    noteDiscarded(session, response);
    await sessions.close(session);
    answerWithData(response, { closed: args.name, active: sessions.active().name });
  },
});

export const contextSaveStorage = defineTool({
  name: 'browser_context_save_storage',
  title: 'Save storage',
  description: 'Save the cookies and storage of a context to a file.',
  toolsets: ['core', 'viewpoint'],
  effect: 'manage',
  scope: 'driver',
  positional: ['name', 'path'],
  input: {
    name: z.string().optional().describe('Default the active one'),
    path: z.string().describe('File to write'),
    sessionId: hidden(z.string().optional().describe('Session id, instead of the name')),
    indexedDB: hidden(z.boolean().optional().describe('Include IndexedDB')),
    sessionStorage: hidden(z.boolean().optional().describe('Include the session storage of its tabs')),
  },
  run: async ({ args, sessions, response, signal }) => {
    const { indexedDB, sessionStorage } = args;
    const key = args.name ?? args.sessionId;
    const source = key === undefined ? sessions.active() : sessions.get(key);
    if (source.isLost) throw new ToolError('BROWSER_CRASHED', { reason: 'its cookies and storage are lost' });
    if (!source.isOpen && source.dormant === undefined) {
      throw new ToolError('NOTHING_TO_SAVE', { context: source.name ?? source.id });
    }
    const skipped: string[] = [];
    const parts = { ...given({ indexedDB, sessionStorage }), onSkipped: (url: string) => void skipped.push(url) };
    const state = await source.exclusive(signal, async () => source.storageState(parts));
    // As bytes, which are not redacted: a state without its secrets could not restore a login.
    const data = Buffer.from(JSON.stringify(state, undefined, 2));
    const file = await source.files.save({
      kind: 'storage-state',
      name: args.path,
      data,
      mimeType: 'application/json',
    });
    response.file(file.artifact);
    answerWithData(response, {
      saved: file.shown,
      cookies: state.cookies.length,
      origins: state.origins.length,
      ...(skipped.length === 0 ? {} : { skipped }),
    });
  },
});

function entryOf(session: Session, sessions: DriverSessions): Readonly<Record<string, unknown>> {
  const { dormant } = session;
  const { selected } = session;
  const url = selected === undefined ? dormant?.tabs[dormant.active]?.url : addressOf(selected.page);
  const { proxy } = session.traits;
  return {
    name: session.name,
    isActive: sessions.isActive(session),
    pageCount: dormant?.tabs.length ?? session.tabs.length,
    ...(url === undefined ? {} : { currentUrl: url }),
    ...(proxy === undefined ? {} : { proxy }),
  };
}
