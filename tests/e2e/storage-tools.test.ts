import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { evaluate, expect, open, testWith } from '../fixtures.ts';

const test = testWith(['--caps=storage']);

test('cookies are set, listed, shown, deleted and cleared', async ({ site, call }) => {
  await open(site, call, '<title>Home</title>');
  await call('browser_cookie_set', { name: 'a', value: '1' });
  const set = await call('browser_cookie_set', {
    name: 'b',
    value: '2',
    path: '/deep',
    httpOnly: true,
    sameSite: 'Lax',
  });
  expect(set.section('Result')).toBe('Set the cookie "b" for 127.0.0.1.');
  expect(set.section('Ran Playwright code')).toContain(
    "await page.context().addCookies([{ name: 'b', value: '2', domain: '127.0.0.1', path: '/deep', httpOnly: true, sameSite: 'Lax' }]);",
  );
  expect(await evaluate(call, 'document.cookie')).toBe('a=1');
  expect((await call('browser_cookie_list')).section('Result')?.split('\n').sort()).toEqual([
    'a=1 (domain: 127.0.0.1, path: /)',
    'b=2 (domain: 127.0.0.1, path: /deep)',
  ]);
  expect((await call('browser_cookie_list', { path: '/deep' })).section('Result')).toMatch(/^b=2[^\n]*$/);
  expect((await call('browser_cookie_list', { domain: 'example.com' })).section('Result')).toBe(
    'There are no such cookies.',
  );
  expect((await call('browser_cookie_get', { name: 'b' })).section('Result')).toMatch(/httpOnly: true.*sameSite: Lax/);
  expect((await call('browser_cookie_get', { name: 'c' })).section('Result')).toBe('There is no cookie "c".');
  expect((await call('browser_cookie_delete', { name: 'a' })).section('Result')).toBe(
    'Deleted 1 cookie with the name "a".',
  );
  expect((await call('browser_cookie_clear', {})).section('Result')).toBe('Deleted 1 cookie.');
  expect((await call('browser_cookie_list')).section('Result')).toBe('There are no such cookies.');
});

test('a cookie without a domain needs a page with a host', async ({ call }) => {
  await call('browser_navigate', { url: 'about:blank' });
  const answer = await call('browser_cookie_set', { name: 'a', value: '1' });
  expect(answer.kind).toBe('INVALID_ARGUMENT');
  expect(answer.text).toContain('Give "domain"');
});

test.for(['localstorage', 'sessionstorage'] as const)(
  '%s is written, read and cleared',
  async (area, { site, callRaw, call }) => {
    const name = area === 'localstorage' ? 'localStorage' : 'sessionStorage';
    await open(site, call, '<title>Home</title>');
    expect((await callRaw(`browser_${area}_list`, {})).section('Result')).toBe(`The ${name} of the page is empty.`);
    await callRaw(`browser_${area}_set`, { key: 'k', value: 'v 1' });
    await callRaw(`browser_${area}_set`, { key: 'l', value: '2' });
    expect(await evaluate(call, `${name}.getItem('k')`)).toBe('v 1');
    expect((await callRaw(`browser_${area}_list`, {})).section('Result')?.split('\n').sort()).toEqual(['k=v 1', 'l=2']);
    const got = await callRaw(`browser_${area}_get`, { key: 'k' });
    expect(got.section('Result')).toBe('k=v 1');
    expect(got.section('Ran Playwright code')).toContain(`await page.${name}.getItem('k');`);
    expect((await callRaw(`browser_${area}_get`, { key: 'x' })).section('Result')).toBe(
      `There is no key "x" in the ${name}.`,
    );
    await callRaw(`browser_${area}_delete`, { key: 'k' });
    expect((await callRaw(`browser_${area}_clear`, {})).section('Result')).toBe(`Removed 1 key from the ${name}.`);
    expect(await evaluate(call, `${name}.length`)).toBe('0');
  },
);

test('a page without an origin has no local storage', async ({ call }) => {
  await call('browser_navigate', { url: 'data:text/html,<p>x</p>' });
  const answer = await call('browser_localstorage_list', {});
  expect(answer.kind).toBe('EVALUATION_FAILED');
  expect(answer.text).toContain('has no localStorage');
});

test('the storage state is saved to a file and restored from it', async ({ site, server, call }) => {
  await open(site, call, "<title>Home</title><script>localStorage.setItem('k', 'v'); document.cookie = 'a=1'</script>");
  const saved = await call('browser_storage_state', { filename: 'mine.json' });
  expect(saved.section('Result')).toBe('Saved 1 cookie and 1 origin to .playwright-mcp/mine.json');
  const state: unknown = JSON.parse(await readFile(join(server.folder, '.playwright-mcp/mine.json'), 'utf8'));
  expect(state).toMatchObject({ cookies: [{ name: 'a', value: '1' }] });
  await call('browser_cookie_clear', {});
  await call('browser_localstorage_clear', {});
  expect((await call('browser_set_storage_state', { filename: 'mine.json' })).section('Result')).toBe(
    'Restored 1 cookie and 1 origin.',
  );
  expect((await call('browser_cookie_list')).section('Result')).toContain('a=1');
  expect((await call('browser_set_storage_state', { filename: 'none.json' })).isError).toBe(true);
});
