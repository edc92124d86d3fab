import { createApp as wire } from './app.ts';
import type { App } from './app.ts';
import { configSchema } from './config/schema/schema.ts';
import type { Config } from './config/schema/schema.ts';
import { createJsonLogger } from './json-log.ts';
import { createLogger } from './log.ts';
import { vocabularies } from './tools/vocabularies/index.ts';
import type { Tool } from './call/tool.ts';
import type { z } from 'zod';

export { defineTool } from './call/tool.ts';
export { ToolError } from './errors.ts';
export type { App } from './app.ts';
export type { CallResult, Content } from './call/answer/report.ts';
export type { Tool } from './call/tool.ts';
export type { Config } from './config/schema/schema.ts';
export type { ErrorCode } from './errors.ts';

/** A configuration as it is written: everything is optional. */
export type ConfigInput = z.input<typeof configSchema>;

export interface CreateOptions {
  /** Further tools, beside pagehelm's own; name them in `enableTools`. */
  readonly tools?: readonly Tool[];
  /** Where log lines go; nowhere by default. */
  readonly log?: (line: string) => void;
}

/** A browser server inside another program: call its tools directly, or serve them over a transport. */
export function createApp(config: ConfigInput = {}, options: CreateOptions = {}): App {
  const parsed: Config = configSchema.parse(config);
  const { level, format } = parsed.logging;
  const make = format === 'json' ? createJsonLogger : createLogger;
  const log = make({ level, write: options.log ?? (() => undefined), now: () => new Date() });
  return wire({ config: parsed, log, vocabularies, ...(options.tools === undefined ? {} : { tools: options.tools }) });
}

/** A protocol server to connect to a transport of the MCP SDK; closing it ends its browser. */
export async function createConnection(config: ConfigInput = {}): Promise<ReturnType<App['server']>> {
  const app = createApp(config);
  const server = app.server('library');
  server.onclose = () => void app[Symbol.asyncDispose]();
  return server;
}
