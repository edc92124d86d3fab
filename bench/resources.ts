import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Cleanup } from './cleanup.ts';
import { timed } from './measure.ts';
import { formPage } from './pages.ts';
import { openClients } from './sessions.ts';
import type { ServerCommand } from './servers.ts';
import type { Suite } from './suite.ts';

/** A page whose screenshot has about 5 MB, because noise cannot be compressed. */
const noise = `() => {
  document.body.innerHTML = '<canvas id="noise" width="1280" height="1320"></canvas>';
  const context = document.querySelector('#noise').getContext('2d');
  const image = context.createImageData(1280, 1320);
  for (let at = 0; at < image.data.length; at += 65536) crypto.getRandomValues(image.data.subarray(at, at + 65536));
  for (let at = 3; at < image.data.length; at += 4) image.data[at] = 255;
  context.putImageData(image, 0, 0);
  return true;
}`;

/** Sends the content of a file as the answer to every request, and prints its port. */
const bareServer = `
const body = require('node:fs').readFileSync(process.argv[1]);
const server = require('node:http').createServer((request, response) => {
  request.resume().on('end', () => response.setHeader('content-type', 'application/json').end(body));
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
`;

const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

type Post = (url: URL, method: string, params: Readonly<Record<string, unknown>>) => Promise<Buffer>;

/**
 * Reads a screenshot of 5 MB as a resource over HTTP, and compares it with reading the file and encoding it, and with a bare
 * HTTP server that sends the same bytes.
 */
export async function runResources(
  { recorder, site, rounds, progress }: Suite,
  command: ServerCommand,
  cleanup: Cleanup,
): Promise<void> {
  progress('http: a screenshot of 5 MB as a resource');
  const folder = await mkdtemp(join(tmpdir(), 'helm-bench-'));
  const agent = new Agent({ keepAlive: true });
  const server = cleanup.use(await openClients(command, 1));
  try {
    const { url } = server;
    const post = poster(agent);
    const call = (name: string, args: object): Promise<Buffer> => post(url, 'tools/call', { name, arguments: args });
    await call('browser_navigate', { url: site.at(`/${formPage.id}?visit=resource`) });
    await call('browser_evaluate', { function: noise });
    const shot = (await call('browser_take_screenshot', { fullPage: true })).toString();
    const uri = /playwright:\/\/\/screenshot\/[^"]+/.exec(shot)?.[0] ?? '';
    const path = join(command.cwd, /: ([^\s"]+?\.png)/.exec(shot)?.[1] ?? '');
    const read = (): Promise<Buffer> => post(url, 'resources/read', { uri });
    const answer = join(folder, 'answer.json');
    await writeFile(answer, await read());
    const bare = cleanup.use(await openBare(answer));
    try {
      const subjects = [{ name: 'pagehelm' as const }];
      await recorder.interleave('http.read', subjects, rounds * 3, async ({ name }, round) => {
        const file = await timed(async () => (await readFile(path)).toString('base64'));
        const sent = await timed(() => post(bare.url, 'resources/read', { uri }));
        const own = await timed(read);
        const parsed = await timed(async () => JSON.parse(own.value.toString()));
        if (!own.value.includes(file.value.slice(0, 1000))) throw new Error('the answer is not the file');
        if (round < 0) return;
        const title = '5 MB screenshot';
        recorder.add({ id: 'http.read', title: `${title}, resource over HTTP`, unit: 'ms' }, name, own.ms);
        recorder.add({ id: 'http.read.file', title: `${title}, file read and encoded`, unit: 'ms' }, name, file.ms);
        recorder.add({ id: 'http.read.bare', title: `${title}, bare HTTP server`, unit: 'ms' }, name, sent.ms);
        recorder.add(
          { id: 'http.read.parse', title: `${title}, JSON parsed by the client`, unit: 'ms' },
          name,
          parsed.ms,
        );
      });
    } finally {
      await cleanup.release(bare);
    }
  } finally {
    agent.destroy();
    await cleanup.release(server);
    await rm(folder, { recursive: true, force: true });
  }
}

function poster(agent: Agent): Post {
  return (url, method, params) =>
    new Promise((resolve, reject) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: envelope } });
      const named = params['name'] ?? params['uri'];
      const headers = {
        'content-type': 'application/json',
        accept: 'application/json',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
        ...(typeof named === 'string' ? { 'mcp-name': named } : {}),
      };
      const sent = request(url, { method: 'POST', agent, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => resolve(Buffer.concat(chunks)));
        response.on('error', reject);
      });
      sent.on('error', reject).end(body);
    });
}

async function openBare(file: string): Promise<AsyncDisposable & { readonly url: URL }> {
  const child = spawn(process.execPath, ['-e', bareServer, file], { stdio: ['ignore', 'pipe', 'ignore'] });
  const [port] = await once(child.stdout, 'data');
  return {
    url: new URL(`http://127.0.0.1:${String(port).trim()}/`),
    [Symbol.asyncDispose]: async () => {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    },
  };
}
