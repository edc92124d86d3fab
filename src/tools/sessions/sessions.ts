import * as z from 'zod';
import type { Response } from '../../call/answer/response.ts';
import { defineTool } from '../../call/tool.ts';
import type { CallContext } from '../../call/tool.ts';
import { addressOf } from '../../session/navigation/main-frame.ts';
import type { SessionOptions } from '../../session/session-options.ts';
import type { Session } from '../../session/session.ts';
import type { CreateOptions, DriverSessions } from '../../session/store.ts';
import { given, hidden } from '../lib/argument-shapes.ts';
import {
  checkSession,
  rareSessionFields,
  sessionFields,
  sessionOptions,
  sessionSynonyms,
} from '../lib/session-arguments.ts';

const { userAgent, viewport, proxy, storageState } = sessionFields;

export const createSession = defineTool({
  name: 'create_session',
  title: 'Create session',
  description:
    'Create an isolated session; other tools take its sessionId. Also takes name, ttl, device, locale, timezoneId, ' +
    'geolocation, permissions, colorScheme, proxy, storageState, from, baseURL.',
  toolsets: ['core'],
  effect: 'manage',
  scope: 'driver',
  positional: ['name'],
  input: {
    userAgent,
    viewport,
    name: hidden(z.string().optional().describe('Name to use instead of the id')),
    proxy: hidden(proxy),
    storageState: hidden(storageState),
    ...rareSessionFields,
  },
  synonyms: sessionSynonyms,
  check: checkSession,
  run: async ({ args, sessions, response, settings, now, signal }) => {
    const { name, ttl = settings.session.timeout } = args;
    const options = await startingFrom(args.from, sessions, sessionOptions(args, settings.security), signal);
    const session = await openSession(sessions, { ...given({ name }), ...life(ttl), options }, signal);
    answerWithData(response, sessionEntry(session, sessions, now));
  },
});

export const closeSession = defineTool({
  name: 'close_session',
  title: 'Close session',
  description: 'Close a session and its pages.',
  toolsets: ['core'],
  effect: 'manage',
  scope: 'driver',
  positional: ['sessionId'],
  input: { sessionId: z.string().describe('Session id or name') },
  synonyms: { name: 'sessionId' },
  run: async ({ args, sessions, response }) => {
    const session = sessions.find(args.sessionId);
    noteDiscarded(session, response);
    await sessions.close(session);
    answerWithData(response, { closed: session.id, name: session.name });
  },
});

export const listSessions = defineTool({
  name: 'list_sessions',
  title: 'List sessions',
  description: 'List the sessions with their pages and expiry.',
  toolsets: ['core'],
  effect: 'read',
  scope: 'driver',
  input: {},
  run: async ({ sessions, response, now }) => {
    const entries = sessions.list().map((session) => sessionEntry(session, sessions, now));
    answerWithData(response, { sessions: entries, maxSessions: sessions.maxSessions });
  },
});

/** Reports recordings that end with a session. */
export function noteDiscarded({ tracing }: Session, response: Response): void {
  if (tracing.isOn) response.note('The trace that was being recorded is discarded: stop tracing before closing.');
}

/** Opens the session at once, so that a wrong proxy or file is reported now. A session that does not open is closed. */
export async function openSession(
  sessions: DriverSessions,
  options: CreateOptions,
  signal: AbortSignal,
): Promise<Session> {
  const session = sessions.create(options);
  try {
    // In the queue of the session, so that calls that already name it wait.
    await session.exclusive(signal, async () => session.activeTab(signal));
    signal.throwIfAborted();
    return session;
  } catch (error) {
    await sessions.close(session);
    throw error;
  }
}

/** Adds the cookies and storage of another session, if one is named. */
export async function startingFrom(
  key: string | undefined,
  sessions: DriverSessions,
  options: SessionOptions,
  signal: AbortSignal,
): Promise<SessionOptions> {
  if (key === undefined) return options;
  const source = sessions.get(key);
  const parts = { indexedDB: true, sessionStorage: true };
  return { ...options, storageState: await source.exclusive(signal, async () => source.storageState(parts)) };
}

/** A time to live of 0 means no expiry. */
export function life(ttl: number): { readonly ttlMs?: number } {
  return ttl === 0 ? {} : { ttlMs: ttl };
}

/** Answers with data only; the text is the same as JSON. */
export function answerWithData(response: Response, data: Readonly<Record<string, unknown>>): void {
  response.withoutPage();
  response.text(JSON.stringify(data));
  response.data(data);
}

function sessionEntry(
  session: Session,
  sessions: DriverSessions,
  now: CallContext['now'],
): Readonly<Record<string, unknown>> {
  const { createdAt, idleMs, leftMs } = sessions.life(session);
  const at = (ms: number): string => new Date(now().getTime() + ms).toISOString();
  const { selected, tabs, dormant } = session;
  return {
    sessionId: session.id,
    name: session.name,
    isActive: sessions.isActive(session),
    createdAt: createdAt.toISOString(),
    lastUsedAt: at(-idleMs),
    ...(leftMs === undefined ? {} : { expiresAt: at(leftMs) }),
    ...(dormant === undefined ? {} : { isDormant: true, currentUrl: dormant.tabs[dormant.active]?.url }),
    pageCount: dormant?.tabs.length ?? tabs.length,
    ...(selected === undefined ? {} : { currentUrl: addressOf(selected.page), title: selected.title }),
    ...(tabs.length < 2 ? {} : { tabs: tabs.map(({ id, page, title }) => ({ id, url: addressOf(page), title })) }),
    ...(session.calls === 0 ? {} : { calls: session.calls }),
    ...session.traits,
  };
}
