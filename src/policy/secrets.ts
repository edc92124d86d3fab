import { isUtf8 } from 'node:buffer';
import { mapTexts } from '../util/map-texts.ts';
import { parseSecretOrigin } from '../config/secret-origin.ts';
import { hostRule } from './domains.ts';
import type { HostRule } from './domains.ts';
import { codeAt, isCodeSource, readCodeSource } from '../config/one-time-code.ts';
import type { CodeSource } from '../config/one-time-code.ts';
import { withoutLogins } from './redaction/url-logins.ts';
import { ValueFinder } from './redaction/find-values.ts';
import type { NamedValue } from './redaction/find-values.ts';

const cutMark = /\u2026 \(\d+ (?:more characters|chars)\)/g;

/** One-time codes that answers may not show; older ones are no longer valid. */
const codesKept = 5;

/** Values that nothing may show which leaves the server as text; each is known by its name. */
export class Secrets {
  readonly #values: ReadonlyMap<string, string>;
  readonly #sources: ReadonlyMap<string, CodeSource>;
  readonly #origins: ReadonlyMap<string, readonly HostRule[]>;
  readonly #now: () => number;
  #codes: readonly NamedValue[] = [];
  #finder: ValueFinder;

  /** `origins` are rules such as `PASSWORD@https://bank.example`; a secret without one may be used everywhere. */
  constructor(values: Readonly<Record<string, string>>, origins: readonly string[] = [], now = Date.now) {
    this.#values = new Map(Object.entries(values).filter(([, value]) => value.trim() !== ''));
    this.#sources = new Map([...this.#values].flatMap(([name, value]) => sourceOf(name, value)));
    this.#origins = rulesByName(origins);
    this.#now = now;
    this.#finder = this.#makeFinder();
  }

  #makeFinder(): ValueFinder {
    const values = [...this.#values].map(([name, value]) => ({ name, value }));
    const seeds = [...this.#sources].map(([name, { seed }]) => ({ name, value: seed }));
    return new ValueFinder([...values, ...seeds, ...this.#codes]);
  }

  /** Whether there is nothing to redact. */
  get isEmpty(): boolean {
    return this.#values.size === 0;
  }

  get names(): readonly string[] {
    return [...this.#values.keys()];
  }

  /** The value that a caller means by its name; the current code of a source of one-time codes. */
  lookUp(name: string): string | undefined {
    const source = this.#sources.get(name);
    if (source === undefined) return this.#values.get(name);
    const value = codeAt(source, this.#now());
    if (!this.#codes.some((code) => code.value === value)) {
      this.#codes = [...this.#codes, { name, value }].slice(-codesKept);
      this.#finder = this.#makeFinder();
    }
    return value;
  }

  /** Whether the value is a source of one-time codes. */
  isCode(name: string): boolean {
    return this.#sources.has(name);
  }

  /** The name of a value that a caller wrote out, or that was looked up. */
  nameOf(text: string): string | undefined {
    const found = [...this.#values].find(([, value]) => value === text)?.[0];
    return found ?? this.#codes.findLast(({ value }) => value === text)?.name;
  }

  /** Whether a secret may be used only on some origins. */
  isBound(name: string): boolean {
    return this.#origins.has(name);
  }

  isAllowedOn(name: string, url: string): boolean {
    return this.#origins.get(name)?.some((matches) => matches(url)) ?? true;
  }

  /** The text with names in place of values, plain or encoded in one of the usual ways, and without logins in URLs. */
  redact(text: string): string {
    return withoutLogins(this.#withoutValues(text, marker));
  }

  #withoutValues(text: string, shown: typeof marker): string {
    if (this.isEmpty || text === '') return text;
    let result = '';
    let end = 0;
    for (const span of this.#finder.find(text)) {
      result += text.slice(end, span.start) + shown(span.name);
      end = span.end;
    }
    return this.#withoutPieces(result + text.slice(end), shown);
  }

  /** The same for the name of a file. */
  redactName(name: string): string {
    return this.#withoutValues(name, (secret) => `secret-${secret.replaceAll(/[^\w-]/g, '_')}`);
  }

  /** The same for the bytes of a text, in UTF-8 or in an encoding with one byte for each character. */
  redactBytes(bytes: Buffer): Buffer {
    if (this.isEmpty) return bytes;
    const encoding = isUtf8(bytes) ? 'utf8' : 'latin1';
    return Buffer.from(this.#withoutValues(bytes.toString(encoding), marker), encoding);
  }

  /** The same for all texts in plain data, keys and errors too; other values are unchanged. */
  redactAll(value: unknown): unknown {
    return mapTexts(value, (text) => this.redact(text));
  }

  /** A text that was cut in the middle of a value still shows the beginning of it. */
  #withoutPieces(text: string, shown: typeof marker): string {
    let result = '';
    let end = 0;
    for (const { index } of text.matchAll(cutMark)) {
      const part = text.slice(end, index);
      const piece = this.#finder.findCut(part);
      result += piece === undefined ? part : part.slice(0, piece.start) + shown(piece.name);
      end = index;
    }
    return result + text.slice(end);
  }
}

/** The configuration has been checked, so that a source or a rule that cannot be read is a bug. */
function sourceOf(name: string, value: string): readonly (readonly [string, CodeSource])[] {
  if (!isCodeSource(value)) return [];
  const source = readCodeSource(value);
  if ('problem' in source) throw new Error(`the secret ${name} ${source.problem}`);
  return [[name, source]];
}

function rulesByName(origins: readonly string[]): ReadonlyMap<string, readonly HostRule[]> {
  const rules = new Map<string, HostRule[]>();
  for (const text of origins) {
    const rule = parseSecretOrigin(text);
    if ('problem' in rule) throw new Error(rule.problem);
    rules.set(rule.name, [...(rules.get(rule.name) ?? []), hostRule(rule.on)]);
  }
  return rules;
}

/** As @playwright/mcp writes it. */
function marker(name: string): string {
  return `<secret>${name}</secret>`;
}
