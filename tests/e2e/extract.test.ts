import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe } from 'vitest';
import { estimateTokens } from '../../src/util/tokens.ts';
import { evaluate, expect, open, refOf, testWith } from '../fixtures.ts';
import type { Answer, Call, CallRaw, Site } from '../fixtures.ts';

const test = testWith(['--toolset=all']);
const limited = testWith(['--toolset=all', '--action-policy=navigate@127.0.0.1=deny']);
const readOnly = testWith(['--toolset=all', '--read-only']);

/** What was extracted, from the structured content; the text shows the same. */
function extracted(answer: Answer): unknown {
  expect(answer.isError, answer.text).toBe(false);
  const { items, item } = Object(answer.structured?.['data']);
  const [, text = ''] = /````json\n(.*?)\n````/s.exec(answer.text) ?? [];
  expect(JSON.parse(text)).toEqual(items ?? item);
  return items ?? item;
}

const list = (properties: object): object => ({ type: 'array', items: { type: 'object', properties } });
const text = { type: 'string' };
const number = { type: 'number' };

const card = (count: number, rating = `<p>★ 3.${count} (2${count})</p>`): string =>
  `<article class="card ${count % 2 === 0 ? 'is-wide' : ''}"><a href="/p/${count}"><img data-src="/i/${count}.png" src="data:,"></a>
   <h3><a href="/p/${count}">Lamp ${count}</a></h3><p class="category">Lighting</p><p><span>${count}.234,50 EUR</span></p>${rating}
   <div class="tags"><span class="tag">red</span><span class="tag">n${count}</span></div><button>Add</button></article>`;
const menu =
  '<nav><ul><li><a href="/a">Home</a></li><li><a href="/b">Lamps</a></li><li><a href="/c">Help</a></li></ul></nav>';
const shop = (cards: readonly string[], more = ''): string =>
  `<title>Lamps</title>${menu}<main><h1>All lamps</h1><div class="grid">${cards.join('')}</div>${more}</main>`;

describe('fields with selectors', () => {
  test('are read from each item: texts, attributes with absolute URLs, lists, and objects inside', async ({
    site,
    call,
    callRaw,
  }) => {
    await open(site, call, shop([card(1), card(2)]));
    const answer = await callRaw('browser_extract', {
      items: '.card',
      fields: {
        title: 'h3',
        url: 'h3 a@href',
        tags: ['.tag'],
        class: '@class',
        price: { selector: 'span', type: 'number' },
        more: { kind: '.category', none: '.missing' },
      },
    });
    const row = (count: number, name: string): object => ({
      title: `Lamp ${count}`,
      url: site.url(`/p/${count}`),
      tags: ['red', `n${count}`],
      class: name,
      price: count * 1000 + 234.5,
      more: { kind: 'Lighting', none: null },
    });
    expect(extracted(answer)).toEqual([row(1, 'card'), row(2, 'card is-wide')]);
    expect(answer.text).toContain('2 items (.card).\nNo value: more.none.');
  });

  test('need no selector for the items: each is the largest element with one match', async ({
    site,
    call,
    callRaw,
  }) => {
    await open(site, call, shop([card(1), card(2), card(3, '')]));
    const answer = await callRaw('browser_extract', { fields: { title: 'h3', rating: 'p:nth-of-type(3)' } });
    expect(extracted(answer)).toEqual([
      { title: 'Lamp 1', rating: '★ 3.1 (21)' },
      { title: 'Lamp 2', rating: '★ 3.2 (22)' },
      { title: 'Lamp 3', rating: null },
    ]);
    expect(answer.text).toContain('No value: rating in 1 of 3.');
  });

  test('are found in open shadow trees, and in a frame if the page has none', async ({ site, call, callRaw }) => {
    site.set('/inner', '<ul><li class="row">One</li><li class="row">Two</li></ul>');
    await open(
      site,
      call,
      `<x-card></x-card><x-card></x-card><iframe src="/inner"></iframe><script>let n = 0; customElements.define('x-card', class extends HTMLElement {
        constructor() { super(); this.attachShadow({ mode: 'open' }).innerHTML = '<section><h2>Card ' + ++n + '</h2><a href="/x' + n + '">go</a></section>'; } })</script>`,
    );
    expect(extracted(await callRaw('browser_extract', { fields: { title: 'h2', url: 'a@href' } }))).toEqual([
      { title: 'Card 1', url: site.url('/x1') },
      { title: 'Card 2', url: site.url('/x2') },
    ]);
    expect(extracted(await callRaw('browser_extract', { fields: { text: '.row' } }))).toEqual([
      { text: 'One' },
      { text: 'Two' },
    ]);
    const shown = await call('browser_snapshot', { allRefs: true });
    const ref = refOf(shown.text, 'list');
    expect(ref).toMatch(/^f\d/);
    expect(extracted(await callRaw('browser_extract', { fields: { text: 'li' }, ref }))).toHaveLength(2);
  });

  test('of secret inputs are redacted', async ({ site, call, callRaw }) => {
    await open(site, call, '<form><input type="password" value="hunter2"><input id="user" value="ada"></form>');
    const answer = await callRaw('browser_extract', {
      fields: { a: '[type=password]', b: '[type=password]@value', user: '#user' },
    });
    expect(extracted(answer)).toEqual([{ a: '[REDACTED]', b: '[REDACTED]', user: 'ada' }]);
  });
});

