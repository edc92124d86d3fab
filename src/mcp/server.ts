import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import type { CallToolResult, ListToolsResult, ServerContext } from '@modelcontextprotocol/server';
import { UnknownToolError } from '../call/dispatch.ts';
import type { CallRequest } from '../call/dispatch.ts';
import type { CallResult } from '../call/answer/report.ts';
import type { CallOrigin } from '../call/binding.ts';
import { serveCompletions } from './completions.ts';
import type { CompletionDeps } from './completions.ts';
import { instructionsFor } from './instructions.ts';
import type { ToolEntry } from './describe.ts';
import { servePrompts } from './prompts.ts';
import { serveResources } from './serve-resources.ts';
import type { ResourceService } from './serve-resources.ts';

export interface McpDeps extends CompletionDeps {
  readonly name: string;
  readonly version: string;
  readonly tools: readonly ToolEntry[];
  readonly call: (request: CallRequest) => Promise<CallResult>;
  /** Called after the tool list was sent: slow modules can be loaded now. */
  readonly onListed: () => void;
  readonly resources: ResourceService;
}

export interface ServerOptions {
  /** The transport sends only the notifications that the client requested. */
  readonly isFiltered?: boolean;
  /** Takes binary content out of an answer and returns a placeholder; the transport puts it back. */
  readonly hold?: ((data: Uint8Array) => string) | undefined;
}

/** The lists never change while a server runs, so clients of the stateless era may cache them. */
const listCache = { ttlMs: 3_600_000, cacheScope: 'public' } as const;

const listLeadMs = 20;
/** The first protocol version with the content type `resource_link`. */
const firstWithLinks = '2025-06-18';

/** Makes a server object for one connection or request. It holds no state but subscriptions: state is in sessions. */
export function createServer(
  deps: McpDeps,
  origin: CallOrigin,
  { isFiltered = false, hold }: ServerOptions = {},
): Server {
  const server = new Server(
    { name: deps.name, title: 'pagehelm', version: deps.version },
    {
      capabilities: { tools: {}, resources: { subscribe: true, listChanged: true }, prompts: {}, completions: {} },
      instructions: instructionsFor(deps.tools),
      cacheHints: {
        'tools/list': listCache,
        'resources/templates/list': listCache,
        'prompts/list': listCache,
        'server/discover': listCache,
      },
    },
  );
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
      const answer = await deps.call({ ...origin, name, args, signal: context.mcpReq.signal, ...progressOf(context) });
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

/** Clients of older versions reject an answer with an unknown content type. */
function knowsLinks(server: Server): boolean {
  return (server.getNegotiatedProtocolVersion() ?? firstWithLinks) >= firstWithLinks;
}

function withoutLinks(answer: CallResult): CallResult {
  return { ...answer, content: answer.content.filter(({ type }) => type !== 'resource_link') };
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
