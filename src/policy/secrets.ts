import { mapTexts } from '../util/map-texts.ts';
import { oneLine, pageText, quoted, visible } from '../util/text.ts';

/** A shorter value has encoded forms that turn up by chance. */
const leastEncoded = 6;
/** Shorter pieces of a value reveal little and occur in other words. */
const leastPiece = 4;
const cutMark = /\u2026 \(\d+ (?:more characters|chars)\)/g;

/** Values that nothing may show which leaves the server as text; each is known by its name. */
export class Secrets {
  readonly #values: ReadonlyMap<string, string>;
  /** Each way to write a value, and the name shown instead. */
  readonly #forms: ReadonlyMap<string, string>;
  readonly #pattern: RegExp | undefined;

  constructor(values: Readonly<Record<string, string>>) {
    this.#values = new Map(Object.entries(values).filter(([, value]) => value !== ''));
    this.#forms = new Map([...this.#values].flatMap(([name, value]) => formsOf(value).map((form) => [form, name])));
    // The longest first: one value may be a part of another.
    const forms = [...this.#forms.keys()].toSorted((a, b) => b.length - a.length);
    this.#pattern = forms.length === 0 ? undefined : new RegExp(forms.map(escaped).join('|'), 'g');
  }

  /** Whether there is nothing to redact. */
  get isEmpty(): boolean {
    return this.#pattern === undefined;
  }

  /** The value that a caller means by its name. */
  lookUp(name: string): string | undefined {
    return this.#values.get(name);
  }

  /** The name of a value that a caller wrote out. */
  nameOf(text: string): string | undefined {
    return [...this.#values].find(([, value]) => value === text)?.[0];
  }

  /** The text with the names in place of the values, plain or encoded in one of the usual ways. */
  redact(text: string): string {
    if (this.#pattern === undefined) return text;
    return this.#withoutPieces(text.replace(this.#pattern, (form) => marker(this.#forms.get(form) ?? '')));
  }

  /** The same for all texts in plain data, keys and errors too; other values are unchanged. */
  redactAll(value: unknown): unknown {
    return this.#pattern === undefined ? value : mapTexts(value, (text) => this.redact(text));
  }

  /** A text that was cut in the middle of a value still shows the beginning of it. */
  #withoutPieces(text: string): string {
    let shown = '';
    let end = 0;
    for (const { index } of text.matchAll(cutMark)) {
      shown += this.#withoutPiece(text.slice(end, index));
      end = index;
    }
    return shown + text.slice(end);
  }

  #withoutPiece(text: string): string {
    for (const [form, name] of this.#forms) {
      for (let length = form.length - 1; length >= leastPiece; length--) {
        if (text.endsWith(form.slice(0, length))) return text.slice(0, -length) + marker(name);
      }
    }
    return text;
  }
}

/** As @playwright/mcp writes it. */
function marker(name: string): string {
  return `<secret>${name}</secret>`;
}

function formsOf(value: string): readonly string[] {
  const plain = [
    value,
    oneLine(value),
    visible(value),
    pageText(value),
    value.replaceAll("'", "''"),
    value.replaceAll(/\s+/g, ' ').trim(),
  ];
  if (value.length < leastEncoded) return [...new Set(plain)].filter((form) => form !== '');
  const inUrl = percentEncoded(value);
  const inJson = JSON.stringify(value).slice(1, -1);
  // A key of several lines is shown line by line.
  const lines = value.split('\n').map((line) => line.trim());
  const encoded = [
    ...lines.filter((line) => line.length >= leastEncoded),
    inUrl,
    inUrl.replaceAll('%20', '+'),
    inUrl.replaceAll(/%[\dA-F]{2}/g, (code) => code.toLowerCase()),
    new URLSearchParams([['', value]]).toString().slice(1),
    inJson,
    JSON.stringify(inJson).slice(1, -1),
    quoted(value).slice(1, -1),
    inHtml(value),
    ...inBase64(value),
  ];
  return [...new Set([...plain, ...encoded])].filter((form) => form !== '');
}

function percentEncoded(value: string): string {
  try {
    return encodeURIComponent(value);
  } catch {
    // Half of a character, which no address can hold.
    return value;
  }
}

function inHtml(value: string): string {
  const names: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return value.replaceAll(/[&<>"']/g, (character) => names[character] ?? character);
}

/** The forms of a value inside longer base64 text: they depend on its offset in a group of three bytes. */
function inBase64(value: string): readonly string[] {
  const bytes = Buffer.from(value);
  return [0, 1, 2].flatMap((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    // The first and the last character also contain bits of the surrounding text.
    const own = text.slice(Math.ceil((before * 4) / 3), Math.floor(((before + bytes.length) * 4) / 3));
    return [own, own.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
