import { createServer, request as httpRequest } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { checkpointsKey } from '../../src/cluster/redis/keys.ts';
import { ensureBuilt } from '../built.ts';
import { eventually } from '../transport/processes.ts';
import { Cluster, keys } from './cluster-processes.ts';

/** Counts in the page and in its storage, and tells the server of each click. */
const page = `<title>Counter</title><button onclick="
  window.n = (window.n ?? 0) + 1; localStorage.n = Number(localStorage.n ?? 0) + 1;
  navigator.sendBeacon('/clicked'); this.textContent = 'Clicked ' + localStorage.n">Click</button>`;

let clicks = 0;
let slowRequests = 0;
const site = createServer((request, response) => {
  if (request.url === '/clicked') clicks += 1;
  if (request.url === '/slow') {
    slowRequests += 1;
    setTimeout(() => response.setHeader('content-type', 'text/html').end('<title>Slow</title>'), 1500);
    return;
  }
  response.setHeader('content-type', 'text/html').end(page);
});
let base = '';

beforeAll(async () => {
  await ensureBuilt();
  site.listen(0, '127.0.0.1');
  await once(site, 'listening');
  const address = site.address();
  base = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
});
afterAll(() => site.close());

const button = { ref: 'button' };
const counts = { function: '() => [window.n ?? 0, Number(localStorage.n ?? 0)]' };

async function numbers(answer: { readonly section: (name: string) => string | undefined }): Promise<unknown> {
  return JSON.parse(answer.section('Result') ?? '');
}

