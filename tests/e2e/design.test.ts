import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, slowly, testWith } from '../fixtures.ts';
import type { Answer, CallRaw, Site } from '../fixtures.ts';

const test = testWith(['--toolset=design']);

const page = `<title>Design</title><h1>Shop</h1><p class="item">Tea</p><p class="item">Milk</p><output id="out"></output>
<button id="go" onclick="out.value = 'clicked ' + event.detail">Go</button>
<button id="menu" oncontextmenu="out.value = 'menu'; return false">Menu</button><button id="off" disabled>Off</button>
<input id="name" value="Ada" data-kind="person" onkeydown="out.value = 'keys'"><input id="pass" type="password" value="hunter2">
<select id="list"><option value="1">One</option><option value="2">Two</option></select>
<select id="many" multiple><option selected>a</option><option selected>b</option></select>
<input type="checkbox" id="box"><a id="link" href="/next?x=1">Next</a><span id="gone" hidden>Hidden</span>
<div id="over" onmouseover="out.value = 'over'">Over</div>`;

async function open(site: Site, callRaw: CallRaw, html = page): Promise<string> {
  site.set('/', html);
  const url = site.url('/');
  await callRaw('navigate', { url });
  return url;
}

/** The data of an answer, which is the same in its text and as an object. */
function data(answer: Answer): unknown {
  expect(answer.isError, answer.text).toBe(false);
  expect(JSON.parse(answer.text)).toEqual(answer.structured);
  expect(answer.structured?.['success']).toBe(true);
  return answer.structured?.['data'];
}

async function out(callRaw: CallRaw): Promise<unknown> {
  return (
    data(await callRaw('get_value', { selector: '#name' })) && data(await callRaw('get_text', { selector: '#out' }))
  );
}

test('[S1-02, S1-03, S1-05, R-2] navigate goes to a URL and tells address, status and timing', async ({
  site,
  callRaw,
}) => {
  site.set('/', page);
  const answer = await callRaw('navigate', { url: site.url('/') });
  expect(data(answer)).toEqual({
    url: site.url('/'),
    status: 200,
    title: 'Design',
    loadState: 'load',
    timing: expect.objectContaining({ startTime: expect.any(Number), duration: expect.any(Number) }),
  });
});

test('[S1-02] navigate gives up after its time-out', async ({ site, callRaw }) => {
  site.set('/slow', slowly(5000, 'late'));
  const answer = await callRaw('navigate', { url: site.url('/slow'), timeout: 100 });
  expect(answer.structured).toMatchObject({
    errorCode: 'NAVIGATION_FAILED',
    error: {
      code: 'TIMEOUT',
      message: 'Navigation timed out after 100ms',
      details: { url: site.url('/slow'), timeout: 100 },
      retryable: true,
      suggestion: 'Increase timeout or check if the website is responsive.',
    },
  });
});

test('[S1-04, S1-93, S1-94] a navigation that fails has its code, message and URL', async ({ callRaw }) => {
  const url = 'http://127.0.0.1:9/';
  const answer = await callRaw('navigate', { url });
  expect(answer).toMatchObject({
    isError: true,
    structured: {
      success: false,
      errorCode: 'NAVIGATION_FAILED',
      error: {
        code: 'NAVIGATION_FAILED',
        message: expect.stringContaining('failed'),
        details: { url, netError: expect.stringMatching(/^net::ERR_/) },
        retryable: false,
        suggestion: expect.stringMatching(/^[A-Z].+\.$/),
      },
    },
  });
});

test('[S1-06, S1-07] go_back and go_forward walk the history', async ({ site, callRaw }) => {
  const url = await open(site, callRaw);
  site.set('/next', '<title>Next</title>');
  await callRaw('navigate', { url: site.url('/next') });
  expect(data(await callRaw('go_back', {}))).toMatchObject({ url, title: 'Design' });
  expect(data(await callRaw('go_forward', {}))).toMatchObject({ url: site.url('/next'), title: 'Next' });
});