describe('a schema', () => {
  test('finds the cards and their fields by names, patterns and types', async ({ site, call, callRaw }) => {
    await open(site, call, shop([card(1), card(2), card(3, ''), card(4)]));
    const schema = list({
      name: text,
      price: number,
      url: { type: 'string', format: 'uri' },
      imageUrl: text,
      rating: number,
      tags: { type: 'array', items: text },
      category: text,
    });
    const answer = await callRaw('browser_extract', { schema });
    const row = (count: number): object => ({
      name: `Lamp ${count}`,
      price: count * 1000 + 234.5,
      url: site.url(`/p/${count}`),
      imageUrl: site.url(`/i/${count}.png`),
      rating: count === 3 ? null : 3 + count / 10,
      tags: ['red', `n${count}`],
      category: 'Lighting',
    });
    expect(extracted(answer)).toEqual([1, 2, 3, 4].map(row));
    expect(answer.text).toContain('4 items (article.card).\nNo value: rating in 1 of 4.');
  });

  test('finds the columns of a table by their heads', async ({ site, call, callRaw }) => {
    await open(
      site,
      call,
      `${menu}<table><thead><tr><th>City</th><th>Population (2024)</th><th>Capital</th></tr></thead>
       <tbody><tr><td>Berlin</td><td>3,782,000</td><td>yes</td></tr><tr><td>Hamburg</td><td>1 910 000</td><td>no</td></tr></tbody></table>`,
    );
    const schema = list({ city: text, population: { type: 'integer' }, isCapital: { type: 'boolean' } });
    expect(extracted(await callRaw('browser_extract', { schema }))).toEqual([
      { city: 'Berlin', population: 3_782_000, isCapital: true },
      { city: 'Hamburg', population: 1_910_000, isCapital: false },
    ]);
  });

  test('of one object is filled from properties, labels, terms and the metadata of the page', async ({
    site,
    call,
    callRaw,
  }) => {
    await open(
      site,
      call,
      `<script type="application/ld+json">{"@type": "Product", "gtin": "4006381333931", "brand": {"name": "Lumen"}}</script>
       ${menu}<main itemscope><h1>Desk lamp</h1><span itemprop="price" content="49.90">only 50 €</span>
       <dl><dt>Weight</dt><dd>1.2 kg</dd><dt>Colour</dt><dd>Black</dd></dl><p>Availability: In stock</p>
       <table><tr><th>Height</th><td>40 cm</td></tr><tr><th>Width</th><td>20 cm</td></tr></table>
       <time datetime="2026-03-01">1 March</time></main>`,
    );
    const properties = {
      title: text,
      price: number,
      weight: number,
      colour: { type: 'string', enum: ['black', 'white'] },
      available: { type: 'boolean' },
      size: { type: 'object', properties: { height: number, width: number } },
      releaseDate: { type: 'string', format: 'date' },
      gtin: text,
      brand: text,
      voltage: text,
    };
    const answer = await callRaw('browser_extract', { schema: { type: 'object', properties } });
    expect(extracted(answer)).toEqual({
      title: 'Desk lamp',
      price: 49.9,
      weight: 1.2,
      colour: 'black',
      available: true,
      size: { height: 40, width: 20 },
      releaseDate: '2026-03-01',
      gtin: '4006381333931',
      brand: 'Lumen',
      voltage: null,
    });
    expect(answer.text).toContain('No value: voltage.');
  });

  test('may have lists in an object, references, and fields that can be null', async ({ site, call, callRaw }) => {
    await open(site, call, shop([card(1), card(2)]));
    const schema = {
      type: 'object',
      properties: { heading: text, products: { type: 'array', items: { $ref: '#/$defs/Product' } } },
      $defs: { Product: { type: 'object', properties: { name: text, price: { anyOf: [number, { type: 'null' }] } } } },
    };
    expect(extracted(await callRaw('browser_extract', { schema }))).toEqual({
      heading: 'All lamps',
      products: [
        { name: 'Lamp 1', price: 1234.5 },
        { name: 'Lamp 2', price: 2234.5 },
      ],
    });
  });

  test('can be used with the selector of the items, and in a part of the page', async ({ site, call, callRaw }) => {
    const entry = (name: string): string => `<li><b>${name}</b> <i class="role">${name}ist</i></li>`;
    await open(
      site,
      call,
      `<ul id="a">${entry('Ada')}${entry('Bob')}</ul><ul id="b">${entry('Cleo')}${entry('Dan')}</ul>`,
    );
    const properties = { name: text, role: text };
    const people = (names: readonly string[]): object => names.map((name) => ({ name, role: `${name}ist` }));
    expect(
      extracted(await callRaw('browser_extract', { schema: { type: 'object', properties }, items: '#a li' })),
    ).toEqual(people(['Ada', 'Bob']));
    expect(extracted(await callRaw('browser_extract', { schema: list(properties), ref: '#b' }))).toEqual(
      people(['Cleo', 'Dan']),
    );
  });
});