describe('a cluster of two gateways and two workers', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await Cluster.start(['--sleep-after=0']);
  });
  afterAll(async () => cluster[Symbol.asyncDispose]());

  test('both gateways serve the same session, and another key finds nothing of it', async () => {
    await using first = await cluster.client(0);
    await using second = await cluster.client(1);
    await using other = await cluster.client(0, keys.bob);
    await first.call('create_session', { name: 'shared' });
    await first.call('browser_navigate', { url: base, sessionId: 'shared' });
    expect((await second.call('browser_click', { ...button, sessionId: 'shared' })).isError).toBe(false);
    expect(await numbers(await first.call('browser_evaluate', { ...counts, sessionId: 'shared' }))).toEqual([1, 1]);
    expect((await other.call('browser_snapshot', { sessionId: 'shared' })).kind).toBe('SESSION_NOT_FOUND');
    expect((await other.call('list_sessions')).text).not.toContain('shared');
    await first.call('close_session', { sessionId: 'shared' });
  });

  test('a request of 2026-07-28 is served by any gateway', async () => {
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    for (const gateway of [0, 1]) {
      const response = await fetch(`${cluster.origin(gateway)}/mcp`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${keys.alice}`,
          accept: 'application/json, text/event-stream',
          'content-type': 'application/json',
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': 'tools/call',
          'mcp-name': 'list_sessions',
        },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'list_sessions', arguments: {}, _meta: meta },
        }),
      });
      expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('maxSessions')]);
    }
  });

  test('a worker serves gateways only', async () => {
    for (const { origin } of cluster.workers.values()) {
      const response = await fetch(`${origin}/mcp`, {
        method: 'POST',
        headers: { authorization: `Bearer ${keys.alice}`, 'pagehelm-identity': 'e30.x' },
        body: '{}',
      });
      expect(response.status).toBe(403);
    }
  });

  test('the key is needed, and headers that gateways set are ignored', async () => {
    const send = async (headers: Record<string, string>): Promise<number> =>
      (await fetch(`${cluster.origin()}/mcp`, { method: 'POST', body: '{}', headers })).status;
    expect(await send({})).toBe(401);
    expect(await send({ authorization: 'Bearer wrong', 'pagehelm-identity': 'x' })).toBe(403);
  });

  test('a call with an id runs once', async () => {
    await using client = await cluster.client();
    await client.call('browser_navigate', { url: base });
    const before = clicks;
    const meta = { 'pagehelm/callId': 'first' };
    const first = await client.call('browser_click', button, meta);
    const again = await client.call('browser_click', button, meta);
    expect(again.text).toBe(first.text);
    await eventually('the click arrives', () => clicks === before + 1);
    expect((await client.call('browser_click', { ref: 'title' }, meta)).kind).toBe('CALL_ID_REUSED');
    expect(clicks).toBe(before + 1);
  });

  test('the answer of a call is fetched at another gateway after its stream broke', async () => {
    const headers = {
      authorization: `Bearer ${keys.alice}`,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
    };
    const initialize = {
      jsonrpc: '2.0',
      id: 0,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
    };
    const opened = await fetch(`${cluster.origin(0)}/mcp`, {
      method: 'POST',
      headers,
      body: JSON.stringify(initialize),
    });
    await opened.text();
    const session = {
      ...headers,
      'mcp-session-id': opened.headers.get('mcp-session-id') ?? '',
      // Older versions send no event before the answer.
      'mcp-protocol-version': '2025-11-25',
    };
    const call = {
      jsonrpc: '2.0',
      id: 7,
      method: 'tools/call',
      params: { name: 'browser_navigate', arguments: { url: `${base}/slow` } },
    };
    const lastId = await firstEvent(`${cluster.origin(0)}/mcp`, session, JSON.stringify(call));
    const resume = async (): Promise<Response> =>
      fetch(`${cluster.origin(1)}/mcp`, {
        headers: { ...session, accept: 'text/event-stream', 'last-event-id': lastId },
      });
    // The answer is 409 until the worker has seen that the first stream is gone.
    let resumed = await resume();
    while (resumed.status === 409) resumed = await resume();
    expect(resumed.status).toBe(200);
    const text = await untilText(resumed, '"id":7');
    expect(text.match(/"id":7/g), text).toHaveLength(1);
    expect(text).toContain('Successfully navigated');
  });

  test('the capacity and the readiness are those of the cluster', async () => {
    const authorization = `Bearer ${keys.alice}`;
    const response = await fetch(`${cluster.origin()}/api/v1/capacity`, { headers: { authorization } });
    expect(await response.json()).toMatchObject({ workers: 2, draining: 0, slots: 20 });
    expect((await fetch(`${cluster.origin()}/api/v1/capacity`)).status).toBe(401);
    expect((await fetch(`${cluster.origin()}/readyz`)).status).toBe(200);
    const metrics = await (await fetch(`${cluster.origin()}/metrics`, { headers: { authorization } })).text();
    expect(metrics).toContain('pagehelm_slots_total 20');
  });

  test('the dashboard of a key is served by its worker', async () => {
    await using client = await cluster.client();
    await client.call('browser_navigate', { url: base });
    const state = await fetch(`${cluster.origin(1)}/api/v1/state`, {
      headers: { authorization: `Bearer ${keys.alice}` },
    });
    expect([state.status, await state.text()]).toEqual([200, expect.stringContaining('Counter')]);
    expect((await fetch(`${cluster.origin(1)}/api/v1/state`)).status).toBe(401);
    expect(await (await fetch(`${cluster.origin(1)}/dashboard`)).text()).toContain('<title>pagehelm</title>');
  });

  test('a gateway that is killed loses no page', async () => {
    await using gateway = await cluster.startGateway();
    const index = cluster.gateways.indexOf(gateway);
    await using client = await cluster.client(index);
    await using other = await cluster.client(0);
    await client.call('browser_navigate', { url: base });
    await client.call('browser_click', button);
    await gateway.end('SIGKILL');
    cluster.gateways.splice(index, 1);
    const [inPage] = Object(await numbers(await other.call('browser_evaluate', counts)));
    expect(inPage).toBe(1);
  });

  test('Redis that is away for less than a lease delays calls, and loses nothing', async () => {
    await using client = await cluster.client();
    await client.call('browser_navigate', { url: base });
    cluster.redis.signal('SIGSTOP');
    try {
      // Reads run at once; a call that acts waits until it is recorded.
      expect((await client.call('browser_snapshot')).text).toContain('button "Click"');
    } finally {
      cluster.redis.signal('SIGCONT');
    }
    expect((await client.call('browser_click', button)).isError).toBe(false);
    expect(await numbers(await client.call('browser_evaluate', { function: '() => window.n' }))).toBe(1);
  });

  test('after FLUSHALL the sessions are found again where they are', async () => {
    await using client = await cluster.client();
    await client.call('browser_navigate', { url: base });
    await client.call('browser_click', button);
    const owner = await cluster.ownerOf('alice');
    await cluster.redis.command('FLUSHALL');
    const [inPage] = Object(await numbers(await client.call('browser_evaluate', counts)));
    expect(inPage).toBe(1);
    await using fresh = await cluster.startGateway();
    await using unknowing = await cluster.client(cluster.gateways.indexOf(fresh));
    expect(Object(await numbers(await unknowing.call('browser_evaluate', counts)))[0]).toBe(1);
    expect(await cluster.ownerOf('alice')).toBe(owner);
    cluster.gateways.splice(cluster.gateways.indexOf(fresh), 1);
  });

  test('a worker that ends gives its sessions to another one, and finishes its calls', async () => {
    await using client = await cluster.client();
    await client.call('browser_navigate', { url: base });
    await client.call('browser_click', button);
    const [, stored] = Object(await numbers(await client.call('browser_evaluate', counts)));
    const owner = await cluster.ownerProcess('alice');
    const before = slowRequests;
    const running = client.call('browser_navigate', { url: `${base}/slow` });
    await eventually('the call runs', () => slowRequests > before);
    expect(await owner.end('SIGTERM')).toBe(0);
    expect((await running).isError).toBe(false);
    const after = await client.call('browser_evaluate', {
      function: `() => Number(localStorage.n)`,
    });
    expect(after.section('Events')).toContain('the session was restored with 1 tab, cookies and storage');
    expect(await numbers(after)).toBe(stored);
    await cluster.startWorker([...cluster.workers].find(([, each]) => each === owner)?.[0] ?? '');
  });

  test('a worker that is killed loses no storage, and the next call says what was lost', async () => {
    await using client = await cluster.client();
    await client.call('browser_navigate', { url: base });
    await saved(cluster, async () => client.call('browser_click', button));
    const stored = await numbers(await client.call('browser_evaluate', counts));
    const owner = await cluster.ownerProcess('alice');
    await owner.end('SIGKILL');
    const after = await client.call('browser_evaluate', counts);
    expect(after.section('Events')).toContain('the session was restored');
    expect(await numbers(after)).toEqual([0, Object(stored)[1]]);
    await cluster.startWorker([...cluster.workers].find(([, each]) => each === owner)?.[0] ?? '');
  });

  test('a worker that is stopped is ended with its browser, and another one goes on', async () => {
    await using client = await cluster.client();
    await client.call('browser_navigate', { url: base });
    const owner = await cluster.ownerProcess('alice');
    owner.signal('SIGSTOP');
    const before = clicks;
    expect((await client.call('browser_click', button)).isError).toBe(false);
    await eventually('it is ended', () => owner.server.child.signalCode === 'SIGKILL', 15_000);
    await eventually('the click arrives once', () => clicks === before + 1);
  });
});

test('idle sessions sleep, and wake at any worker', async () => {
  await using cluster = await Cluster.start(['--sleep-after=500']);
  await using first = await cluster.client();
  await first.call('create_session', { name: 'sleeper' });
  await first.call('browser_navigate', { url: base, sessionId: 'sleeper' });
  await first.call('browser_click', { ...button, sessionId: 'sleeper' });
  const owner = await cluster.ownerProcess('alice');
  // An open event stream keeps its key at a worker.
  await first.client.close();
  await until(async () => (await cluster.ownerOf('alice')) === 'null');
  await owner.end('SIGKILL');
  await using client = await cluster.client(1);
  const woken = await client.call('browser_evaluate', { ...counts, sessionId: 'sleeper' });
  expect(await numbers(woken)).toEqual([0, 1]);
  expect(woken.section('Events')).toContain('Text typed into pages is lost');
});

test('with --keep-browsers, pages survive a worker that is killed and started again', async () => {
  await using cluster = await Cluster.start(['--keep-browsers', '--sleep-after=0'], { gateways: 1, workers: 1 });
  await using client = await cluster.client();
  await client.call('browser_navigate', { url: base });
  await saved(cluster, async () => client.call('browser_click', button));
  // The second time, the worker has just started when it is killed.
  for (const _ of [1, 2]) {
    await cluster.workers.get('w1')?.end('SIGKILL');
    await cluster.startWorker('w1');
    const [inPage] = Object(await numbers(await client.call('browser_evaluate', counts)));
    expect(inPage).toBe(1);
  }
});

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  await vi.waitFor(async () => expect(await isTrue()).toBe(true), { timeout: 20_000, interval: 50 });
}

/** Acts, and waits until the session was saved afterwards. */
async function saved(cluster: Cluster, act: () => Promise<unknown>): Promise<void> {
  const read = async (): Promise<string> =>
    JSON.stringify(await cluster.redis.command('HGETALL', checkpointsKey('key:alice')));
  await act();
  const before = await read();
  await until(async () => (await read()) !== before);
}

/** Posts a message and breaks the connection after the first event; returns the id of that event. */
async function firstEvent(url: string, headers: Record<string, string>, body: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { method: 'POST', headers }, (response: IncomingMessage) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
        const [, id] = /^id: (\S+)$/m.exec(text) ?? [];
        if (id === undefined) return;
        request.destroy();
        resolve(id);
      });
      response.on('error', () => undefined);
    });
    request.on('error', reject);
    request.end(body);
  });
}

async function untilText(response: Response, wanted: string): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  if (response.body === null) return text;
  for await (const chunk of response.body) {
    text += decoder.decode(chunk, { stream: true });
    if (text.includes(wanted)) break;
  }
  return text;
}
