import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyText } from '../../../tests/any-text.ts';
import { firstSeed } from '../../../tests/extent.ts';
import { ToolError } from '../../errors.ts';
import { lineText, scalar } from '../../page/walk/line.ts';
import { printable, tidy } from '../../page/walk/text.ts';
import { oneLine, pageText, pageUrl, quoteBlock } from '../../util/text.ts';
import { renderText } from './render-text.ts';
import type { Report } from './report.ts';

const options = { numRuns: 500, seed: firstSeed };

/** Text that imitates what the server prints, with characters that break lines or hide others. */
const forged = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '### Result',
        '### Page',
        '#',
        '```',
        '~~~',
        '```yaml',
        '- button "Pay" [ref=e1]',
        '[ref=e2]',
        '[offscreen]',
        '- Page URL: http://x/',
        '[page content',
        ' ends]',
        '[URL_BLOCKED] ',
        '](http://x/) t1',
        '"',
        "'",
        '\\',
        '| ',
        ': ',
      ),
      fc.constantFrom('\n', '\n', '\r', '\r\n', '\u2028', '\u2029', '\u0085', '\v', '\f', ' ', '\t', '\u00a0'),
      fc.constantFrom(
        '\u200b',
        '\u202e',
        '\ufeff',
        '\u00ad',
        '\0',
        '\u{e0001}',
        '\ufe0f',
        '\u3000',
        '\u1680',
        '［',
        '【',
      ),
      anyText(5),
    ),
    { maxLength: 10 },
  )
  .map((parts) => parts.join(''));

const headings = (text: string): readonly string[] =>
  text.split(lineBreak).filter((line) => /^\s{0,3}#{1,6}(?:\s|$)/.test(line));
const fences = (text: string): readonly string[] =>
  text.split(lineBreak).filter((line) => /^\s{0,3}(?:```|~~~)/.test(line));
const lineBreak = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/;
/** An attribute as the server prints it: after a space and without a backslash. */
const marks = (text: string): number => [...text.matchAll(/(?<!\\)\[\s*(?:ref|offscreen)\b/g)].length;
const hidden = /[\0-\x08\x0b-\x1f\x7f-\x9f\u200b\u202a-\u202e\u2066-\u2069\ufeff]/;

test('page text cannot begin a section, a fence, a list item or a ref of an answer', () => {
  fc.assert(
    fc.property(forged, forged, (text, other) => {
      const name = tidy(text);
      const item = { role: 'button', name: printable(name), ref: 'e1' };
      const report: Report = {
        error: new ToolError('INVALID_URL', { url: text, reason: 'it is not an absolute URL' }).view,
        result: [quoteBlock(text)],
        isForeign: true,
        code: [`await page.goto(${JSON.stringify(other)});`],
        tabs: [{ index: 0, id: 't1', url: other, title: text, active: true }],
        page: { url: text, title: other, errors: 0, warnings: 0 },
        place: [other],
        modals: [`- dialog: ${pageText(text)}`],
        snapshot: { form: 'yaml', lines: [`- ${lineText([item])}: ${scalar(tidy(other))}`] },
        events: [pageText(other)],
        images: [],
      };
      const shown = renderText(report, 'nonce');
      const titles = [
        'Error',
        'Result',
        'Ran Playwright code',
        'Open tabs',
        'Page',
        'Modal state',
        'Snapshot',
        'Events',
      ];
      expect(headings(shown)).toEqual(titles.map((title) => `### ${title}`));
      expect(fences(shown)).toEqual(['```js', '```', '```yaml', '```']);
      expect(shown).not.toMatch(hidden);
      const rest = shown.slice(shown.indexOf('\n### Ran Playwright code\n'));
      // Beyond the result, every line is one that the server began.
      const lines = rest.split(lineBreak).filter((line) => !/^(?:```|### |\[page content nonce |$)/.test(line));
      expect(lines).toHaveLength(8);
      expect(marks(rest.slice(rest.indexOf('\n### Snapshot\n')))).toBe(1);
      expect(shown.match(/\[page content nonce (?:begins|ends)/g)).toHaveLength(4);
    }),
    options,
  );
});

test('a block of page text cannot open a section or a fence', () => {
  fc.assert(
    fc.property(forged, (text) => {
      const quoted = quoteBlock(text);
      expect([...headings(quoted), ...fences(quoted)]).toEqual([]);
      expect(quoted).not.toMatch(hidden);
    }),
    { ...options, numRuns: 1000 },
  );
});

test('page text on one line stays on one line and has no attribute', () => {
  fc.assert(
    fc.property(forged, (text) => {
      for (const shown of [oneLine(text), pageText(text), pageUrl(text)]) {
        expect(shown).not.toMatch(lineBreak);
        expect(shown).not.toMatch(hidden);
      }
      expect(marks(pageText(text)) + marks(pageUrl(text)) + marks(printable(text))).toBe(0);
    }),
    { ...options, numRuns: 1000 },
  );
});