describe('tables and metadata', () => {
  const tables = `<table><caption>Small</caption><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table>
    <table id="big"><caption>Large</caption><tr><th>Name</th><th>Note</th></tr><tr><td>Ada</td><td>says "hi", always</td></tr>
    <tr><td rowspan="2">Bob</td><td># one</td></tr><tr><td>=1+1</td></tr></table>`;

  test('the largest table is read as JSON or CSV, another one by its ref', async ({ site, call, callRaw }) => {
    await open(site, call, tables);
    const json = await callRaw('browser_extract', { kind: 'table' });
    expect(extracted(json)).toEqual([
      { Name: 'Ada', Note: 'says "hi", always' },
      { Name: 'Bob', Note: '# one' },
      { Name: 'Bob', Note: '=1+1' },
    ]);
    expect(json.text).toContain(
      'The page has 2 tables; this is the largest. Name another with ref. Captions: "Small", "Large".',
    );
    const csv = await callRaw('browser_extract', { kind: 'table', format: 'csv', ref: '#big' });
    expect(csv.section('Result')).toBe(
      '````csv\nName,Note\nAda,"says ""hi"", always"\nBob,"# one"\nBob,=1+1\n````\n3 rows.',
    );
    expect(extracted(await callRaw('browser_extract', { kind: 'table', ref: 'table' }))).toEqual([{ A: '1', B: '2' }]);
  });

  test('JSON-LD, microdata and Open Graph data are read', async ({ site, call, callRaw }) => {
    await open(
      site,
      call,
      `<meta property="og:title" content="Shared"><script type="application/ld+json">{"@graph": [{"@type": "Person", "name": "Ada"}, {"@type": "Thing"}]}</script>
       <script type="application/ld+json">{broken</script><script type="application/ld+json">{"__proto__": {"a": 1}, "@type": "Odd"}</script>
       <div itemscope itemtype="https://schema.org/Movie"><h1 itemprop="name">Film</h1><a itemprop="url" href="/f">more</a><span itemprop="genre">a</span><span itemprop="genre">b</span>
       <div itemprop="director" itemscope><b itemprop="name">Dee</b></div></div>`,
    );
    const answer = await callRaw('browser_extract', { kind: 'metadata' });
    expect(answer.isError, answer.text).toBe(false);
    expect(Object(answer.structured?.['data'])['item']).toMatchObject({
      jsonLd: [{ '@type': 'Person', name: 'Ada' }, { '@type': 'Thing' }, { '@type': 'Odd' }],
      microdata: [
        {
          '@type': 'https://schema.org/Movie',
          name: 'Film',
          url: site.url('/f'),
          genre: ['a', 'b'],
          director: { name: 'Dee' },
        },
      ],
      openGraph: { 'og:title': 'Shared' },
    });
  });
});

