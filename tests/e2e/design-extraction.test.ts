import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { imageSize } from '../../src/util/images.ts';
import { data, expect, slowly, testWith } from '../fixtures.ts';
import { isQuality } from '../images.ts';
import { open, out } from './design.ts';

const test = testWith(['--toolset=design']);

test('[S1-21, S1-22, S1-23, S1-24] text, attributes and values are read', async ({ site, callRaw }) => {
  await open(site, callRaw);
  const read = async (name: string, args: object): Promise<unknown> => data(await callRaw(name, args));
  expect(await read('get_text', { selector: '.item' })).toEqual({ text: 'Tea' });
  expect(await read('get_all_text', { selector: '.item' })).toEqual({ count: 2, texts: ['Tea', 'Milk'] });
  expect(await read('get_all_text', { selector: '.none' })).toEqual({ count: 0, texts: [] });
  expect(await read('get_attribute', { selector: '#name', attribute: 'data-kind' })).toEqual({
    attribute: 'data-kind',
    value: 'person',
  });
  expect(await read('get_attribute', { selector: '#name', attribute: 'nope' })).toEqual({
    attribute: 'nope',
    value: null,
  });
  expect(await read('get_attribute', { selector: '#link', attribute: 'href' })).toEqual({
    attribute: 'href',
    value: '/next?x=1',
    resolved: site.url('/next?x=1'),
  });
  expect(await read('get_value', { selector: '#name' })).toEqual({ value: 'Ada' });
  await callRaw('fill', { selector: '#name', value: 'Grace' });
  expect(await read('get_value', { selector: '#name' })).toEqual({ value: 'Grace' });
  expect(await read('get_value', { selector: '#many' })).toEqual({ value: 'a', values: ['a', 'b'] });
  expect(await read('get_text', { selector: '#go' })).toEqual({ text: 'Go' });
});

test('[R-3] reading by ref equals reading by selector and leaves no global in the page', async ({ site, callRaw }) => {
  await open(site, callRaw, '<nav id="it">Go <a href="/next">on</a></nav>');
  const found = data(await callRaw('find_element', { selector: '#it' }));
  const selector = String(found['ref']);
  expect(selector).toMatch(/^e\d+$/);
  expect(data(await callRaw('find_element', { selector }))).toEqual(found);
  for (const name of ['find_elements', 'get_text', 'get_all_text', 'extract_links']) {
    expect(data(await callRaw(name, { selector })), name).toEqual(data(await callRaw(name, { selector: '#it' })));
  }
  expect(data(await callRaw('get_text', { selector }))).toEqual({ text: 'Go on' });
  expect(data(await callRaw('evaluate', { script: '() => typeof pagehelmAgent' }))).toEqual({ result: 'undefined' });
});

test('[S1-24, C5-3] the value of a password field is redacted', async ({ site, callRaw }) => {
  await open(
    site,
    callRaw,
    '<input id="pass" type="password" value="hunter2"><input id="code" autocomplete="one-time-code" value="hunter2">',
  );
  const answers = [
    await callRaw('get_value', { selector: '#pass' }),
    await callRaw('get_value', { selector: '#code' }),
    await callRaw('find_elements', { selector: 'input' }),
    await callRaw('get_attribute', { selector: '#pass', attribute: 'value' }),
    await callRaw('find_element', { selector: '#pass' }),
  ];
  for (const { text } of answers) {
    expect(text).toContain('[REDACTED]');
    expect(text).not.toContain('hunter2');
  }
});

test('[C5-3] a password that a form puts into its URL is not in the data', async ({ site, callRaw }) => {
  await open(site, callRaw, '<form action="/in"><input type="password" name="p"><button>Go</button></form>');
  site.set('/in', '<title>In</title><p>Text</p>');
  await callRaw('fill', { selector: '[type=password]', value: 'hunter2!' });
  const url = site.url('/in?p=[REDACTED]');
  expect(data(await callRaw('click', { selector: 'button' }))).toMatchObject({ url, notes: [`Navigated to ${url}`] });
  expect(data(await callRaw('get_page_metadata', {}))).toMatchObject({ url });
  expect(data(await callRaw('get_request_log', { filter: '/in' }))).toMatchObject({ requests: [{ url }] });
});

