import { createServer } from 'node:http';
import { beforeAll, expect, test } from 'vitest';
import { ensureBuilt } from '../built.ts';
import { ServerProcess } from './server-process.ts';

beforeAll(ensureBuilt);

const page = `<!doctype html><title>T</title><input aria-label="Name" value="a"><button>Go</button>
<select aria-label="List"><option>One<option>Two</select><input type="checkbox" aria-label="Box">`;

/** Playwright's own actions take ten to twenty messages each. */
test('an action on a ready element takes only a few browser messages', async () => {
  const site = createServer((_, response) => void response.setHeader('content-type', 'text/html').end(page));
  await new Promise<void>((resolve) => void site.listen(0, '127.0.0.1', resolve));
  const address = site.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  await using server = new ServerProcess({
    args: ['--headless', '--isolated', '--toolset=all'],
    env: { DEBUG: 'pw:protocol', DEBUG_COLORS: '0' },
  });
  await server.initialize();
  const { text } = await server.call('browser_navigate', { url: `http://127.0.0.1:${port}/` });
  const ref = (role: string): string => new RegExp(String.raw`${role}.*?\[ref=(\w+)\]`).exec(text)?.[1] ?? '';
  const sent = async (name: string, args: object): Promise<readonly string[]> => {
    const before = server.stderr.length;
    expect((await server.call(name, args)).isError).toBe(false);
    const said = [...server.stderr.slice(before).matchAll(/SEND ► .*?"method":"([\w.]+)"/g)].map(
      ([, method = '']) => method,
    );
    // A speculative snapshot that came too early is taken again.
    expect(said.filter((method) => method === 'Runtime.evaluate').length).toBeLessThanOrEqual(6);
    return said.filter((method) => method !== 'Runtime.evaluate');
  };
  // The quiet time of a page is unknown on the first call.
  await server.call('browser_click', { ref: ref('button') });
  const mouse = 'Input.dispatchMouseEvent';
  expect(await sent('browser_type', { ref: ref('textbox'), text: 'b' })).toEqual(['Input.insertText']);
  expect(await sent('browser_select_option', { ref: ref('combobox'), values: ['Two'] })).toEqual([]);
  expect(await sent('browser_hover', { ref: ref('button') })).toEqual([mouse]);
  expect(await sent('browser_check', { ref: ref('checkbox') })).toEqual([mouse, mouse, mouse]);
  expect(await sent('browser_click', { ref: ref('button') })).toEqual([mouse, mouse, mouse]);
  expect(await sent('browser_evaluate', { function: '() => document.title' })).toEqual([]);
  expect(await sent('browser_tabs', { action: 'list' })).toEqual([]);
  // The caret is hidden, and shown again; the copy of the storage follows the answer.
  const run = 'Runtime.callFunctionOn';
  expect((await sent('browser_take_screenshot', {})).slice(0, 3)).toEqual([run, 'Page.captureScreenshot', run]);
  site.closeAllConnections();
  site.close();
});
