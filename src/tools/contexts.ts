import * as z from 'zod';
import { defineTool } from '../call/tool.ts';
import type { Response } from '../call/response.ts';
import { ToolError } from '../errors.ts';
import type { Session } from '../session/session.ts';
import { defaultName } from '../session/store.ts';

const name = z.string().describe('Name of the context');

export const contextCreate = defineTool({
  name: 'browser_context_create',
  title: 'Create a context',
  description: 'Create an isolated browser context with its own cookies and storage, and make it the active one.',
  effect: 'manage',
  scope: 'session',
  input: {
    name,
    proxy: z
      .object({
        server: z.string().describe('For example socks5://host:1080'),
        username: z.string().optional().describe('User of the proxy'),
        password: z.string().optional().describe('Password of the proxy'),
      })
      .optional()
      .describe('Proxy for all its traffic'),
    storageState: z.string().optional().describe('File with cookies and storage to start with'),
  },
  run: async ({ args, sessions, response, signal }) => {
    if (sessions.list().some((session) => session.name === args.name)) {
      throw new ToolError('CONTEXT_EXISTS', { name: args.name });
    }
    const { proxy, storageState } = args;
    const session = sessions.create({
      name: args.name,
      options: { ...(proxy === undefined ? {} : { proxy }), ...(storageState === undefined ? {} : { storageState }) },
    });
    try {
      // Opened now, so that a proxy or a file that does not work is told now.
      await session.activeTab(signal);
    } catch (error) {
      await sessions.close(session);
      throw error;
    }
    sessions.activate(session);
    tell(response, { context: entryOf(session, session) });
  },
});

export const contextSwitch = defineTool({
  name: 'browser_context_switch',
  title: 'Switch contexts',
  description: 'Make another context the active one for the calls that follow.',
  effect: 'manage',
  scope: 'session',
  input: { name },
  run: async ({ args, sessions, response }) => {
    const session = sessions.get(args.name);
    sessions.activate(session);
    tell(response, { context: entryOf(session, session) });
  },
});

export const contextList = defineTool({
  name: 'browser_context_list',
  title: 'List contexts',
  description: 'List the contexts with their pages; the active one is marked.',
  effect: 'read',
  scope: 'session',
  input: {},
  run: async ({ sessions, response }) => {
    const active = sessions.active();
    tell(response, { contexts: sessions.list().map((session) => entryOf(session, active)) });
  },
});

export const contextClose = defineTool({
  name: 'browser_context_close',
  title: 'Close a context',
  description: 'Close a context and all its pages.',
  effect: 'manage',
  scope: 'session',
  input: { name },
  run: async ({ args, sessions, response }) => {
    const session = sessions.list().find((each) => [each.name, each.id].includes(args.name));
    // Asking for `default` would make it, only to be closed.
    if (session === undefined) throw new ToolError('SESSION_NOT_FOUND', { session: args.name });
    if (sessions.list().length === 1) throw new ToolError('LAST_CONTEXT', { name: args.name });
    const wasActive = sessions.active() === session;
    await sessions.close(session);
    const next = sessions.list().find((each) => each.name === defaultName) ?? sessions.latest();
    if (wasActive && next !== undefined) sessions.activate(next);
    tell(response, { closed: args.name, active: nameOf(sessions.active()) });
  },
});

export const contextSaveStorage = defineTool({
  name: 'browser_context_save_storage',
  title: 'Save storage',
  description: 'Save the cookies and storage of a context to a file.',
  effect: 'manage',
  scope: 'session',
  input: {
    name: z.string().optional().describe('Name of the context, default the active one'),
    path: z.string().describe('File to write'),
  },
  synonyms: { filename: 'path' },
  run: async ({ args, sessions, session, response }) => {
    const source = args.name === undefined ? session : sessions.get(args.name);
    if (!source.isOpen) {
      const problems = [`The context ${JSON.stringify(nameOf(source))} has not opened a page yet: nothing to save.`];
      throw new ToolError('MISSING_PARAMETER', { problems, accepted: ['name', 'path'] });
    }
    const state = await source.storageState();
    const file = await source.workspace.save('output', args.path, JSON.stringify(state, undefined, 2));
    tell(response, { saved: file.shown, cookies: state.cookies.length, origins: state.origins.length });
  },
});

function nameOf(session: Session): string {
  return session.name ?? session.id;
}

function entryOf(session: Session, active: Session): Readonly<Record<string, unknown>> {
  const url = session.current?.page.url();
  return {
    name: nameOf(session),
    isActive: session === active,
    pageCount: session.tabs.length,
    ...(url === undefined ? {} : { currentUrl: url }),
    ...(session.proxy === undefined ? {} : { proxy: session.proxy }),
  };
}

/** The whole answer is data: the text is the same. */
function tell(response: Response, data: Readonly<Record<string, unknown>>): void {
  response.withoutPage();
  response.text(JSON.stringify(data));
  response.data(data);
}
