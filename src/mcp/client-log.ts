import { LOG_LEVEL_META_KEY } from '@modelcontextprotocol/server';
import type { LoggingLevel, Server, ServerContext } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { CallResult } from '../call/answer/report.ts';

const levels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const;
const levelSchema = z.enum(levels).optional().catch(undefined);
const failureSchema = z.object({ error: z.object({ kind: z.string() }) });

/** Sends log messages to a client that asked for them. */
export class ClientLog {
  /** Set by a client of the 2025 era for its connection. */
  #level: LoggingLevel | undefined;

  constructor(server: Server) {
    server.setRequestHandler('logging/setLevel', ({ params }) => {
      this.#level = params.level;
      return {};
    });
  }

  /** One message for a call that has ended. Sent before the answer, because the answer ends the stream of a request. */
  async called(context: ServerContext, tool: string, { _meta, structuredContent, isError }: CallResult): Promise<void> {
    const threshold = this.#thresholdOf(context);
    if (threshold === undefined) return;
    const { success, data: failure } = failureSchema.safeParse(structuredContent);
    const outcome = isError === true ? (success ? failure.error.kind : 'error') : 'ok';
    const level = levelOf(outcome);
    if (levels.indexOf(level) < levels.indexOf(threshold)) return;
    const data = { call: _meta?.['pagehelm/call'], tool, tokens: _meta?.['pagehelm/tokens'], outcome };
    const params = { level, logger: 'calls', data };
    // A client that is gone needs no log.
    await context.mcpReq.notify({ method: 'notifications/message', params }).catch(() => undefined);
  }

  /** Clients of the stateless era send the level with each request. */
  #thresholdOf({ mcpReq }: ServerContext): LoggingLevel | undefined {
    const envelope: Readonly<Record<string, unknown>> = { ...mcpReq.envelope };
    return levelSchema.parse(envelope[LOG_LEVEL_META_KEY]) ?? this.#level;
  }
}

function levelOf(outcome: string): LoggingLevel {
  if (outcome === 'INTERNAL_ERROR') return 'error';
  return outcome === 'ok' ? 'info' : 'warning';
}