test('[S1-08] reload asks for everything again only if it is to ignore the cache', async ({ site, callRaw }) => {
  site.set('/style.css', (_request, response) => {
    response.setHeader('cache-control', 'max-age=3600').setHeader('content-type', 'text/css').end('p {}');
  });
  await open(site, callRaw, '<title>Cached</title><link rel="stylesheet" href="/style.css"><p>Text</p>');
  const asked = (): number => site.requests.filter(({ path }) => path === '/style.css').length;
  expect(asked()).toBe(1);
  expect(data(await callRaw('reload', {}))).toMatchObject({ title: 'Cached' });
  expect(asked()).toBe(1);
  await callRaw('reload', { ignoreCache: true });
  expect(asked()).toBe(2);
});

test.for([{}, { state: 'load' }, { state: 'domcontentloaded' }, { state: 'networkidle' }])(
  '[S1-09] wait_for_load with %j',
  async (args, { site, callRaw }) => {
    const url = await open(site, callRaw);
    expect(data(await callRaw('wait_for_load', args))).toEqual({ state: args.state ?? 'load', url, title: 'Design' });
  },
);

test('[S1-10] click takes a selector, a button and a count', async ({ site, callRaw }) => {
  const url = await open(site, callRaw);
  expect(data(await callRaw('click', { selector: '#go' }))).toMatchObject({ selector: '#go', url, title: 'Design' });
  expect(await out(callRaw)).toEqual({ text: 'clicked 1' });
  await callRaw('click', { selector: '#go', clickCount: 2 });
  expect(await out(callRaw)).toEqual({ text: 'clicked 2' });
  await callRaw('click', { selector: '#menu', button: 'right' });
  expect(await out(callRaw)).toEqual({ text: 'menu' });
});

test('[S1-11, S1-12] type and fill put a text in, key by key if there is a delay', async ({ site, callRaw }) => {
  await open(site, callRaw);
  const value = async (): Promise<unknown> => data(await callRaw('get_value', { selector: '#name' }));
  await callRaw('fill', { selector: '#name', value: 'Grace' });
  expect([await value(), await out(callRaw)]).toEqual([{ value: 'Grace' }, { text: '' }]);
  await callRaw('type', { selector: '#name', text: 'Alan' });
  expect([await value(), await out(callRaw)]).toEqual([{ value: 'Alan' }, { text: '' }]);
  expect(data(await callRaw('type', { selector: '#name', text: 'Edsger', delay: 1 }))).toMatchObject({
    selector: '#name',
  });
  expect([await value(), await out(callRaw)]).toEqual([{ value: 'Edsger' }, { text: 'keys' }]);
});

test('[S1-13, S1-14, S1-15] select, check and uncheck', async ({ site, callRaw }) => {
  await open(site, callRaw);
  await callRaw('select', { selector: '#list', value: '2' });
  expect(data(await callRaw('get_value', { selector: '#list' }))).toEqual({ value: '2' });
  await callRaw('select', { selector: '#many', values: ['b'] });
  expect(data(await callRaw('get_value', { selector: '#many' }))).toEqual({ value: 'b', values: ['b'] });
  await callRaw('check', { selector: '#box' });
  expect(data(await callRaw('get_value', { selector: '#box' }))).toEqual({ value: 'on', checked: true });
  await callRaw('uncheck', { selector: '#box' });
  expect(data(await callRaw('get_value', { selector: '#box' }))).toEqual({ value: 'on', checked: false });
});

test('[S1-16, S1-20] hover, and press with modifiers', async ({ site, callRaw }) => {
  await open(site, callRaw);
  await callRaw('hover', { selector: '#over' });
  expect(await out(callRaw)).toEqual({ text: 'over' });
  await callRaw('click', { selector: '#name' });
  await callRaw('press', { key: 'a', modifiers: ['Control'] });
  await callRaw('press', { key: 'Backspace' });
  expect(data(await callRaw('get_value', { selector: '#name' }))).toEqual({ value: '' });
});

