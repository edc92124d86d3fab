import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { Content } from '../../src/call/answer/report.ts';
import type { Answer } from '../fixtures.ts';
import { eras } from '../fixtures.ts';
import { envelope, message, startListener } from './http-listener.ts';
import type { HttpClient, TestListener } from './http-listener.ts';

let server: TestListener;
let site: Server;
let origin = '';

/** A page whose screenshot cannot be compressed. */
const noise = `<body style="margin:0"><canvas id="canvas" width="1280" height="1320"></canvas><script>
  const context = canvas.getContext('2d');
  const image = context.createImageData(1280, 1320);
  for (let at = 0; at < image.data.length; at += 65536) crypto.getRandomValues(image.data.subarray(at, at + 65536));
  for (let at = 3; at < image.data.length; at += 4) image.data[at] = 255;
  context.putImageData(image, 0, 0);
</script>`;

const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];

beforeAll(async () => {
  site = createServer((request, response) => {
    if (request.url === '/file') {
      response.setHeader('content-disposition', `attachment; filename="price's (1).csv"`);
      response.setHeader('content-type', 'text/csv').end('name,price\nBread,3\n');
      return;
    }
    if (request.url === '/noise') {
      response.setHeader('content-type', 'text/html').end(noise);
      return;
    }
    response.setHeader('set-cookie', 'visitor=42').setHeader('content-type', 'text/html');
    response.end(`<title>${request.url}</title><a href="/file">File</a>`);
  }).listen(0, '127.0.0.1');
  await once(site, 'listening');
  const address = site.address();
  origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`;
  server = await startListener({
    keys: names.map((name) => ({ name, key: name, scope: {} })),
    flags: ['--caps=pdf', '--toolset=core'],
  });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  site.close();
});

function linkOf(answer: Answer): Extract<Content, { type: 'resource_link' }> {
  const link = answer.content.find((item) => item.type === 'resource_link');
  if (link?.type !== 'resource_link') throw new Error(`No link in ${answer.text}`);
  return link;
}

async function bytesOf({ client }: HttpClient, uri: string): Promise<Buffer> {
  const { contents } = await client.readResource({ uri });
  const content = z.union([z.object({ text: z.string() }), z.object({ blob: z.base64() })]).parse(contents[0]);
  return 'text' in content ? Buffer.from(content.text) : Buffer.from(content.blob, 'base64');
}

/** The path of a resource for plain HTTP. */
function pathOf(uri: string): string {
  return uri.replace('playwright:///', '/artifacts/');
}

describe.each(eras)('a remote client in $version', ({ version, options }) => {
  const key = version === '2025-11-25' ? 'a' : 'b';

  test('[R-18] does a whole job without a path: screenshot, download, PDF and storage state', async () => {
    await using client = await server.client(options, key);
    await client.call('browser_navigate', { url: origin });
    const shot = await client.call('browser_take_screenshot');
    const download = await client.call('browser_click', { selector: 'a' });
    // Small text is in the answer, as quoted data.
    expect(download.section('Events')).toMatch(/\(19 bytes, text\/csv\) to \S.*\.csv: "name,price\\nBread,3\\n"$/);
    const links = {
      screenshot: linkOf(shot),
      download: linkOf(download),
      pdf: linkOf(await client.call('browser_pdf_save')),
      state: linkOf(await client.call('browser_context_save_storage', { path: 'state.json' })),
    };
    const { resources } = await client.client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(expect.arrayContaining(Object.values(links).map(({ uri }) => uri)));
    const image = await bytesOf(client, links.screenshot.uri);
    expect(image.equals(await readFile(`${server.app.folder}/${/: (\S+\.png)$/m.exec(shot.text)?.[1] ?? ''}`))).toBe(
      true,
    );
    expect((await bytesOf(client, `${links.screenshot.uri}?offset=1&length=3`)).toString()).toBe('PNG');
    expect((await bytesOf(client, links.download.uri)).toString()).toBe('name,price\nBread,3\n');
    expect((await bytesOf(client, links.pdf.uri)).toString('latin1', 0, 4)).toBe('%PDF');
    const state: unknown = JSON.parse((await bytesOf(client, links.state.uri)).toString());
    expect(state).toMatchObject({ cookies: [{ name: 'visitor', value: '42' }] });
  });

  test('[S1-59] is notified of a navigation, and of nothing that happens in the sessions of another key', async () => {
    await using client = await server.client(options, key === 'a' ? 'c' : 'd');
    await using other = await server.client(options, 'e');
    await client.call('browser_navigate', { url: origin });
    await other.call('browser_navigate', { url: origin });
    const updated: string[] = [];
    let lists = 0;
    client.client.setNotificationHandler(
      'notifications/resources/updated',
      ({ params }) => void updated.push(params.uri),
    );
    client.client.setNotificationHandler('notifications/resources/list_changed', () => void lists++);
    const { resources } = await client.client.listResources();
    const uri = resources.map((resource) => resource.uri).find((each) => each.includes('/page/')) ?? '';
    if (key === 'a') await client.client.subscribeResource({ uri });
    else await client.client.listen({ resourcesListChanged: true, resourceSubscriptions: [uri] });
    // Both drivers have a page of this name.
    await other.call('browser_navigate', { url: `${origin}theirs` });
    await other.call('browser_take_screenshot');
    await client.call('browser_navigate', { url: `${origin}mine` });
    await expect.poll(() => updated).toEqual([uri]);
    expect(lists).toBe(0);
    await client.call('browser_take_screenshot');
    await expect.poll(() => lists).toBe(1);
    if (key !== 'a') return;
    await client.client.unsubscribeResource({ uri });
    await client.call('browser_navigate', { url: `${origin}again` });
    await client.call('browser_take_screenshot');
    await expect.poll(() => lists).toBe(2);
    expect(updated).toEqual([uri]);
  });
});

describe('GET /artifacts', () => {
  test('sends a file to the holder of its key, as an attachment that a browser does not show', async () => {
    await using client = await server.client({}, 'f');
    await client.call('browser_navigate', { url: origin });
    const shot = linkOf(await client.call('browser_take_screenshot'));
    const download = linkOf(await client.call('browser_click', { selector: 'a' }));
    const answer = await server.send({ path: pathOf(download.uri), key: 'f' });
    expect(answer).toMatchObject({ status: 200, text: 'name,price\nBread,3\n' });
    expect(answer.headers).toMatchObject({
      'content-type': 'text/csv',
      'content-length': '19',
      'content-disposition': `attachment; filename="price_s__1_.csv"; filename*=UTF-8''price%27s%20%281%29.csv`,
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-store',
    });
    const head = await server.send({ path: pathOf(shot.uri), key: 'f', method: 'HEAD' });
    expect(head).toMatchObject({ status: 200, text: '', headers: { 'content-type': 'image/png' } });
    expect(Number(head.headers['content-length'])).toBe(shot.size);
  });

  test('refuses other keys, no key, other methods, other origins, and paths that are no files', async () => {
    await using client = await server.client({}, 'f');
    await client.call('browser_navigate', { url: origin });
    const path = pathOf(linkOf(await client.call('browser_take_screenshot')).uri);
    const statusOf = async (sent: Parameters<typeof server.send>[0]): Promise<number> =>
      (await server.send({ key: 'f', path, ...sent })).status;
    expect(await statusOf({})).toBe(200);
    expect(await statusOf({ key: null })).toBe(401);
    expect(await statusOf({ key: 'wrong' })).toBe(403);
    expect(await statusOf({ method: 'POST' })).toBe(405);
    expect(await statusOf({ headers: { origin: 'http://evil.example' } })).toBe(403);
    expect(await statusOf({ headers: { host: 'evil.example' } })).toBe(403);
    const [foreign, unknown] = [
      await server.send({ key: 'g', path }),
      await server.send({ key: 'g', path: `${path}0` }),
    ];
    expect(foreign.status).toBe(404);
    expect(foreign.text).toBe(unknown.text);
    for (const other of [
      '/artifacts/',
      '/artifacts/../../etc/passwd',
      '/artifacts/screenshot/..%2f..%2fetc%2fpasswd',
      '/artifacts/%2e%2e/%2e%2e/etc/passwd',
      `${path}?offset=1`,
      `${path}/`,
      '/artifacts/page/default/t1',
      '/artifacts/session/default',
      `/artifacts/screenshot/${'a'.repeat(5000)}`,
    ]) {
      expect(await statusOf({ path: other }), other).toBe(404);
    }
  });

  test('a client without a key gets the files of its own connection', async () => {
    await using open = await startListener({ keys: null });
    await using client = await open.client();
    await using other = await open.client();
    await client.call('browser_navigate', { url: origin });
    await other.call('browser_navigate', { url: origin });
    const { uri } = linkOf(await client.call('browser_take_screenshot'));
    const statusOf = async (id: string | undefined): Promise<number> => {
      const headers = id === undefined ? {} : { 'mcp-session-id': id };
      return (await open.send({ key: null, path: pathOf(uri), headers })).status;
    };
    expect(await statusOf(client.transport.sessionId)).toBe(200);
    expect(await statusOf(other.transport.sessionId)).toBe(404);
    expect(await statusOf(undefined)).toBe(404);
  });
});

test('files of remote clients are in a folder of their session, readable only by the server', async () => {
  await using client = await server.client({}, 'g');
  await client.call('browser_navigate', { url: origin });
  const answer = await client.call('browser_take_screenshot');
  const path = /: (\S+\.png)$/m.exec(answer.text)?.[1] ?? '';
  expect(path).toMatch(/^\.viewpoint-mcp-screenshots\/default-[\da-f]{8}\/page-\S+\.png$/);
  expect((await readFile(`${server.app.folder}/${path}`)).length).toBe(linkOf(answer).size);
});

test('a client that leaves in the middle of a large read costs nothing', async () => {
  await using client = await server.client(eras[1].options, 'e');
  await client.call('browser_navigate', { url: `${origin}noise` });
  const { uri, size } = linkOf(await client.call('browser_take_screenshot', { fullPage: true }));
  expect(size).toBeGreaterThan(4_000_000);
  const body = JSON.stringify(message('resources/read', { uri, _meta: envelope }));
  const headers = [
    'authorization: Bearer e',
    'host: 127.0.0.1',
    'content-type: application/json',
    'accept: application/json',
    'mcp-protocol-version: 2026-07-28',
    'mcp-method: resources/read',
    `mcp-name: ${uri}`,
    `content-length: ${body.length}`,
  ];
  for (let count = 0; count < 20; count++) {
    const socket = await server.socket();
    socket.write(`POST /mcp HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n${body}`);
    const [first] = await once(socket, 'data');
    expect(String(first)).toContain('200 OK');
    socket.destroy();
  }
  expect((await bytesOf(client, uri)).length).toBe(size);
  expect(server.log.filter((line) => line.includes('failed'))).toEqual([]);
});

test('an old client gets no link, which it could not read', async () => {
  const initialize = (version: string): object =>
    message('initialize', { protocolVersion: version, capabilities: {}, clientInfo: { name: 'old', version: '1' } });
  for (const [version, expected] of [
    ['2025-03-26', ['text']],
    ['2025-06-18', ['text', 'resource_link']],
  ] as const) {
    const opened = await server.post(initialize(version), { key: 'g' });
    const headers = { 'mcp-session-id': String(opened.headers['mcp-session-id']) };
    const call = (name: string, args: object, id: number): object =>
      message('tools/call', { name, arguments: args }, id);
    await server.post(call('browser_navigate', { url: origin }, 2), { key: 'g', headers });
    const shot = await server.post(call('browser_take_screenshot', {}, 3), { key: 'g', headers });
    const { result } = z
      .object({ result: z.object({ content: z.array(z.object({ type: z.string() })) }) })
      .parse(JSON.parse(shot.text));
    expect(result.content.map(({ type }) => type)).toEqual(expected);
  }
});

describe('a subscriber that is gone or does not read', () => {
  const listen = (uri: string): object =>
    message('subscriptions/listen', { notifications: { resourceSubscriptions: [uri] }, _meta: envelope });

  test('costs the others nothing, and is forgotten', async () => {
    await using client = await server.client(eras[1].options, 'f');
    await client.call('browser_navigate', { url: origin });
    const uri = 'playwright:///page/default/t1';
    const subscribers = async (): Promise<string | undefined> => {
      const { text } = await server.send({ path: '/metrics', key: 'f' });
      return /^pagehelm_resource_subscribers (\d+)$/m.exec(text)?.[1];
    };
    // Connections of 2025 clients outlive them for a while.
    const before = await subscribers();
    const headers = [
      'authorization: Bearer f',
      'host: 127.0.0.1',
      'content-type: application/json',
      'accept: application/json, text/event-stream',
      'mcp-protocol-version: 2026-07-28',
      'mcp-method: subscriptions/listen',
    ];
    const body = JSON.stringify(listen(uri));
    const sockets = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const socket = await server.socket();
        socket.write(`POST /mcp HTTP/1.1\r\n${headers.join('\r\n')}\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
        const [first] = await once(socket, 'data');
        expect(String(first)).toContain('200 OK');
        return socket;
      }),
    );
    const [slow, ...gone] = sockets;
    slow?.pause();
    for (const socket of gone) socket.destroy();
    for (let index = 0; index < 10; index++) {
      expect((await client.call('browser_navigate', { url: `${origin}${index}` })).isError).toBe(false);
    }
    slow?.resume();
    const texts: string[] = [];
    slow?.on('data', (chunk: Buffer) => texts.push(chunk.toString()));
    await client.call('browser_navigate', { url: `${origin}last` });
    await expect.poll(() => texts.join('')).toContain('notifications/resources/updated');
    slow?.destroy();
    await expect.poll(subscribers).toBe(before);
  });

  test('a client that reads only JSON cannot subscribe', async () => {
    const answer = await server.post(listen('playwright:///page/default/t1'), {
      key: 'f',
      headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' },
    });
    expect(answer.status).toBe(406);
  });

  test('does not hold up the end of the server', async () => {
    const short = await startListener({ drainMs: 60_000 });
    await using client = await short.client(eras[1].options);
    await client.call('browser_navigate', { url: origin });
    await client.client.listen({ resourcesListChanged: true });
    const started = performance.now();
    await short[Symbol.asyncDispose]();
    expect(performance.now() - started).toBeLessThan(30_000);
  });
});
