import { expect, open, test } from '../fixtures.ts';

test('[S0-04] the list has every offered tool, with name, description and input schema', async ({ server, driver }) => {
  const { tools } = await driver.client.listTools();
  expect(tools.map((tool) => tool.name)).toEqual(server.app.tools.map((tool) => tool.name));
  expect(tools.length).toBeGreaterThan(27);
  for (const tool of tools) {
    expect(tool.description, tool.name).toMatch(/^[A-Z].*\.$/);
    expect(tool.inputSchema, tool.name).toMatchObject({ type: 'object', properties: expect.any(Object) });
  }
});

test('[S0-08] an unknown tool is a protocol error that names the nearest one', async ({ driver }) => {
  const failure = driver.client.callTool({ name: 'browser_clik', arguments: {} });
  await expect(failure).rejects.toMatchObject({
    code: -32601,
    message: expect.stringContaining('Unknown tool: browser_clik'),
    data: { suggestion: 'browser_click' },
  });
});

test.for([
  ['browser_nav', 'browser_navigate'],
  ['snap', 'browser_snapshot'],
  ['create_sess', 'create_session'],
])('[S0-08] the prefix %s is answered with the full name', async ([name = '', suggestion], { driver }) => {
  const failure = driver.client.callTool({ name, arguments: {} });
  await expect(failure).rejects.toMatchObject({ code: -32601, data: { suggestion } });
});

test('[S0-08] a name without a close match gets no suggestion', async ({ driver }) => {
  const failure = driver.client.callTool({ name: 'make_coffee', arguments: {} });
  await expect(failure).rejects.toMatchObject({
    code: -32601,
    message: expect.stringMatching(/Unknown tool: make_coffee$/),
  });
});

test('[R-12] an unknown session is rejected', async ({ callRaw }) => {
  const answer = await callRaw('browser_snapshot', { sessionId: 'nobody' });
  expect(answer.text).toBe(
    '### Error\n[SESSION_NOT_FOUND] There is no session "nobody".\nCreate a new session with create_session tool.',
  );
});

test('the default session can be named', async ({ callRaw }) => {
  expect((await callRaw('browser_evaluate', { function: '() => 1', sessionId: 'default' })).section('Result')).toBe(
    '1',
  );
});

test('canceling a call frees the session for the next one', async ({ driver, call }) => {
  const cancel = new AbortController();
  const waiting = driver.client.callTool(
    { name: 'browser_wait_for', arguments: { time: 30 } },
    { signal: cancel.signal },
  );
  cancel.abort();
  await expect(waiting).rejects.toThrow();
  expect((await call('browser_evaluate', { function: '() => 1' })).section('Result')).toBe('1');
});

test('calls of one session run in order', async ({ site, call }) => {
  await open(site, call, '<title>0</title><p>Text</p>');
  const titles = Array.from({ length: 8 }, (_, index) => String(index));
  const answers = await Promise.all(
    titles.map((title) =>
      call('browser_evaluate', {
        function: `() => { const old = document.title; document.title = old + ${title}; return old }`,
      }),
    ),
  );
  expect(answers.map((answer) => answer.section('Result'))).toEqual([
    '0',
    '00',
    '001',
    '0012',
    '00123',
    '001234',
    '0012345',
    '00123456',
  ]);
});

test('[S0-31] two clients have separate sessions that run in parallel', async ({ site, server, call }) => {
  site.set('/', '<title>Shared</title><p>Text</p>');
  await using other = await server.drive();
  await Promise.all([
    call('browser_navigate', { url: site.url('/') }),
    other.call('browser_navigate', { url: site.url('/') }),
  ]);
  await call('browser_evaluate', { function: '() => { document.cookie = "mine=1" }' });
  expect((await other.call('browser_evaluate', { function: '() => document.cookie' })).section('Result')).toBe('');
});
