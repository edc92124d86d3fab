import { expect, test } from 'vitest';
import { Secrets } from './secrets.ts';

const value = `p@ss "w<o>rd" ü/&'`;
const secrets = new Secrets({ PASSWORD: value, PIN: '4711', LONG: `${value} and more`, EMPTY: '' });
const hidden = '<secret>PASSWORD</secret>';

test.each([
  ['plain', value],
  ['in a URL', encodeURIComponent(value)],
  ['in a URL with small letters', encodeURIComponent(value).replaceAll(/%../g, (code) => code.toLowerCase())],
  ['in a form', new URLSearchParams({ '': value }).toString().slice(1)],
  ['in JSON', JSON.stringify(value).slice(1, -1)],
  ['in JSON in JSON', JSON.stringify(JSON.stringify(value)).slice(3, -3)],
  ['in HTML', `p@ss &quot;w&lt;o&gt;rd&quot; ü/&amp;&#39;`],
  ['in code', `p@ss "w<o>rd" ü/&\\'`],
])('a value %s is not shown', (_how, text) => {
  expect(secrets.redact(`a ${text} b ${text}.`)).toBe(`a ${hidden} b ${hidden}.`);
});

test.each([0, 1, 2, 3, 4])('a value in base64, after %i other bytes, is not shown', (before) => {
  for (const encoding of ['base64', 'base64url'] as const) {
    const text = Buffer.from(`${'x'.repeat(before)}${value} tail`).toString(encoding);
    expect(secrets.redact(text)).toContain(hidden);
    expect(Buffer.from(secrets.redact(text).split('<secret>')[0] ?? '', encoding).toString()).not.toContain('p@');
  }
});

test('of two values with a common start the longer one is matched', () => {
  expect(secrets.redact(`${value} and more`)).toBe('<secret>LONG</secret>');
});

test('a short value is redacted only in plain text, and an empty one never', () => {
  expect(secrets.redact('4711 and NDcxMQ==')).toBe('<secret>PIN</secret> and NDcxMQ==');
  expect(new Secrets({ EMPTY: '' }).redact('anything')).toBe('anything');
});

test('the rest of a truncated value is not shown', () => {
  expect(secrets.redact(`a ${value.slice(0, 9)}… (12 more characters) b… (3 more characters) p@ss`)).toBe(
    `a ${hidden}… (12 more characters) b… (3 more characters) p@ss`,
  );
  expect(secrets.redact(`text: a ${value.slice(0, 9)}… (912 chars)`)).toBe(`text: a ${hidden}… (912 chars)`);
});

test('a value over several lines is hidden on one line too', () => {
  const key = new Secrets({ KEY: '-----BEGIN\nabc  def\n-----END' });
  for (const text of [
    '-----BEGIN\nabc  def\n-----END',
    '-----BEGIN abc  def -----END',
    '-----BEGIN abc def -----END',
  ]) {
    expect(key.redact(text)).toBe('<secret>KEY</secret>');
  }
});

test('a value over several lines is hidden line by line too', () => {
  const key = new Secrets({ KEY: '-----BEGIN KEY\r\nMIIEvQIBADAN\nab=\n' });
  expect(['| -----BEGIN KEY', '| MIIEvQIBADAN', '| ab='].map((line) => key.redact(line))).toEqual([
    '| <secret>KEY</secret>',
    '| <secret>KEY</secret>',
    '| ab=',
  ]);
});

test('data keeps its shape', () => {
  const bytes = Buffer.from(value);
  const data = { [value]: [value, 1, null, { deep: `x${value}` }], bytes };
  expect(secrets.redactAll(data)).toEqual({ [hidden]: [hidden, 1, null, { deep: `x${hidden}` }], bytes });
  expect(secrets.redactAll(new Error(value))).toMatch(/^Error: <secret>PASSWORD<\/secret>\n/);
});

test('a value is found by its name, and a name by its value', () => {
  expect(secrets.lookUp('PIN')).toBe('4711');
  expect(secrets.lookUp('EMPTY')).toBeUndefined();
  expect(secrets.lookUp('constructor')).toBeUndefined();
  expect(secrets.nameOf('4711')).toBe('PIN');
  expect(secrets.nameOf('471')).toBeUndefined();
});
