import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fakeBrowsers } from '../fake-browsers.ts';
import { expect, slowly, startApp, testWith } from '../fixtures.ts';
import type { Answer, CallRaw, Site } from '../fixtures.ts';
import { imageSize } from '../../src/util/images.ts';
import type { Size } from '../../src/util/images.ts';
import { ownBrowsers } from '../transport/processes.ts';
import { temporaryFolder } from '../transport/server-process.ts';

const test = testWith(['--toolset=basic']);
/** Calls without a launched browser. */
const testBefore = testWith(['--toolset=basic']);

const page = `<title>Example Domain</title><h1>Example</h1><output id="out"></output>
<label>Email <input type="email" id="mail" data-testid="mail" value="old" oninput="out.value = value"></label><input type="password" id="pass" aria-label="Pass">
<button data-testid="send" onclick="out.value = 'Sent'">Submit</button>
<button data-testid="twice" ondblclick="out.value = 'Twice'">Again</button>
<textarea id="area"></textarea><button disabled id="off">Off</button><button id="ask" onclick="out.value = String(confirm('Sure?'))">Ask</button>
<div id="menu" oncontextmenu="out.value = 'Menu'; return false">Area</div>`;

async function open(site: Site, callRaw: CallRaw): Promise<string> {
  site.set('/', page);
  const url = site.url('/');
  const { isError } = await callRaw('browser_navigate', { url });
  if (isError) {
    await callRaw('browser_launch', {});
    await callRaw('browser_navigate', { url });
  }
  return url;
}

/** The size of the image in an answer. */
function sizeOf({ content: [image] }: Pick<Answer, 'content'>): Size {
  if (image?.type !== 'image') throw new Error('no image');
  return imageSize(Buffer.from(image.data, 'base64'));
}

/** How often the page shows this text. */
async function count(callRaw: CallRaw, selector: string): Promise<number> {
  return Number(/^Found (\d+)/.exec((await callRaw('browser_find', { selector })).text)?.[1]);
}

/** The seven tools, literally. */
const schemas = {
  browser_launch: {
    type: 'object',
    properties: {
      browserType: {
        type: 'string',
        enum: ['chromium', 'firefox', 'webkit'],
        default: 'chromium',
        description: 'Type of browser to launch',
      },
      headless: { type: 'boolean', default: true, description: 'Run browser in headless mode' },
      viewport: {
        type: 'object',
        properties: { width: { type: 'number', default: 1280 }, height: { type: 'number', default: 720 } },
        description: 'Viewport size',
      },
    },
  },
  browser_navigate: {
    type: 'object',
    properties: {
      url: { type: 'string', description: 'URL to navigate to (must include protocol)' },
      waitUntil: {
        type: 'string',
        enum: ['load', 'domcontentloaded', 'networkidle'],
        default: 'load',
        description: 'When to consider navigation succeeded',
      },
    },
    required: ['url'],
  },
  browser_find: {
    type: 'object',
    properties: {
      selector: { type: 'string', description: 'CSS selector, text, or role selector' },
      selectorType: {
        type: 'string',
        enum: ['css', 'text', 'role', 'testId'],
        default: 'css',
        description: 'Type of selector',
      },
      options: { type: 'object', description: "Additional locator options (e.g., { name: 'Submit' })" },
    },
    required: ['selector'],
  },
  browser_click: {
    type: 'object',
    properties: {
      selector: { type: 'string', description: 'Selector for the element to click' },
      selectorType: { type: 'string', enum: ['css', 'text', 'role', 'testId'], default: 'css' },
      options: { type: 'object', description: 'Click options (button, clickCount, etc.)' },
    },
    required: ['selector'],
  },
  browser_type: {
    type: 'object',
    properties: {
      selector: { type: 'string', description: 'Selector for the input element' },
      text: { type: 'string', description: 'Text to type' },
      selectorType: { type: 'string', enum: ['css', 'text', 'role', 'testId', 'label'], default: 'css' },
      clear: { type: 'boolean', default: true, description: 'Clear existing text before typing' },
    },
    required: ['selector', 'text'],
  },
  browser_screenshot: {
    type: 'object',
    properties: {
      selector: { type: 'string', description: 'Optional: selector for element to screenshot' },
      fullPage: { type: 'boolean', default: false, description: 'Capture full scrollable page' },
      path: { type: 'string', description: 'Optional: file path to save screenshot' },
    },
  },
  browser_quit: { type: 'object', properties: {} },
} as const;

