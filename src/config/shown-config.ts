import { listOptions } from './options.ts';
import type { Config } from './schema/schema.ts';

const hidden = '[REDACTED]';

/** The configuration with the values of secret options replaced. */
export function shownConfig(config: Config): Readonly<Record<string, unknown>> {
  const secret = new Set(
    listOptions()
      .filter(({ meta }) => meta.secret === true)
      .map(({ path }) => path),
  );
  return Object.fromEntries(Object.entries(config).map(([key, value]) => [key, shown(value, key, secret)]));
}

function shown(value: unknown, path: string, secret: ReadonlySet<string>): unknown {
  if (value === undefined) return undefined;
  if (secret.has(path) || path === 'secrets') return masked(value);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shown(item, `${path}.${key}`, secret)]));
}

/** Names stay: they say what is set. */
function masked(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return hidden;
  return Array.isArray(value)
    ? value.map(() => hidden)
    : Object.fromEntries(Object.keys(value).map((key) => [key, hidden]));
}
