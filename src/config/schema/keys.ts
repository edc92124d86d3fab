import * as z from 'zod';
import { ConfigError } from '../../errors.ts';
import { domainRuleProblem } from '../domain-rule.ts';
import { toolsetNames } from './toolset-names.ts';

const domainRules = z
  .array(z.string().refine((text) => domainRuleProblem(text) === undefined, { error: ruleProblem }))
  .optional();

const scopeShape = {
  readOnly: z.boolean().optional(),
  toolsets: z.array(z.enum(toolsetNames)).min(1).optional(),
  maxSessions: z.int().min(1).optional(),
  rate: z.int().min(1).optional(),
  allowedDomains: domainRules,
  blockedDomains: domainRules,
};

const keyText = z.string().min(1).regex(/^\S+$/, 'a key has no spaces');

/** A key, or several during a rotation, and what its holder may do. */
const keySchema = z.union([keyText, z.strictObject({ key: z.union([keyText, z.array(keyText)]), ...scopeShape })]);

/** Keys by the names of their holders. */
export const keysSchema = z.record(z.string().regex(/^[\w.-]{1,64}$/), keySchema);

export type KeyScope = Omit<Exclude<z.output<typeof keySchema>, string>, 'key'>;

export interface ApiKey {
  /** Holder of the key: all sessions belong to a name, not to a key. */
  readonly name: string;
  readonly key: string;
  readonly scope: KeyScope;
}

/** Name of a single key without a name. */
export const onlyKey = 'default';

export function keysIn(record: z.output<typeof keysSchema>): readonly ApiKey[] {
  return Object.entries(record).flatMap(([name, entry]) => {
    if (typeof entry === 'string') return [{ name, key: entry, scope: {} }];
    const { key, ...scope } = entry;
    return (typeof key === 'string' ? [key] : key).map((each) => ({ name, key: each, scope }));
  });
}

/** The keys of a file: one key, or a JSON object of them as in `apiKeys`. */
export function keysInFile(path: string, text: string): readonly ApiKey[] {
  const content = text.trim();
  if (!content.startsWith('{')) {
    if (/^\S+$/.test(content)) return [{ name: onlyKey, key: content, scope: {} }];
    throw new ConfigError([`${path}: the file must hold one key, or a JSON object of keys by name.`]);
  }
  const parsed = keysSchema.safeParse(readJson(path, content));
  if (parsed.success) return keysIn(parsed.data);
  throw new ConfigError(parsed.error.issues.map((issue) => `${path}: ${issue.path.join('.')}: ${issue.message}.`));
}

function ruleProblem({ input }: { readonly input?: unknown }): string {
  return domainRuleProblem(String(input)) ?? 'is not a rule';
}

function readJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's message quotes the text, which contains keys.
    throw new ConfigError([`${path}: the file is not valid JSON.`]);
  }
}
