import * as z from 'zod';
import { fakeBrowsers } from '../fake-browsers.ts';
import { data, expect, slowly, startApp, testWith } from '../fixtures.ts';
import type { CallRaw, Site } from '../fixtures.ts';
import { temporaryFolder } from '../transport/server-process.ts';

const test = testWith(['--toolset=sessions', '--max-sessions=100']);

const page = `<title>Session</title><h1>Shop</h1><output id="out"></output><button id="go" onclick="out.value = 'clicked'">Go</button>
<button id="off" disabled>Off</button><button id="under" onclick="out.value = 'forced'">Under</button>
<input id="name" onkeydown="document.title = event.key"><script>
  const veil = Object.assign(document.createElement('div'), { style: 'position: absolute; background: #fff' });
  veil.onclick = () => { out.value = 'on the veil' };
  document.body.append(veil);
  const { x, y, width, height } = under.getBoundingClientRect();
  Object.assign(veil.style, { left: x + 'px', top: y + 'px', width: width + 'px', height: height + 'px' });
</script>`;

async function open(site: Site, callRaw: CallRaw): Promise<string> {
  site.set('/', page);
  const { sessionId } = data(await callRaw('create_session', {}));
  await callRaw('navigate', { sessionId, url: site.url('/') });
  return String(sessionId);
}

test('[S3-50] the list has exactly the five tools', async ({ driver }) => {
  const { tools } = await driver.client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(['click', 'close_session', 'create_session', 'navigate', 'type']);
  expect(tools.every(({ description = '' }) => description.length > 10)).toBe(true);
});

test('[S3-13, S3-14, S3-17] navigate opens the URL in its session, waits for the load, and returns title, URL and state', async ({
  site,
  callRaw,
}) => {
  site.set('/late', `<title>Early</title><img src="/p.png" onerror="document.title = 'Late'">`);
  site.set('/p.png', slowly(300, 'no picture'));
  site.set('/moved', (_request, response) => void response.writeHead(302, { location: '/late' }).end());
  const { sessionId } = data(await callRaw('create_session', {}));
  expect(data(await callRaw('navigate', { sessionId, url: site.url('/moved') }))).toMatchObject({
    title: 'Late',
    url: site.url('/late'),
    loadState: 'load',
  });
  await callRaw('close_session', { sessionId });
});

test('[S3-15, S3-21, S3-26, S3-41, S3-42, S3-43, S3-45] an unknown session has its error code in every tool', async ({
  callRaw,
}) => {
  const sessionId = '00000000-0000-4000-8000-000000000000';
  for (const [name, args] of [
    ['navigate', { url: 'about:blank' }],
    ['click', { selector: 'a' }],
    ['type', { selector: 'a', text: 'x' }],
    ['close_session', {}],
  ] as const) {
    const { isError, structured } = await callRaw(name, { ...args, sessionId });
    expect({ isError, ...structured }, name).toMatchObject({
      isError: true,
      success: false,
      errorCode: 'SESSION_NOT_FOUND',
      message: `There is no session "${sessionId}".`,
      sessionId,
    });
  }
});

test('[S3-16, S3-41, S3-44] a navigation that fails or takes too long is NAVIGATION_FAILED', async ({
  site,
  callRaw,
}) => {
  const sessionId = await open(site, callRaw);
  const url = 'http://127.0.0.1:9/';
  expect((await callRaw('navigate', { sessionId, url })).structured).toMatchObject({
    errorCode: 'NAVIGATION_FAILED',
    message: expect.stringContaining('net::ERR_'),
    sessionId,
    details: { url },
  });
  site.set('/never', slowly(5000, 'late'));
  expect((await callRaw('navigate', { sessionId, url: site.url('/never'), timeout: 100 })).structured).toMatchObject({
    errorCode: 'NAVIGATION_FAILED',
    message: 'Navigation timed out after 100ms',
    details: { url: site.url('/never'), timeout: 100 },
  });
  await callRaw('close_session', { sessionId });
});

test('[S3-18, S3-19] click finds and clicks the element of its session', async ({ site, callRaw }) => {
  const [sessionId, other] = [await open(site, callRaw), await open(site, callRaw)];
  site.set('/other', page.replace("out.value = 'clicked'", "out.value = 'in the other session'"));
  await callRaw('navigate', { sessionId: other, url: site.url('/other') });
  expect(data(await callRaw('click', { sessionId, selector: '#go' }))).toMatchObject({
    selector: '#go',
    url: site.url('/'),
    notes: ['The page said: "clicked"'],
  });
  expect(data(await callRaw('click', { sessionId: other, selector: '#go' }))).toMatchObject({
    url: site.url('/other'),
    notes: ['The page said: "in the other session"'],
  });
  for (const id of [sessionId, other]) await callRaw('close_session', { sessionId: id });
});