test('[R-3, S4-01, S4-04, S4-05, S4-06, S4-07, S4-46] the list is the seven tools, with the schemas of their specification', async ({
  driver,
}) => {
  const { tools } = await driver.client.listTools();
  expect(Object.fromEntries(tools.map(({ name, inputSchema }) => [name, inputSchema]))).toEqual(schemas);
  expect(tools.every(({ description = '' }) => description.length > 10)).toBe(true);
});

test('[S4-02, S4-43] launch, navigate and quit change the session; find, click, type and screenshot do not', async ({
  site,
  callRaw,
}) => {
  await open(site, callRaw);
  const state = async (): Promise<unknown> => ({
    browsers: ownBrowsers().map(({ pid }) => pid),
    typed: await count(callRaw, '#mail:valid'),
  });
  await callRaw('browser_type', { selector: '#mail', text: 'kept@example.com' });
  const before = await state();
  for (const [name, args] of [
    ['browser_find', { selector: 'h1' }],
    ['browser_click', { selector: 'h1' }],
    ['browser_type', { selector: '#pass', text: 'x' }],
    ['browser_screenshot', {}],
  ] as const) {
    expect((await callRaw(name, args)).isError, name).toBe(false);
    expect(await state(), name).toEqual(before);
  }
  await callRaw('browser_navigate', { url: site.url('/') });
  expect(await state()).toEqual({ ...Object(before), typed: 0 });
  await callRaw('browser_launch', {});
  const launched = ownBrowsers().map(({ pid }) => pid);
  expect(launched).toHaveLength(1);
  expect(Object(before).browsers).not.toEqual(launched);
  await callRaw('browser_quit', {});
  expect(ownBrowsers()).toEqual([]);
});

testBefore.for([
  'browser_navigate',
  'browser_find',
  'browser_click',
  'browser_type',
  'browser_screenshot',
  'browser_quit',
])('[S4-10, S4-45, R-5] %s before browser_launch says what to call first', async (name, { callRaw }) => {
  const answer = await callRaw(name, { url: 'about:blank', selector: 'h1', text: 'x' });
  expect(answer.text).toBe('No browser instance. Call browser_launch first.');
  expect(answer).toMatchObject({ isError: true, structured: { success: false, error: { kind: 'NO_BROWSER' } } });
});

test('[S4-03, S4-09, S4-11, S4-14, S4-29, S4-43, S4-44, S4-49, R-9, R-14] launch, navigate, click and quit, with their sentences', async ({
  site,
  callRaw,
}) => {
  site.set('/', page);
  await callRaw('browser_quit', {});
  expect((await callRaw('browser_launch', { browserType: 'chromium', headless: true })).text).toBe(
    'Browser launched successfully (chromium, headless: true)',
  );
  expect((await callRaw('browser_navigate', { url: site.url('/'), waitUntil: 'domcontentloaded' })).text).toBe(
    `Successfully navigated to ${site.url('/')}\nTitle: Example Domain`,
  );
  expect((await callRaw('browser_click', { selector: 'h1' })).text).toBe('Successfully clicked element: h1');
  const quit = await callRaw('browser_quit', {});
  expect(quit.content).toEqual([{ type: 'text', text: 'Browser closed successfully' }]);
  expect((await callRaw('browser_find', { selector: 'h1' })).text).toBe(
    'No browser instance. Call browser_launch first.',
  );
});

test('[S4-12] a URL without a scheme is completed', async ({ site, callRaw }) => {
  const url = await open(site, callRaw);
  const answer = await callRaw('browser_navigate', { url: url.replace('http://', '') });
  expect(answer.text).toBe(`Successfully navigated to ${url}\nTitle: Example Domain`);
});

