import type { Client } from '@modelcontextprotocol/client';
import { describe } from 'vitest';
import { eras, expect, open, refOf, test } from '../fixtures.ts';

type Ref = Parameters<Client['complete']>[0]['ref'];

const prompt = (name: string): Ref => ({ type: 'ref/prompt', name });
const template = (path: string): Ref => ({ type: 'ref/resource', uri: `playwright:///${path}` });
const element = template('element/{sessionId}/{pageId}/{elementId}');

async function complete(client: Client, ref: Ref, name: string, value = '', args?: Record<string, string>) {
  const context = args === undefined ? {} : { context: { arguments: args } };
  return (await client.complete({ ref, argument: { name, value }, ...context })).completion;
}

describe.each(eras)('in $version', ({ options }) => {
  test('URLs of open tabs come first, then visited ones', async ({ server, site }) => {
    await using driver = await server.drive(options);
    site.set('/first', '<p>One</p>');
    site.set('/second', '<p>Two</p>');
    await driver.call('browser_navigate', { url: site.url('/first') });
    await driver.call('browser_navigate', { url: site.url('/second') });
    const both = [site.url('/second'), site.url('/first')];
    for (const [name, argument] of [
      ['scrape_website', 'url'],
      ['e2e_test', 'start_url'],
    ] as const) {
      expect(await complete(driver.client, prompt(name), argument)).toEqual({ values: both, total: 2, hasMore: false });
    }
    expect((await complete(driver.client, prompt('fill_form'), 'url', 'FIRST')).values).toEqual([site.url('/first')]);
  });
});

test('an argument with a default is completed with it', async ({ driver }) => {
  const { values } = await complete(driver.client, prompt('authenticate'), 'submit_selector', 'but');
  expect(values).toEqual(["button[type='submit']"]);
});

test.for(['password', 'username', 'constructor', '__proto__', 'nothing'])(
  'nothing is suggested for %s',
  async (name, { driver }) => {
    expect(await complete(driver.client, prompt('authenticate'), name)).toEqual({
      values: [],
      total: 0,
      hasMore: false,
    });
  },
);

test('completions start no browser and no session', async ({ driver }) => {
  await complete(driver.client, prompt('fill_form'), 'url');
  await complete(driver.client, element, 'elementId');
  expect((await complete(driver.client, element, 'sessionId')).values).toEqual([]);
});

test('an unknown prompt and an unknown template are errors', async ({ driver }) => {
  await expect(complete(driver.client, prompt('bake_bread'), 'url')).rejects.toMatchObject({
    code: -32602,
    message: expect.stringContaining('Prompt not found: bake_bread'),
  });
  await expect(complete(driver.client, { type: 'ref/resource', uri: 'file:///{path}' }, 'path')).rejects.toMatchObject({
    code: -32602,
  });
});

test('a template is completed from sessions, pages and refs', async ({ site, driver, call, callRaw }) => {
  const { text } = await open(site, call, '<button>Save</button><a href="/x">More</a>');
  const [sessionId = ''] = (await complete(driver.client, element, 'sessionId')).values;
  await call('create_session', { name: 'second' });
  await callRaw('browser_tabs', { action: 'new', sessionId: 'second' });
  const sessions = (await complete(driver.client, element, 'sessionId')).values;
  expect(sessions).toHaveLength(2);
  const pagesOf = async (id: string) =>
    (await complete(driver.client, element, 'pageId', '', { sessionId: id })).values;
  const [pageId = ''] = await pagesOf(sessionId);
  expect(await pagesOf(sessionId)).toEqual([pageId]);
  expect(await pagesOf('second')).toHaveLength(2);
  const context = { sessionId, pageId };
  const { values } = await complete(driver.client, element, 'elementId', 'e', context);
  expect(values).toContain(refOf(text, 'button', 'Save'));
  expect((await complete(driver.client, element, 'elementId', '', { ...context, pageId: 't99' })).values).toEqual([]);
});

test('saved screenshots are suggested by path and by time, the newest first', async ({
  site,
  server,
  driver,
  call,
}) => {
  await open(site, call, '<p>Page</p>');
  await call('browser_take_screenshot', { filename: 'first.png' });
  await call('browser_take_screenshot', { filename: 'second.png' });
  const paths = ['second', 'first'].map((name) => `.viewpoint-mcp-screenshots/${name}.png`);
  const baseline = prompt('visual_regression');
  expect((await complete(driver.client, baseline, 'baseline_screenshot')).values).toEqual(paths);
  expect((await complete(driver.client, baseline, 'baseline_screenshot', 'first')).values).toEqual(paths.slice(1));
  const screenshot = template('screenshot/{sessionId}/{pageId}/{timestamp}{?offset,length}');
  const { resources } = await driver.client.listResources();
  const times = (await complete(driver.client, screenshot, 'timestamp')).values;
  expect(times).toHaveLength(2);
  const uris = times.map((time) => `playwright:///screenshot/default/t1/${time}`);
  expect(resources.map(({ uri }) => uri)).toEqual(expect.arrayContaining(uris));
  expect((await complete(driver.client, screenshot, 'sessionId')).values).toEqual(['default']);
  expect((await complete(driver.client, screenshot, 'timestamp', '', { sessionId: 'other' })).values).toEqual([]);
  const pdf = template('pdf/{sessionId}/{pageId}/{timestamp}');
  expect((await complete(driver.client, pdf, 'timestamp')).values).toEqual([]);
  await using other = await server.drive();
  expect((await complete(other.client, screenshot, 'timestamp')).values).toEqual([]);
  expect((await complete(other.client, baseline, 'baseline_screenshot')).values).toEqual([]);
});

test('every listed template can be completed', async ({ site, driver, call }) => {
  await open(site, call, '<button>Save</button>');
  const { resourceTemplates } = await driver.client.listResourceTemplates();
  expect(resourceTemplates.length).toBeGreaterThan(5);
  for (const { uriTemplate } of resourceTemplates) {
    const isFile = uriTemplate.includes('{timestamp}');
    const { values } = await complete(driver.client, { type: 'ref/resource', uri: uriTemplate }, 'sessionId');
    expect(values, uriTemplate).toEqual(isFile ? [] : ['default']);
  }
});

test('another driver’s sessions, pages and URLs are not suggested', async ({ site, server, driver, call }) => {
  await open(site, call, '<button>Save</button>');
  const [sessionId = ''] = (await complete(driver.client, element, 'sessionId')).values;
  expect(sessionId).toBe('default');
  await using other = await server.drive();
  for (const name of ['sessionId', 'pageId', 'elementId']) {
    expect((await complete(other.client, element, name, '', { sessionId })).values).toEqual([]);
  }
  expect((await complete(other.client, prompt('fill_form'), 'url')).values).toEqual([]);
});

test('at most 100 values are returned', async ({ site, driver, call }) => {
  await open(site, call, Array.from({ length: 130 }, (_, index) => `<button>Item ${index}</button>`).join(''));
  await call('browser_snapshot', { maxTokens: 20_000 });
  const { values, total, hasMore } = await complete(driver.client, element, 'elementId');
  expect(values).toHaveLength(100);
  expect(total).toBeGreaterThanOrEqual(130);
  expect(hasMore).toBe(true);
});
