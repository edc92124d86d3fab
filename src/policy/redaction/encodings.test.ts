import { assert, constantFrom, pre, property, string } from 'fast-check';
import { expect, test } from 'vitest';
import { Secrets } from '../secrets.ts';
import { encodings, secretValues } from '../../../tests/secret-encodings.ts';

const names = Object.keys(encodings);

test.each(Object.entries(secretValues))('no encoding shows a value with %s', (_kind, value) => {
  const secrets = new Secrets({ VALUE: value });
  const leaks = names.filter((name) => {
    const text = encodings[name]?.(value) ?? '';
    return secrets.redact(`before ${text} after`) !== 'before <secret>VALUE</secret> after';
  });
  // The first and the last character of base64 share bits with the text around it.
  expect(leaks.filter((name) => !name.startsWith('base64 in'))).toEqual([]);
  for (const name of leaks) {
    const shown = secrets.redact(encodings[name]?.(value) ?? '');
    expect(shown, name).toContain('<secret>VALUE</secret>');
  }
});

const value = string({ unit: 'binary', minLength: 8, maxLength: 40 }).filter((text) => !/\p{Surrogate}/u.test(text));
const sendable = value.filter((text) => !/[\s'\0-\x1f\x7f-\x9f]/u.test(text));

/** Letter case is part of base64. */
const outerNames = names.filter((name) => name !== 'in upper case');

test('a random value is redacted in two random encodings, one inside the other', () => {
  assert(
    property(sendable, constantFrom(...names), constantFrom(...outerNames), (secret, inner, outer) => {
      const once = encodings[inner]?.(secret) ?? '';
      const text = encodings[outer]?.(once) ?? '';
      const shown = new Secrets({ VALUE: secret }).redact(`<<${text}>>`);
      expect(shown, `${inner} in ${outer}: ${text}`).toContain('<secret>VALUE</secret>');
    }),
    { numRuns: 150 },
  );
});

test('text without a value is unchanged', () => {
  const secrets = new Secrets({ VALUE: 'pä$$ w&rd/1', PIN: '0815' });
  assert(
    property(string({ unit: 'binary', maxLength: 200 }), (text) => {
      pre(!/0815/.test(text));
      expect(secrets.redact(text)).toBe(text);
    }),
  );
});

test('redacting twice changes nothing more', () => {
  const secrets = new Secrets({ VALUE: 'pä$$ w&rd/1' });
  const once = secrets.redact('a pä$$ w&rd/1 b');
  expect(secrets.redact(once)).toBe(once);
});

test('a value at the border of two parts of a large text is redacted', () => {
  const secret = 'pass/word&1';
  const secrets = new Secrets({ VALUE: secret });
  for (const shift of [0, 3, 8, 11]) {
    const text = `${'x'.repeat(1_000_000 - shift)}${encodeURIComponent(secret)}${'y'.repeat(10)}`;
    expect(secrets.redact(text)).toBe(`${'x'.repeat(1_000_000 - shift)}<secret>VALUE</secret>yyyyyyyyyy`);
  }
});

test('a number that is a value is redacted in data', () => {
  expect(new Secrets({ PIN: '4711' }).redactAll({ result: 4711, count: 47 })).toEqual({
    result: '<secret>PIN</secret>',
    count: 47,
  });
});

test('an encoded value that was cut is redacted up to the cut', () => {
  const secrets = new Secrets({ VALUE: 'pä$$ w&rd/1' });
  for (const text of ['p%C3%A4%24%24+w%26', 'p%C3%A4%24%24+w%2', 'p\\u00e4$$ w', 'p&auml;$$ w&a']) {
    expect(secrets.redact(`q=${text}… (9 more characters)`)).toBe('q=<secret>VALUE</secret>… (9 more characters)');
  }
});
