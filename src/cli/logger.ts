import type { Config } from '../config/schema/schema.ts';
import { createLogger } from '../log.ts';
import type { Logger } from '../log.ts';

/** The configured log. The destination `stdout` is left only where no client is on it. */
export async function loggerFor(logging: Config['logging']): Promise<Logger> {
  const { level, format, destination } = logging;
  const stream = destination === 'stdout' ? process.stdout : process.stderr;
  const toStream = (line: string): void => void stream.write(line);
  const isFile = destination === 'file' && logging.file !== undefined;
  const write = isFile ? await fileWriter(logging, toStream) : toStream;
  const options = { level, write, now: () => new Date(), isTimed: isFile };
  // A server that logs text need not load the other.
  return format === 'json' ? (await import('../json-log.ts')).createJsonLogger(options) : createLogger(options);
}

async function fileWriter(
  { file: path = '', maxSize: maxBytes, maxFiles }: Config['logging'],
  fallback: (line: string) => void,
): Promise<(line: string) => void> {
  const { LogFile } = await import('./log-file.ts');
  const file = new LogFile({ path, maxBytes, maxFiles, fallback });
  return (line) => file.write(line);
}