test('[S4-12, S4-14] the answer contains the given URL, and the one it redirected to', async ({ site, callRaw }) => {
  const url = await open(site, callRaw);
  site.set('/old', (_request, response) => void response.writeHead(302, { location: '/' }).end());
  const bare = url.slice(0, -1);
  expect((await callRaw('browser_navigate', { url: bare })).text).toBe(
    `Successfully navigated to ${bare}\nTitle: Example Domain`,
  );
  expect((await callRaw('browser_navigate', { url: site.url('/old') })).text).toBe(
    `Successfully navigated to ${site.url('/old')}\nTitle: Example Domain\nRedirected to ${url}`,
  );
});

/** Longer than the page takes to load. */
const testPatient = testWith(['--toolset=basic', '--timeout-load=30000']);

/** Reports its progress in the title; each step waits for a request. */
const steps = `<title>Committed</title><script src="/script.js"></script><img src="/image.png"><script>
  document.title = 'Parsed';
  onload = () => { document.title = 'Loaded'; fetch('/data').then(() => { document.title = 'Idle' }) };
</script>`;

testPatient.for([
  ['commit', 'Committed', { '/script.js': 10_000 }],
  ['domcontentloaded', 'Parsed', { '/script.js': 300, '/image.png': 10_000 }],
  ['load', 'Loaded', { '/image.png': 300, '/data': 10_000 }],
  ['networkidle', 'Idle', { '/data': 700 }],
] as const)(
  '[S4-13, R-15] waitUntil %s answers when the page is %s, not later',
  async ([waitUntil, title, delays], { site, callRaw }) => {
    await open(site, callRaw);
    for (const path of ['/script.js', '/image.png', '/data']) site.set(path, slowly(0, '', 'text/javascript'));
    for (const [path, ms] of Object.entries(delays)) site.set(path, slowly(ms, '', 'text/javascript'));
    site.set('/steps', steps);
    expect((await callRaw('browser_navigate', { url: site.url('/steps'), waitUntil })).text).toMatch(
      new RegExp(`^Successfully navigated to ${site.url('/steps')}\\nTitle: ${title}`),
    );
  },
);

test('[S4-13] it waits for the load event unless waitUntil says otherwise', async ({ site, callRaw }) => {
  await open(site, callRaw);
  for (const [path, ms] of [
    ['/script.js', 0],
    ['/image.png', 300],
    ['/data', 10_000],
  ] as const)
    site.set(path, slowly(ms, '', 'text/javascript'));
  site.set('/steps', steps);
  expect((await callRaw('browser_navigate', { url: site.url('/steps') })).text).toContain('\nTitle: Loaded');
});

test('[S4-15, S4-25, R-29] find reports the number of matches and whether the first is usable', async ({
  site,
  callRaw,
}) => {
  await open(site, callRaw);
  expect(
    (await callRaw('browser_find', { selector: 'button', selectorType: 'role', options: { name: 'Submit' } })).text,
  ).toBe(
    'Found 1 element(s) matching: role=button[name="Submit"]\nVisible: true, Enabled: true\nElement is visible and enabled',
  );
  expect((await callRaw('browser_find', { selector: '.none' })).text).toBe(
    'Found 0 element(s) matching: .none\nVisible: false, Enabled: false',
  );
});

test.for([
  [{ selector: 'button[data-testid=send]' }, 'button[data-testid=send]'],
  [{ selector: 'Submit', selectorType: 'text' }, 'Submit'],
  [{ selector: 'button', selectorType: 'role', options: { name: 'Submit' } }, 'button'],
  [{ selector: 'send', selectorType: 'testId' }, 'send'],
] as const)('[S4-26, S4-27, S4-29, R-3] %j clicks its element', async ([args, reported], { site, callRaw }) => {
  await open(site, callRaw);
  const answer = await callRaw('browser_click', args);
  expect(answer.content).toEqual([{ type: 'text', text: `Successfully clicked element: ${reported}` }]);
  expect(await count(callRaw, '#out:text-is("Sent")')).toBe(1);
});

