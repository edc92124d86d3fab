import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { imageSize } from '../../src/util/images.ts';
import { expect, open, refOf, test } from '../fixtures.ts';
import { coloursAt } from '../images.ts';

const page = `<title>Colours</title><style>body { margin: 0 } #box { width: 200px; height: 100px; border: 0; margin: 30px 50px; background: teal }</style>
  <button id="box">Box</button><p>Words</p><div style="height: 3000px; background: linear-gradient(gold, navy)"></div>`;

test('[S2-44, S2-45, S2-46, S2-125, S2-128, S2-129, R-8] a screenshot is saved and its relative path is returned', async ({
  site,
  server,
  call,
}) => {
  await open(site, call, page);
  const answer = await call('browser_take_screenshot');
  const path = /^Took a screenshot of the viewport \(1280x720\): (\.viewpoint-mcp-screenshots\/\S+\.png)$/m.exec(
    answer.section('Result') ?? '',
  )?.[1];
  expect(answer.section('Ran Playwright code')).toBe(
    `\`\`\`js\nawait page.screenshot({ path: '${path}', scale: 'css' });\n\`\`\``,
  );
  expect(imageSize(await readFile(join(server.folder, path ?? '')))).toEqual({ width: 1280, height: 720 });
});

test('[S2-121, S2-130, S2-131] the answer is one text item and a link, and the file name is a timestamp without colons and dots', async ({
  call,
}) => {
  const answer = await call('browser_take_screenshot');
  expect(answer.content).toEqual([
    { type: 'text', text: answer.text },
    expect.objectContaining({ type: 'resource_link' }),
  ]);
  expect(answer.text).toMatch(/\/page-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z\.png$/m);
  expect(answer.structured).toBeUndefined();
});

test('[S2-127] a missing directory is created with a .gitignore', async ({ server, call }) => {
  await call('browser_take_screenshot');
  const folder = join(server.folder, '.viewpoint-mcp-screenshots');
  expect(await readdir(folder)).toContain('.gitignore');
  expect(await readFile(join(folder, '.gitignore'), 'utf8')).toBe('*\n');
});

