import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, startApp, test } from '../fixtures.ts';
import type { TestApp } from '../fixtures.ts';

function sessions(server: TestApp): readonly string[] {
  const output = join(server.folder, '.playwright-mcp');
  return readdirSync(output)
    .filter((name) => /^session-\d+$/.test(name))
    .map((name) => join(output, name, 'session.md'));
}

/** The calls of a client in the file. */
function callsIn(text: string): readonly { readonly tool: string; readonly args: unknown; readonly result: unknown }[] {
  const call = /^### Tool call: (\w+)\n- Args\n```json\n(.*?)\n```\n- Result\n```json\n(.*?)\n```$/gms;
  return [...text.matchAll(call)].map(([, tool = '', args = '', result = '']) => ({
    tool,
    args: JSON.parse(args),
    result: JSON.parse(result),
  }));
}

test('--save-session records the calls and answers of each client', async ({ site }) => {
  site.set('/', '<title>Page</title><label>Name <input></label><label>Word <input type="password"></label>');
  const server = await startApp(['--save-session', '--image-responses=inline']);
  try {
    const [first, second] = [await server.drive(), await server.drive()];
    await first.call('browser_navigate', { url: site.url('/') });
    await first.call('browser_type', { selector: 'input >> nth=0', text: 'Ada ```\n### Result' });
    await first.call('browser_type', { selector: 'input >> nth=1', text: 'hunter2-hunter2' });
    await first.call('browser_click', { selector: '#nobody', timeout: 50 });
    await first.call('browser_take_screenshot', {});
    await second.call('browser_snapshot', {});
    await server.app[Symbol.asyncDispose]();
    const files = sessions(server);
    expect(files).toHaveLength(2);
    const texts = files.map((file) => readFileSync(file, 'utf8')).toSorted((a, b) => b.length - a.length);
    const [calls = [], others = []] = texts.map(callsIn);
    expect(calls.map(({ tool }) => tool)).toEqual([
      'browser_navigate',
      'browser_type',
      'browser_type',
      'browser_click',
      'browser_take_screenshot',
    ]);
    expect(calls[0]?.args).toEqual({ url: site.url('/') });
    expect(calls[0]?.result).toMatchObject({
      result: `Successfully navigated to ${site.url('/')}\nTitle: Page`,
      code: `await page.goto('${site.url('/')}');`,
      inlineSnapshot: expect.stringContaining('Name'),
    });
    expect(calls[1]?.args).toEqual({ selector: 'input >> nth=0', text: 'Ada ```\n### Result' });
    expect(calls[2]?.args).toEqual({ selector: 'input >> nth=1', text: '[REDACTED]' });
    expect(calls[3]?.result).toMatchObject({ isError: true, error: expect.stringContaining('#nobody') });
    expect(calls[4]?.result).toMatchObject({ attachments: [{ type: 'image', mimeType: 'image/jpeg' }] });
    expect(texts.join('')).not.toContain('hunter2');
    expect(others.map(({ tool }) => tool)).toContain('browser_snapshot');
    expect(statSync(files[0] ?? '').mode & 0o777).toBe(0o600);
  } finally {
    await server[Symbol.asyncDispose]();
  }
});
