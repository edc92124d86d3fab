import { pageCode } from '../../util/code.ts';
import type { Code, CodeValue } from '../../util/code.ts';

type Read<T> = { readonly value: T; readonly rest: string } | undefined;

/** A locator as Playwright prints it, such as `getByRole('button', { name: 'Go' }).nth(1)`; undefined for other code. */
export function readLocator(text: string): Code | undefined {
  let code = pageCode;
  let rest = `.${text}`;
  while (rest !== '') {
    const call = /^\.(\w+)\(/.exec(rest);
    const args = call === null ? undefined : readList(rest.slice(call[0].length), ')');
    if (call?.[1] === undefined || args === undefined) return undefined;
    code = code.call(call[1], ...args.value);
    ({ rest } = args);
  }
  return code;
}

function readList(text: string, end: string): Read<readonly CodeValue[]> {
  const values: CodeValue[] = [];
  let rest = text;
  while (!rest.startsWith(end)) {
    const read = readValue(values.length === 0 ? rest : rest.replace(/^, /, ''));
    if (read === undefined) return undefined;
    values.push(read.value);
    ({ rest } = read);
  }
  return { value: values, rest: rest.slice(end.length) };
}

function readValue(text: string): Read<CodeValue> {
  if (text.startsWith('{ ')) return readOptions(text.slice(2));
  const quoted = /^'((?:[^'\\]|\\.)*)'/.exec(text);
  if (quoted !== null) return { value: unescaped(quoted[1] ?? ''), rest: text.slice(quoted[0].length) };
  const word = /^(?:true|false|-?\d+)(?![\w.])/.exec(text)?.[0];
  if (word === undefined) return undefined;
  const value = word === 'true' || (word === 'false' ? false : Number(word));
  return { value, rest: text.slice(word.length) };
}

function readOptions(text: string): Read<CodeValue> {
  const value: Record<string, CodeValue> = {};
  let rest = text;
  while (!rest.startsWith(' }')) {
    const key = /^(?:, )?(\w+): /.exec(rest);
    const read = key === null ? undefined : readValue(rest.slice(key[0].length));
    if (key?.[1] === undefined || read === undefined) return undefined;
    value[key[1]] = read.value;
    ({ rest } = read);
  }
  return { value, rest: rest.slice(2) };
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

function unescaped(text: string): string {
  return text.replaceAll(/\\(?:u([\da-f]{4})|(.))/gi, (_all, hex: string | undefined, letter = '') =>
    hex === undefined ? (escapes[letter] ?? letter) : String.fromCodePoint(Number.parseInt(hex, 16)),
  );
}