test('[S1-25, S1-26] screenshots of the page and of an element have the requested type, size and quality', async ({
  site,
  server,
  callRaw,
}) => {
  await open(
    site,
    callRaw,
    '<body style="margin: 0"><div style="height: 2000px; background: linear-gradient(red, blue)"></div><p id="box" style="width: 90px; height: 40px; margin: 0">Box</p>',
  );
  const shot = async (name: string, args: object): Promise<readonly [type: string, size: string, bytes: Buffer]> => {
    const { text } = await callRaw(name, args);
    const [, size = '', path = ''] = /\((\d+x\d+)\): (\S+\.\w+)/.exec(text) ?? [];
    const bytes = await readFile(join(server.folder, path));
    const { width, height } = imageSize(bytes);
    expect(`${width}x${height}`).toBe(size);
    return [bytes.subarray(1, 4).toString() === 'PNG' ? 'png' : 'jpeg', size, bytes];
  };
  expect((await shot('screenshot', {})).slice(0, 2)).toEqual(['png', '1280x720']);
  expect((await shot('screenshot', { fullPage: true })).slice(0, 2)).toEqual(['png', '1280x2040']);
  expect((await shot('screenshot_element', { selector: '#box' })).slice(0, 2)).toEqual(['png', '90x40']);
  expect((await shot('screenshot_element', { selector: '#box', type: 'jpeg' })).slice(0, 2)).toEqual(['jpeg', '90x40']);
  for (const quality of [60, 90]) {
    const [type, size, bytes] = await shot('screenshot', { type: 'jpeg', quality });
    expect([type, size, isQuality(bytes, quality)]).toEqual(['jpeg', '1280x720', true]);
  }
});

test('[S1-27] extract_table reads headers, spans and nested tables', async ({ site, callRaw }) => {
  await open(
    site,
    callRaw,
    `<table id="t"><caption>Prices</caption><thead><tr><th rowspan="2">Name</th><th colspan="2">Price</th></tr><tr><th>Net</th><th>Gross</th></tr></thead>
    <tr><th scope="row">Tea</th><td>2</td><td>3</td></tr><tr><td>Set <table><tr><td>inner</td></tr></table></td><td colspan="2">9</td></tr></table>`,
  );
  expect(data(await callRaw('extract_table', { selector: '#t' }))).toEqual({
    caption: 'Prices',
    rowCount: 2,
    headers: ['Name', 'Price Net', 'Price Gross'],
    rows: [
      { Name: 'Tea', 'Price Net': '2', 'Price Gross': '3' },
      { Name: 'Set inner', 'Price Net': '9', 'Price Gross': '9' },
    ],
  });
});

test('[S1-27] colspan and rowspan are applied as in browsers', async ({ site, callRaw }) => {
  const head = '<thead><tr><th>A<th>B<th>C</tr></thead>';
  const rows = '<tbody><tr><td rowspan=0>1<td colspan="2.5">2<tr><td>3<td>4</tbody><tbody><tr><td>5<td>6<td>7</tbody>';
  await open(site, callRaw, `<table>${head}${rows}</table>`);
  expect(data(await callRaw('extract_table', { selector: 'table' }))['rows']).toEqual([
    { A: '1', B: '2', C: '2' },
    { A: '1', B: '3', C: '4' },
    { A: '5', B: '6', C: '7' },
  ]);
});

test('[S1-27] extract_table reads ARIA tables and tables inside the given element', async ({ site, callRaw }) => {
  await open(
    site,
    callRaw,
    `<section><div role="grid"><div role="row"><span role="columnheader">A</span><span role="columnheader">B</span></div>
    <div role="rowgroup"><div role="row"><span role="gridcell">1</span><span role="gridcell">2</span></div></div></div></section><p>No table</p>`,
  );
  expect(data(await callRaw('extract_table', { selector: 'section' }))).toEqual({
    rowCount: 1,
    headers: ['A', 'B'],
    rows: [{ A: '1', B: '2' }],
  });
  expect((await callRaw('extract_table', { selector: 'p' })).structured).toMatchObject({
    errorCode: 'ELEMENT_NOT_FOUND',
    message: 'No element found matching selector "p table"',
  });
});

