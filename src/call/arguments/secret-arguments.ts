import { ToolError } from '../../errors.ts';
import type { Secrets } from '../../policy/secrets.ts';
import type { Tab } from '../../session/tab.ts';
import { cut, oneLine } from '../../util/text.ts';
import { destinationOf, documentsOf, originOf } from '../permit.ts';
import type { DocumentCheck } from '../permit.ts';

/** The parts of a tool that decide where its arguments may contain secrets. */
export interface SecretFacts {
  readonly effect: string;
  /** Arguments whose whole text may be the name of a secret. */
  readonly namesSecrets?: readonly string[] | undefined;
  /** Runs code that can reach any origin. */
  readonly runsServerCode?: boolean | undefined;
  /** What its arguments reach, where the effect does not say it: the current page, or pages of any origin. */
  readonly secretsReach?: 'page' | 'anywhere' | undefined;
  /** Finds elements, and looks up names of secrets, itself. */
  readonly findsItself?: boolean | undefined;
}

/** Arguments with their secrets. */
export interface Revealed<T> {
  readonly args: T;
  /** Throws if an element in the document with this URL may not get them. */
  readonly check: DocumentCheck;
}

const reference = /\{\{\s*secret:\s*([^{}]*?)\s*\}\}/g;
/** Effects on a page. Steps of a call are read one by one, when they run. */
const onPages = new Set(['read', 'input', 'code']);
const expanded = new Set([...onPages, 'navigate', 'manage']);

/**
 * Replaces `{{secret:NAME}}` in all texts of a call's arguments, and names of secrets in the arguments that take them. A
 * secret that is bound to origins is used only in their documents and URLs.
 */
export function withSecrets<T>(tool: SecretFacts, args: T, tab: Tab | undefined, secrets: Secrets): Revealed<T> {
  if (!expanded.has(tool.effect)) return { args, check: () => undefined };
  /** The arguments in which each secret is used. */
  const used = new Map<string, Set<string>>();
  const reveal = (name: string, argument: string): string => {
    const value = secrets.lookUp(name);
    if (value === undefined)
      throw new ToolError('SECRET_UNKNOWN', { name: cut(oneLine(name), 60), known: secrets.names });
    used.set(name, (used.get(name) ?? new Set()).add(argument));
    return value;
  };
  const inText = (text: string, key: string, argument: string): string => {
    if (tool.namesSecrets?.includes(key) === true && secrets.names.includes(text)) {
      const value = reveal(text, argument);
      return tool.findsItself === true && !secrets.isCode(text) ? text : value;
    }
    return text.includes('{{') ? text.replaceAll(reference, (_, name: string) => reveal(name, argument)) : text;
  };
  const meant = mapArguments(args, [], inText);
  const bound = [...used.keys()].filter((name) => secrets.isBound(name));
  for (const name of bound) {
    checkOrigin(name, { tool, inside: used.get(name) ?? new Set(), args, meant, tab, secrets });
  }
  return {
    // Only texts are replaced.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    args: used.size === 0 ? args : (meant as T),
    check: (url) => {
      for (const name of bound) checkDocument(name, url, secrets);
    },
  };
}

function checkDocument(name: string, url: string, secrets: Secrets): void {
  if (!secrets.isAllowedOn(name, url)) {
    throw new ToolError('SECRET_ORIGIN_MISMATCH', { name, where: `on ${originOf(url)}` });
  }
}

interface Use {
  readonly tool: SecretFacts;
  /** The arguments that contain the secret. */
  readonly inside: ReadonlySet<string>;
  /** The arguments as they were given, and with their secrets. */
  readonly args: unknown;
  readonly meant: unknown;
  readonly tab: Tab | undefined;
  readonly secrets: Secrets;
}

function checkOrigin(name: string, use: Use): void {
  const deny = (where: string): never => {
    throw new ToolError('SECRET_ORIGIN_MISMATCH', { name, where });
  };
  const { tool, secrets } = use;
  if (tool.runsServerCode === true) deny('in code that can reach any origin');
  const urls = placesOf(use);
  if (urls === 'anywhere') deny('in a setting that applies to any origin');
  else if (urls.length === 0) deny('without a page');
  else for (const url of urls) checkDocument(name, url, secrets);
}

/** Where a secret would go. The URL of a call is its only destination if nothing else contains the secret. */
function placesOf({ tool, inside, args, meant, tab }: Use): readonly string[] | 'anywhere' {
  if (tool.secretsReach === 'anywhere') return 'anywhere';
  if (onPages.has(tool.effect) || tool.secretsReach === 'page') return documentsOf(tab, tool, args);
  const destination = destinationOf(meant, tab);
  return destination === undefined || [...inside].some((argument) => argument !== 'url') ? 'anywhere' : [destination];
}

type MapText = (text: string, key: string, argument: string) => string;

/** `path` are the keys above the value; the first one is the argument. */
function mapArguments(value: unknown, path: readonly string[], map: MapText): unknown {
  if (typeof value === 'string') return map(value, path.at(-1) ?? '', path[0] ?? '');
  if (Array.isArray(value)) return value.map((item) => mapArguments(item, path, map));
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, mapArguments(item, [...path, name], map)]),
  );
}
