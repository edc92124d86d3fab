import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { McpServer, Server, Transport } from '@modelcontextprotocol/server';
import type { Logger } from '../../log.ts';
import type { Era } from './endpoint.ts';

/** Serves both protocol eras on a connection of messages; the first message decides which. */
export function serveWire(transport: Transport, make: (era: Era) => Server | McpServer, log: Logger): AsyncDisposable {
  const onerror = (error: Error): void => log.debug('connection', { error: error.message });
  const handle = serveStdio(({ era }) => make(era), { transport, onerror });
  return { [Symbol.asyncDispose]: async () => handle.close() };
}