test('[S1-28] extract_links returns each absolute URL once, with text and rel, and counts what it leaves out', async ({
  site,
  callRaw,
}) => {
  await open(
    site,
    callRaw,
    `<nav><a href="/a" rel="nofollow noopener">A</a><a href="a">again</a><a href="javascript:void 0">no</a></nav>
    <a href="https://example.com/x#y"><img alt="Picture" src="data:,"></a><a>no address</a><map><area href="/map" alt="Map"></map>
    <script>document.body.append(Object.assign(document.createElement('div'), { id: 'host' })); host.attachShadow({ mode: 'open' }).innerHTML = '<a href="/shadow">Shadow</a>'</script>`,
  );
  const all = [
    { url: site.url('/a'), text: 'A', rel: 'nofollow noopener' },
    { url: 'https://example.com/x#y', text: 'Picture' },
    { url: site.url('/map'), text: 'Map' },
    { url: site.url('/shadow'), text: 'Shadow' },
  ];
  expect(data(await callRaw('extract_links', {}))).toEqual({
    count: 4,
    links: all,
    notes: ['Links not listed: 1 more to these URLs, 1 with javascript: URLs.'],
  });
  expect(data(await callRaw('extract_links', { selector: 'nav' }))).toMatchObject({ count: 1, links: all.slice(0, 1) });
});

test('[S1-29] metadata may use names of Object.prototype', async ({ site, callRaw }) => {
  await open(site, callRaw, '<meta property="og:constructor" content="Ada"><meta name="og:title" content="Tower">');
  const { openGraph } = data(await callRaw('get_page_metadata', {}));
  expect(openGraph).toEqual({ constructor: 'Ada', title: 'Tower' });
});

test('[S1-29] get_page_metadata returns the page’s metadata', async ({ site, callRaw }) => {
  const url = await open(
    site,
    callRaw,
    `<html lang="de"><head><title>Title</title><meta name="description" content=" About  us "><link rel="canonical" href="/canon">
    <meta property="og:title" content="OG"><meta property="og:image" content="1.png"><meta property="og:image" content="2.png">
    <meta name="twitter:card" content="summary"><link rel="icon" href="/i.png" sizes="32x32" type="image/png">
    <script type="application/ld+json">{"@type": "Thing"}</script><script type="application/ld+json">{oops</script></head>
    <body><h1>One</h1><h2>Two <b>bold</b></h2></body></html>`,
  );
  expect(data(await callRaw('get_page_metadata', {}))).toEqual({
    url,
    title: 'Title',
    description: 'About us',
    canonical: site.url('/canon'),
    language: 'de',
    charset: 'UTF-8',
    openGraph: { title: 'OG', image: ['1.png', '2.png'] },
    twitter: { card: 'summary' },
    jsonLd: [{ '@type': 'Thing' }, { error: 'not JSON', text: '{oops' }],
    icons: [{ url: site.url('/i.png'), rel: 'icon', sizes: '32x32', type: 'image/png' }],
    headings: [
      { level: 1, text: 'One' },
      { level: 2, text: 'Two bold' },
    ],
  });
});

test.for([
  ['() => 1 + 1', undefined, 2],
  ['document.title', undefined, 'Design'],
  ['(a, b) => a + b', [1, 2], 3],
  ['return args[0] * 2', [21], 42],
  ['args.length', ['x', 'y'], 2],
  ['const [a] = arguments; return { a }', ['x'], { a: 'x' }],
] as const)('[S1-30] evaluate runs %s with %j', async ([script, args, result], { site, callRaw }) => {
  await open(site, callRaw);
  expect(data(await callRaw('evaluate', { script, args }))).toEqual({ result });
});

