import type { McpServer, Server } from '@modelcontextprotocol/server';
import type { KeyScope } from '../../config/schema/keys.ts';

/** The sender of a request. */
export interface Caller {
  /** Name of the API key; undefined with --no-auth. */
  readonly key: string | undefined;
  readonly scope?: KeyScope | undefined;
  /** An Mcp-Session-Id, an SSE stream or a WebSocket; undefined for a request without a connection. */
  readonly connection: string | undefined;
}

/** The server behind the network transports. */
export interface Endpoint {
  /** A protocol server for one connection or one request. */
  server(caller: Caller): Server | McpServer;
  /** The connection has ended and cannot come back. */
  ended(caller: Caller): void;
}
