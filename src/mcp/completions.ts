import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { CompleteRequestParams, CompleteResult, Server } from '@modelcontextprotocol/server';
import type { CallOrigin } from '../call/binding.ts';
import type { CompletionKind } from '../prompts/prompt.ts';
import { addressOf } from '../session/navigation/main-frame.ts';
import type { ResourceForm } from '../resources/kinds.ts';
import type { Artifact } from '../session/files/artifacts.ts';
import type { Session } from '../session/session.ts';
import type { DriverSessions } from '../session/store.ts';
import type { Tab } from '../session/tab.ts';
import { asProtocolError } from './prompts.ts';
import type { PromptDeps } from './prompts.ts';
import type { ServedResources } from './serve-resources.ts';

export interface CompletionDeps extends PromptDeps {
  /** The sessions that a client can see. */
  readonly sessionsOf: (origin: CallOrigin) => DriverSessions;
  /** Redacts secrets, and passwords that were typed in the sessions of a client. */
  readonly redactFor: (origin: CallOrigin) => (text: string) => string;
  /** The files of a client, oldest first. */
  readonly filesOf: (origin: CallOrigin) => readonly Artifact[];
}

/** What values are taken from. */
interface Known {
  /** The active session first. */
  readonly sessions: readonly Session[];
  /** The newest first. */
  readonly files: readonly Artifact[];
}

/** The limit of the protocol. */
const mostValues = 100;

/**
 * Handles `completion/complete`: suggests values from the client's own sessions and files. Starts no browser and no
 * session.
 */
export function serveCompletions(
  server: Server,
  deps: CompletionDeps,
  { resources, origin }: { readonly resources: ServedResources; readonly origin: CallOrigin },
): void {
  server.setRequestHandler('completion/complete', async ({ params }) => {
    const { ref, argument } = params;
    const known = { sessions: inOrder(deps.sessionsOf(origin)), files: deps.filesOf(origin).toReversed() };
    const values =
      ref.type === 'ref/prompt'
        ? await asProtocolError(async () => ofPrompt(deps, ref.name, argument.name, known))
        : ofTemplate(await templateOf(ref.uri, resources, origin), params, known);
    return completionOf(values.map(deps.redactFor(origin)), argument.value);
  });
}

async function ofPrompt(
  deps: CompletionDeps,
  name: string,
  argument: string,
  known: Known,
): Promise<readonly string[]> {
  const library = await deps.prompts();
  const found = library.find(name).arguments.find((each) => each.name === argument);
  if (found === undefined) return [];
  const { completes, default: fallback } = found;
  return [...(fallback === undefined ? [] : [fallback]), ...(completes === undefined ? [] : sources[completes](known))];
}

const sources: Readonly<Record<CompletionKind, (known: Known) => readonly string[]>> = {
  url: ({ sessions }) => {
    const tabs = sessions.flatMap((session) => session.tabs);
    return [...tabs.map(({ page }) => addressOf(page)), ...tabs.flatMap(visitedBy)].filter((url) =>
      /^https?:/.test(url),
    );
  },
  screenshot: ({ files }) => files.filter(({ kind }) => kind === 'screenshot').map(({ shown }) => shown),
};

/** URLs of the tab's earlier documents, newest first. */
function visitedBy({ network, page }: Tab): readonly string[] {
  return network
    .all()
    .filter(({ request }) => request.isNavigationRequest() && request.frame() === page.mainFrame())
    .map(({ request }) => request.url())
    .toReversed();
}

/** The template that a client means; it may leave out the query part. */
async function templateOf(uri: string, { load, offers }: ServedResources, origin: CallOrigin): Promise<ResourceForm> {
  const forms = (await load()).templates({ origin, offers });
  const found = forms.find(({ uriTemplate }) => uriTemplate === uri || uriTemplate.replace(/\{\?.*$/, '') === uri);
  if (found === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Resource template not found');
  return found;
}

/** Earlier variables of the template narrow the choice: only pages of that session, only refs of that page. */
function ofTemplate(
  { kind, uriTemplate }: ResourceForm,
  { argument, context }: CompleteRequestParams,
  known: Known,
): readonly string[] {
  const { sessionId, pageId } = context?.arguments ?? {};
  const isMeant = ({ id, name, uriId }: Session): boolean =>
    sessionId === undefined || [id, name, uriId].includes(sessionId);
  const sessions = known.sessions.filter(isMeant);
  const tabs = sessions.flatMap((session) => session.tabs).filter(({ id }) => pageId === undefined || pageId === id);
  const isFile = uriTemplate.includes('{timestamp}');
  const files = known.files.filter(
    (file) =>
      file.kind === kind &&
      (sessionId === undefined || [sessionId, ...sessions.map(({ uriId }) => uriId)].includes(file.session)) &&
      (pageId === undefined || file.page === pageId),
  );
  switch (argument.name) {
    case 'sessionId':
      return isFile ? files.map(({ session }) => session) : sessions.map(({ uriId }) => uriId);
    case 'pageId':
      return isFile ? files.flatMap(({ page }) => page ?? []) : tabs.map(({ id }) => id);
    case 'elementId':
      return tabs.flatMap((tab) => tab.refs.shown);
    case 'timestamp':
      return files.map(({ createdAt }) => new Date(createdAt).toISOString());
    default:
      return [];
  }
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