test('[S3-20, S3-25] an element that cannot be found, clicked or edited has its error code', async ({
  site,
  callRaw,
}) => {
  const sessionId = await open(site, callRaw);
  const code = async (name: string, args: object): Promise<unknown> =>
    (await callRaw(name, { sessionId, options: { timeout: 300 }, ...args })).structured?.['errorCode'];
  expect(await code('click', { selector: '#none' })).toBe('ELEMENT_NOT_FOUND');
  expect(await code('click', { selector: '#off' })).toBe('ELEMENT_NOT_CLICKABLE');
  expect(await code('type', { selector: '#none', text: 'x' })).toBe('ELEMENT_NOT_FOUND');
  expect(await code('type', { selector: 'h1', text: 'x' })).toBe('ELEMENT_NOT_EDITABLE');
  await callRaw('close_session', { sessionId });
});

test('[S3-22] click options apply: force clicks although the element is covered', async ({ site, callRaw }) => {
  const sessionId = await open(site, callRaw);
  const covered = await callRaw('click', { sessionId, selector: '#under', options: { timeout: 300 } });
  expect(covered.structured?.['errorCode']).toBe('ELEMENT_NOT_CLICKABLE');
  // The page sees a click at that place, on what covers it.
  expect(data(await callRaw('click', { sessionId, selector: '#under', options: { force: true } }))).toMatchObject({
    notes: ['The page said: "on the veil"'],
  });
  await callRaw('close_session', { sessionId });
});

/** Two fields that send what they contain, and the keys they received with their times. */
const reporting = `<title>Fields</title><label>First <input id="first" value="old"></label><label>Second <input id="second"></label><script>
  let keys = [];
  addEventListener('keydown', ({ key, timeStamp }) => keys.push([key, timeStamp]), true);
  addEventListener('change', ({ target }) => {
    const query = new URLSearchParams({ id: target.id, value: target.value, keys: JSON.stringify(keys) });
    keys = [];
    navigator.sendBeacon('/changed?' + query);
  });
</script><button id="done">Done</button>`;

/** Types into a field in a new session; what the page then sends. */
async function typed(site: Site, callRaw: CallRaw, args: object) {
  site.set('/', reporting);
  const { sessionId } = data(await callRaw('create_session', {}));
  await callRaw('navigate', { sessionId, url: site.url('/') });
  const answer = data(await callRaw('type', { sessionId, ...args }));
  // The change event comes when the field loses the focus.
  await callRaw('click', { sessionId, selector: '#done' });
  await callRaw('close_session', { sessionId });
  const sent = site.requests.flatMap(({ path }) =>
    path.startsWith('/changed?') ? [new URLSearchParams(path.slice(9))] : [],
  );
  const keys: unknown = JSON.parse(sent[0]?.get('keys') ?? '[]');
  return {
    answer,
    sent: sent.map((each) => `${each.get('id')}: ${each.get('value')}`),
    keys: z.array(z.tuple([z.string(), z.number()])).parse(keys),
  };
}

test('[S3-23, S3-24] type enters the text into the element of the selector, in place of what was there', async ({
  site,
  callRaw,
}) => {
  const { answer, sent, keys } = await typed(site, callRaw, { selector: '#first', text: 'Ada L. ü' });
  expect(sent).toEqual(['first: Ada L. ü']);
  expect(keys).toEqual([]);
  expect(answer).toMatchObject({ selector: '#first', url: site.url('/'), title: 'Fields' });
});

test('[S3-23, S3-27] with a delay the text is typed key by key, with pauses', async ({ site, callRaw }) => {
  const { sent, keys } = await typed(site, callRaw, { selector: '#second', text: 'Ada', options: { delay: 40 } });
  expect(sent).toEqual(['second: Ada']);
  // Delete clears the field before.
  const letters = keys.filter(([key]) => key !== 'Delete');
  expect(letters.map(([key]) => key)).toEqual(['A', 'd', 'a']);
  // A timer fires late, never early.
  const pauses = letters.slice(1).map(([, at], index) => at - (letters[index]?.[1] ?? 0));
  expect(Math.min(...pauses)).toBeGreaterThan(35);
});

test('[S3-08, S3-10, S3-11] a closed session no longer exists, and its page is closed', async ({ site, callRaw }) => {
  const sessionId = await open(site, callRaw);
  // The page keeps a connection open while it exists.
  const ended = new Promise((resolve) => {
    site.set('/live', (_request, response) => {
      response.once('close', resolve).writeHead(200, { 'content-type': 'text/event-stream' }).write(': open\n\n');
    });
  });
  site.set('/alive', '<title>Alive</title><script>new EventSource("/live")</script>');
  await callRaw('navigate', { sessionId, url: site.url('/alive') });
  expect(data(await callRaw('close_session', { sessionId }))).toMatchObject({ closed: sessionId });
  await ended;
  expect((await callRaw('close_session', { sessionId })).structured).toMatchObject({ errorCode: 'SESSION_NOT_FOUND' });
});

