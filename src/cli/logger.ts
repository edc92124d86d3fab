import { appendFileSync } from 'node:fs';
import type { Config } from '../config/schema/schema.ts';
import { createLogger } from '../log.ts';
import type { Logger } from '../log.ts';

/** The log as configured. Never stdout: that belongs to the protocol. */
export function loggerFor({ level, format, destination, file }: Config['logging']): Logger {
  const toFile = destination === 'file' && file !== undefined;
  const write = toFile
    ? (line: string): void => appendFileSync(file, line)
    : (line: string): void => void process.stderr.write(line);
  return createLogger({ level, format, write, now: () => new Date() });
}
