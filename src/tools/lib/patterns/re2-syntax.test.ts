import { RE2JS } from 're2js';
import { expect, test } from 'vitest';
import { UnsupportedSyntax, re2Source } from './re2-syntax.ts';

const texts = [
  'a b',
  'a\u00a0b',
  'a\rb',
  'a\nb',
  'a\u2028b',
  'A',
  'Q',
  'z',
  'k',
  '-',
  'x',
  '[',
  ':',
  'é',
  'É',
  '😀',
  '\b',
  '\0',
  '\u0001',
  'a/b',
  'a.b',
  'axb',
  '{',
  'aaa',
  'αβγ',
  '12.50 EUR',
  '',
  'p{L}',
];

test.each([
  [String.raw`a\sb`, ''],
  [String.raw`a\Sb`, ''],
  [String.raw`a[\s]b`, ''],
  [String.raw`^[\S]$`, 'u'],
  [String.raw`^[^\s]+$`, ''],
  ['a.b', ''],
  ['a.b', 's'],
  ['^b', 'm'],
  ['^b', ''],
  ['a$', 'm'],
  ['a$', ''],
  ['a', 'i'],
  ['é', 'i'],
  [String.raw`\A`, ''],
  [String.raw`\Q`, ''],
  [String.raw`\z`, ''],
  [String.raw`\k`, ''],
  [String.raw`^[\w-\s]$`, ''],
  [String.raw`^[\s-x]$`, ''],
  [String.raw`^[a-\s]$`, ''],
  ['[[:alpha:]]', ''],
  ['^[[:]$', ''],
  [String.raw`[\b]`, ''],
  [String.raw`\0`, ''],
  [String.raw`\cA`, ''],
  [String.raw`\x41`, ''],
  [String.raw`\u00e9`, ''],
  [String.raw`\ud83d\ude00`, ''],
  [String.raw`^\u{1f600}$`, 'u'],
  ['^.$', 'u'],
  ['a/b', ''],
  [String.raw`a\/b`, ''],
  [String.raw`a\.b`, ''],
  ['[]', ''],
  ['^[^]$', 'u'],
  ['{', ''],
  ['(?<n>a)+$', ''],
  ['(?:a|b)+', ''],
  [String.raw`^\p{Script=Greek}+$`, 'u'],
  [String.raw`\d+\.\d\d EUR`, ''],
  [String.raw`\bEUR\b`, ''],
  ['[.]', ''],
  [String.raw`[\]]`, ''],
  [String.raw`[^\]]$`, ''],
  ['', ''],
])('/%s/%s matches the same texts as in JavaScript', (source, flags) => {
  let options = 0;
  if (flags.includes('i')) options |= RE2JS.CASE_INSENSITIVE;
  if (flags.includes('m')) options |= RE2JS.MULTILINE;
  if (flags.includes('s')) options |= RE2JS.DOTALL;
  const linear = RE2JS.compile(re2Source(source, flags), options);
  const expression = new RegExp(source, flags);
  // With m, lines end at \n only.
  const compared = flags.includes('m') ? texts.filter((text) => !/[\r\u2028]/.test(text)) : texts;
  expect(compared.filter((text) => linear.test(text))).toEqual(compared.filter((text) => expression.test(text)));
});

test.each([
  'a(?=b)',
  'a(?!b)',
  '(?<=a)b',
  '(?<!a)b',
  String.raw`(a)\1`,
  String.raw`(?<n>a)\k<n>`,
  '(?i:a)',
  String.raw`[\1]`,
])('%s is not supported', (source) => {
  expect(() => re2Source(source, '')).toThrow(UnsupportedSyntax);
});
