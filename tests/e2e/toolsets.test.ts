import * as z from 'zod';
import { createApp } from '../../src/index.ts';
import { answerOf, expect, test as testPlain, testWith } from '../fixtures.ts';
import type { Driver } from '../fixtures.ts';

const testViewpoint = testWith(['--toolset=viewpoint']);
const testPlaywright = testWith(['--toolset=playwright']);

const viewpoint = `browser_click browser_close browser_console_messages browser_context_close browser_context_create
browser_context_list browser_context_save_storage browser_context_switch browser_drag browser_evaluate browser_file_upload
browser_fill_form browser_handle_dialog browser_hover browser_install browser_navigate browser_navigate_back
browser_network_requests browser_press_key browser_resize browser_scroll_into_view browser_select_option browser_snapshot
browser_tabs browser_take_screenshot browser_type browser_wait_for`.split(/\s+/);

const playwright = `browser_click browser_close browser_console_messages browser_drag browser_drop browser_emulate_media
browser_evaluate browser_file_upload browser_fill_form browser_find browser_handle_dialog browser_hover browser_navigate
browser_navigate_back browser_network_request browser_network_requests browser_press_key browser_resize
browser_select_option browser_snapshot browser_tabs browser_take_screenshot browser_type browser_wait_for`.split(/\s+/);

async function listed({ client }: Driver): Promise<readonly string[]> {
  return (await client.listTools()).tools.map(({ name }) => name);
}

testViewpoint('[S0-05] the toolset viewpoint is exactly the 27 tools', async ({ driver }) => {
  expect(viewpoint).toHaveLength(27);
  expect(await listed(driver)).toEqual(viewpoint);
});

testPlain('[S0-05] without a toolset, the 27 tools are among those listed', async ({ driver }) => {
  expect(await listed(driver)).toEqual(expect.arrayContaining([...viewpoint]));
});

testPlaywright(
  'the toolset playwright lists the tools of @playwright/mcp, except the one that runs code in the server',
  async ({ driver }) => {
    expect(await listed(driver)).toEqual(playwright);
  },
);

testPlain(
  '[R-3] core lists an element as ref, with an optional description if it is required, and under no other name',
  async ({ driver }) => {
    const { tools } = await driver.client.listTools();
    const taking = tools.filter(({ inputSchema: { properties = {} } }) => 'ref' in properties);
    const needing = taking.filter(({ inputSchema: { required = [] } }) => required.includes('ref'));
    expect(needing.map(({ name }) => name)).toEqual([
      'browser_click',
      'browser_hover',
      'browser_scroll_into_view',
      'browser_select_option',
      'browser_type',
    ]);
    for (const { name, inputSchema } of needing) {
      expect(inputSchema.properties, name).toMatchObject({
        ref: { type: 'string', description: 'Ref or selector' },
        element: { type: 'string' },
      });
      expect(inputSchema.required, name).not.toContain('element');
    }
    for (const { name, inputSchema } of taking) {
      expect(Object.keys(inputSchema.properties ?? {}), name).not.toEqual(expect.arrayContaining(['target']));
      expect(Object.keys(inputSchema.properties ?? {}), name).not.toEqual(expect.arrayContaining(['selectorType']));
    }
  },
);

const capable = `browser_mouse_click_xy browser_mouse_down browser_mouse_drag_xy browser_mouse_move_xy browser_mouse_up
browser_mouse_wheel browser_pdf_save`.split(/\s+/);

testWith(['--caps', 'vision,pdf'])('[S0-40, S0-41] --caps vision,pdf enables the tools of both', async ({ driver }) => {
  const names = await listed(driver);
  expect(names.filter((name) => capable.includes(name))).toEqual(capable);
});

testPlain('[S0-06, S0-10, S2-87] without the capabilities their tools are not listed', async ({ driver }) => {
  const names = (await driver.client.listTools()).tools.map(({ name }) => name);
  expect(names.filter((name) => capable.includes(name))).toEqual([]);
});

testPlain.for(capable)('[S0-10, S2-88] without its capability %s is unknown', async (name, { callRaw }) => {
  await expect(callRaw(name, { x: 1, y: 1 })).rejects.toMatchObject({
    code: -32601,
    message: expect.stringContaining(`Unknown tool: ${name}`),
  });
});

const further = new Set(['navigate', 'click', 'type', 'browser_launch', 'browser_screenshot', 'browser_quit']);