test('[S1-17] scroll moves the page, and says where it is', async ({ site, callRaw }) => {
  await open(site, callRaw, '<div style="height: 5000px; width: 5000px">Tall</div>');
  expect(data(await callRaw('scroll', { y: 300 }))).toEqual({ moved: true, x: 0, y: 300 });
  expect(data(await callRaw('scroll', { x: 200, y: -100 }))).toEqual({ moved: true, x: 200, y: 200 });
});

test('[S1-18, R-3] drag_and_drop takes source and target', async ({ site, callRaw }) => {
  await open(
    site,
    callRaw,
    `<div id="from" draggable="true">From</div><div id="to" style="height: 50px" ondragover="event.preventDefault()"
     ondrop="this.textContent = 'dropped'">To</div>`,
  );
  await callRaw('drag_and_drop', { source: '#from', target: '#to' });
  expect(data(await callRaw('get_text', { selector: '#to' }))).toEqual({ text: 'dropped' });
  const { structured } = await callRaw('drag_and_drop', { source: '#from' });
  expect(structured).toMatchObject({ message: 'Missing argument "target". Accepted arguments: source, target.' });
});

test('[S1-19] upload_file gives files to an input', async ({ site, server, callRaw }) => {
  await open(
    site,
    callRaw,
    `<input type="file" id="f" onchange="out.value = this.files[0].name"><output id="out"></output>`,
  );
  await writeFile(join(server.folder, 'a.txt'), 'a');
  expect((await callRaw('upload_file', { selector: '#f', files: ['a.txt'] })).isError).toBe(false);
  expect(data(await callRaw('get_text', { selector: '#out' }))).toEqual({ text: 'a.txt' });
});

test('[S1-21, S1-22, S1-23, S1-24] texts, attributes and values are read', async ({ site, callRaw }) => {
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
});

test('[C5-3] what a password field holds is not read', async ({ site, callRaw }) => {
  await open(site, callRaw);
  const answers = [
    await callRaw('get_value', { selector: '#pass' }),
    await callRaw('get_attribute', { selector: '#pass', attribute: 'value' }),
    await callRaw('find_element', { selector: '#pass' }),
  ];
  for (const { text } of answers) {
    expect(text).toContain('[REDACTED]');
    expect(text).not.toContain('hunter2');
  }
});

test('[S1-25, S1-26] screenshots of the page and of an element are files, as pictures are set', async ({
  site,
  callRaw,
}) => {
  await open(site, callRaw);
  expect((await callRaw('screenshot', { type: 'jpeg', quality: 50, fullPage: true })).text).toMatch(
    /Took a screenshot of the full page \(1280x\d+\): \S+\.jpeg/,
  );
  expect((await callRaw('screenshot_element', { selector: '#go' })).text).toMatch(/\(\d+x\d+\): \S+\.png/);
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
    cells: [
      ['Tea', '2', '3'],
      ['Set inner', '9', '9'],
    ],
  });
});

test('[S1-27] extract_table reads tables made of roles, and finds one inside an element', async ({ site, callRaw }) => {
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
    cells: [['1', '2']],
  });
  expect((await callRaw('extract_table', { selector: 'p' })).structured).toMatchObject({
    errorCode: 'ELEMENT_NOT_FOUND',
    message: 'No element found matching selector "p table"',
  });
});

test('[S1-28] extract_links gives absolute addresses once, with text and rel', async ({ site, callRaw }) => {
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
  expect(data(await callRaw('extract_links', {}))).toEqual({ count: 4, links: all });
  expect(data(await callRaw('extract_links', { selector: 'nav' }))).toEqual({ count: 1, links: all.slice(0, 1) });
});

