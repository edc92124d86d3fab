import {
  ProtocolError,
  ProtocolErrorCode,
  Server,
  TRACEPARENT_META_KEY,
  createRequestStateCodec,
} from '@modelcontextprotocol/server';
import type { CallToolResult, ListToolsResult, RequestStateCodec, ServerContext } from '@modelcontextprotocol/server';
import { UnknownToolError } from '../call/dispatch.ts';
import type { CallRequest } from '../call/dispatch.ts';
import type { CallResult } from '../call/answer/report.ts';
import type { CallOrigin } from '../call/binding.ts';
import { mapTexts } from '../util/map-texts.ts';
import { ClientLog } from './client-log.ts';
import { Confirmations } from './confirmations.ts';
import type { Asked } from './confirmations.ts';
import { ClientRoots } from './client-roots.ts';
import { serveCompletions } from './completions.ts';
import type { CompletionDeps } from './completions.ts';
import { instructionsFor } from './instructions.ts';
import type { ToolEntry } from './describe.ts';
import { servePrompts } from './prompts.ts';
import { serveResources } from './serve-resources.ts';
import type { ResourceService } from './serve-resources.ts';
import { openLinkRequest } from './url-requests.ts';
import type { ShownLink } from './url-requests.ts';

export interface McpDeps extends CompletionDeps {
  readonly name: string;
  readonly version: string;
  readonly tools: readonly ToolEntry[];
  readonly call: (request: CallRequest) => Promise<CallResult>;
  /** Called after the tool list was sent: slow modules can be loaded now. */
  readonly onListed: () => void;
  readonly resources: ResourceService;
  /** Signs questions to users. */
  readonly questionKey: Uint8Array;
  /** Calls may need a confirmation. */
  readonly asksUsers: boolean;
}

export interface ServerOptions {
  /** The transport sends only the notifications that the client requested. */
  readonly isFiltered?: boolean;
  /** Takes binary content out of an answer and returns a placeholder; the transport puts it back. */
  readonly hold?: ((data: Uint8Array) => string) | undefined;
}

/** The lists never change while a server runs, so clients of the stateless era may cache them. */
const listCache = { ttlMs: 3_600_000, cacheScope: 'public' } as const;

const capabilities = {
  tools: {},
  resources: { subscribe: true, listChanged: true },
  prompts: {},
  completions: {},
  logging: {},
};

/** A question to a user is valid for this long; a handoff at most. */
const questionSeconds = 1800;
const listLeadMs = 20;
const longestCallId = 200;
/** The first protocol version with the content type `resource_link`. */
const firstWithLinks = '2025-06-18';

/** Makes a server object for one connection or request. It holds no state but subscriptions: state is in sessions. */
export function createServer(
  deps: McpDeps,
  origin: CallOrigin,
  { isFiltered = false, hold }: ServerOptions = {},
): Server {
  const codec = questionCodec(deps.questionKey, origin);
  const confirmations = deps.asksUsers ? new Confirmations(codec) : undefined;
  const server = new Server(
    { name: deps.name, title: 'pagehelm', version: deps.version },
    {
      capabilities,
      instructions: instructionsFor(deps.tools),
      requestState: { verify: async (state, context) => codec.verify(state, context) },
      cacheHints: {
        'tools/list': listCache,
        'resources/templates/list': listCache,
        'prompts/list': listCache,
        'server/discover': listCache,
      },
    },
  );
  redactErrors(server, deps.redact);
  const clientLog = new ClientLog(server);
  const clientRoots = new ClientRoots(server);
  server.setRequestHandler('tools/list', () => {
    // After the answer is out: loading Playwright blocks the event loop.
    setTimeout(deps.onListed, listLeadMs).unref();
    // The SDK's type has mutable arrays; nothing writes to the table.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return { tools: deps.tools } as unknown as ListToolsResult;
  });
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const { name, arguments: args } = params;
    try {
      const confirmation = confirmations?.open(server, context, name, args);
      const client = { ...origin, ...factsOf(context), roots: await clientRoots.paths() };
      const links = openLinkRequest(server, context, codec);
      const answer = await deps.call({ ...client, name, args, confirmation, links });
      const question = (await confirmation?.request()) ?? (await links.request());
      if (question !== undefined) return question;
      await clientLog.called(context, name, answer);
      const result = knowsLinks(server) ? answer : withoutLinks(answer);
      // As above: the same data, in the SDK's mutable types.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      return result as unknown as CallToolResult;
    } catch (error) {
      if (!(error instanceof UnknownToolError)) throw error;
      const data = error.suggestion === undefined ? {} : { suggestion: error.suggestion };
      throw new ProtocolError(ProtocolErrorCode.MethodNotFound, error.message, data);
    }
  });
  const offers = (tool: string): boolean => deps.nameOf(tool) !== undefined;
  const resources = { ...deps.resources, offers, isFiltered, hold };
  serveResources(server, resources, origin);
  servePrompts(server, deps);
  serveCompletions(server, deps, { resources, origin });
  return server;
}

