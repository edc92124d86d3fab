import { pino } from 'pino';
import { fieldValue } from './log.ts';
import type { LogFields, Logger, LoggerOptions } from './log.ts';

/** A logger of JSON, one object in each line. */
export function createJsonLogger({ level, write, now }: LoggerOptions): Logger {
  const log = pino(
    {
      level,
      base: null,
      messageKey: 'message',
      timestamp: () => `,"time":"${now().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { error: fieldValue },
    },
    { write },
  );
  const short = (fields: LogFields = {}): LogFields =>
    Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, fieldValue(value)]));
  return {
    debug: (message, fields) => log.debug(short(fields), message),
    info: (message, fields) => log.info(short(fields), message),
    warn: (message, fields) => log.warn(short(fields), message),
    error: (message, fields) => log.error(short(fields), message),
  };
}