test('[S1-29] get_page_metadata gives what the page says of itself', async ({ site, callRaw }) => {
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

test('[S1-31, S1-32, S1-33, S1-38, S1-51] sessions are created, listed and closed; without an id it is default', async ({
  site,
  callRaw,
}) => {
  const url = await open(site, callRaw);
  const created = data(
    await callRaw('create_session', { userAgent: 'Robot/1', viewport: { width: 400, height: 300 } }),
  );
  expect(created).toMatchObject({ sessionId: expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-4/), userAgent: 'Robot/1' });
  const { sessionId } = Object(created);
  await callRaw('navigate', { url, sessionId });
  expect(
    data(await callRaw('evaluate', { script: '[navigator.userAgent, innerWidth, innerHeight]', sessionId })),
  ).toEqual({
    result: ['Robot/1', 400, 300],
  });
  expect(data(await callRaw('evaluate', { script: 'innerWidth' }))).toEqual({ result: 1280 });
  const listed = data(await callRaw('list_sessions', {}));
  expect(Object(listed).sessions.map(({ name }: { readonly name: string }) => name)).toEqual([
    'default',
    Object(created).name,
  ]);
  expect(data(await callRaw('close_session', { sessionId }))).toMatchObject({ closed: sessionId });
  expect((await callRaw('get_text', { selector: 'h1', sessionId })).structured).toMatchObject({
    errorCode: 'SESSION_NOT_FOUND',
    sessionId,
    error: { code: 'SESSION_NOT_FOUND', suggestion: 'Create a new session with create_session tool.' },
  });
});

test('[S3-40] sessions share no cookies, no localStorage and no sessionStorage', async ({ site, callRaw }) => {
  const url = await open(site, callRaw);
  const ids = [data(await callRaw('create_session', {})), data(await callRaw('create_session', {}))].map(
    (created) => Object(created).sessionId,
  );
  const [first, second] = ids;
  for (const sessionId of ids) await callRaw('navigate', { url, sessionId });
  const write = `() => { document.cookie = 'c=1'; localStorage.setItem('l', '1'); sessionStorage.setItem('s', '1') }`;
  const read = `[document.cookie, localStorage.length, sessionStorage.length]`;
  await callRaw('evaluate', { script: write, sessionId: first });
  expect(data(await callRaw('evaluate', { script: read, sessionId: first }))).toEqual({ result: ['c=1', 1, 1] });
  for (const sessionId of [second, 'default'])
    expect(data(await callRaw('evaluate', { script: read, sessionId }))).toEqual({ result: ['', 0, 0] });
  for (const sessionId of ids) await callRaw('close_session', { sessionId });
});

test('[S1-34, S1-35] cookies are set and got', async ({ site, callRaw }) => {
  await open(site, callRaw);
  const cookies = [
    { name: 'a', value: '1' },
    { name: 'b', value: '2', domain: '127.0.0.1', path: '/', sameSite: 'lax', httpOnly: true },
  ];
  expect(data(await callRaw('set_cookies', { cookies }))).toEqual({ set: 2 });
  expect(data(await callRaw('evaluate', { script: 'document.cookie' }))).toEqual({ result: 'a=1' });
  expect(data(await callRaw('get_cookies', {}))).toMatchObject({
    count: 2,
    cookies: [
      { name: 'a', value: '1' },
      { name: 'b', value: '2', httpOnly: true, sameSite: 'Lax' },
    ],
  });
  expect((await callRaw('set_cookies', { cookies: [{ name: 'x' }] })).structured).toMatchObject({
    errorCode: 'MISSING_PARAMETER',
    message: expect.stringContaining('Missing argument "cookies.0.value" (a string).'),
  });
});

test('[S1-36, S1-37] a state is saved from one session and restored into another', async ({ site, callRaw }) => {
  const url = await open(site, callRaw);
  await callRaw('evaluate', { script: '() => { localStorage.setItem("k", "v"); document.cookie = "c=1" }' });
  const saved = Object(data(await callRaw('save_state', { sessionId: 'default' })));
  expect(saved.state).toMatchObject({
    cookies: [{ name: 'c' }],
    origins: [{ localStorage: [{ name: 'k', value: 'v' }] }],
  });
  const { sessionId } = Object(data(await callRaw('create_session', {})));
  expect(data(await callRaw('restore_state', { sessionId, state: saved.state }))).toEqual({
    sessionId,
    restored: true,
    cookies: 1,
    origins: 1,
  });
  await callRaw('navigate', { url, sessionId });
  expect(
    data(await callRaw('evaluate', { script: '[localStorage.getItem("k"), document.cookie]', sessionId })),
  ).toEqual({ result: ['v', 'c=1'] });
  await callRaw('close_session', { sessionId });
});

test('[S1-39] block_resource stops requests of a type', async ({ site, callRaw }) => {
  const { sessionId } = Object(data(await callRaw('create_session', {})));
  site.set('/p.png', (_request, response) => void response.end());
  site.set('/', '<title>Blocked</title><img src="/p.png">');
  expect(data(await callRaw('block_resource', { resourceType: 'images', sessionId }))).toEqual({ blocked: ['image'] });
  await callRaw('navigate', { url: site.url('/'), sessionId });
  expect(site.requests.map(({ path }) => path)).not.toContain('/p.png');
  expect((await callRaw('block_resource', { resourceType: 'jokes', sessionId })).structured).toMatchObject({
    errorCode: 'MISSING_PARAMETER',
  });
  await callRaw('close_session', { sessionId });
});

test('[S1-40] mock_response answers in place of the server', async ({ site, callRaw }) => {
  await open(site, callRaw);
  const ask = `async () => { const r = await fetch('/api/users?x=1'); return [r.status, r.headers.get('content-type'), r.headers.get('x-a'), await r.text()] }`;
  const asked = async (): Promise<unknown> => Object(data(await callRaw('evaluate', { script: ask }))).result;
  await callRaw('mock_response', {
    url: '**/api/users*',
    response: { status: 201, body: { id: 7 }, headers: { 'X-A': 'b' }, delay: 20, times: 1 },
  });
  expect(await asked()).toEqual([201, 'application/json', 'b', '{"id":7}']);
  expect(await asked()).toEqual([404, 'text/html; charset=utf-8', null, 'Not here']);
  expect(data(await callRaw('mock_response', { url: '/api/users', response: { body: 'plain' } }))).toEqual({
    url: '/api/users',
    status: 200,
    mocks: 1,
  });
  expect(await asked()).toEqual([200, 'text/plain; charset=utf-8', null, 'plain']);
});

test('[S1-41] set_offline cuts the session off, and connects it again', async ({ site, callRaw }) => {
  const url = await open(site, callRaw);
  expect(data(await callRaw('set_offline', { offline: true }))).toEqual({ offline: true });
  expect(data(await callRaw('evaluate', { script: 'navigator.onLine' }))).toEqual({ result: false });
  for (const [name, args] of [
    ['navigate', { url }],
    ['reload', {}],
  ] as const) {
    expect((await callRaw(name, args)).structured, name).toMatchObject({ errorCode: 'NAVIGATION_FAILED' });
  }
  await callRaw('set_offline', { offline: false });
  expect((await callRaw('navigate', { url })).isError).toBe(false);
});

test('[S1-42] set_throttling slows the network down, until it is taken off', async ({ site, callRaw }) => {
  await open(site, callRaw);
  site.set('/small', 'x');
  const ask = `async () => { const at = performance.now(); await (await fetch('/small?' + at)).text(); return performance.now() - at }`;
  const took = async (): Promise<number> => Number(Object(data(await callRaw('evaluate', { script: ask }))).result);
  expect(data(await callRaw('set_throttling', { downloadSpeed: 100, uploadSpeed: 50, latency: 400 }))).toEqual({
    downloadSpeed: 100,
    uploadSpeed: 50,
    latency: 400,
    unit: 'kB/s',
    throttled: true,
  });
  // The browser adds the latency itself: no answer can be faster, however fast the machine is.
  expect(await took()).toBeGreaterThanOrEqual(395);
  expect(data(await callRaw('set_throttling', { downloadSpeed: 0, uploadSpeed: 0, latency: 0 }))).toMatchObject({
    throttled: false,
  });
});

test('[S1-43] get_request_log tells what the tab has asked for, and filters', async ({ site, callRaw }) => {
  await open(site, callRaw);
  await callRaw('evaluate', { script: `async () => { await fetch('/api/a'); await fetch('/other') }` });
  const log = Object(data(await callRaw('get_request_log', { filter: '/api/' })));
  expect(log).toEqual({
    count: 1,
    requests: [
      {
        url: site.url('/api/a'),
        method: 'GET',
        status: 404,
        resourceType: 'fetch',
        timing: { startTime: expect.any(Number), duration: expect.any(Number) },
      },
    ],
  });
  const all = Object(data(await callRaw('get_request_log', {})));
  expect(all.requests.map(({ url }: { readonly url: string }) => new URL(url).pathname)).toEqual([
    '/',
    '/api/a',
    '/other',
  ]);
});

test('[S1-44, S1-45] find_element and find_elements describe what they find, with refs', async ({ site, callRaw }) => {
  await open(site, callRaw);
  const found = Object(data(await callRaw('find_element', { selector: '#go' })));
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
  await callRaw('click', { selector: found.ref });
  expect(await out(callRaw)).toEqual({ text: 'clicked 1' });
  expect(data(await callRaw('find_elements', { selector: '.item' }))).toMatchObject({
    count: 2,
    elements: [{ text: 'Tea' }, { text: 'Milk' }],
  });
  expect(data(await callRaw('find_elements', { selector: '.none' }))).toEqual({ count: 0, elements: [] });
});

test('[S1-46, S1-47, S1-48] element_exists, is_visible and is_enabled answer at once', async ({ site, callRaw }) => {
  await open(site, callRaw);
  const ask = async (name: string, selector: string): Promise<unknown> => data(await callRaw(name, { selector }));
  expect(await ask('element_exists', '.item')).toEqual({ exists: true, count: 2 });
  expect(await ask('element_exists', '.none')).toEqual({ exists: false, count: 0 });
  expect(await ask('is_visible', '#go')).toEqual({ visible: true, exists: true });
  expect(await ask('is_visible', '#gone')).toEqual({ visible: false, exists: true });
  expect(await ask('is_visible', '.none')).toEqual({ visible: false, exists: false });
  expect(await ask('is_enabled', '#go')).toEqual({ enabled: true, exists: true });
  expect(await ask('is_enabled', '#off')).toEqual({ enabled: false, exists: true });
  expect(await ask('is_enabled', '.none')).toEqual({ enabled: false, exists: false });
});

test.for([
  [undefined, '<p id="x">now</p>', 'visible'],
  ['visible', '<p id="x" hidden>late</p><script>setTimeout(() => { x.hidden = false }, 50)</script>', 'visible'],
  ['hidden', '<p id="x">soon</p><script>setTimeout(() => { x.hidden = true }, 50)</script>', 'hidden'],
  ['attached', '<p id="x" hidden>there</p>', 'attached'],
  ['detached', '<p id="x">soon</p><script>setTimeout(() => x.remove(), 50)</script>', 'detached'],
] as const)('[S1-49] wait_for_selector waits for %s', async ([state, html, reached], { site, callRaw }) => {
  await open(site, callRaw, html);
  expect(data(await callRaw('wait_for_selector', { selector: '#x', state, timeout: 10_000 }))).toEqual({
    state: reached,
  });
});

test('[S1-49, S1-89] a wait that ends without its state says so', async ({ site, callRaw }) => {
  await open(site, callRaw);
  expect((await callRaw('wait_for_selector', { selector: '#gone', timeout: 50 })).structured).toMatchObject({
    error: {
      code: 'TIMEOUT',
      message: 'Waiting until #gone is visible did not finish within 50ms.',
      retryable: true,
      suggestion: 'Increase the timeout parameter or check if the page is loading slowly.',
    },
  });
});

test('[S1-86, S1-95] an element that did not come is told as the specification says', async ({ site, callRaw }) => {
  const url = await open(site, callRaw);
  const answer = await callRaw('find_element', { selector: '#submit-button', timeout: 50 });
  expect(answer.structured?.['error']).toEqual({
    code: 'ELEMENT_NOT_FOUND',
    kind: 'NO_SUCH_ELEMENT',
    message: 'No element found matching selector "#submit-button"',
    details: { selector: '#submit-button', page: url },
    retryable: false,
    suggestion: 'Check if the selector is correct. Try using browser devtools to verify the element exists.',
  });
});

test('[S1-82, S1-83, S1-84, S1-85, S1-86, S1-87, R-28] what a caller did wrong has its code', async ({
  site,
  callRaw,
}) => {
  await open(site, callRaw);
  const code = async (name: string, args: object): Promise<unknown> =>
    Object((await callRaw(name, args)).structured?.['error']).code;
  expect(await code('click', { selector: '##' })).toBe('INVALID_SELECTOR');
  expect(await code('get_text', { selector: '//[' })).toBe('INVALID_SELECTOR');
  expect(await code('navigate', { url: 'http://' })).toBe('INVALID_URL');
  expect(await code('navigate', {})).toBe('MISSING_PARAMETER');
  expect(await code('get_text', {})).toBe('MISSING_PARAMETER');
  expect(await code('get_text', { selector: 'h1', sessionId: 'nobody' })).toBe('SESSION_NOT_FOUND');
  expect(await code('get_text', { selector: '#none', timeout: 50 })).toBe('ELEMENT_NOT_FOUND');
  expect(await code('click', { selector: '#none', timeout: 50 })).toBe('ELEMENT_NOT_FOUND');
  expect(await code('click', { selector: '#off', timeout: 300 })).toBe('ELEMENT_NOT_INTERACTIVE');
});

test('[S1-90] a request of a script that comes to nothing is a network error, worth another try', async ({
  site,
  callRaw,
}) => {
  await open(site, callRaw);
  expect((await callRaw('evaluate', { script: `() => fetch('http://127.0.0.1:9/')` })).structured).toMatchObject({
    error: { code: 'NETWORK_ERROR', message: expect.stringContaining('Failed to fetch'), retryable: true },
  });
});

test('[S1-52] a long answer is cut to its budget, and says what is missing', async ({ site, callRaw }) => {
  await open(site, callRaw, Array.from({ length: 3000 }, (_, n) => `<p>Paragraph number ${n}</p>`).join(''));
  const all = Object(data(await callRaw('get_all_text', { selector: 'p', maxTokens: 1000 })));
  expect(all.count).toBe(3000);
  expect(all.texts.length).toBeGreaterThan(50);
  expect(all.texts.length).toBeLessThan(300);
  expect(all.cut).toBe(
    `${all.texts.length} of 3000 texts are shown. Ask for a smaller part of the page, or give maxTokens.`,
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

test('a dialog that no tool here can answer is dismissed, and noted', async ({ site, callRaw }) => {
  await open(site, callRaw, `<button onclick="document.title = confirm('Sure?')">Ask</button>`);
  expect(data(await callRaw('click', { selector: 'button' }))).toMatchObject({
    title: 'false',
    notes: expect.arrayContaining(['Dismissed a confirm dialog with the message "Sure?"']),
  });
});