/** A list over several pages. */
function pagesOf(site: Site, count: number, next: (number: number) => string): void {
  for (let number = 1; number <= count; number++) {
    const rows = [1, 2, 3].map((row) => `<li class="row">Row ${number}.${row}</li>`).join('');
    site.set(`/list/${number}`, `<title>Page ${number}</title><ul>${rows}</ul>${next(number)}`);
  }
}

const rows = (numbers: readonly number[]): object =>
  numbers.flatMap((number) => [1, 2, 3].map((row) => ({ text: `Row ${number}.${row}` })));

async function extractRows(callRaw: CallRaw, call: Call, url: string, args: object): Promise<Answer> {
  await call('browser_navigate', { url });
  return callRaw('browser_extract', { fields: { text: '.row' }, ...args });
}

describe('next pages', () => {
  test('are followed up to the limit, and the tab stays on the last one', async ({ site, call, callRaw }) => {
    pagesOf(
      site,
      5,
      (number) => `<nav><a href="/list/1">1</a> <a rel="next" href="/list/${number + 1}">more</a></nav>`,
    );
    const answer = await extractRows(callRaw, call, site.url('/list/1'), { pages: 3 });
    expect(extracted(answer)).toEqual(rows([1, 2, 3]));
    expect(answer.text).toContain(`Read 3 pages. There is a next page (${site.url('/list/4')}).`);
    expect(await evaluate(call, 'document.title')).toBe('Page 3');
  });

  const links: readonly (readonly [name: string, link: (number: number) => string, args: object])[] = [
    ['by its text', (number) => (number < 3 ? `<a href="/list/${number + 1}">Next page</a>` : ''), {}],
    [
      'by an arrow in a pager',
      (number) =>
        `<div class="pagination"><a href="/list/1">1</a>${number < 3 ? `<a href="/list/${number + 1}">›</a>` : ''}</div>`,
      {},
    ],
    [
      'by the number after the current one',
      (number) =>
        `<nav>${[1, 2, 3].map((to) => `<a href="/list/${to}" ${to === number ? 'aria-current="page"' : ''}>${to}</a>`).join('')}</nav>`,
      {},
    ],
    [
      'by a selector',
      (number) => `<a href="/list/1">Next</a>${number < 3 ? `<a class="on" href="/list/${number + 1}">go</a>` : ''}`,
      { next: '.on' },
    ],
  ];
  test.for(links)('are found %s', async ([, link, args], { site, call, callRaw }) => {
    pagesOf(site, 3, link);
    const answer = await extractRows(callRaw, call, site.url('/list/1'), { pages: 9, ...args });
    expect(extracted(answer)).toEqual(rows([1, 2, 3]));
    expect(answer.text).toContain('Read 3 pages: there is no link to a next page.');
  });

  test('end where they repeat, lead elsewhere or need a script, and nothing is lost', async ({
    site,
    call,
    callRaw,
  }) => {
    const ends: readonly (readonly [next: string, reason: string])[] = [
      ['<a rel="next" href="/list/1">Next</a>', 'the next page has been read already'],
      ['<a rel="next" href="http://localhost:9/x">Next</a>', 'the next page is on another site (http://localhost:9/x)'],
      ['<nav><button>Next</button></nav>', 'the next page is opened by a script: click its button, then call again'],
      ['<a rel="next" href="/same">Next</a>', 'the next page has the same items'],
      ['<a rel="next" href="/empty">Next</a>', 'the next page has none of the fields'],
      ['<a rel="next" href="/gone">Next</a>', '[NAVIGATION_FAILED]'],
    ];
    site.set('/same', '<ul><li class="row">Row 2.1</li><li class="row">Row 2.2</li><li class="row">Row 2.3</li></ul>');
    site.set('/empty', '<p>Nothing</p>');
    site.set('/gone', (_request, response) => response.destroy());
    for (const [next, reason] of ends) {
      pagesOf(site, 2, (number) => (number === 1 ? '<a rel="next" href="/list/2">Next</a>' : next));
      const answer = await extractRows(callRaw, call, site.url('/list/1'), { pages: 5 });
      expect(extracted(answer)).toEqual(rows([1, 2]));
      expect(answer.text).toContain(`Read 2 pages: ${reason}`);
    }
  });

  test('that are cancelled in the middle are reported with the next answer', async ({ site, driver }) => {
    const { call, client } = driver;
    const arrived = new Promise<void>((resolve) => site.set('/never', () => resolve()));
    pagesOf(site, 2, (number) => `<a rel="next" href="${number === 1 ? '/list/2' : '/never'}">Next</a>`);
    await call('browser_navigate', { url: site.url('/list/1') });
    const cancel = new AbortController();
    const running = client.callTool(
      { name: 'browser_extract', arguments: { fields: { text: '.row' }, pages: 5 } },
      { signal: cancel.signal },
    );
    await arrived;
    cancel.abort();
    await expect(running).rejects.toThrow();
    expect((await call('browser_snapshot', {})).section('Events')).toContain(
      'browser_extract was cancelled: page 1: read; page 2: read',
    );
  });

  limited('are navigations for the action policy, and a read is not', async ({ site, call, callRaw }) => {
    pagesOf(site, 2, () => '<a rel="next" href="/list/2">Next</a>');
    await call('browser_navigate', { url: site.url('/list/1').replace('127.0.0.1', 'localhost') });
    await call('browser_evaluate', { function: `() => { location.href = ${JSON.stringify(site.url('/list/1'))} }` });
    const answer = await callRaw('browser_extract', { fields: { text: '.row' }, pages: 2 });
    expect(extracted(answer)).toEqual(rows([1]));
    expect(answer.text).toContain('Read 1 page: [ACTION_DENIED]');
    expect(site.requests.some(({ path }) => path === '/list/2')).toBe(false);
  });
});

