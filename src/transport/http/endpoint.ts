import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex, Readable } from 'node:stream';
import type { EventStore, McpServer, Server } from '@modelcontextprotocol/server';
import type { KeyScope } from '../../config/schema/keys.ts';
import type { Refusal } from '../access/guard.ts';
import type { KeyIdentity } from '../access/keys.ts';

/** `legacy` up to protocol version 2025-11-25, `modern` from 2026-07-28. */
export type Era = 'legacy' | 'modern';

/** The sender of a request. */
export interface Caller {
  /** Name of the API key; undefined with --no-auth. */
  readonly key: string | undefined;
  readonly scope?: KeyScope | undefined;
  /** An Mcp-Session-Id, an SSE stream or a WebSocket; undefined for a request without a connection. */
  readonly connection: string | undefined;
  /** Takes binary content out of the answer and returns a placeholder; the transport puts it back. */
  readonly hold?: ((data: Uint8Array) => string) | undefined;
}

/** Called when resources of a caller change. */
export interface ResourceListener {
  updated(uri: string): void;
  listChanged(): void;
}

/** A file of a caller, to send as it is. */
export interface ServedFile {
  readonly name: string;
  readonly mimeType: string;
  readonly size: number;
  readonly body: Buffer | Readable;
}

/** The holder of the key in a request; undefined where none is needed. */
export type Identify = () => KeyIdentity | Refusal | undefined;

/** What is served beside the protocol. Host, Origin and the limits of the listener were checked before. */
export interface WebRoutes {
  serves(path: string): boolean;
  handle(request: IncomingMessage, response: ServerResponse, identify: Identify): Promise<Refusal | undefined>;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Refusal | undefined;
}

/** Sends requests on to the process that serves them. */
export interface Forwarder {
  handle(request: IncomingMessage, response: ServerResponse, identity: KeyIdentity | undefined): Promise<void>;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, identity: KeyIdentity | undefined): void;
  /** Requests that are not answered yet. */
  readonly pending: number;
}

/** A 2025 connection as any process of a cluster can open it again. */
export interface SharedConnection {
  /** Name of the key. */
  readonly key: string;
  readonly protocolVersion: string;
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly clientInfo: { readonly name: string; readonly version: string };
}

/** Connections that outlive the process that opened them. */
export interface SharedConnections {
  /** An id that carries the connection; undefined if it cannot. */
  idOf(connection: SharedConnection): string | undefined;
  /** The connection of an id, if a process of the cluster made it. */
  read(id: string): SharedConnection | undefined;
  events(id: string): EventStore & { clear(): unknown };
}

/** The server behind the network transports. */
export interface Endpoint {
  /** Another one after each start; /livez shows it. */
  readonly boot?: string;
  /** Makes sure that this process serves the caller until the result is disposed of, or says why it does not. */
  admit?(caller: Caller): Promise<Refusal | Disposable>;
  /** A protocol server for one connection or one request. On a modern connection, the transport filters notifications. */
  server(caller: Caller, era?: Era): Server | McpServer;
  /** Notifies of changes to the caller's resources; undefined if there are none. */
  changes?(caller: Caller, listener: ResourceListener): Disposable;
  /** The file of a resource; undefined if the caller has none of that URI. */
  file?(caller: Caller, uri: string): Promise<ServedFile | undefined>;
  /** Why no more requests should be sent here, if that is so: a word or two. */
  unready?(): Promise<string | undefined>;
  /** The connection has ended and cannot come back. */
  ended(caller: Caller): void;
}
