import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { casesOf } from '../extent.ts';
import { expect, open, test } from '../fixtures.ts';
import type { Driver } from '../fixtures.ts';
import { bigPage, gridPage, tablePage, zoo } from '../site/zoo.ts';

const pages: Readonly<Record<string, () => string>> = {
  ...zoo,
  'table of 3,000 rows': () => tablePage(3000),
  'grid of 200 products': () => gridPage(200),
  '10,000 elements': () => bigPage(10_000),
  '50,000 elements': () => bigPage(50_000),
  'one long text': () => `<p>${'All work and no play makes a dull page. '.repeat(5000)}</p>`,
  'long names': () => `<button aria-label="${'name '.repeat(4000)}">x</button>`.repeat(40),
  'a deep list': () => '<ul><li>Level <a href="/x">go</a>'.repeat(60),
  'another script': () =>
    `<main>${'<p>我们在图书馆里学习，然后去公园散步。<b>Übergrößenträger</b> 🙂</p>'.repeat(300)}</main>`,
};

interface Metered {
  readonly text: string;
  readonly reported: unknown;
}

async function ask({ client }: Driver, name: string, args: Record<string, unknown>): Promise<Metered> {
  const result = await client.callTool({ name, arguments: args });
  const text = result.content.flatMap((item) => (item.type === 'text' ? [item.text] : [])).join('\n');
  return { text, reported: result._meta?.['pagehelm/tokens'] };
}

test('[C5-11] no answer exceeds its budget on any page, and the estimate matches the cost', async ({
  site,
  driver,
}) => {
  const errors: string[] = [];
  const large = new Set(['table of 3,000 rows', '10,000 elements', 'long names', 'another script']);
  for (const [name, html] of casesOf(Object.entries(pages), ([one]) => large.has(one))) {
    site.set('/', html());
    const answers = {
      navigate: await ask(driver, 'browser_navigate', { url: site.url('/') }),
      snapshot: await ask(driver, 'browser_snapshot', {}),
      'all refs': await ask(driver, 'browser_snapshot', { allRefs: true, boxes: true }),
      'small snapshot': await ask(driver, 'browser_snapshot', { maxTokens: 500 }),
      'small search': await ask(driver, 'browser_snapshot', { search: 'e', maxTokens: 500 }),
      'small evaluate': await ask(driver, 'browser_evaluate', {
        function: '() => document.body.innerHTML',
        maxTokens: 500,
      }),
      evaluate: await ask(driver, 'browser_evaluate', { function: '() => document.body.innerHTML' }),
    };
    for (const [what, { text, reported }] of Object.entries(answers)) {
      const real = countTokens(text);
      if (real > (what.startsWith('small') ? 500 : 6000)) errors.push(`${name}, ${what}: ${real} tokens`);
      const isOff = Math.abs(Number(reported) - real) > Math.max(10, real / 10);
      if (isOff && !what.endsWith('evaluate'))
        errors.push(`${name}, ${what}: ${real} tokens, reported as ${String(reported)}`);
    }
  }
  expect(errors).toEqual([]);
});

test('[C5-11] a truncated answer says what was cut and how to get it', async ({ site, call }) => {
  await open(site, call, tablePage(3000));
  const folded = await call('browser_snapshot');
  expect(folded.text).toMatch(/- … 29\d\d more like these, cursor="[\w+]+"/);
  const rest = /cursor="([^"]+)"/.exec(folded.text)?.[1] ?? '';
  expect((await call('browser_snapshot', { cursor: rest })).text).toMatch(/- … \d+ more lines, cursor="[\w+]+"/);
  const html = await call('browser_evaluate', { function: '() => document.body.innerHTML' });
  expect(html.text).toMatch(
    /cut here: \d+ more characters\. Request less, or save the result to a file with filename\./,
  );
});