describe('errors', () => {
  const wrong: readonly (readonly [args: object, kind: string, message: string])[] = [
    [{}, 'INVALID_ARGUMENT', 'Give one of fields, schema and kind.'],
    [
      { fields: { a: 'b' }, kind: 'table' },
      'INVALID_ARGUMENT',
      'Give one of fields, schema and kind, not fields and kind.',
    ],
    [{ fields: {} }, 'INVALID_ARGUMENT', 'There are no fields to extract.'],
    [{ fields: { a: 1 } }, 'INVALID_ARGUMENT', 'fields.a must be a CSS selector'],
    [{ schema: { type: 'string' } }, 'INVALID_ARGUMENT', 'schema must describe an object or a list of objects'],
    [{ fields: { a: 'h3[' } }, 'INVALID_SELECTOR', '"h3["'],
    [{ fields: { a: 'h3' }, items: '>>' }, 'INVALID_SELECTOR', '">>"'],
    [{ fields: { a: 'h3' }, pages: 51 }, 'INVALID_ARGUMENT', 'must be a whole number from 1 to 50'],
    [{ fields: { a: 'h3' }, ref: 'e999' }, 'REF_NOT_FOUND', 'e999'],
    [
      { fields: { a: 'h3' }, items: '.crad' },
      'NOTHING_TO_EXTRACT',
      'No element matches the selector ".crad" of the items. Similar names on the page: .card.',
    ],
    [
      { fields: { a: '.categry', b: '#nothing' } },
      'NOTHING_TO_EXTRACT',
      'None of the selectors matches: ".categry", "#nothing". Similar names on the page: .category.',
    ],
    [
      { schema: list({ isbn: text, publisherCode: text }) },
      'NOTHING_TO_EXTRACT',
      'No repeated items with these fields were found.',
    ],
    [{ kind: 'table' }, 'NOTHING_TO_EXTRACT', 'The page has no table.'],
    [{ kind: 'metadata' }, 'NOTHING_TO_EXTRACT', 'neither JSON-LD nor microdata'],
  ];
  test('say what is wrong, and what is similar', async ({ site, call, callRaw }) => {
    await open(site, call, shop([card(1), card(2)]));
    for (const [args, kind, message] of wrong) {
      const answer = await callRaw('browser_extract', args);
      expect([answer.kind, answer.section('Error')], JSON.stringify(args)).toEqual([
        kind,
        expect.stringContaining(message),
      ]);
    }
  });
});

