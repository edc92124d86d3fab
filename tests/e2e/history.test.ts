import { expect, slowly, testWith } from '../fixtures.ts';

const test = testWith(['--toolset=all']);

test('forward opens the next page of the history and waits for it', async ({ site, call }) => {
  site.set('/a', '<title>A</title><h1>First</h1>');
  site.set('/b', slowly(200, '<title>B</title><h1>Second</h1>'));
  await call('browser_navigate', { url: site.url('/a') });
  await call('browser_navigate', { url: site.url('/b') });
  await call('browser_navigate_back');
  const answer = await call('browser_navigate_forward');
  expect(answer.page).toBe(`- Page URL: ${site.url('/b')}\n- Page Title: B`);
  expect(answer.section('Snapshot')).toContain('- heading "Second"');
});

test('forward without a next page is an error', async ({ site, call }) => {
  site.set('/a', '<title>A</title><h1>First</h1>');
  await call('browser_navigate', { url: site.url('/a') });
  expect((await call('browser_navigate_forward')).text).toBe(
    '### Error\n[NO_HISTORY] There is no page to go forward to in this tab.\nUse browser_navigate with a URL.',
  );
});

test('reload requests the page again and shows the new content', async ({ site, call }) => {
  let visits = 0;
  site.set('/', (_request, response) => {
    visits++;
    response.setHeader('content-type', 'text/html').end(`<title>Count</title><h1>Visit ${visits}</h1>`);
  });
  await call('browser_navigate', { url: site.url('/') });
  const answer = await call('browser_reload');
  expect(answer.section('Result')?.split('\n')[0]).toBe('Reloaded the page.');
  expect(answer.section('Snapshot')).toContain('- heading "Visit 2"');
  expect(visits).toBe(2);
});
