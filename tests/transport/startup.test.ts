import { beforeAll, expect, test } from 'vitest';
import { ensureBuilt } from '../built.ts';
import { eventually, ownBrowsers } from './processes.ts';
import { ServerProcess } from './server-process.ts';

beforeAll(ensureBuilt);

test.each([
  ['[S3-36, R-5] --launch=startup', '--launch=startup', 1],
  ['[S1-120, R-5] --min-browsers=2', '--min-browsers=2', 2],
])('%s starts the browsers with the server, before any call, and sessions use them', async (_, flag, count) => {
  await using server = new ServerProcess({ args: ['--headless', '--isolated', flag] });
  const browsers = (): readonly number[] => ownBrowsers(server.pid).map(({ pid }) => pid);
  await eventually('the browsers run', () => browsers().length === count || `${browsers().length}`, 20_000);
  const started = browsers();
  await server.initialize();
  expect((await server.call('create_session')).isError).toBe(false);
  expect((await server.call('browser_navigate', { url: 'data:text/html,<p>Text' })).isError).toBe(false);
  expect(browsers()).toEqual(started);
});

test('[S0-28, R-5] without them, no browser starts before the first tool call', async () => {
  await using server = new ServerProcess({ args: ['--headless', '--isolated'] });
  await server.initialize();
  await server.request('tools/list');
  expect(ownBrowsers(server.pid)).toEqual([]);
  expect((await server.call('browser_navigate', { url: 'data:text/html,<p>Text' })).isError).toBe(false);
  expect(ownBrowsers(server.pid)).toHaveLength(1);
});
