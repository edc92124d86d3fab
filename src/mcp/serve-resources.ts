import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError } from '@modelcontextprotocol/server';
import type {
  ListResourcesResult,
  ListResourceTemplatesResult,
  ReadResourceResult,
  Server,
} from '@modelcontextprotocol/server';
import type { CallOrigin } from '../call/binding.ts';
import { ToolError } from '../errors.ts';
import type { ResourceChanges } from '../resources/changes.ts';
import { BadResourceRequest, ResourceNotFound } from '../resources/entry.ts';
import type { ResourceClient, Resources } from '../resources/resources.ts';

export interface ResourceService {
  /** Loaded with the first request that needs them. */
  readonly load: () => Promise<Resources>;
  readonly changes: ResourceChanges;
}

export interface ServedResources extends ResourceService {
  readonly offers: (tool: string) => boolean;
  /** A connection whose transport chooses the notifications that the client requested. */
  readonly isFiltered: boolean;
  /** Takes binary content out of an answer and returns a placeholder; the transport puts it back. */
  readonly hold: ((data: Uint8Array) => string) | undefined;
}

/** Subscriptions of one connection. */
const mostSubscriptions = 1000;

/** Answers requests about resources, and notifies the client of changes. */
export function serveResources(server: Server, service: ServedResources, origin: CallOrigin): void {
  const client: ResourceClient = { origin, offers: service.offers };
  const subscriber = new Subscriber(server, service, origin);
  server.setRequestHandler('resources/list', async ({ params }) => {
    subscriber.wantsList();
    return answer<ListResourcesResult>(async () => (await service.load()).list(client, params?.cursor));
  });
  server.setRequestHandler('resources/templates/list', async () =>
    answer<ListResourceTemplatesResult>(async () => {
      const forms = (await service.load()).templates(client);
      const templates = forms.map(({ uriTemplate, name, description, mimeType }) => {
        return { uriTemplate, name, description, ...(mimeType === undefined ? {} : { mimeType }) };
      });
      return { resourceTemplates: templates };
    }),
  );
  server.setRequestHandler('resources/read', async ({ params }, context) =>
    answer<ReadResourceResult>(async () => {
      const resources = await service.load();
      const { bytes, ...content } = await resources.read(client, params.uri, context.mcpReq.signal);
      if (bytes === undefined) return { contents: [content] };
      return { contents: [{ ...content, blob: service.hold?.(bytes) ?? bytes.toString('base64') }] };
    }),
  );
  server.setRequestHandler('resources/subscribe', async ({ params }) => {
    const resources = await service.load();
    if (!resources.has(client, params.uri)) throw notFound(params.uri);
    subscriber.add(params.uri);
    return {};
  });
  server.setRequestHandler('resources/unsubscribe', ({ params }) => {
    subscriber.remove(params.uri);
    return {};
  });
}

/** Sends the notifications of one connection. */
class Subscriber {
  readonly #server: Server;
  readonly #service: ServedResources;
  readonly #origin: CallOrigin;
  readonly #uris = new Set<string>();
  #wantsList = false;
  #listening: Disposable | undefined;

  constructor(server: Server, service: ServedResources, origin: CallOrigin) {
    this.#server = server;
    this.#service = service;
    this.#origin = origin;
    if (service.isFiltered) this.#listen();
  }

  /** A client that has never listed resources has no list that could be out of date. */
  wantsList(): void {
    this.#wantsList = true;
    this.#listen();
  }

  add(uri: string): void {
    if (this.#uris.size >= mostSubscriptions && !this.#uris.has(uri)) {
      const message = `A connection may have ${mostSubscriptions} subscriptions.`;
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, message);
    }
    this.#uris.add(uri);
    this.#listen();
  }

  remove(uri: string): void {
    this.#uris.delete(uri);
  }

  #listen(): void {
    if (this.#listening !== undefined) return;
    const { changes, isFiltered } = this.#service;
    // A client that is gone needs no notification.
    const ignore = (): undefined => undefined;
    this.#listening = changes.listen(this.#origin.driver, {
      updated: (uri) => {
        if (isFiltered || this.#uris.has(uri)) this.#server.sendResourceUpdated({ uri }).catch(ignore);
      },
      listChanged: () => {
        if (isFiltered || this.#wantsList) this.#server.sendResourceListChanged().catch(ignore);
      },
    });
    const { onclose } = this.#server;
    this.#server.onclose = () => {
      this.#listening?.[Symbol.dispose]();
      onclose?.();
    };
  }
}

/** Turns what went wrong into errors of the protocol. */
async function answer<T>(run: () => Promise<object>): Promise<T> {
  try {
    // The SDK's types have mutable arrays and no further keys.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return (await run()) as unknown as T;
  } catch (error) {
    if (error instanceof ResourceNotFound) throw notFound(error.uri);
    if (error instanceof BadResourceRequest) throw new ProtocolError(ProtocolErrorCode.InvalidParams, error.message);
    if (!(error instanceof ToolError)) throw error;
    const { code, kind, message, hint, retryable } = error.view;
    throw new ProtocolError(ProtocolErrorCode.InternalError, message, { code, kind, retryable, suggestion: hint });
  }
}

function notFound(uri: string): ResourceNotFoundError {
  return new ResourceNotFoundError(uri.slice(0, 200));
}
