import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { CompleteRequestParams, CompleteResult, Server } from '@modelcontextprotocol/server';
import type { CallOrigin } from '../call/binding.ts';
import type { CompletionKind } from '../prompts/prompt.ts';
import { addressOf } from '../session/navigation/main-frame.ts';
import type { Session } from '../session/session.ts';
import type { DriverSessions } from '../session/store.ts';
import type { Tab } from '../session/tab.ts';
import { asProtocolError } from './prompts.ts';
import type { PromptDeps } from './prompts.ts';

export interface CompletionDeps extends PromptDeps {
  /** The sessions that a client can see. */
  readonly sessionsOf: (origin: CallOrigin) => DriverSessions;
  /** Removes values of configured secrets from a text. */
  readonly redact: (text: string) => string;
}

/** The limit of the protocol. */
const mostValues = 100;

/** Handles `completion/complete`: suggests values from the client's own sessions. Starts no browser and no session. */
export function serveCompletions(server: Server, deps: CompletionDeps, origin: CallOrigin): void {
  server.setRequestHandler('completion/complete', async ({ params }) => {
    const { ref, argument } = params;
    const sessions = deps.sessionsOf(origin);
    const values =
      ref.type === 'ref/prompt'
        ? await asProtocolError(async () => ofPrompt(deps, ref.name, argument.name, sessions))
        : ofTemplate(ref.uri, params, sessions);
    return completionOf(values.map(deps.redact), argument.value);
  });
}

async function ofPrompt(
  deps: CompletionDeps,
  name: string,
  argument: string,
  sessions: DriverSessions,
): Promise<readonly string[]> {
  const library = await deps.prompts();
  const found = library.find(name).arguments.find((known) => known.name === argument);
  if (found === undefined) return [];
  const { completes, default: fallback } = found;
  return [
    ...(fallback === undefined ? [] : [fallback]),
    ...(completes === undefined ? [] : known[completes](inOrder(sessions))),
  ];
}

const known: Readonly<Record<CompletionKind, (sessions: readonly Session[]) => readonly string[]>> = {
  url: (sessions) => {
    const tabs = sessions.flatMap((session) => session.tabs);
    return [...tabs.map(({ page }) => addressOf(page)), ...tabs.flatMap(visitedBy)].filter((url) =>
      /^https?:/.test(url),
    );
  },
  screenshot: () => [],
};

/** URLs of the tab's earlier documents, newest first. */
function visitedBy({ network, page }: Tab): readonly string[] {
  return network
    .all()
    .filter(({ request }) => request.isNavigationRequest() && request.frame() === page.mainFrame())
    .map(({ request }) => request.url())
    .toReversed();
}

/** The variables of the resource templates, by name. */
const variables: Readonly<Record<string, (sessions: readonly Session[], tabs: readonly Tab[]) => readonly string[]>> = {
  sessionId: (sessions) => sessions.map(({ uriId }) => uriId),
  pageId: (_sessions, tabs) => tabs.map(({ id }) => id),
  elementId: (_sessions, tabs) => tabs.flatMap((tab) => tab.refs.shown),
};

/** Earlier variables of the template narrow the choice: only pages of that session, only refs of that page. */
function ofTemplate(
  uri: string,
  { argument, context }: CompleteRequestParams,
  sessions: DriverSessions,
): readonly string[] {
  if (!/^playwright:\/\/\/[\w-]+\//.test(uri)) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Resource template not found');
  }
  const { sessionId, pageId } = context?.arguments ?? {};
  const isMeant = ({ id, name, uriId }: Session): boolean =>
    sessionId === undefined || [id, name, uriId].includes(sessionId);
  const own = inOrder(sessions).filter(isMeant);
  const tabs = own.flatMap((session) => session.tabs).filter(({ id }) => pageId === undefined || pageId === id);
  return Object.hasOwn(variables, argument.name) ? (variables[argument.name]?.(own, tabs) ?? []) : [];
}

/** The active session first. */
function inOrder(sessions: DriverSessions): readonly Session[] {
  return sessions.list().toSorted((a, b) => Number(sessions.isActive(b)) - Number(sessions.isActive(a)));
}

/** Values that begin with the typed text come before those that contain it. */
function completionOf(values: readonly string[], typed: string): CompleteResult {
  const wanted = typed.toLowerCase();
  const fitting = [...new Set(values)].filter((value) => value.toLowerCase().includes(wanted));
  const starts = (value: string): number => Number(value.toLowerCase().startsWith(wanted));
  const ordered = fitting.toSorted((a, b) => starts(b) - starts(a));
  return {
    completion: {
      values: ordered.slice(0, mostValues),
      total: ordered.length,
      hasMore: ordered.length > mostValues,
    },
  };
}
