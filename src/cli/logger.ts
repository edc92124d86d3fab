import { openSync, writeSync } from 'node:fs';
import type { Config } from '../config/schema/schema.ts';
import { ConfigError } from '../errors.ts';
import { createLogger } from '../log.ts';
import type { Logger } from '../log.ts';
import { errorCode } from '../util/error-code.ts';

/** The log may contain URLs and paths, so only its owner can read it. */
const privateFile = 0o600;

/** The configured log. The destination `stdout` is left only where no client is on it. */
export function loggerFor({ level, format, destination, file }: Config['logging']): Logger {
  const stream = destination === 'stdout' ? process.stdout : process.stderr;
  const toStream = (line: string): void => void stream.write(line);
  const write = destination === 'file' && file !== undefined ? fileWriter(file, toStream) : toStream;
  return createLogger({ level, format, write, now: () => new Date() });
}

function fileWriter(file: string, fallback: (line: string) => void): (line: string) => void {
  const descriptor = openLog(file);
  return (line) => {
    try {
      writeSync(descriptor, line);
    } catch {
      // A full disk must not end the server.
      fallback(line);
    }
  };
}

function openLog(file: string): number {
  try {
    return openSync(file, 'a', privateFile);
  } catch (error) {
    const code = errorCode(error);
    const reason = code === 'ENOENT' ? 'its directory does not exist' : `the system refused it (${code ?? 'unknown'})`;
    throw new ConfigError([`logging.file: ${file} cannot be written: ${reason}.`]);
  }
}