test('[S1-44, S1-45] find_element and find_elements describe their matches, with refs', async ({ site, callRaw }) => {
  await open(site, callRaw);
  const found = data(await callRaw('find_element', { selector: '#go' }));
  expect(found).toEqual({
    found: true,
    ref: expect.stringMatching(/^e\d+$/),
    tagName: 'button',
    text: 'Go',
    attributes: { id: 'go', onclick: expect.any(String) },
    visible: true,
    enabled: true,
    boundingBox: {
      x: expect.any(Number),
      y: expect.any(Number),
      width: expect.any(Number),
      height: expect.any(Number),
    },
  });
  await callRaw('click', { selector: found['ref'] });
  expect(await out(callRaw)).toEqual({ text: 'clicked 1' });
  expect(data(await callRaw('find_elements', { selector: '.item' }))).toMatchObject({
    count: 2,
    elements: [{ text: 'Tea' }, { text: 'Milk' }],
  });
  expect(data(await callRaw('find_elements', { selector: '.none' }))).toEqual({ count: 0, elements: [] });
});

test('[S1-46] element_exists reports whether an element is in the page now, visible or not', async ({
  site,
  callRaw,
}) => {
  await open(site, callRaw);
  const exists = async (selector: string): Promise<unknown> => data(await callRaw('element_exists', { selector }));
  expect(await exists('.item')).toEqual({ exists: true, count: 2 });
  expect(await exists('#gone')).toEqual({ exists: true, count: 1 });
  expect(await exists('.none')).toEqual({ exists: false, count: 0 });
  await callRaw('evaluate', { script: `document.querySelectorAll('.item').forEach((item) => item.remove())` });
  expect(await exists('.item')).toEqual({ exists: false, count: 0 });
  await callRaw('evaluate', { script: `document.body.insertAdjacentHTML('beforeend', '<i class="none"></i>')` });
  expect(await exists('.none')).toEqual({ exists: true, count: 1 });
});

test.for([
  ['a paragraph', '<p id="x">Text</p>', true],
  ['the hidden attribute', '<p id="x" hidden>Text</p>', false],
  ['display: none', '<p id="x" style="display: none">Text</p>', false],
  ['visibility: hidden', '<p id="x" style="visibility: hidden">Text</p>', false],
  ['a hidden ancestor', '<div hidden><p id="x">Text</p></div>', false],
  ['no size', '<div id="x"></div>', false],
  ['a place below the viewport', '<p id="x" style="margin-top: 5000px">Text</p>', true],
  ['an invisible first match', '<p id="x" hidden>One</p><p id="x">Two</p>', false],
] as const)('[S1-47] is_visible of an element with %s', async ([, html, visible], { site, callRaw }) => {
  await open(site, callRaw, html);
  const seen = async (selector: string): Promise<unknown> => data(await callRaw('is_visible', { selector }));
  expect(await seen('#x')).toEqual({ visible, exists: true });
  expect(await seen('#none')).toEqual({ visible: false, exists: false });
  await callRaw('evaluate', {
    script: `document.body.innerHTML = '<p id="x" style="display: ${visible ? 'none' : 'block'}">New</p>'`,
  });
  expect(await seen('#x')).toEqual({ visible: !visible, exists: true });
});

test.for([
  ['a button', '<button id="x">Go</button>', true],
  ['a read-only input', '<input id="x" readonly>', true],
  ['a disabled button', '<button id="x" disabled>Go</button>', false],
  ['a field of a disabled group', '<fieldset disabled><input id="x"></fieldset>', false],
  ['an aria-disabled button', '<div id="x" role="button" aria-disabled="true">Go</div>', false],
  ['a disabled first match', '<button id="x" disabled>One</button><button id="x">Two</button>', false],
] as const)('[S1-48] is_enabled of %s', async ([, html, enabled], { site, callRaw }) => {
  await open(site, callRaw, html);
  const usable = async (selector: string): Promise<unknown> => data(await callRaw('is_enabled', { selector }));
  expect(await usable('#x')).toEqual({ enabled, exists: true });
  expect(await usable('#none')).toEqual({ enabled: false, exists: false });
  await callRaw('evaluate', { script: `document.body.innerHTML = '<input id="x" ${enabled ? 'disabled' : ''}>'` });
  expect(await usable('#x')).toEqual({ enabled: !enabled, exists: true });
});

