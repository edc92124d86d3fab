import { expect, test } from '../fixtures.ts';

test('[S2-79, R-14] browser_close closes the current page only', async ({ site, call }) => {
  site.set('/a', '<title>A</title><p>Text</p>');
  await call('browser_navigate', { url: site.url('/a') });
  await call('browser_tabs', { action: 'new' });
  const answer = await call('browser_close');
  expect(answer.section('Result')).toBe('Closed the page.');
  expect(answer.section('Ran Playwright code')).toBe('```js\nawait page.close();\n```');
  expect((await call('browser_tabs', { action: 'list' })).section('Result')).toBe(
    `- 0: (current) [A](${site.url('/a')}) t1`,
  );
});

test('[S2-79, R-14] closing the last page says so', async ({ site, call }) => {
  site.set('/a', '<title>A</title><p>Text</p>');
  await call('browser_navigate', { url: site.url('/a') });
  expect((await call('browser_close')).section('Result')).toBe(
    'Closed the page.\nNo open tabs. Navigate to a URL to create one.',
  );
  const again = await call('browser_close');
  expect(again.text).toBe('### Result\nClosed 0 pages.\nNo open tabs. Navigate to a URL to create one.');
});

test('[R-14] all: true closes all pages of this session only', async ({ site, server, call }) => {
  site.set('/a', '<title>A</title><p>Text</p>');
  await using other = await server.drive();
  await other.call('browser_navigate', { url: site.url('/a') });
  await call('browser_navigate', { url: site.url('/a') });
  await call('browser_tabs', { action: 'new' });
  expect((await call('browser_close', { all: true })).section('Result')).toBe(
    'Closed 2 pages.\nNo open tabs. Navigate to a URL to create one.',
  );
  expect((await other.call('browser_evaluate', { function: '() => document.title' })).section('Result')).toBe('A');
});

test('[R-14] browser_quit closes the browser and all sessions', async ({ site, call, callRaw }) => {
  site.set('/a', '<title>A</title><p>Text</p>');
  await call('browser_navigate', { url: site.url('/a') });
  await callRaw('create_session', { name: 'other' });
  await callRaw('browser_navigate', { url: site.url('/a'), sessionId: 'other' });
  expect((await callRaw('browser_quit', {})).text).toBe('Browser closed successfully');
  expect((await callRaw('list_sessions', {})).structured).toMatchObject({ data: { sessions: [] } });
  expect((await call('browser_tabs', { action: 'list' })).section('Result')).toBe(
    'No open tabs. Navigate to a URL to create one.',
  );
  expect((await callRaw('browser_snapshot', { sessionId: 'other' })).kind).toBe('SESSION_NOT_FOUND');
});

test('[R-14] closing with nothing open is not an error', async ({ call }) => {
  const answer = await call('browser_close');
  expect(answer.isError).toBe(false);
  expect(answer.section('Result')).toBe('Closed 0 pages.\nNo open tabs. Navigate to a URL to create one.');
});