testPlain('[R-9] names of other sets work beside core, without being listed', async ({ site, driver, callRaw }) => {
  site.set('/', '<title>Page</title><button>Go</button>');
  const names = await listed(driver);
  expect(names.filter((name) => further.has(name))).toEqual([]);
  expect((await callRaw('browser_launch', {})).text).toBe('Browser launched successfully (chromium, headless: true)');
  await callRaw('browser_navigate', { url: site.url('/') });
  const { content } = await callRaw('browser_screenshot', {});
  expect(content).toEqual([
    { type: 'image', data: expect.any(String), mimeType: 'image/png' },
    { type: 'text', text: 'Screenshot captured (1280x720)' },
  ]);
  expect((await callRaw('browser_quit', {})).text).toBe('Browser closed successfully');
  // The browser starts again by itself: an explicit launch is not required here.
  expect((await callRaw('browser_navigate', { url: site.url('/') })).isError).toBe(false);
});

testPlain('[R-9] the sentences of basic tools come first in the result', async ({ site, callRaw }) => {
  site.set('/', '<title>Page</title><button>Go</button><input aria-label="Name">');
  const first = async (name: string, args: object): Promise<string | undefined> =>
    (await callRaw(name, args)).section('Result')?.split('\n')[0];
  expect(await first('browser_navigate', { url: site.url('/') })).toBe(`Successfully navigated to ${site.url('/')}`);
  expect(await first('browser_click', { selector: 'button' })).toBe('Successfully clicked element: button');
  expect(await first('browser_type', { selector: 'input', text: 'x' })).toBe('Successfully typed into element: input');
  expect(await first('browser_find', { selector: 'button' })).toBe('Found 1 element(s) matching: button');
});

testPlain(
  '[R-10] a call with selector gets an error of three lines, a call with ref one with a code',
  async ({ site, callRaw }) => {
    site.set('/', '<title>Page</title><button>Go</button>');
    await callRaw('browser_navigate', { url: site.url('/') });
    const spelt = async (args: object): Promise<string> =>
      (await callRaw('browser_click', { ...args, timeout: 50 })).text;
    expect(await spelt({ selector: '#none' })).toBe(
      'Error clicking element: No element found matching selector "#none"\nSelector: #none\nHint: Check if element exists and is actionable',
    );
    expect(await spelt({ ref: '#none' })).toMatch(
      /^### Error\n\[ELEMENT_NOT_FOUND\] No element found .*\nVerify the selector/,
    );
  },
);

testPlain('[R-21] an unknown tool is a protocol error with exactly this message', async ({ callRaw }) => {
  await expect(callRaw('browser_navigat', {})).rejects.toMatchObject({
    code: -32601,
    message: 'Unknown tool: browser_navigat',
    data: { suggestion: 'browser_navigate' },
  });
});

const testDisabled = testWith(['--disable-tool=navigate,browser_click,browser_quit']);

testDisabled('a disabled tool is disabled under all its names', async ({ driver, callRaw }) => {
  expect(await listed(driver)).not.toContain('browser_click');
  for (const name of ['navigate', 'browser_click', 'click', 'browser_quit']) {
    await expect(callRaw(name, {}), name).rejects.toMatchObject({ code: -32601, message: `Unknown tool: ${name}` });
  }
  expect(await listed(driver)).toContain('browser_navigate');
});

const testBoth = testWith([
  '--toolset=viewpoint,basic',
  '--enable-tool=browser_find,browser_reload',
  '--disable-tool=browser_tabs',
]);

testBoth('toolsets are combined, and single tools are added and removed', async ({ driver }) => {
  const extra = ['browser_find', 'browser_launch', 'browser_quit', 'browser_reload', 'browser_screenshot'];
  expect(await listed(driver)).toEqual([...viewpoint.filter((name) => name !== 'browser_tabs'), ...extra].sort());
  const { tools } = await driver.client.listTools();
  // If two sets share a name, the first one wins.
  expect(tools.find(({ name }) => name === 'browser_click')?.inputSchema.required).toEqual(['ref']);
});

const testReading = testWith(['--toolset=all', '--read-only']);

