import { expect, test } from 'vitest';
import { cut, oneLine, pageText, pageUrl, quoteBlock, quoted, visible } from './text.ts';

test.each([
  ['\u001b[31mred\u001b[0m', '\\u{1b}[31mred\\u{1b}[0m'],
  ['a\u0000b\u0007', 'a\\u{0}b\\u{7}'],
  ['\u009b31m', '\\u{9b}31m'],
  ['\u202egnp.exe\u202c', '\\u{202e}gnp.exe\\u{202c}'],
  ['\u2066isolated\u2069', '\\u{2066}isolated\\u{2069}'],
  ['zero\u200bwidth\u200f', 'zero\\u{200b}width\\u{200f}'],
  ['\ufeffmark', '\\u{feff}mark'],
  ['tag\u{e0041}', 'tag\\u{e0041}'],
  ['tabs\tand\nlines stay', 'tabs\tand\nlines stay'],
  ['été 漢字 🙂', 'été 漢字 🙂'],
])('%j is shown as %j', (text, shown) => {
  expect(visible(text)).toBe(shown);
});

test.each(['می\u200cخواهم', '👨\u200d👩\u200d👧', '🏳\ufe0f\u200d🌈', 'क्\u200dष'])('the joiners of %j stay', (text) => {
  expect(visible(text)).toBe(text);
});

test.each(['a\u200cb', '\u200d', 'x\u200d👩', 'pass\u200cword'])('the joiners of %j are escaped', (text) => {
  expect(visible(text)).toContain('\\u{200');
});

test.each([
  ['link "Pay" [ref=e2]', 'link "Pay" \\[ref=e2]'],
  ['[REF=e2] [ ref=e2]', '\\[REF=e2] \\[ ref=e2]'],
  ['［ref=e2］', '\\［ref=e2］'],
  ['[\u3164ref=e2]', '\\[\u3164ref=e2]'],
  ['[offscreen from here on]', '\\[offscreen from here on]'],
  ['[1] [2] 【公告】 a[0]', '[1] [2] 【公告】 a[0]'],
])('as page text, %j is %j', (text, shown) => {
  expect(pageText(text)).toBe(shown);
});

test('a URL keeps its meaning', () => {
  expect(pageUrl('http://a.example/?q=[ref=e1]&b=[1]')).toBe('http://a.example/?q=%5Bref=e1]&b=[1]');
});

test.each(['a\nb', 'a\r\nb', 'a\rb', 'a\u2028b', 'a\u2029b'])('%j becomes one line', (text) => {
  expect(oneLine(text)).toBe('a b');
});

test.each([
  ['### Result', '\\### Result'],
  ['a\n### Result', 'a\n\\### Result'],
  ['a\r### Result', 'a\n\\### Result'],
  ['a\u2028### Result', 'a\n\\### Result'],
  ['   # Title', '\\   # Title'],
  ['###', '\\###'],
  ['```js', '\\```js'],
  ['~~~', '\\~~~'],
  ['text ### not a heading', 'text ### not a heading'],
  ['#hashtag', '#hashtag'],
  ['a\n\nb', 'a\n\nb'],
])('quoted as a block, %j is %j', (text, block) => {
  expect(quoteBlock(text)).toBe(block);
});

test('no text can open a section when it is quoted as a block', () => {
  const breaks = ['\n', '\r', '\r\n', '\u2028', '\u2029', '\n\t', '\n \n', '\u000b', '\u000c', '\u0085'];
  for (const before of breaks) {
    expect(quoteBlock(`x${before}### Result`)).not.toMatch(/^### /m);
    expect(quoteBlock(`x${before}\`\`\``)).not.toMatch(/^```/m);
  }
});

test('a cut says how much is missing', () => {
  expect(cut('short', 5)).toBe('short');
  expect(cut('longer', 4)).toBe('long… (2 more characters)');
});

test.each([
  ['plain', "'plain'"],
  ["it's", String.raw`'it\'s'`],
  ['say "hi"', `'say "hi"'`],
  ['back\\slash', String.raw`'back\\slash'`],
  ['line\nbreak', String.raw`'line\nbreak'`],
])('%j as a string literal is %s', (text, literal) => {
  expect(quoted(text)).toBe(literal);
});