test('[S4-28] click options apply to the click, and for a role to the role too', async ({ site, callRaw }) => {
  await open(site, callRaw);
  const reported = async (text: string): Promise<number> => count(callRaw, `#out:text-is("${text}")`);
  await callRaw('browser_click', { selector: '#menu', options: { button: 'right' } });
  expect(await reported('Menu')).toBe(1);
  await callRaw('browser_click', { selector: 'twice', selectorType: 'testId', options: { clickCount: 2 } });
  expect(await reported('Twice')).toBe(1);
  const options = { name: 'Submit', clickCount: 1 };
  await callRaw('browser_click', { selector: 'button', selectorType: 'role', options });
  expect(await reported('Sent')).toBe(1);
});

test.for([
  [{ selector: '#mail' }, '#mail'],
  [{ selector: 'Email', selectorType: 'label' }, 'Email'],
  [{ selector: 'textbox', selectorType: 'role', options: { name: 'Email' } }, 'textbox'],
  [{ selector: 'mail', selectorType: 'testId' }, 'mail'],
  [{ selector: 'Email', selectorType: 'text' }, 'Email'],
] as const)('[S4-30, S4-31, S4-32, S4-34, S4-35] typing into %j', async ([args, reported], { site, callRaw }) => {
  await open(site, callRaw);
  const answer = await callRaw('browser_type', { ...args, text: 'user@example.com' });
  expect(answer.content).toEqual([
    { type: 'text', text: `Successfully typed into element: ${reported}\nText: user@example.com` },
  ]);
  expect(await count(callRaw, '#out:text-is("user@example.com")')).toBe(1);
});

test('[S4-33] existing text is cleared unless clear is false', async ({ site, callRaw }) => {
  site.set(
    '/field',
    `<input id="f" value="old" oninput="document.querySelector('p').textContent = this.value"><p></p>`,
  );
  await open(site, callRaw);
  await callRaw('browser_navigate', { url: site.url('/field') });
  await callRaw('browser_type', { selector: '#f', text: 'new' });
  expect(await count(callRaw, 'p:text-is("new")')).toBe(1);
  await callRaw('browser_type', { selector: '#f', text: 'er', clear: false });
  expect(await count(callRaw, 'p:text-is("newer")')).toBe(1);
});

test('[S4-35] the text is echoed with its line breaks', async ({ site, callRaw }) => {
  await open(site, callRaw);
  expect((await callRaw('browser_type', { selector: '#area', text: 'line 1\nline 2' })).text).toBe(
    'Successfully typed into element: #area\nText: line 1\nline 2',
  );
});

test('[S4-35] text typed into a password field is not repeated', async ({ site, callRaw }) => {
  await open(site, callRaw);
  expect((await callRaw('browser_type', { selector: '#pass', text: 'hunter2' })).text).toBe(
    'Successfully typed into element: #pass\nText: [REDACTED]',
  );
});

test('[S4-36, S4-40, S4-41, S4-42, R-8, R-26] a screenshot answers with the image, then a sentence with its size', async ({
  site,
  callRaw,
}) => {
  await open(site, callRaw);
  const { content } = await callRaw('browser_screenshot', {});
  expect(content).toEqual([
    { type: 'image', data: expect.any(String), mimeType: 'image/png' },
    { type: 'text', text: 'Screenshot captured (1280x720)' },
  ]);
  expect(sizeOf({ content })).toEqual({ width: 1280, height: 720 });
});

