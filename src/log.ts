import { oneLine } from './util/text.ts';

export const logLevels = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof logLevels)[number];
export type LogFields = Readonly<Record<string, unknown>>;

/** Fields, not sentences: `log.info('session expired', { sessionId })`. */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

export interface LoggerOptions {
  readonly level: LogLevel;
  readonly write: (line: string) => void;
  readonly now: () => Date;
  /** Whether lines begin with the time; a terminal or a journal has its own. */
  readonly isTimed?: boolean;
}

/** A logger of text: one line per entry. Line breaks and control characters in fields cannot make a second one. */
export function createLogger(options: LoggerOptions): Logger {
  const threshold = logLevels.indexOf(options.level);
  const entry = (level: LogLevel, message: string, fields: LogFields): void => {
    if (logLevels.indexOf(level) < threshold) return;
    const time = options.isTimed === true ? `${options.now().toISOString()} ` : '';
    options.write(`${time}${textLine(level, message, fields)}`);
  };
  return {
    debug: (message, fields = {}) => entry('debug', message, fields),
    info: (message, fields = {}) => entry('info', message, fields),
    warn: (message, fields = {}) => entry('warn', message, fields),
    error: (message, fields = {}) => entry('error', message, fields),
  };
}

/** The same logger, for entries whose texts are first changed: values that no log may show are taken out. */
export function mapLogger(log: Logger, map: (value: unknown) => unknown): Logger {
  const entry =
    (level: LogLevel): Logger[LogLevel] =>
    (message, fields = {}) =>
      log[level](
        String(map(message)),
        Object.fromEntries(Object.entries(fields).map(([key, each]) => [key, map(each)])),
      );
  return { debug: entry('debug'), info: entry('info'), warn: entry('warn'), error: entry('error') };
}

const longestField = 2000;

function textLine(level: LogLevel, message: string, fields: LogFields): string {
  const pairs = Object.entries(fields).flatMap(([key, value]) =>
    value === undefined ? [] : [` ${key}=${oneLine(String(fieldValue(value)))}`],
  );
  const mark = level === 'info' ? '' : `${level}: `;
  return `pagehelm: ${mark}${oneLine(message)}${pairs.join('')}\n`;
}

/** A field as a line shows it: errors with their stack, long texts cut. */
export function fieldValue(value: unknown): unknown {
  if (value instanceof Error) return (value.stack ?? value.message).slice(0, longestField);
  if (typeof value === 'string') return value.slice(0, longestField);
  return value;
}