const testPlain = testWith([]);

testPlain(
  '[S3-28, R-2] the browser is Chromium, and navigate, type and click work beside the core tools',
  async ({ site, callRaw }) => {
    site.set('/', page);
    expect(data(await callRaw('navigate', { url: site.url('/') }))).toMatchObject({
      title: 'Session',
      loadState: 'load',
    });
    expect((await callRaw('browser_evaluate', { function: '() => navigator.userAgent' })).text).toContain('Chrome/');
    expect(data(await callRaw('type', { selector: '#name', text: 'x' }))).toMatchObject({ selector: '#name' });
    expect(data(await callRaw('click', { selector: '#go' }))).toMatchObject({ notes: ['The page said: "clicked"'] });
  },
);

test.runIf(process.platform !== 'win32').for([
  ['firefox', '-juggler-pipe'],
  ['webkit', '--inspector-pipe'],
] as const)('[S3-29] --browser=%s starts that browser', async ([type, pipe]) => {
  using fakes = fakeBrowsers();
  await using server = await startApp(['--toolset=sessions', `--browser=${type}`], { env: fakes.env });
  const driver = await server.drive();
  const { isError } = await driver.callRaw('create_session', {});
  expect(isError).toBe(true);
  expect(fakes.startedWith(type)).toContain(`${pipe}\n`);
});

test.for(['firefox', 'webkit'])('[S3-29] a %s that is not installed is named in the error', async (type) => {
  using folder = temporaryFolder();
  const env = { PLAYWRIGHT_BROWSERS_PATH: folder.path };
  await using server = await startApp(['--toolset=sessions', `--browser=${type}`], { env });
  const { callRaw } = await server.drive();
  expect((await callRaw('create_session', {})).structured).toMatchObject({
    success: false,
    message: expect.stringContaining(`No ${type} browser is installed on this machine.`),
  });
});

const testOne = testWith(['--toolset=design', '--max-sessions=1']);

testOne('[S1-91, S1-92, S1-97] errors of the server have their codes', async ({ site, callRaw }) => {
  site.set('/', page);
  await callRaw('navigate', { url: site.url('/') });
  expect((await callRaw('evaluate', { script: 'throw new Error("no")' })).structured).toMatchObject({
    error: { code: 'INTERNAL_ERROR', retryable: false },
  });
  await callRaw('create_session', {});
  expect((await callRaw('create_session', {})).structured).toMatchObject({
    errorCode: 'MAX_SESSIONS_REACHED',
    error: { code: 'RESOURCE_EXHAUSTED', retryable: true },
  });
});

test('[S3-20, S3-21, S3-25, S3-26] error texts have the codes that session-style clients know', async ({
  site,
  callRaw,
}) => {
  const sessionId = await open(site, callRaw);
  const firstLine = async (name: string, args: object): Promise<string | undefined> =>
    (await callRaw(name, { sessionId, ...args })).section('Error')?.split('\n')[0];
  const timeout = { options: { timeout: 300 } };
  expect(await firstLine('click', { selector: '#none', ...timeout })).toMatch(/^\[ELEMENT_NOT_FOUND\] No element/);
  expect(await firstLine('click', { selector: '#under', ...timeout })).toMatch(/^\[ELEMENT_NOT_CLICKABLE\] #under/);
  expect(await firstLine('type', { selector: 'h1', text: 'x' })).toMatch(/^\[ELEMENT_NOT_EDITABLE\] h1/);
  expect(await firstLine('navigate', { url: 'http://' })).toMatch(/^\[NAVIGATION_FAILED\] /);
  const { text } = await callRaw('click', { sessionId: 'none', selector: '#go' });
  expect(text).toBe(
    '### Error\n[SESSION_NOT_FOUND] There is no session "none".\nCreate a new session with create_session tool.',
  );
});

test('[S3-13, S3-18, S3-23, R-33] without the required sessionId nothing is done', async ({ site, callRaw }) => {
  site.set('/', page);
  for (const [name, args] of [
    ['navigate', { url: site.url('/') }],
    ['click', { selector: '#go' }],
    ['type', { selector: '#name', text: 'x' }],
  ] as const) {
    const { structured } = await callRaw(name, args);
    expect(structured, name).toMatchObject({
      errorCode: 'MISSING_PARAMETER',
      message: expect.stringMatching(/^Missing argument "sessionId"\. Accepted arguments: sessionId, /),
    });
  }
  expect(site.requests).toEqual([]);
});
