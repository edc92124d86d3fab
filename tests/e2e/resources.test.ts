import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { describe } from 'vitest';
import * as z from 'zod';
import type { Content } from '../../src/call/answer/report.ts';
import { imageSize } from '../../src/util/images.ts';
import { eras, expect, open, refOf, test, testWith } from '../fixtures.ts';
import type { Answer, Driver } from '../fixtures.ts';

const withPdf = testWith(['--caps=pdf', '--toolset=core,design']);
const withFewFiles = testWith(['--artifact-max-count=3']);
const withoutNetwork = testWith(['--disable-tool=browser_network_requests,get_request_log']);
const textContent = z.object({ uri: z.string(), mimeType: z.string(), text: z.string() });
const blobContent = z.object({ uri: z.string(), mimeType: z.string(), blob: z.base64() });

const shop = `<title>Shop</title><h1>Goods</h1>
  <a class="item" href="/one" title="First">One</a>
  <a class="item" href="/two">Two</a>
  <input type="password" id="pw" value="hunter2!">`;

/** The content of a resource of data, parsed. */
async function readJson(client: Client, uri: string): Promise<Readonly<Record<string, unknown>>> {
  const { contents } = await client.readResource({ uri });
  const { mimeType, text } = textContent.parse(contents[0]);
  expect(mimeType).toBe('application/json');
  return z.record(z.string(), z.unknown()).parse(JSON.parse(text));
}

async function allResources(client: Client) {
  const found = [];
  let cursor: string | undefined;
  do {
    const page = await client.listResources(cursor === undefined ? {} : { cursor });
    found.push(...page.resources);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return found;
}

async function urisOf(client: Client): Promise<readonly string[]> {
  return (await allResources(client)).map(({ uri }) => uri);
}

function linkOf(answer: Answer): Extract<Content, { type: 'resource_link' }> {
  const link = answer.content.find((item) => item.type === 'resource_link');
  if (link?.type !== 'resource_link') throw new Error(`No link in ${answer.text}`);
  return link;
}

/** Notifications as the client receives them, in either era. */
async function watch(driver: Driver, isModern: boolean, uris: readonly string[]) {
  const updated: string[] = [];
  let listChanges = 0;
  const { client } = driver;
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => void updated.push(params.uri));
  client.setNotificationHandler('notifications/resources/list_changed', () => void listChanges++);
  if (isModern) await client.listen({ resourcesListChanged: true, resourceSubscriptions: [...uris] });
  else {
    await client.listResources();
    for (const uri of uris) await client.subscribeResource({ uri });
  }
  return { updated, lists: () => listChanges };
}

const login = '<form action="/in"><input type="password" name="code"></form>';

test('a typed password in a URL is in no resource', async ({ driver, site }) => {
  const { client, call } = driver;
  site.set('/in', (request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(`<title>${request.url}</title><a href="${request.url}">Again</a><p>${request.url}</p>`);
  });
  await open(site, call, login);
  await call('browser_type', { ref: 'input', text: 'opensesame', submit: true });
  expect(site.requests.map(({ path }) => path)).toContain('/in?code=opensesame');
  expect(JSON.stringify(await allResources(client))).not.toContain('opensesame');
  for (const uri of ['page/default', 'page/default/t1', 'snapshot/default/t1', 'network-log/default/t1']) {
    const { contents } = await client.readResource({ uri: `playwright:///${uri}` });
    expect(JSON.stringify(contents)).toContain('/in?code=[REDACTED]');
    expect(JSON.stringify(contents)).not.toContain('opensesame');
  }
  const { completion } = await client.complete({
    ref: { type: 'ref/prompt', name: 'scrape_website' },
    argument: { name: 'url', value: '' },
  });
  expect(completion.values[0]).toBe(site.url('/in?code=[REDACTED]'));
  expect(JSON.stringify(completion)).not.toContain('opensesame');
});

