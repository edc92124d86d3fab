import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, test } from 'vitest';
import { estimateTokens } from './tokens.ts';

const lorem = 'The quick brown fox jumps over the lazy dog, and then it sleeps under an old apple tree. ';
const snapshot = Array.from(
  { length: 200 },
  (_, index) => `  - link "Open number ${index}" [ref=e${index * 7}]:\n    - /url: /row/${index}?q=${index}`,
);

test.each([
  ['prose', lorem.repeat(50)],
  ['a snapshot', snapshot.join('\n')],
  [
    'JSON',
    JSON.stringify(
      Array.from({ length: 200 }, (_, index) => ({ id: index, name: `Item ${index}`, done: index % 2 === 0 })),
    ),
  ],
  ['code', 'await page.getByRole("button", { name: "Save" }).click({ timeout: 5000 });\n'.repeat(50)],
  ['French', 'Les élèves préfèrent étudier à la bibliothèque où il fait très chaud l’été. '.repeat(50)],
  ['Chinese', '我们在图书馆里学习，然后去公园散步。'.repeat(50)],
  ['numbers', Array.from({ length: 500 }, (_, index) => String(index * 7919)).join(', ')],
  ['markup', '<div class="card shadow-sm"><a href="/item/42">More</a></div>\n'.repeat(50)],
])('the tokens of %s are not taken for fewer than they are, nor for twice as many', (_, text) => {
  const real = countTokens(text);
  expect(estimateTokens(text)).toBeGreaterThanOrEqual(real * 0.9);
  expect(estimateTokens(text)).toBeLessThanOrEqual(real * 2);
});

test('an empty text has none', () => {
  expect(estimateTokens('')).toBe(0);
});
