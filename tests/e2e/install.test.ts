import { existsSync } from 'node:fs';
import { expect, test } from '../fixtures.ts';

test('[S2-86] if a browser is installed, the answer says so and names it', async ({ call }) => {
  const answer = await call('browser_install', {});
  const path = /^The browser is ready: (\S+) \(.+\)$/.exec(answer.section('Result') ?? '')?.[1];
  expect(existsSync(path ?? '')).toBe(true);
  expect(answer.section('Page')).toBeUndefined();
});

test('progress is reported to a client that sends a progress token', async ({ driver, site }) => {
  site.set('/', '<title>Here</title><p>Text</p>');
  const reported: string[] = [];
  await driver.client.callTool(
    { name: 'browser_navigate', arguments: { url: site.url('/') } },
    { onprogress: ({ progress, message }) => reported.push(`${progress} ${message}`) },
  );
  expect(reported).toEqual(['1 Starting the browser']);
});

test('installing and navigating work in parallel', async ({ call, site }) => {
  site.set('/', '<title>Here</title><p>Text</p>');
  const [page, ready] = await Promise.all([
    call('browser_navigate', { url: site.url('/') }),
    call('browser_install', {}),
  ]);
  expect(page.isError).toBe(false);
  expect(ready.section('Result')).toMatch(/^The browser is ready: /);
});
