import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { readFrameHeader, tokenHeader } from '../../src/dashboard/protocol.ts';
import { enter, get, openSession, ownHeaders, person, start, watch } from './dashboard-person.ts';
import type { Person } from './dashboard-person.ts';
import { key, startListener } from './http-listener.ts';
import type { Sent, TestListener } from './http-listener.ts';

describe('entering', () => {
  test('the files of the page need no key, contain no data, and allow nothing foreign', async () => {
    await using server = await start();
    for (const path of ['/dashboard', '/dashboard/app.js', '/dashboard/app.css']) {
      const { status, headers, text } = await server.send({ path, key: null });
      expect(status).toBe(200);
      expect(headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'");
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
      expect(headers['x-frame-options']).toBe('DENY');
      expect(headers['referrer-policy']).toBe('no-referrer');
      expect(headers['access-control-allow-origin']).toBeUndefined();
      expect(text.length).toBeGreaterThan(100);
    }
  });

  test('the page is at most 90 kB and requests nothing external', async () => {
    await using server = await start();
    const parts = ['/dashboard', '/dashboard/app.js', '/dashboard/app.css'];
    const texts = await Promise.all(parts.map(async (path) => (await server.send({ path, key: null })).text));
    expect(texts.join('').length).toBeLessThan(90_000);
    const urls = texts.join('').match(/https?:\/\/[\w.]+/g) ?? [];
    expect(urls.filter((url) => !url.startsWith('http://www.w3.org'))).toEqual([]);
  });

  test('a ticket is good for one entrance, and gives a cookie that scripts and other sites do not get', async () => {
    await using server = await start();
    const ticket = server.dashboard.access.ticket({ driver: undefined, scope: 'admin' });
    const answer = await enter(server, { body: { ticket } });
    expect(answer.headers['set-cookie']).toEqual([
      expect.stringMatching(/^pagehelm=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/; Max-Age=28800$/),
    ]);
    expect(answer.text).not.toContain(ticket);
    expect((await enter(server, { body: { ticket } })).status).toBe(403);
  });

  test('text that was typed into a password field is shown nowhere', async () => {
    await using server = await start();
    const report = `console.log('code ' + this.value); document.title = this.value`;
    const page = `data:text/html,<title>Shop</title><input type=password aria-label=Code oninput="${report}">`;
    const id = await openSession(server, 'ann-key', page);
    await using client = await server.client({}, 'ann-key');
    expect((await client.call('browser_type', { selector: 'input', text: 'opensesame' })).isError).toBe(false);
    const ann = await person(server, { key: 'ann-key' });
    const paths = ['state', ...['console', 'calls', 'requests'].map((what) => `sessions/${id}/${what}`)];
    const texts = await Promise.all(
      paths.map(async (path) => (await get(server, `/api/v1/${path}`, ann.headers)).text),
    );
    expect(texts[1]).toContain('code [REDACTED]');
    expect(texts.join('\n')).not.toContain('opensesame');
  });

  test('a person with a key sees the sessions of that key, and an operator all', async () => {
    await using server = await start();
    const mine = await openSession(server, 'ann-key');
    const other = await openSession(server, 'bob-key');
    const ann = await person(server, { key: 'ann-key' });
    const { text } = await get(server, '/api/v1/state', ann.headers);
    expect(text).toContain(mine);
    expect(text).not.toContain(other);
    expect((await get(server, `/api/v1/sessions/${other}/console`, ann.headers)).status).toBe(404);
    const ticket = server.dashboard.access.ticket({ driver: undefined, scope: 'admin' });
    const operator = await person(server, { body: { ticket } });
    const all = await get(server, '/api/v1/state', operator.headers);
    expect([all.text.includes(mine), all.text.includes(other)]).toEqual([true, true]);
  });
});

describe('attacks', () => {
  const state = { path: '/api/v1/state' };
  /** Each row: what is sent, and the only acceptable statuses. */
  const rows: readonly (readonly [name: string, sent: (own: Person, server: TestListener) => Sent, status: number])[] =
    [
      ['no key', () => state, 401],
      ['a wrong key', () => ({ ...state, key: 'wrong' }), 403],
      [
        'the cookie alone, as another port of this host gets it',
        ({ cookie }) => ({ ...state, headers: { cookie } }),
        401,
      ],
      ['the token alone', ({ token }) => ({ ...state, headers: { [tokenHeader]: token } }), 401],
      [
        'the token of another visit',
        ({ cookie }) => ({ ...state, headers: { cookie, [tokenHeader]: 'x'.repeat(43) } }),
        401,
      ],
      ['a key in the query', () => ({ path: '/api/v1/state?key=ann-key&token=ann-key' }), 401],
      ['a key in a cookie', () => ({ ...state, headers: { cookie: 'pagehelm=ann-key' } }), 401],
      [
        'a fetch of another site',
        ({ headers }) => ({ ...state, headers: { ...headers, origin: 'https://evil.example' } }),
        403,
      ],
      ['a fetch of a sandboxed frame', ({ headers }) => ({ ...state, headers: { ...headers, origin: 'null' } }), 403],
      ['a rebound host', ({ headers }) => ({ ...state, headers: { ...headers, host: 'evil.example' } }), 403],
      ['an absolute target', ({ headers }) => ({ path: 'http://evil.example/api/v1/state', headers }), 400],
      ['a path with dots', ({ headers }) => ({ path: '/api/v1/../../metrics', headers }), 404],
      ['an unknown path', ({ headers }) => ({ path: '/api/v1/keys', headers }), 404],
      ['an unknown session', ({ headers }) => ({ path: '/api/v1/sessions/none/calls', headers }), 404],
      [
        'a session id with a path',
        ({ headers }) => ({ path: '/api/v1/sessions/..%2f..%2fmetrics/calls', headers }),
        404,
      ],
      ['a write to a read', ({ headers }) => ({ method: 'DELETE', path: '/api/v1/state', headers }), 405],
      ['the WebSocket path without an upgrade', ({ headers }) => ({ path: '/api/v1/watch', headers }), 426],
      ['a form of another site', () => ({ method: 'POST', path: '/dashboard/enter', body: 'ticket=x' }), 403],
      [
        'an entrance without the header of the page',
        (_, server) => ({ method: 'POST', path: '/dashboard/enter', headers: ownHeaders(server), body: {} }),
        403,
      ],
      [
        'an entrance from the same site on another port',
        (_, server) => ({
          method: 'POST',
          path: '/dashboard/enter',
          headers: { ...ownHeaders(server), 'sec-fetch-site': 'same-site', [tokenHeader]: '' },
          body: {},
        }),
        403,
      ],
      [
        'a ticket that never was',
        (_, server) => ({
          method: 'POST',
          path: '/dashboard/enter',
          headers: { ...ownHeaders(server), [tokenHeader]: '' },
          body: { ticket: 'x'.repeat(43) },
        }),
        403,
      ],
      [
        'an entrance that is no object',
        (_, server) => ({
          method: 'POST',
          path: '/dashboard/enter',
          headers: { ...ownHeaders(server), [tokenHeader]: '' },
          body: '[1]',
        }),
        403,
      ],
      [
        'a picture of another session',
        ({ headers }) => ({ path: '/api/v1/sessions/none/pictures/00ff00ff', headers }),
        404,
      ],
      ['a picture by path', ({ headers }) => ({ path: '/api/v1/sessions/x/pictures/..%2f..', headers }), 404],
      [
        'control without the header of the page',
        ({ headers: { [tokenHeader]: _token, ...headers } }) => ({
          method: 'POST',
          path: '/api/v1/sessions/x/control',
          headers,
          body: { do: 'take' },
        }),
        401,
      ],
      [
        'control from another site',
        ({ headers }) => ({
          method: 'POST',
          path: '/api/v1/sessions/x/control',
          headers: { ...headers, 'sec-fetch-site': 'cross-site' },
          body: { do: 'take' },
        }),
        403,
      ],
      [
        'control of an unknown session',
        ({ headers }) => ({ method: 'POST', path: '/api/v1/sessions/x/control', headers, body: { do: 'take' } }),
        404,
      ],
      [
        'a file for an unknown session',
        ({ headers }) => ({ method: 'POST', path: '/api/v1/sessions/x/files?popup=1&name=a', headers, body: 'x' }),
        404,
      ],
      [
        'a note for an unknown session',
        ({ headers }) => ({ method: 'POST', path: '/api/v1/sessions/x/annotate', headers, body: { text: 'x' } }),
        404,
      ],
      ['a GET that would enter', ({ headers }) => ({ path: '/dashboard/enter', headers }), 405],
      ['a POST to the page', ({ headers }) => ({ method: 'POST', path: '/dashboard', headers }), 405],
    ];

  test.each(rows)('%s is refused', async (_, sent, status) => {
    await using server = await start();
    const own = await person(server, { key: 'ann-key' });
    const answer = await server.send({ key: null, ...sent(own, server) });
    expect(answer.status).toBe(status);
    expect(answer.text).not.toContain('"sessions"');
    expect(answer.headers['set-cookie']).toBeUndefined();
  });

  const changes: readonly (readonly [name: string, headers: (own: Person, server: TestListener) => object])[] = [
    ['without an Origin', ({ headers: { origin: _origin, ...rest } }) => rest],
    ['of another site', ({ headers }) => ({ ...headers, 'sec-fetch-site': 'cross-site' })],
    ['typed into the address bar', ({ headers }) => ({ ...headers, 'sec-fetch-site': 'none' })],
    ['from another port', ({ headers }) => ({ ...headers, origin: 'http://127.0.0.1:1' })],
    ['without the token', ({ headers: { [tokenHeader]: _token, ...rest } }) => rest],
    ['without the cookie', ({ headers: { cookie: _cookie, ...rest } }) => rest],
  ];

  test('changes need cookie, token, own Origin and Sec-Fetch-Site, the right scope and the right driver', async () => {
    await using server = await start();
    const id = await openSession(server, 'ann-key');
    const path = `/api/v1/sessions/${id}/close`;
    const own = await person(server, { key: 'ann-key' });
    for (const [name, headers] of changes) {
      const sent = { method: 'POST', path, key: null, headers: { ...headers(own, server) } };
      expect([name, [401, 403].includes((await server.send(sent)).status)]).toEqual([name, true]);
    }
    const bob = await person(server, { key: 'bob-key' });
    expect((await server.send({ method: 'POST', path, key: null, headers: bob.headers })).status).toBe(404);
    const viewer = server.dashboard.access.enter({ driver: undefined, scope: 'view' });
    const looks = { ...own.headers, cookie: `pagehelm=${viewer.cookie}`, [tokenHeader]: viewer.token };
    expect((await get(server, '/api/v1/state', looks)).status).toBe(200);
    expect((await server.send({ method: 'POST', path, key: null, headers: looks })).status).toBe(403);
    expect((await get(server, '/api/v1/state', own.headers)).text).toContain(id);
    expect((await server.send({ method: 'POST', path, key: null, headers: own.headers })).status).toBe(200);
    expect((await get(server, '/api/v1/state', own.headers)).text).not.toContain(id);
  });

  test('a WebSocket needs the own Origin, the cookie and the token', async () => {
    await using server = await start();
    const own = await person(server, { key: 'ann-key' });
    const url = `ws://127.0.0.1:${server.port}/api/v1/watch`;
    const refused = async (headers: Record<string, string>): Promise<unknown> => {
      const socket = new WebSocket(url, { headers });
      const [error] = await once(socket, 'error').catch((thrown: unknown) => [thrown]);
      return Object(error).message;
    };
    expect(await refused({ cookie: own.cookie })).toContain('403');
    expect(await refused({ cookie: own.cookie, origin: 'https://evil.example' })).toContain('403');
    expect(await refused({ cookie: own.cookie, origin: 'http://127.0.0.1:1' })).toContain('403');
    expect(await refused({ origin: server.url.origin })).toContain('401');
    const first = async (message: string | Buffer): Promise<number> => {
      const socket = new WebSocket(url, { headers: { cookie: own.cookie, origin: server.url.origin } });
      await once(socket, 'open');
      socket.send(message);
      const [code]: unknown[] = await once(socket, 'close');
      return Number(code);
    };
    expect(await first(JSON.stringify({ type: 'hello', token: 'x'.repeat(43) }))).toBe(1008);
    expect(await first(JSON.stringify({ type: 'watch', stream: 1, session: 'x', width: 99, height: 99, fps: 1 }))).toBe(
      1008,
    );
    expect(await first('not JSON')).toBe(1008);
    expect(await first(Buffer.from([1, 2, 3]))).toBe(1008);
  });

  test('a page inside the browser of the agent reaches nothing of it', async () => {
    await using server = await start();
    await using client = await server.client({}, 'ann-key');
    await client.call('browser_navigate', { url: `${server.url.origin}/dashboard` });
    const script = `async () => {
      const statusOf = async (path, options) => (await fetch(path, options)).status;
      const headers = { 'x-pagehelm-dashboard': '' };
      return [
        await statusOf('/api/v1/state'),
        await statusOf('/dashboard/enter', { method: 'POST', headers, body: '{}' }),
        await new Promise((resolve) => {
          const socket = new WebSocket(location.origin.replace('http', 'ws') + '/api/v1/watch');
          socket.onerror = () => resolve('refused');
          socket.onopen = () => resolve('open');
        }),
      ];
    }`;
    const { text } = await client.call('browser_evaluate', { function: script });
    expect(text.replaceAll(/\s/g, '')).toContain('[401,415,"refused"]');
  });
});

describe('watching', () => {
  const headerOf = (frame: Buffer) => readFrameHeader(new DataView(frame.buffer, frame.byteOffset, 24));

  test('calls appear as events, without typed passwords, and only to their own driver', async () => {
    await using server = await start();
    const ann = await person(server, { key: 'ann-key' });
    using own = await watch(server, ann);
    using other = await watch(server, await person(server, { key: 'bob-key' }));
    await using client = await server.client({}, 'ann-key');
    await client.call('browser_navigate', { url: 'data:text/html,<input type=password>' });
    await client.call('browser_type', { selector: 'input', text: 'hunter2' });
    const ended = (messages: readonly Record<string, unknown>[]): readonly unknown[] =>
      messages.map(({ event }) => event).filter((event) => Object(event).type === 'call.ended');
    await expect.poll(() => ended(own.messages).length).toBe(2);
    expect(ended(own.messages)[1]).toMatchObject({ tool: 'browser_type', ms: expect.any(Number) });
    expect(JSON.stringify(own.messages)).not.toContain('hunter2');
    expect(ended(other.messages)).toEqual([]);
    const id = String(Object(ended(own.messages)[0]).session);
    const { text } = await get(server, `/api/v1/sessions/${id}/calls`, ann.headers);
    expect(text).toContain('"tool":"browser_type"');
    expect(text).not.toContain('hunter2');
  });

  test('frames come only while a viewer watches, one at a time until it is acknowledged', async () => {
    await using server = await start();
    const page =
      '<title>Clock</title><body><script>setInterval(() => document.body.textContent = Date.now(), 20)</script>';
    const id = await openSession(server, 'ann-key', `data:text/html,${encodeURIComponent(page)}`);
    using own = await watch(server, await person(server, { key: 'ann-key' }));
    await expect.poll(() => own.messages.length).toBeGreaterThan(0);
    expect(server.dashboard.films.running).toBe(0);
    own.socket.send(JSON.stringify({ type: 'watch', stream: 7, session: id, width: 640, height: 640, fps: 30 }));
    await expect.poll(() => own.frames.length, { timeout: 10_000 }).toBe(1);
    const [first = Buffer.alloc(24)] = own.frames;
    expect(first.subarray(24, 26).toString('hex')).toBe('ffd8');
    expect(headerOf(first)).toMatchObject({ stream: 7, seq: expect.any(Number), width: 1280, height: 720 });
    // Two states later, no other frame has come.
    const before = own.messages.length;
    await expect.poll(() => own.messages.length, { timeout: 10_000 }).toBeGreaterThan(before + 1);
    expect(own.frames).toHaveLength(1);
    own.socket.send(JSON.stringify({ type: 'ack', stream: 7, seq: headerOf(first)?.seq }));
    await expect.poll(() => own.frames.length).toBe(2);
    // The newest one: those that were made meanwhile are skipped.
    expect(headerOf(own.frames[1] ?? first)?.seq).toBeGreaterThan((headerOf(first)?.seq ?? 0) + 1);
    expect(server.dashboard.films.running).toBe(1);
    own.socket.terminate();
    await expect.poll(() => server.dashboard.films.running, { timeout: 10_000 }).toBe(0);
  });

  test('looking leaves no trace in the page', async () => {
    await using server = await start();
    const page = `<title>Log</title><body><p>text</p><script>
      window.seen = [];
      for (const type of ['resize', 'focus', 'blur', 'visibilitychange', 'pagehide', 'freeze', 'resume'])
        for (const target of [window, document]) target.addEventListener(type, () => seen.push(type), true);
      new MutationObserver(() => seen.push('mutation')).observe(document, { subtree: true, childList: true, attributes: true });
      new PerformanceObserver((list) => seen.push(...list.getEntries().map(({ name }) => name))).observe({ type: 'resource' });
    </script>`;
    const id = await openSession(server, 'ann-key', `data:text/html,${encodeURIComponent(page)}`);
    using own = await watch(server, await person(server, { key: 'ann-key' }));
    own.socket.send(JSON.stringify({ type: 'watch', stream: 1, session: id, width: 320, height: 320, fps: 5 }));
    await expect.poll(() => own.frames.length, { timeout: 10_000 }).toBe(1);
    await using client = await server.client({}, 'ann-key');
    const { text } = await client.call('browser_evaluate', { function: '() => [seen, innerWidth, innerHeight]' });
    expect(text.replaceAll(/\s/g, '')).toContain('[[],1280,720]');
  });

  test('a session of another key cannot be watched', async () => {
    await using server = await start();
    const id = await openSession(server, 'bob-key');
    using own = await watch(server, await person(server, { key: 'ann-key' }));
    own.socket.send(JSON.stringify({ type: 'watch', stream: 1, session: id, width: 320, height: 320, fps: 5 }));
    await expect.poll(() => own.messages.length, { timeout: 10_000 }).toBeGreaterThan(1);
    expect(own.frames).toEqual([]);
    expect(server.dashboard.films.running).toBe(0);
  });

  test('200 viewers that vanish leave no film, no viewer and no listener', async () => {
    await using server = await start();
    const id = await openSession(server, 'ann-key');
    const ann = await person(server, { key: 'ann-key' });
    for (let round = 0; round < 10; round++) {
      const viewers = await Promise.all(Array.from({ length: 20 }, async () => watch(server, ann)));
      for (const { socket } of viewers)
        socket.send(JSON.stringify({ type: 'watch', stream: 1, session: id, width: 320, height: 320, fps: 5 }));
      for (const { socket } of viewers) socket.terminate();
    }
    await expect.poll(() => server.dashboard.viewers).toBe(0);
    await expect.poll(() => server.dashboard.films.running, { timeout: 10_000 }).toBe(0);
  });

  test('a person stops a call, and the answer says so', async () => {
    await using server = await start();
    const id = await openSession(server, 'ann-key');
    const ann = await person(server, { key: 'ann-key' });
    await using client = await server.client({}, 'ann-key');
    const waiting = client.call('browser_wait_for', { text: 'never there', timeout: 50_000 });
    const running = async (): Promise<string> =>
      /"running":\{"id":"([\da-f]+)"/.exec((await get(server, '/api/v1/state', ann.headers)).text)?.[1] ?? '';
    await expect.poll(running, { timeout: 10_000 }).not.toBe('');
    const path = `/api/v1/sessions/${id}/calls/${await running()}/cancel`;
    expect((await server.send({ method: 'POST', path, headers: ann.headers, key: null })).status).toBe(200);
    const answer = await waiting;
    expect(answer.kind).toBe('STOPPED');
    expect((await client.call('browser_tabs', { action: 'list' })).isError).toBe(false);
  });
});

test('the key of the header is enough for a program', async () => {
  await using server = await startListener();
  const { status, text } = await server.send({ path: '/api/v1/state', key });
  expect(status).toBe(200);
  expect(JSON.parse(text)).toMatchObject({ scope: 'control', sessions: [] });
});