test('[S4-37, S4-38, S4-39, S4-42, R-29] screenshots of an element, of the full page, and to a file', async ({
  site,
  server,
  callRaw,
}) => {
  site.set(
    '/long',
    `<style>body { margin: 0 }</style><div id="box" style="width:200px;height:100px">Box</div><div style="height:1900px"></div>`,
  );
  await open(site, callRaw);
  await callRaw('browser_navigate', { url: site.url('/long') });
  const element = await callRaw('browser_screenshot', { selector: '#box', path: 'box.png' });
  expect(element.text).toBe('Screenshot captured (200x100) and saved to box.png');
  expect(imageSize(await readFile(join(server.folder, 'box.png')))).toEqual({ width: 200, height: 100 });
  // By absolute path, in the working directory and in the system's temporary directory; a second time too.
  using elsewhere = temporaryFolder();
  for (const folder of [join(server.folder, 'sub'), elsewhere.path, elsewhere.path]) {
    const path = join(folder, 'shot.png');
    const saved = await callRaw('browser_screenshot', { path });
    expect(saved.text).toBe(`Screenshot captured (1280x720) and saved to ${path}`);
    expect(imageSize(await readFile(path))).toEqual({ width: 1280, height: 720 });
  }
  const denied = await callRaw('browser_screenshot', { path: '/usr/shot.png' });
  expect(denied.text).toContain('--allow-unrestricted-file-access');
  const whole = await callRaw('browser_screenshot', { fullPage: true });
  expect(whole.content[0]).toMatchObject({ type: 'image', mimeType: 'image/png' });
  const { width, height } = sizeOf(whole);
  expect(whole.text).toMatch(
    new RegExp(
      `^Screenshot captured \\(1280x2000\\)\\nThe full image is in (\\S+\\.png)\\.\\nThe image in this answer is ${width}x${height}\\.$`,
    ),
  );
  const original = /is in (\S+)\./.exec(whole.text)?.[1] ?? '';
  expect(imageSize(await readFile(join(server.folder, original)))).toEqual({ width: 1280, height: 2000 });
});

test('[S4-47, S4-48, R-10] an error has three lines and structured content', async ({ site, callRaw }) => {
  await open(site, callRaw);
  const answer = await callRaw('browser_click', { selector: '#nothing', options: { timeout: 100 } });
  expect(answer.text).toBe(
    'Error clicking element: No element found matching selector "#nothing"\nSelector: #nothing\nHint: Check if element exists and is actionable',
  );
  expect(answer).toMatchObject({
    isError: true,
    structured: { success: false, errorCode: 'ELEMENT_NOT_FOUND', error: { code: 'ELEMENT_NOT_FOUND' } },
  });
});

test.for([
  ['browser_click', { selector: '#off', options: { timeout: 100 } }, 'Error clicking element: #off ', 'Selector: #off'],
  ['browser_click', { selector: '##' }, 'Error clicking element: ', 'Selector: ##'],
  ['browser_type', { selector: 'h1', text: 'x' }, 'Error typing into element: h1 ', 'Selector: h1'],
  ['browser_find', { selector: '##' }, 'Error finding element: ', 'Selector: ##'],
  ['browser_screenshot', { selector: '##' }, 'Error taking screenshot: ', 'Selector: ##'],
  ['browser_navigate', { url: 'http://127.0.0.1:9/' }, 'Error navigating: ', 'URL: http://127.0.0.1:9/'],
] as const)(
  '[S4-47, S4-48] %s with %j is an error of three lines',
  async ([name, args, start, subject], { site, callRaw }) => {
    await open(site, callRaw);
    const { isError, text } = await callRaw(name, args);
    const [first = '', ...rest] = text.split('\n');
    expect(isError).toBe(true);
    expect(first.slice(0, start.length)).toBe(start);
    expect(rest).toEqual([subject, expect.stringMatching(/^Hint: [A-Z]/)]);
  },
);

test('[S4-31, S4-47] a missing argument is reported in this vocabulary', async ({ callRaw }) => {
  expect((await callRaw('browser_type', { selector: '#mail' })).text).toMatch(
    /^Error typing into element: Missing argument "text" .*\nSelector: #mail\nHint: Correct the arguments and call again\.$/,
  );
  expect((await callRaw('browser_type', { text: 'x' })).text).toBe(
    'Error typing into element: Missing argument "selector". Accepted arguments: selector, text, selectorType, clear.\nHint: Correct the arguments and call again.',
  );
});

