import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { asciiText, leanRequire } from './lean-require.ts';

test('a module is the same program, in characters of one byte', () => {
  const folder = mkdtempSync(join(tmpdir(), 'helm-lean-'));
  try {
    // The mark stands across the end of a part that is read at once.
    const filler = `/* ${'-'.repeat(2 ** 20 - 5)}—*/`;
    const values = "'naïve 日本 😀', /^[а-я]+$/u.test('да'), `${1}–2`, (() => { const été = 5; return été; })()";
    const path = join(folder, 'large.js');
    writeFileSync(
      path,
      `${filler}\nmodule.exports = { values: [${values}], text: String(function f() { /* — */ }) };\n`,
    );
    expect(leanRequire('./large.js', join(folder, 'of.js'))).toEqual({
      values: ['naïve 日本 😀', true, '1–2', 5],
      text: String.raw`function f() { /* \u2014 */ }`,
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('other modules are loaded as ever, also afterwards', () => {
  const folder = mkdtempSync(join(tmpdir(), 'helm-lean-'));
  try {
    for (const name of ['small', 'later'])
      writeFileSync(join(folder, `${name}.js`), 'module.exports = String(() => "—");');
    const from = join(folder, 'of.js');
    expect(leanRequire('./small.js', from)).toBe('() => "—"');
    expect(createRequire(from)('./later.js')).toBe('() => "—"');
    expect(() => leanRequire('./missing.js', from)).toThrow(/Cannot find module/);
    expect(createRequire(from)('./later.js')).toBe('() => "—"');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('what is no text in UTF-8 beyond ASCII stays as it is', () => {
  expect(asciiText('plain \\u2014 text')).toBe('plain \\u2014 text');
});