test('[S2-55, S2-56, R-27] a fully qualified ref captures only that element', async ({ site, server, call }) => {
  site.set('/', page);
  const ref = refOf((await call('browser_navigate', { url: site.url('/') })).text, 'button', 'Box');
  const answer = await call('browser_take_screenshot', { ref: `c0p0f0${ref}` });
  const path =
    /^Took a screenshot of button "Box" \(200x100\): (\S+\.png)$/m.exec(answer.section('Result') ?? '')?.[1] ?? '';
  const data = await readFile(join(server.folder, path));
  expect(imageSize(data)).toEqual({ width: 200, height: 100 });
  const corners = await coloursAt(call, { data, mimeType: 'image/png' }, [
    [0, 0],
    [199, 0],
    [0, 99],
    [199, 99],
  ]);
  expect(new Set(corners)).toEqual(new Set(['0,8,8']));
  expect(path).toMatch(/^\.viewpoint-mcp-screenshots\//);
});

/** The action time-out. It exceeds the time limit of a test, so only an answer that does not wait for it passes. */
const patience = 30_000;

test.for([
  ['of no size', '<div id="it"></div>'],
  ['that is hidden', '<div id="it" style="display: none">Words</div>'],
  ['that is invisible', '<div id="it" style="visibility: hidden">Words</div>'],
])(
  'an element %s is an error with the reason, and the next screenshot works',
  { timeout: 15_000 },
  async ([, html = ''], { site, call }) => {
    await open(site, call, html);
    const answer = await call('browser_take_screenshot', { ref: '#it' });
    expect(answer.section('Error')?.split('\n')[0]).toBe(
      '[ELEMENT_NOT_CLICKABLE] #it could not be acted on: it is not visible, or has no size.',
    );
    expect((await call('browser_take_screenshot')).isError).toBe(false);
  },
);

test.for(['position: absolute; left: -900px', 'position: fixed; top: 9000px'])(
  'an element with %s that cannot be scrolled into view is an error, because the screenshot would show something else',
  async (style, { site, call }) => {
    await open(site, call, `<h1>Else</h1><div id="it" style="${style}">Words</div>`);
    const answer = await call('browser_take_screenshot', { ref: '#it' });
    expect(answer.section('Error')?.split('\n')[0]).toBe(
      '[ELEMENT_NOT_CLICKABLE] #it could not be acted on: it cannot be scrolled into the viewport.',
    );
  },
);

test('an element that never stops moving is captured as it moves', { timeout: 15_000 }, async ({ site, call }) => {
  const style = '@keyframes go { to { translate: 300px } } #it { width: 60px; animation: go 1s infinite alternate }';
  await open(site, call, `<style>${style}</style><div style="height: 2000px"></div><div id="it">Words</div>`);
  const answer = await call('browser_take_screenshot', { ref: '#it', timeout: patience });
  expect(answer.section('Result')).toMatch(/^Took a screenshot of #it \(6[01]x\d+\): /);
});

test('a quality for a PNG is ignored with a note', async ({ call }) => {
  const note = 'PNG has no quality setting; quality was ignored.';
  expect((await call('browser_take_screenshot', { quality: 50 })).section('Result')).toContain(note);
  expect((await call('browser_take_screenshot', { type: 'jpeg', quality: 50 })).section('Result')).not.toContain(note);
});

test('an element that appears later is waited for', async ({ site, call }) => {
  await open(
    site,
    call,
    '<div id="it" hidden>Words</div><script>setTimeout(() => { it.hidden = false }, 300)</script>',
  );
  expect((await call('browser_take_screenshot', { selector: '#it' })).isError).toBe(false);
});

test('[S2-57, S2-58] a full page is captured in full', async ({ site, server, call }) => {
  await open(site, call, page);
  const answer = await call('browser_take_screenshot', { fullPage: true });
  const path =
    /^Took a screenshot of the full page \(1280x\d+\): (\.viewpoint-mcp-screenshots\/\S+\.png)$/m.exec(
      answer.section('Result') ?? '',
    )?.[1] ?? '';
  expect(imageSize(await readFile(join(server.folder, path))).height).toBeGreaterThan(3100);
});

test('[R-34] type and filename set the format and the name', async ({ server, call }) => {
  for (const [args, name, magic] of [
    [{ type: 'jpeg' }, /page-[\dTZ-]+\.jpeg$/, 'ffd8'],
    [{ type: 'webp' }, /page-[\dTZ-]+\.webp$/, '5249'],
    [{ filename: 'mine.jpg' }, /\/mine\.jpg$/, 'ffd8'],
    [{ filename: 'deep/mine.png' }, /\/deep\/mine\.png$/, '8950'],
  ] as const) {
    const answer = await call('browser_take_screenshot', args);
    const path = / \(1280x720\): (\S+)$/m.exec(answer.section('Result') ?? '')?.[1] ?? '';
    expect(path).toMatch(name);
    expect((await readFile(join(server.folder, path))).toString('hex', 0, 2)).toBe(magic);
  }
});

test('a file extension that does not match the format is reported', async ({ call }) => {
  const note = 'The file is a jpeg, as requested.';
  const odd = await call('browser_take_screenshot', { type: 'jpeg', filename: 'odd.png', quality: 30 });
  expect(odd.section('Result')).toContain(note);
  // Without the type, the code would save a PNG.
  expect(odd.section('Ran Playwright code')).toContain(
    "page.screenshot({ path: '.viewpoint-mcp-screenshots/odd.png', scale: 'css', type: 'jpeg', quality: 30 })",
  );
  expect((await call('browser_take_screenshot', { type: 'jpeg', filename: 'fine.JPG' })).text).not.toContain(
    'The file is',
  );
});

test('[R-34] path is an alias of filename in every tool that writes a file', async ({ server, callRaw }) => {
  for (const [tool, args] of Object.entries({
    browser_take_screenshot: {},
    browser_snapshot: {},
    browser_evaluate: { function: '() => 1' },
    browser_console_messages: {},
    browser_network_requests: {},
    browser_find: { selector: 'body' },
  })) {
    const name = `${tool}.png`;
    const answer = await callRaw(tool, { ...args, path: name });
    expect(answer.isError, tool).toBe(false);
    const folder = tool === 'browser_take_screenshot' ? '.viewpoint-mcp-screenshots' : '.playwright-mcp';
    expect(await readdir(join(server.folder, folder)), tool).toContain(name);
  }
});

test.for([
  [{ type: 'jpeg', quality: 500 }, '"quality" must be a whole number from 0 to 100, not 500.'],
  [{ type: 'jpeg', quality: 0.5 }, '"quality" must be a whole number from 0 to 100, not 0.5.'],
  [{ timeout: -4 }, '"timeout" must be from 0 to 86400000, not -4.'],
  [{ type: 'gif' }, '"type" must be one of png, jpeg, webp, not "gif".'],
] as const)('[R-33] a screenshot with %j is rejected', async ([args, problem], { callRaw }) => {
  const answer = await callRaw('browser_take_screenshot', args);
  expect(answer.kind).toBe('INVALID_ARGUMENT');
  expect(answer.section('Error')).toContain(`Argument ${problem}`);
});

test('a page or element with more pixels than a browser can render is rejected in advance', async ({ site, call }) => {
  site.set('/', '<style>body { margin: 0 }</style><div id="it" style="width: 40000px; height: 30000px">Vast</div>');
  await call('browser_navigate', { url: site.url('/') });
  for (const args of [{ fullPage: true }, { ref: '#it' }]) {
    const answer = await call('browser_take_screenshot', args);
    expect(answer.section('Error')).toBe(
      '[SCREENSHOT_FAILED] The browser could not take the screenshot: it would have 40000x30000 pixels.\n' +
        'Take a screenshot of an element or of the viewport.',
    );
    expect(answer.structured).toMatchObject({ error: { code: 'RESOURCE_EXHAUSTED' } });
  }
  expect((await call('browser_take_screenshot')).isError).toBe(false);
});

test('an image document is captured in full', async ({ site, server, call }) => {
  site.set('/', (_request, response) =>
    response
      .setHeader('content-type', 'image/svg+xml')
      .end('<svg xmlns="http://www.w3.org/2000/svg" width="300" height="1500"><rect width="9" height="9"/></svg>'),
  );
  await call('browser_navigate', { url: site.url('/') });
  const answer = await call('browser_take_screenshot', { fullPage: true, filename: 'drawing.png' });
  expect(answer.isError, answer.text).toBe(false);
  const file = await readFile(join(server.folder, '.viewpoint-mcp-screenshots/drawing.png'));
  expect(imageSize(file)).toEqual({ width: 1280, height: 1500 });
});

test('element and fullPage together are rejected', async ({ call }) => {
  const answer = await call('browser_take_screenshot', { ref: 'body', fullPage: true });
  expect(answer.text).toBe(
    '### Error\n[INVALID_ARGUMENT] Give either ref or fullPage, not both.\nCorrect the arguments and call again.',
  );
});

test.for([
  ['outside the folder', '/etc/outside.png'],
  ['empty', ''],
  ['a folder', '.'],
  ['a folder by its end', 'folder/'],
  ['with a zero byte', 'a\u0000b.png'],
  ['very long', `${'x'.repeat(5000)}.png`],
  ['above the folder', '../../x.png'],
  ['above the folder by a detour', 'x.png/../../../y.png'],
] as const)('an invalid file name is rejected: %s', async ([, filename], { call }) => {
  const answer = await call('browser_take_screenshot', { filename });
  expect(answer.kind).toBe('PATH_DENIED');
  expect(answer.section('Error')?.split('\n').at(-1)).toBe(
    'Relative paths name files in the output directory, ./name in the working directory.',
  );
  expect(answer.structured).toMatchObject({ errorCode: 'FORBIDDEN', error: { code: 'FORBIDDEN', retryable: false } });
});