/** Signs what comes back with the answer of a user. */
function questionCodec(key: Uint8Array, { driver }: CallOrigin): RequestStateCodec<Asked | ShownLink> {
  return createRequestStateCodec<Asked | ShownLink>({ key, ttlSeconds: questionSeconds, bind: () => driver });
}

/** Errors of the protocol repeat names and URIs that a client sent, which may contain a secret. */
function redactErrors(server: Server, redact: (text: string) => string): void {
  const connect = server.connect.bind(server);
  server.connect = async (transport) => {
    const send = transport.send.bind(transport);
    transport.send = async (message, options) => {
      if (!('error' in message)) return send(message, options);
      const { code, message: text, data } = message.error;
      const shown = { code, message: redact(text), ...(data === undefined ? {} : { data: mapTexts(data, redact) }) };
      return send({ ...message, error: shown }, options);
    };
    return connect(transport);
  };
}

/** Clients of older versions reject an answer with an unknown content type. */
function knowsLinks(server: Server): boolean {
  return (server.getNegotiatedProtocolVersion() ?? firstWithLinks) >= firstWithLinks;
}

function withoutLinks(answer: CallResult): CallResult {
  return { ...answer, content: answer.content.filter(({ type }) => type !== 'resource_link') };
}

/** The trace context of the client, if it sends one. */
function traceOf({ mcpReq }: ServerContext): string | undefined {
  const trace = mcpReq._meta?.[TRACEPARENT_META_KEY];
  return typeof trace === 'string' ? trace : undefined;
}

function factsOf(context: ServerContext): Pick<CallRequest, 'signal' | 'trace' | 'progress' | 'callId'> {
  return { signal: context.mcpReq.signal, trace: traceOf(context), callId: callIdOf(context), ...progressOf(context) };
}

const callIdKey = 'pagehelm/callId';
/** The second one is set by gateways. One HTTP request may contain several calls. */
const callIdHeaders = ['idempotency-key', 'pagehelm-call-id'];

/** The id under which a call runs at most once, if it has one. */
function callIdOf({ mcpReq, http }: ServerContext): string | undefined {
  const given = mcpReq._meta?.[callIdKey];
  if (typeof given === 'string' && given !== '') return given.slice(0, longestCallId);
  const header = callIdHeaders.map((name) => http?.req?.headers.get(name) ?? '').find((value) => value !== '');
  return header === undefined ? undefined : `${header}:${mcpReq.id}`.slice(0, longestCallId);
}

/** Progress goes only to a client that gave a token for it. */
function progressOf(context: ServerContext): Pick<CallRequest, 'progress'> {
  const progressToken = context.mcpReq._meta?.progressToken;
  if (progressToken === undefined) return {};
  let progress = 0;
  return {
    progress: (message) => {
      const params = { progressToken, progress: ++progress, message };
      // A client that is gone needs no progress.
      context.mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
    },
  };
}
