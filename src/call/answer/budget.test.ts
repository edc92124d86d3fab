import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, test } from 'vitest';
import { ToolError } from '../../errors.ts';
import { fitReport as fit } from './budget.ts';
import { render } from './render.ts';
import { renderText } from './render-text.ts';
import type { Report } from './report.ts';

/** For a client that is offered every tool. */
function fitReport(report: Report, maxTokens: number): Report {
  return fit(report, maxTokens, (tool) => tool);
}

const empty: Report = { result: [], code: [], modals: [], events: [], images: [] };
const maxTokens = 1000;

function sizeOf(report: Report): number {
  return countTokens(renderText(fitReport(report, maxTokens)));
}

test('a report that fits is unchanged', () => {
  const report: Report = {
    ...empty,
    result: ['Done.'],
    code: ['await page.click();'],
    notes: ['noted'],
    events: ['one'],
    snapshot: { form: 'yaml', lines: ['- button "Save" [ref=e1]'] },
    data: { a: 1 },
  };
  expect(fitReport(report, maxTokens)).toEqual(report);
});

const words = 'several words in a row, ';
const lines = Array.from({ length: 3000 }, (_, index) => `- link "Item number ${index}" [ref=e${index}]`);

test.each<readonly [string, Partial<Report>]>([
  ['a long snapshot', { snapshot: { form: 'yaml', lines } }],
  ['one endless line of a snapshot', { snapshot: { form: 'yaml', lines: [words.repeat(10_000)] } }],
  ['a long result', { result: lines }],
  ['one endless line of a result', { result: [words.repeat(10_000)] }],
  ['many events', { events: lines }],
  ['many notes', { notes: lines }],
  ['many lines of which the newest matter', { result: lines, isNewestLast: true }],
  ['one endless line that is the newest', { result: ['old', words.repeat(10_000)], isNewestLast: true }],
  ['endless code', { code: [`await page.goto('data:text/html,${words.repeat(10_000)}');`] }],
  ['everything at once', { result: lines, events: lines, snapshot: { form: 'yaml', lines } }],
  ['an endless error', { error: new ToolError('TIMEOUT', { what: words.repeat(10_000), ms: 1 }).view }],
])('[C5-11] %s is cut to the budget', (_, part) => {
  expect(sizeOf({ ...empty, ...part })).toBeLessThanOrEqual(maxTokens * 1.1);
});

test('[C5-11] the result says how much was cut and how to get it', () => {
  const { result } = fitReport({ ...empty, result: ['word '.repeat(10_000)] }, maxTokens);
  expect(result.at(-1)).toMatch(
    /^… cut here: \d+ more characters\. Request less, or save the result to a file with filename\.$/,
  );
  const kept = result.slice(0, -1).join('').length;
  expect(result.at(-1)).toContain(` ${50_000 - kept} more characters`);
});

test('[C5-11] a cut snapshot says how to see a part of the page', () => {
  const { snapshot } = fitReport({ ...empty, snapshot: { form: 'yaml', lines } }, maxTokens);
  expect(snapshot?.lines.at(-1)).toContain('browser_snapshot');
});

test('a result is kept before events, and events before the page', () => {
  const fitted = fitReport(
    { ...empty, result: ['Done.'], events: ['one'], snapshot: { form: 'yaml', lines } },
    maxTokens,
  );
  expect(fitted.result).toEqual(['Done.']);
  expect(fitted.events).toEqual(['one']);
});

test('[C5-11] data beyond the budget is omitted, never cut', () => {
  const large = { ...empty, data: { result: words.repeat(10_000) } };
  expect(fitReport(large, maxTokens).data).toBeUndefined();
  expect(fitReport({ ...empty, data: { result: 'small' } }, maxTokens).data).toEqual({ result: 'small' });
});

test('[C5-11] the data of an endless error is cut as well', () => {
  const error = new ToolError('MISSING_PARAMETER', { problems: [words.repeat(10_000)], accepted: ['a'] }).view;
  const { structuredContent } = render(fitReport({ ...empty, error }, maxTokens), {
    structured: true,
    images: 'with text',
  });
  expect(JSON.stringify(structuredContent).length).toBeLessThan(10_000);
});