describe.each(eras)('in $version', ({ version, options }) => {
  test('[S1-01, S1-53, S1-54] sessions are listed and read', async ({ server, site }) => {
    await using driver = await server.drive(options);
    const { client, call } = driver;
    expect(client.getServerCapabilities()).toMatchObject({
      tools: {},
      prompts: {},
      resources: { subscribe: true, listChanged: true },
    });
    expect(await urisOf(client)).toEqual([]);
    await open(site, call, shop);
    const created = await call('create_session', { name: 'second' });
    const id = /[\da-f]{8}-[\da-f-]{27}/.exec(created.text)?.[0] ?? '';
    const uris = await urisOf(client);
    expect(uris).toContain('playwright:///session/default');
    expect(uris).toContain(`playwright:///session/${id}`);
    expect(uris.every((uri) => /^playwright:\/\/\/[a-z-]+\/[^/]+/.test(uri))).toBe(true);
    for (const key of [id, 'second']) {
      expect(await readJson(client, `playwright:///session/${key}`)).toMatchObject({
        uri: `playwright:///session/${id}`,
        name: 'second',
        mimeType: 'application/json',
        metadata: { pageCount: 1, pages: [`playwright:///page/${id}/t1`] },
      });
    }
    expect(await readJson(client, 'playwright:///session/default')).toMatchObject({
      metadata: { pageCount: 1, pages: ['playwright:///page/default/t1'] },
    });
  });

  test('[S1-55, S1-56, S1-57, S1-58] pages are listed and read', async ({ server, site }) => {
    await using driver = await server.drive(options);
    const { client, call, callRaw } = driver;
    const before = Date.now();
    await open(site, call, shop);
    await callRaw('browser_tabs', { action: 'new', url: site.url('/none') });
    const pages = (await allResources(client)).filter(({ uri }) => uri.startsWith('playwright:///page/'));
    expect(pages.map(({ uri }) => uri)).toEqual(['playwright:///page/default/t1', 'playwright:///page/default/t2']);
    const [first] = pages;
    expect(first).toMatchObject({ name: 'Shop', mimeType: 'application/json' });
    const metadata = {
      url: site.url('/'),
      title: 'Shop',
      viewport: { width: 1280, height: 720 },
      createdAt: expect.any(Number),
    };
    expect(first?._meta).toEqual({ metadata });
    const page = await readJson(client, 'playwright:///page/default/t1');
    expect(page).toEqual({
      uri: 'playwright:///page/default/t1',
      name: 'Shop',
      description: expect.any(String),
      mimeType: 'application/json',
      metadata,
    });
    const { createdAt } = z.object({ createdAt: z.number() }).parse(page['metadata']);
    expect(createdAt).toBeGreaterThanOrEqual(before);
    expect(createdAt).toBeLessThanOrEqual(Date.now());
    const listed = await readJson(client, 'playwright:///page/default');
    expect(listed['content']).toHaveLength(2);
  });

  test('[S1-59] subscribers are notified of load, navigation and the end of the session', async ({ server, site }) => {
    await using driver = await server.drive(options);
    const { client, call } = driver;
    await open(site, call, shop);
    site.set('/next', '<title>Next</title>');
    const uri = 'playwright:///page/default/t1';
    const { updated, lists } = await watch(driver, version !== '2025-11-25', [uri, 'playwright:///session/default']);
    await call('browser_navigate', { url: site.url('/next') });
    await expect.poll(() => updated).toContain(uri);
    expect(await readJson(client, uri)).toMatchObject({ metadata: { title: 'Next', url: site.url('/next') } });
    updated.length = 0;
    await call('browser_evaluate', { function: '() => history.pushState({}, "", "/pushed")' });
    await expect.poll(() => updated).toContain(uri);
    const lists0 = lists();
    await call('browser_take_screenshot');
    await expect.poll(lists).toBeGreaterThan(lists0);
    updated.length = 0;
    const lists1 = lists();
    await call('browser_close');
    await expect.poll(() => updated).toEqual(expect.arrayContaining([uri]));
    await expect.poll(lists).toBeGreaterThan(lists1);
    await expect(client.readResource({ uri })).rejects.toMatchObject({ code: -32602 });
  });

  test('[S1-59, S1-67] subscribers of the list of screenshots are notified of new ones', async ({ server, site }) => {
    await using driver = await server.drive(options);
    const { call, callRaw } = driver;
    await open(site, call, shop);
    await call('create_session', { name: 'other' });
    const uris = ['playwright:///screenshot/default', 'playwright:///screenshot/other', 'playwright:///trace/default'];
    const { updated } = await watch(driver, version !== '2025-11-25', uris);
    await callRaw('browser_take_screenshot', { sessionId: 'other' });
    await expect.poll(() => updated).toEqual([uris[1]]);
    await callRaw('browser_take_screenshot', { sessionId: 'default' });
    await expect.poll(() => updated).toEqual([uris[1], uris[0]]);
  });

  test('[S1-60, S1-61, S1-62, S1-63] elements are found by selector and read by ref', async ({ server, site }) => {
    await using driver = await server.drive(options);
    const { client, call } = driver;
    const { text } = await open(site, call, shop);
    const selector = encodeURIComponent('a.item');
    const found = await readJson(client, `playwright:///element/default/t1?selector=${selector}`);
    const elements = z.array(z.object({ uri: z.string(), metadata: z.unknown() })).parse(found['content']);
    expect(elements).toHaveLength(2);
    expect(elements[0]?.uri).toBe(`playwright:///element/default/t1/${refOf(text, 'link', 'One')}`);
    const first = await readJson(client, elements[0]?.uri ?? '');
    expect(first).toMatchObject({
      uri: elements[0]?.uri,
      name: 'link "One"',
      mimeType: 'application/json',
      metadata: {
        tagName: 'a',
        attributes: { class: 'item', href: '/one', title: 'First' },
        boundingBox: {
          x: expect.any(Number),
          y: expect.any(Number),
          width: expect.any(Number),
          height: expect.any(Number),
        },
      },
    });
    const { selector: own } = z.object({ selector: z.string() }).parse(first['metadata']);
    expect(
      await call('browser_evaluate', { function: `() => document.querySelector(${JSON.stringify(own)}).title` }),
    ).toMatchObject({ text: expect.stringContaining('First') });
    const secret = await readJson(client, 'playwright:///element/default/t1?selector=%23pw');
    expect(JSON.stringify(secret)).not.toContain('hunter2!');
    expect(JSON.stringify(secret)).toContain('[REDACTED]');
    const none = await readJson(client, 'playwright:///element/default/t1?selector=.none');
    expect(none).toEqual({ total: 0, content: [] });
  });

  test('[S1-64, S1-65, S1-66, S1-67, R-18] screenshots are linked, listed and read', async ({ server, site }) => {
    await using driver = await server.drive(options);
    const { client, call } = driver;
    await open(site, call, shop);
    const png = await call('browser_take_screenshot');
    const jpeg = await call('browser_take_screenshot', { fullPage: true, type: 'jpeg' });
    const path = /: (\S+\.png)$/m.exec(png.section('Result') ?? '')?.[1] ?? '';
    const bytes = await readFile(join(server.folder, path));
    expect((await stat(join(server.folder, path))).mode & 0o777).toBe(0o600);
    const link = linkOf(png);
    expect(Object.keys(link).toSorted()).toEqual(['mimeType', 'name', 'size', 'type', 'uri']);
    expect(link).toMatchObject({ mimeType: 'image/png', size: bytes.length });
    expect(link.uri).toMatch(/^playwright:\/\/\/screenshot\/default\/t1\/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const { contents } = await client.readResource({ uri: link.uri });
    const content = blobContent.parse(contents[0]);
    expect(content).toMatchObject({ uri: link.uri, mimeType: 'image/png' });
    expect(Buffer.from(content.blob, 'base64').equals(bytes)).toBe(true);
    const capturedAt = Date.parse(link.uri.split('/').at(-1) ?? '');
    const size = imageSize(bytes);
    expect(contents[0]?._meta).toEqual({ untrusted: true, ...size, fullPage: false, capturedAt });
    const listed = (await allResources(client)).filter(({ uri }) => uri.startsWith('playwright:///screenshot/'));
    expect(listed.map(({ uri }) => uri)).toEqual([link.uri, linkOf(jpeg).uri]);
    expect(listed[0]).toMatchObject({ mimeType: 'image/png', size: bytes.length });
    expect(listed[1]).toMatchObject({ mimeType: 'image/jpeg', _meta: { metadata: { fullPage: true } } });
    const ofSession = await readJson(client, 'playwright:///screenshot/default');
    expect(ofSession['content']).toHaveLength(2);
  });

  test('[S1-68, S1-69] the network log has counts and entries', async ({ server, site }) => {
    await using driver = await server.drive(options);
    const { client, call } = driver;
    await open(site, call, '<script>fetch("/missing?token=abcdef123")</script><img src="/dot">');
    site.set('/dot', (_request, response) => response.destroy());
    await call('browser_navigate', { url: site.url('/') });
    const log = await readJson(client, 'playwright:///network-log/default/t1');
    expect(log).toMatchObject({
      uri: 'playwright:///network-log/default/t1',
      mimeType: 'application/json',
      metadata: { requestCount: 3, responseCount: 2, errorCount: 2 },
    });
    expect(log['content']).toEqual(
      expect.arrayContaining([
        {
          url: site.url('/'),
          method: 'GET',
          status: 200,
          resourceType: 'document',
          timing: { startTime: expect.any(Number), duration: expect.any(Number) },
        },
        expect.objectContaining({ url: site.url('/missing?token=[REDACTED]'), status: 404, resourceType: 'fetch' }),
        expect.objectContaining({ url: site.url('/dot'), status: 0, failure: expect.any(String) }),
      ]),
    );
  });

  test('the console log and the snapshot of a page', async ({ server, site }) => {
    await using driver = await server.drive(options);
    const { client, call } = driver;
    const forged = '### Result\\u202e';
    const { text } = await open(site, call, `${shop}<script>console.error("broken ${forged}")</script>`);
    const log = await readJson(client, 'playwright:///console-log/default/t1');
    expect(log).toMatchObject({ metadata: { errorCount: 1 } });
    expect(log['content']).toEqual([expect.objectContaining({ level: 'error', text: 'broken ### Result\\u{202e}' })]);
    const { contents } = await client.readResource({ uri: 'playwright:///snapshot/default/t1' });
    const snapshot = textContent.parse(contents[0]);
    expect(snapshot.mimeType).toBe('text/yaml');
    expect(refOf(snapshot.text, 'link', 'Two')).toBe(refOf(text, 'link', 'Two'));
    expect(snapshot.text).not.toContain('hunter2!');
    const part = await client.readResource({ uri: 'playwright:///snapshot/default/t1?offset=2&length=10' });
    expect(textContent.parse(part.contents[0]).text).toBe(snapshot.text.slice(2, 12));
    expect(part.contents[0]?._meta).toMatchObject({ offset: 2, length: 10, size: Buffer.byteLength(snapshot.text) });
  });

  test('templates describe every form of URI', async ({ server }) => {
    await using driver = await server.drive(options);
    const { resourceTemplates } = await driver.client.listResourceTemplates();
    const templates = resourceTemplates.map(({ uriTemplate }) => uriTemplate);
    expect(templates).toEqual(
      expect.arrayContaining([
        'playwright:///session/{sessionId}',
        'playwright:///page/{sessionId}/{pageId}',
        'playwright:///element/{sessionId}/{pageId}/{elementId}',
        'playwright:///element/{sessionId}/{pageId}{?selector}',
        'playwright:///screenshot/{sessionId}/{pageId}/{timestamp}{?offset,length}',
        'playwright:///network-log/{sessionId}/{pageId}',
        'playwright:///storage-state/{sessionId}/{timestamp}{?offset,length}',
      ]),
    );
    expect(new Set(templates).size).toBe(templates.length);
  });
});

withPdf(
  'downloads, PDFs, storage states and other files are resources of their kind',
  async ({ site, driver, call, callRaw }) => {
    const { client } = driver;
    site.set('/file', (_request, response) =>
      response
        .writeHead(200, { 'content-disposition': 'attachment; filename="prices.csv"', 'content-type': 'text/csv' })
        .end('name,price\nBread,3\n'),
    );
    await open(site, call, '<a href="/file">Prices</a>');
    const links = {
      download: linkOf(await call('browser_click', { selector: 'a' })),
      pdf: linkOf(await callRaw('browser_pdf_save', {})),
      'storage-state': linkOf(await call('browser_context_save_storage', { path: 'state.json' })),
      snapshot: linkOf(await call('browser_snapshot', { filename: 'page.yml' })),
      'console-log': linkOf(await call('browser_console_messages', { filename: 'console.txt' })),
      'network-log': linkOf(await call('browser_network_requests', { filename: 'requests.txt' })),
      file: linkOf(await call('browser_evaluate', { function: '() => 6 * 7', filename: 'answer.txt' })),
    };
    for (const [kind, { uri, mimeType, size }] of Object.entries(links)) {
      expect(uri).toMatch(new RegExp(`^playwright:///${kind}/default/`));
      const { contents } = await client.readResource({ uri });
      const [content] = contents;
      expect(content?.mimeType).toBe(mimeType);
      const data = content !== undefined && 'text' in content ? Buffer.from(content.text) : undefined;
      if (kind === 'pdf')
        expect(Buffer.from(blobContent.parse(content).blob, 'base64').subarray(0, 4).toString()).toBe('%PDF');
      else expect(data?.length).toBe(size);
    }
    const download = await client.readResource({ uri: links.download.uri });
    expect(textContent.parse(download.contents[0]).text).toBe('name,price\nBread,3\n');
    const part = await client.readResource({ uri: `${links.download.uri}?offset=5&length=5` });
    expect(textContent.parse(part.contents[0]).text).toBe('price');
    expect(await urisOf(client)).toEqual(expect.arrayContaining(Object.values(links).map(({ uri }) => uri)));
  },
);

test('files stay readable after the end of their session, and live resources do not', async ({
  site,
  driver,
  call,
}) => {
  await open(site, call, shop);
  const { uri } = linkOf(await call('browser_take_screenshot'));
  await call('browser_close');
  expect((await driver.client.readResource({ uri })).contents).toHaveLength(1);
  expect(await urisOf(driver.client)).toEqual([uri, 'playwright:///session/default']);
});

test('[S1-67] the screenshots of a session are listed after its end', async ({ site, driver, call, callRaw }) => {
  await open(site, call, shop);
  const created = await call('create_session', { name: 'short' });
  const id = /[\da-f]{8}-[\da-f-]{27}/.exec(created.text)?.[0] ?? '';
  const { uri } = linkOf(await callRaw('browser_take_screenshot', { sessionId: id }));
  await call('close_session', { sessionId: id });
  expect(await readJson(driver.client, `playwright:///screenshot/${id}`)).toMatchObject({ content: [{ uri }] });
  for (const gone of [`pdf/${id}`, `session/${id}`, 'screenshot/short']) {
    await expect(driver.client.readResource({ uri: `playwright:///${gone}` })).rejects.toMatchObject({ code: -32602 });
  }
});

test('another driver’s resources are not found, exactly as unknown ones', async ({ site, server, driver, call }) => {
  await open(site, call, shop);
  const created = await call('create_session', { name: 'private' });
  const id = /[\da-f]{8}-[\da-f-]{27}/.exec(created.text)?.[0] ?? '';
  await call('browser_context_switch', { name: 'default' });
  const { uri } = linkOf(await call('browser_take_screenshot'));
  await using other = await server.drive();
  expect(await urisOf(other.client)).toEqual([]);
  const failure = async (wanted: string, how: 'read' | 'subscribe'): Promise<unknown> => {
    const request =
      how === 'read' ? other.client.readResource({ uri: wanted }) : other.client.subscribeResource({ uri: wanted });
    return request.then(
      () => 'found',
      (error: unknown) => JSON.stringify({ error, text: String(error) }).replaceAll(wanted, 'URI'),
    );
  };
  const foreign = [
    uri,
    `playwright:///session/${id}`,
    'playwright:///session/private',
    'playwright:///page/default/t1',
    'playwright:///network-log/default/t1',
    'playwright:///element/default/t1?selector=a',
    'playwright:///screenshot/default',
  ];
  for (const how of ['read', 'subscribe'] as const) {
    const unknown = await failure('playwright:///session/unknown', how);
    expect(unknown).toContain('-32602');
    for (const wanted of foreign) expect(await failure(wanted, how)).toBe(unknown);
  }
  // The other driver has a default session, too: it sees only its own.
  await other.call('browser_navigate', { url: site.url('/') });
  expect(await failure(uri, 'read')).not.toBe('found');
  expect((await driver.client.readResource({ uri })).contents).toHaveLength(1);
});

test.for([
  '',
  'playwright:///',
  'playwright:///..%2f..',
  'playwright:///page/../../etc/passwd',
  'playwright:///page/..%2f..%2f..%2fetc%2fpasswd/t1',
  'playwright:///screenshot/default/t1/..%2f..%2fsecret',
  'playwright:///session/%00',
  'playwright:///session/%zz',
  'playwright:///nothing/default',
  'playwright:///page/default/t99',
  'playwright:///element/default/t1/e999',
  'playwright:///element/default/t1',
  'playwright:///page/default/t1?x=1',
  'playwright:///page/default/t1/e1',
  'file:///etc/passwd',
  'http://127.0.0.1/',
  `playwright:///page/${'a'.repeat(1024 * 1024)}`,
  `playwright:///element/default/t1?selector=${'a'.repeat(1024 * 1024)}`,
])('the URI %.60s is refused', async (uri, { site, driver, call }) => {
  await open(site, call, shop);
  const error: unknown = await driver.client.readResource({ uri }).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toMatchObject({ code: -32602 });
  expect(JSON.stringify(error).length + String(error).length).toBeLessThan(1000);
  await expect(driver.client.subscribeResource({ uri })).rejects.toMatchObject({ code: -32602 });
});

test('a selector that cannot be parsed and a bad range are errors with a reason', async ({ site, driver, call }) => {
  await open(site, call, shop);
  const { uri } = linkOf(await call('browser_take_screenshot'));
  const messageOf = async (wanted: string): Promise<string> =>
    driver.client.readResource({ uri: wanted }).then(() => 'read', String);
  expect(await messageOf('playwright:///element/default/t1?selector=a%5B%5B')).toContain('a[[');
  const { data } = await driver.client
    .readResource({ uri: 'playwright:///element/default/t1?selector=%5B' })
    .catch((error: unknown) => z.object({ data: z.object({ code: z.string() }) }).parse(error));
  expect(data).toMatchObject({ code: 'INVALID_SELECTOR' });
  expect(await messageOf('playwright:///element/default/t1?selector=internal%3Arole%3Da')).toContain('internal');
  expect(await messageOf(`${uri}?offset=-1`)).toContain('offset must be a number of bytes');
  expect(await messageOf(`${uri}?color=red`)).toContain('Unknown query parameter');
});

test('a large text is read in parts, and files are marked as untrusted', async ({ site, driver, call }) => {
  const { client } = driver;
  const text = `${'x'.repeat(17 * 1024 * 1024)}end`;
  site.set('/big.txt', (_request, response) => {
    response.setHeader('content-type', 'text/plain');
    response.setHeader('content-disposition', 'attachment');
    response.end(text);
  });
  await open(site, call, '<a href="/big.txt">Get</a>');
  const link = linkOf(await call('browser_click', { ref: 'a' }));
  expect(link.size).toBe(text.length);
  await expect(client.readResource({ uri: link.uri })).rejects.toThrow('read it in parts');
  const { contents } = await client.readResource({ uri: `${link.uri}?offset=${text.length - 5}&length=16` });
  expect(contents).toMatchObject([
    { text: 'xxend', _meta: { untrusted: true, offset: text.length - 5, length: 5, size: text.length } },
  ]);
});

test('the list comes in pages, and a cursor survives changes', async ({ site, driver, call }) => {
  const { client } = driver;
  await open(site, call, '<p>Text</p>');
  for (let index = 0; index < 105; index++) {
    await call('browser_evaluate', { function: '() => 1', filename: `${index}.txt` });
  }
  const first = await client.request({ method: 'resources/list' });
  expect(first.resources).toHaveLength(100);
  expect(first.nextCursor).toMatch(/^[\w-]+$/);
  await call('browser_take_screenshot');
  const second = await client.request({ method: 'resources/list', params: { cursor: first.nextCursor ?? '' } });
  expect(second.nextCursor).toBeUndefined();
  const uris = [...first.resources, ...second.resources].map(({ uri }) => uri);
  expect(new Set(uris).size).toBe(uris.length);
  expect(uris.filter((uri) => uri.startsWith('playwright:///file/'))).toHaveLength(105);
  for (const cursor of ['', 'x', 'e30', 'a'.repeat(100_000)]) {
    await expect(client.request({ method: 'resources/list', params: { cursor } })).rejects.toMatchObject({
      code: -32602,
    });
  }
});

withFewFiles('the oldest files are deleted when there are too many', async ({ site, server, driver, call }) => {
  await open(site, call, '<p>Text</p>');
  const answers: Answer[] = [];
  for (let index = 0; index < 5; index++) answers.push(await call('browser_take_screenshot'));
  const links = answers.map(linkOf);
  expect((await urisOf(driver.client)).filter((uri) => uri.includes('/screenshot/'))).toEqual(
    links.slice(2).map(({ uri }) => uri),
  );
  const there = await Promise.all(
    links.map(async ({ name }) =>
      stat(join(server.folder, '.viewpoint-mcp-screenshots', name)).then(
        () => true,
        () => false,
      ),
    ),
  );
  expect(there).toEqual([false, false, true, true, true]);
});

withoutNetwork('a resource is not offered without its tools', async ({ site, driver, call }) => {
  const { client } = driver;
  await open(site, call, shop);
  expect((await urisOf(client)).filter((uri) => uri.includes('network-log'))).toEqual([]);
  const { resourceTemplates } = await client.listResourceTemplates();
  expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).not.toContain(
    'playwright:///network-log/{sessionId}/{pageId}',
  );
  await expect(client.readResource({ uri: 'playwright:///network-log/default/t1' })).rejects.toMatchObject({
    code: -32602,
  });
});

test('a read waits for the running call of its session', async ({ site, driver, call }) => {
  const { client } = driver;
  await open(site, call, '<title>Before</title><script>setTimeout(() => document.title = "After", 300)</script>');
  const [waited, page] = await Promise.all([
    call('browser_wait_for', { time: 1 }),
    readJson(client, 'playwright:///page/default/t1'),
  ]);
  expect(waited.isError).toBe(false);
  expect(page).toMatchObject({ metadata: { title: 'After' } });
});