describe('a long result', () => {
  const many = Array.from(
    { length: 600 },
    (_, index) => `<li class="row"><b>Name ${index}</b> <i>${index * 3}</i></li>`,
  );
  const fields = { name: 'b', value: { selector: 'i', type: 'number' } };
  const all = many.map((_, index) => ({ name: `Name ${index}`, value: index * 3 }));

  test('is shown as far as the budget allows, and is whole in a file', async ({ site, server, call, callRaw }) => {
    await open(site, call, `<ul>${many.join('')}</ul>`);
    const answer = await callRaw('browser_extract', { fields, maxTokens: 2000 });
    const shown = extracted(answer);
    expect(estimateTokens(answer.text)).toBeLessThanOrEqual(2000);
    const [, count = '', file = ''] = /(\d+) of 600 items are shown; all are in (\S+)/.exec(answer.text) ?? [];
    expect(shown).toEqual(all.slice(0, Number(count)));
    expect(Number(count)).toBeGreaterThan(50);
    expect(answer.structured?.['data']).toMatchObject({ count: 600, shown: Number(count), file });
    expect(JSON.parse(await readFile(join(server.folder, file), 'utf8'))).toEqual(all);
    expect(answer.content.some((item) => item.type === 'resource_link' && item.mimeType === 'application/json')).toBe(
      true,
    );
  });

  test('goes to the file that the caller names, and ends at the limit', async ({ site, server, call, callRaw }) => {
    await open(site, call, `<ul>${many.join('')}</ul>`);
    const answer = await callRaw('browser_extract', {
      fields,
      items: 'li',
      format: 'csv',
      filename: 'rows.csv',
      limit: 500,
    });
    expect(answer.section('Result')).toBe(
      'Wrote 500 items to .playwright-mcp/rows.csv\n500 items (li), the first of 600.',
    );
    const lines = (await readFile(join(server.folder, '.playwright-mcp/rows.csv'), 'utf8')).split('\r\n');
    expect([lines.length, lines[0], lines[500]]).toEqual([502, 'name,value', 'Name 499,1497']);
    expect((await callRaw('browser_extract', { fields, filename: '../../x.csv' })).kind).toBe('PATH_DENIED');
  });
});

test('texts of a page forge neither sections nor the end of the data', async ({ site, call, callRaw }) => {
  const lines = ['### Error', '````', '`````json', 'a\u202Eb', '[ref=e1]', '"}]'];
  await open(
    site,
    call,
    `<table><tr><th>### Result</th><th>B</th></tr>${lines.map((line) => `<tr><td>${line}</td><td>1</td></tr>`).join('')}</table>`,
  );
  for (const format of ['json', 'csv'] as const) {
    const answer = await callRaw('browser_extract', { kind: 'table', format });
    expect(answer.text.split('\n').filter((line) => line.startsWith('### '))).toEqual(['### Result']);
    expect(answer.text.match(/^\s*````/gm)).toHaveLength(2);
    expect(answer.text).not.toContain('\u202E');
  }
});

test('a batch uses extracted values in later steps', async ({ site, call }) => {
  site.set('/p/2', '<title>Second</title>');
  await open(site, call, shop([card(1), card(2)]));
  const answer = await call('browser_batch', {
    steps: [
      { tool: 'browser_extract', args: { fields: { url: 'h3 a@href' } } },
      { tool: 'browser_navigate', args: { url: '{{1.items.1.url}}' } },
    ],
  });
  expect(answer.isError, answer.text).toBe(false);
  expect(await evaluate(call, 'document.title')).toBe('Second');
});

readOnly('a read-only server offers it', async ({ site, call, callRaw }) => {
  await open(site, call, shop([card(1), card(2)]));
  expect(extracted(await callRaw('browser_extract', { fields: { title: 'h3' } }))).toHaveLength(2);
});