test('a dialog that no offered tool can answer is dismissed and reported', async ({ site, callRaw }) => {
  await open(site, callRaw);
  const answer = await callRaw('browser_click', { selector: '#ask' });
  expect(answer.text).toBe('Successfully clicked element: #ask\nDismissed a confirm dialog with the message "Sure?"');
  expect(await count(callRaw, '#out:text-is("false")')).toBe(1);
});

test('[S4-06, S4-08, R-26] a launch closes the running browser, names the sessions it ended, and sets the viewport', async ({
  site,
  callRaw,
}) => {
  await open(site, callRaw);
  const answer = await callRaw('browser_launch', { viewport: { width: 640, height: 480 } });
  // Other tests of this file have left sessions of other clients.
  expect(answer.text).toMatch(
    /^Browser launched successfully \(chromium, headless: true\)\nSessions that ended: default(?:, \d+ of other clients)?$/,
  );
  await callRaw('browser_navigate', { url: site.url('/') });
  expect((await callRaw('browser_screenshot', {})).text).toBe('Screenshot captured (640x480)');
});

test.for([{ width: -1, height: 0 }, { width: 1.5 }, { height: 1e9 }])(
  '[S4-06, R-33] a launch with the viewport %j is rejected and leaves the running browser alone',
  async (viewport, { site, callRaw }) => {
    await open(site, callRaw);
    const { isError, text } = await callRaw('browser_launch', { viewport });
    expect(isError).toBe(true);
    expect(text).toMatch(
      /^Error launching browser: Argument "viewport\.(?:width|height)" must be a whole number from 1 to 10000, not /,
    );
    expect(await count(callRaw, 'h1')).toBe(1);
  },
);

test.for(['firefox', 'webkit'])(
  '[S4-08] a launch of %s where it is not installed fails, and leaves the running browser alone',
  async (browserType, { site }) => {
    using folder = temporaryFolder();
    await using server = await startApp(['--toolset=basic'], { env: { PLAYWRIGHT_BROWSERS_PATH: folder.path } });
    const { callRaw } = await server.drive();
    await open(site, callRaw);
    expect((await callRaw('browser_launch', { browserType })).text).toMatch(
      new RegExp(
        `^Error launching browser: No ${browserType} browser is installed .*\\nBrowser: ${browserType}\\nHint: [A-Z].*$`,
      ),
    );
    expect(await count(callRaw, 'h1')).toBe(1);
  },
);

test.runIf(process.platform !== 'win32').for([
  ['firefox', '-juggler-pipe'],
  ['webkit', '--inspector-pipe'],
] as const)('[S4-04] browserType %s starts that browser', async ([browserType, pipe]) => {
  using fakes = fakeBrowsers();
  await using server = await startApp(['--toolset=basic'], { env: fakes.env });
  const { callRaw } = await server.drive();
  expect((await callRaw('browser_launch', { browserType })).isError).toBe(true);
  expect(fakes.startedWith(browserType)).toContain(`${pipe}\n`);
});

const testBlind = testWith(['--toolset=basic', '--image-responses=omit', '--launch=lazy']);

testBlind(
  '[R-8, R-5] --image-responses=omit answers with the sentence only; --launch=lazy starts the browser',
  async ({ callRaw }) => {
    const { content } = await callRaw('browser_screenshot', {});
    expect(content).toEqual([{ type: 'text', text: 'Screenshot captured (1280x720)' }]);
  },
);

test.for([
  [
    'browser_find',
    { selector: 'x', selectorType: 'bogus' },
    'css, text, role, testId',
    'selector, selectorType, options',
  ],
  [
    'browser_navigate',
    { url: 'about:blank', waitUntil: 'bogus' },
    'load, domcontentloaded, networkidle',
    'url, waitUntil',
  ],
] as const)(
  '[R-33] %s with %j lists the values and arguments of this toolset',
  async ([name, args, values, list], { callRaw }) => {
    const { text } = await callRaw(name, args);
    expect(text).toContain(`must be one of ${values}, not "bogus". Accepted arguments: ${list}.`);
  },
);
