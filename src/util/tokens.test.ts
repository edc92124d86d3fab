import { readdirSync, readFileSync } from 'node:fs';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, test } from 'vitest';
import { estimateTokens } from './tokens.ts';

const lorem = 'The quick brown fox jumps over the lazy dog, and then it sleeps under an old apple tree. ';
const snapshot = Array.from(
  { length: 200 },
  (_, index) => `  - link "Open number ${index}" [ref=e${index * 7}]:\n    - /url: /row/${index}?q=${index}`,
);
const golden = new URL('../../tests/page/golden/', import.meta.url);

test('[C5-11] the tokens of every test page, in every format, are estimated to within 10 percent', () => {
  const files = readdirSync(golden);
  expect(files.length).toBeGreaterThan(30);
  const wrong = files.flatMap((file) => {
    const text = readFileSync(new URL(file, golden), 'utf8');
    const [real, estimate] = [countTokens(text), estimateTokens(text)];
    return Math.abs(estimate - real) > real / 10 ? [`${file}: ${real} tokens, estimated as ${estimate}`] : [];
  });
  expect(wrong).toEqual([]);
});

test.each([
  ['a snapshot', snapshot.join('\n')],
  [
    'JSON',
    JSON.stringify(
      Array.from({ length: 200 }, (_, index) => ({ id: index, name: `Item ${index}`, done: index % 2 === 0 })),
    ),
  ],
  ['code', 'await page.getByRole("button", { name: "Save" }).click({ timeout: 5000 });\n'.repeat(50)],
  ['Chinese', '我们在图书馆里学习，然后去公园散步。'.repeat(50)],
  ['Japanese', '東京で新しい電車に乗って、友だちに会いに行きました。'.repeat(50)],
  ['numbers', Array.from({ length: 500 }, (_, index) => String(index * 7919)).join(', ')],
  [
    'encoded data',
    readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8')
      .match(/sha512-[\w+/=]+/g)
      ?.join(' ') ?? '',
  ],
  [
    'deep nesting',
    Array.from({ length: 60 }, (_, depth) => `${'  '.repeat(depth)}- group "Level ${depth}":`).join('\n'),
  ],
])('the tokens of %s are estimated to within 10 percent', (_, text) => {
  const real = countTokens(text);
  expect(estimateTokens(text) / real).toBeGreaterThan(0.9);
  expect(estimateTokens(text) / real).toBeLessThan(1.1);
});

test.each([
  ['prose', lorem.repeat(50)],
  ['French', 'Les élèves préfèrent étudier à la bibliothèque où il fait très chaud l’été. '.repeat(50)],
  ['German', 'Die Übergrößenträger fahren über die Brücke und hören schöne Geschichten. '.repeat(50)],
  ['Russian', 'Быстрая лиса прыгает через ленивую собаку и спит под старой яблоней. '.repeat(50)],
  ['markup', '<div class="card shadow-sm"><a href="/item/42">More</a></div>\n'.repeat(50)],
  ['signs', '🙂 ♡ ★ → … “quoted” – dash '.repeat(40)],
])('the tokens of %s are estimated at 90 to 135 percent', (_, text) => {
  const real = countTokens(text);
  expect(estimateTokens(text) / real).toBeGreaterThan(0.9);
  expect(estimateTokens(text) / real).toBeLessThan(1.35);
});

test('an empty text has none', () => {
  expect(estimateTokens('')).toBe(0);
});
