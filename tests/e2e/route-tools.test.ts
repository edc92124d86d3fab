import { evaluate, expect, open, testWith } from '../fixtures.ts';

const test = testWith(['--caps=network']);
const ask = (path: string) =>
  `fetch('${path}').then(async (r) => r.status + ' ' + r.headers.get('content-type') + ' ' + (await r.text()), (e) => e.name)`;

test('a route answers requests until it is removed', async ({ site, call }) => {
  site.set('/api/users', 'real');
  await open(site, call, '<title>Home</title>');
  const added = await call('browser_route', {
    pattern: '**/api/users',
    status: 418,
    body: '[1]',
    contentType: 'application/json',
  });
  expect(added.section('Result')).toBe('Added a route for **/api/users');
  expect(await evaluate(call, ask('/api/users'))).toBe('418 application/json [1]');
  expect((await call('browser_route_list', {})).section('Result')).toBe(
    '1. **/api/users (status 418; body "[1]"; content type application/json)',
  );
  expect((await call('browser_unroute', { pattern: '**/api/users' })).section('Result')).toBe('Removed 1 route.');
  expect(await evaluate(call, ask('/api/users'))).toContain('real');
  expect((await call('browser_route_list', {})).section('Result')).toBe('There are no routes.');
});

test('a route adds and removes request headers', async ({ site, call }) => {
  site.set('/echo', (request, response) =>
    response.end(`${String(request.headers['x-new'])} ${String(request.headers['x-old'])}`),
  );
  await open(site, call, '<title>Home</title>');
  await call('browser_route', { pattern: '**/echo', headers: ['X-New: yes'], removeHeaders: 'X-Old' });
  const script = `fetch('/echo', { headers: { 'x-old': '1' } }).then((r) => r.text())`;
  expect(await evaluate(call, script)).toBe('yes undefined');
  await call('browser_unroute');
});

test('a header without a colon is an error', async ({ call }) => {
  const answer = await call('browser_route', { pattern: '**', headers: ['nonsense'] });
  expect(answer.kind).toBe('INVALID_ARGUMENT');
  expect(answer.text).toContain('"Name: value"');
});

test('an offline session fails its requests until it is online again', async ({ site, call }) => {
  site.set('/api', 'real');
  await open(site, call, '<title>Home</title>');
  expect((await call('browser_network_state_set', { state: 'offline' })).section('Result')).toBe(
    'The session is offline.',
  );
  expect(await evaluate(call, ask('/api'))).toBe('TypeError');
  await call('browser_network_state_set', { state: 'online' });
  expect(await evaluate(call, ask('/api'))).toContain('real');
});