testReading(
  '--read-only offers no tool that changes pages, and a batch cannot use one',
  async ({ driver, callRaw, site }) => {
    const { tools } = await driver.client.listTools();
    expect(tools.length).toBeGreaterThan(10);
    const changing = tools.filter(({ annotations: a }) => a?.readOnlyHint !== true && a?.destructiveHint !== false);
    expect(changing.map(({ name }) => name)).toEqual(['browser_batch', 'browser_map']);
    await expect(callRaw('browser_click', {})).rejects.toMatchObject({ code: -32601 });
    site.set('/', '<title>Before</title><button onclick="document.title = \'After\'">Go</button>');
    await callRaw('browser_navigate', { url: site.url('/') });
    const batch = await callRaw('browser_batch', { steps: [{ tool: 'browser_click', args: { ref: 'button' } }] });
    expect(batch.isError, batch.text).toBe(true);
    expect(batch.text).toContain('browser_click');
    expect((await callRaw('browser_snapshot', {})).text).toContain('Page Title: Before');
  },
);

const testLocked = testWith(['--toolset=all', '--no-script-evaluation', '--no-file-upload']);

testLocked('[R-19] a tool that the operator disables is not registered under any name', async ({ driver, callRaw }) => {
  const names = await listed(driver);
  const off = ['browser_evaluate', 'evaluate', 'browser_file_upload', 'upload_file', 'browser_drop'];
  expect(names.filter((name) => off.includes(name))).toEqual([]);
  for (const name of off) await expect(callRaw(name, {}), name).rejects.toMatchObject({ code: -32601 });
});

const testExplicit = testWith(['--launch=explicit']);

testExplicit(
  '[R-5] with an explicit launch no tool starts the browser, and browser_launch does',
  async ({ callRaw }) => {
    const before = await callRaw('browser_navigate', { url: 'about:blank' });
    expect(before.text).toMatch(/^### Error\n\[NO_BROWSER\] No browser instance\.\nCall browser_launch first\./);
    expect((await callRaw('browser_launch', {})).text).toBe('Browser launched successfully (chromium, headless: true)');
    expect((await callRaw('browser_navigate', { url: 'about:blank' })).isError).toBe(false);
  },
);

const testAll = testWith(['--toolset=all']);

testAll('the toolset all lists the tools of every set, each name once', async ({ driver }) => {
  const names = await listed(driver);
  expect(names).toEqual([...new Set(names)].sort());
  const some = ['browser_click', 'click', 'browser_screenshot', 'extract_table', 'browser_pdf_save', 'list_sessions'];
  expect(names).toEqual(expect.arrayContaining([...viewpoint, ...playwright, ...some]));
});

/** Calls that fail, by toolset, and the tools that their answers may not name. */
const failing = [
  ['design', 'click', { selector: 'button' }, 'AMBIGUOUS_SELECTOR'],
  ['design', 'click', { selector: 'e999' }, 'REF_NOT_FOUND'],
  ['design', 'go_forward', {}, 'NO_HISTORY'],
  ['basic', 'browser_click', { selector: 'button' }, 'AMBIGUOUS_SELECTOR'],
  ['basic', 'browser_click', { selector: '#none', timeout: 50 }, 'ELEMENT_NOT_FOUND'],
  ['sessions', 'click', { selector: 'button' }, 'AMBIGUOUS_SELECTOR'],
  ['viewpoint', 'browser_snapshot', { sessionId: 'none' }, 'SESSION_NOT_FOUND'],
] as const;

testPlain.for(failing)(
  '[S1-104, S4-48] with %s, the error of %s %j names no tool that cannot be called (%s)',
  async ([set, name, args, kind], { site }) => {
    site.set('/', '<title>Page</title><button>One</button><button>Two</button>');
    await using app = createApp({ toolsets: [set], launch: 'lazy' });
    const session = set === 'sessions' ? await app.call({ name: 'create_session', args: {} }) : undefined;
    const { data } = z.object({ data: z.object({ sessionId: z.string() }) }).safeParse(session?.structuredContent);
    const common = data === undefined ? {} : { sessionId: data.data.sessionId };
    const open = app.tools.find(({ does }) => does === 'browser_navigate')?.name ?? '';
    await app.call({ name: open, args: { url: site.url('/'), ...common } });
    const answer = answerOf(await app.call({ name, args: { ...common, ...args } }));
    expect(answer.structured).toMatchObject({ error: { kind } });
    const names = JSON.stringify(answer.structured).match(/\b(?:browser_[a-z_]+|[a-z]+_[a-z_]+)\b/g) ?? [];
    expect(names.filter((word) => !app.tools.some((tool) => tool.name === word))).toEqual([]);
  },
);