test('[S1-44] find_element waits for its element, and no longer than its timeout', async ({ site, callRaw }) => {
  site.set('/late', slowly(2500, 'Late'));
  await open(
    site,
    callRaw,
    `<script>document.addEventListener('click', async () => {
      const text = await (await fetch('/late')).text(); document.body.insertAdjacentHTML('beforeend', '<p id="late">' + text + '</p>');
    })</script><button>Go</button>`,
  );
  const clicking = callRaw('evaluate', { script: `() => { document.querySelector('button').click() }` });
  const short = await callRaw('find_element', { selector: '#never', timeout: 100 });
  expect(short.structured).toMatchObject({ error: { code: 'ELEMENT_NOT_FOUND' } });
  await clicking;
  expect(data(await callRaw('find_element', { selector: '#late', timeout: 20_000 }))).toMatchObject({ text: 'Late' });
});

test('[S1-86, S1-95] an element that does not appear is reported with the specified text', async ({
  site,
  callRaw,
}) => {
  const url = await open(site, callRaw);
  const answer = await callRaw('find_element', { selector: '#submit-button', timeout: 50 });
  expect(answer.structured?.['error']).toEqual({
    callId: expect.stringMatching(/^[0-9a-f]{8}$/),
    code: 'ELEMENT_NOT_FOUND',
    kind: 'NO_SUCH_ELEMENT',
    message: 'No element found matching selector "#submit-button"',
    details: { selector: '#submit-button', page: url },
    retryable: false,
    suggestion: 'Check if the selector is correct. Try using browser devtools to verify the element exists.',
  });
});

test.for([
  ['click', {}],
  ['type', { text: 'x' }],
  ['fill', { value: 'x' }],
  ['select', { value: 'x' }],
  ['check', {}],
  ['uncheck', {}],
  ['hover', {}],
  ['upload_file', { files: [] }],
  ['get_text', {}],
  ['get_attribute', { attribute: 'id' }],
  ['get_value', {}],
  ['screenshot_element', {}],
  ['extract_table', {}],
  ['extract_links', {}],
  ['wait_for_selector', {}],
] as const)(
  '[S1-86, S1-95] %s names the selector and the page of a missing element',
  async ([name, args], { site, callRaw }) => {
    const page = await open(site, callRaw);
    const answer = await callRaw(name, { selector: '#submit-button', timeout: 50, ...args });
    expect(answer.structured?.['error']).toMatchObject({
      code: 'ELEMENT_NOT_FOUND',
      message: 'No element found matching selector "#submit-button"',
      details: { selector: '#submit-button', page },
      retryable: false,
    });
  },
);

test('a long answer is cut to its budget and says what is missing', async ({ site, callRaw }) => {
  await open(site, callRaw, Array.from({ length: 3000 }, (_, n) => `<p>Paragraph number ${n}</p>`).join(''));
  const all = Object(data(await callRaw('get_all_text', { selector: 'p', maxTokens: 1000 })));
  expect(all.count).toBe(3000);
  expect(all.texts.length).toBeGreaterThan(50);
  expect(all.texts.length).toBeLessThan(300);
  expect(all.cut).toBe(
    `${all.texts.length} of 3000 texts are shown. Request a smaller part of the page, or give a larger maxTokens.`,
  );
  const one = Object(data(await callRaw('get_text', { selector: 'body', maxTokens: 1000 })));
  expect(one.text.length).toBeLessThan(6000);
  expect(one.cut).toMatch(/^\d+ of \d+ characters of text are shown\./);
});

test('[R-33] an argument that is ignored is noted in the data', async ({ site, callRaw }) => {
  await open(site, callRaw);
  expect(data(await callRaw('get_text', { selector: 'h1', zzzzzzzzzz: 1 }))).toMatchObject({
    text: 'Shop',
    notes: [expect.stringContaining('Ignored the unknown argument "zzzzzzzzzz".')],
  });
});
