import { expect, test } from 'vitest';
import { runTop, topArguments } from '../../src/cli/commands/top.ts';
import { key, startListener } from './http-listener.ts';

const signal = new AbortController().signal;

test('top shows sessions, calls and memory of a running server', async () => {
  await using server = await startListener();
  await using client = await server.client();
  await client.call('browser_navigate', { url: 'data:text/html,<title>Shop' });
  await client.call('browser_tabs', { action: 'none' });
  let text = '';
  const options = topArguments(['--once', `--url=${server.url.origin}`, '--key', key], {});
  expect(await runTop({ ...options, write: (part) => (text += part), signal })).toBe(0);
  const lines = text.split('\n');
  expect(lines[0]).toMatch(/^pagehelm \S+ at http:\/\/127\.0\.0\.1:\d+, up \d+ s$/);
  expect(lines[1]).toBe('Sessions 1   Calls 2 (1 failed), 0 waiting');
  expect(lines[2]).toMatch(/^Memory {3}server \d+ MB, browsers \d+ MB$/);
  expect(lines[4]).toMatch(/^SESSION +DRIVER +CALLS +TOKENS +IDLE +DOING$/);
  expect(lines[5]).toMatch(/^default +key:default +0 +\d+ +\d+ s +data:text\/html,<title>Shop$/);
});

test('top names the problem with a wrong key, a server that is not there, and wrong arguments', async () => {
  await using server = await startListener();
  const top = async (...words: readonly string[]): Promise<unknown> =>
    runTop({ ...topArguments(['--once', ...words], {}), write: () => undefined, signal }).catch(
      (error: unknown) => Object(error).message,
    );
  expect(await top('--url', server.url.origin)).toBe(
    `${server.url.origin}/api/v1/state answered 401. Give the key of the server with --key or PAGEHELM_API_KEY.`,
  );
  expect(await top('--url', server.url.origin, '--key', 'wrong')).toContain('answered 403. Give the key');
  expect(await top('--url', 'http://127.0.0.1:1')).toContain('cannot be reached');
  expect(() => topArguments(['--colour'], {})).toThrow('Unknown argument "--colour". Usage: pagehelm top');
  expect(() => topArguments(['--url', 'nowhere'], {})).toThrow('"nowhere" is not a URL.');
  expect(topArguments([], { PAGEHELM_API_KEY: 'k' })).toEqual({ url: 'http://localhost:8931', key: 'k', once: false });
});
