import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { rewriteZip } from '../../src/util/zip.ts';
import { ensureBuilt } from '../built.ts';
import { encodings, secretValues } from '../secret-encodings.ts';
import { ServerProcess, temporaryFolder } from './server-process.ts';

beforeAll(ensureBuilt);

const values = Object.values(secretValues);
const names = Object.keys(secretValues).map((_, place) => `SECRET_${place}`);
const secrets = Object.fromEntries(names.map((name, place) => [name, values[place] ?? '']));
const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync'];

/** Values that errors repeat. */
const repeated = values.filter((_, place) => place % 3 === 0);
/** Each value in each encoding. */
const texts = values.flatMap((value) => Object.values(encodings).map((encode) => encode(value)));

/** A page that shows, logs, sends and stores each of them. */
const page = `<meta charset="utf-8"><title></title><div id="all"></div><a id="file" href="/file" download="x">file</a>
<a id="latin" href="/latin">latin</a><form action="/sent"><input name="q" aria-label="Field"><button>Send</button></form>
<script>
const texts = ${JSON.stringify(texts).replaceAll('<', String.raw`\u003c`)};
document.title = texts[0] + ' ' + texts[1];
for (const text of texts) {
  const line = document.createElement('p');
  line.textContent = text;
  all.append(line);
}
const link = document.createElement('a');
link.textContent = 'next';
link.href = '/next?' + new URLSearchParams({ q: texts[0] }) + '#' + texts[1];
all.append(link);
for (const text of texts.slice(0, 60)) console.log(text, { text }, [text]);
for (const text of texts.slice(0, 30)) {
  fetch('/api?q=' + encodeURIComponent(text), { method: 'POST', body: JSON.stringify({ text }) }).catch(() => 0);
}
localStorage.setItem('all', JSON.stringify(texts));
document.cookie = 'word=' + encodeURIComponent(texts[0]);
setTimeout(() => { throw new Error('Thrown ' + texts.join(' ')); });
</script>`;

async function startSite(): Promise<{ readonly url: string } & AsyncDisposable> {
  const server = createServer((request, response) => {
    const path = request.url?.replace(/\?.*$/, '');
    if (path === '/') response.setHeader('content-type', 'text/html; charset=utf-8').end(page);
    else if (path === '/file') response.setHeader('content-type', 'text/plain').end(texts.join('\n'));
    else if (path === '/latin') {
      response.setHeader('content-disposition', `attachment; filename="${values[0]}.txt"`);
      response.setHeader('content-type', 'text/plain').end(Buffer.from(texts.join('\n'), 'latin1'));
    } else response.setHeader('content-type', 'application/json').end(JSON.stringify({ texts: texts.slice(0, 50) }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Calls whose answers contain what the page shows, and errors that repeat what the caller sent. */
const calls: readonly (readonly [tool: string, args: object])[] = [
  ['browser_start_tracing', {}],
  ['browser_snapshot', {}],
  ['browser_snapshot', { filename: 'page.yml' }],
  ['browser_snapshot', { boxes: true, allRefs: true }],
  ['browser_find', { text: 'correct' }],
  ['browser_find', { regex: 'c.rr' }],
  ['browser_console_messages', { level: 'debug' }],
  ['browser_console_messages', { level: 'debug', filename: 'console.txt' }],
  ['browser_network_requests', { static: true }],
  ['browser_network_requests', { index: 2, part: 'request-body' }],
  ['browser_network_requests', { index: 2, part: 'response-body' }],
  ['browser_network_requests', { index: 2, part: 'request-headers' }],
  ['browser_network_requests', { static: true, filename: 'network.txt' }],
  ['browser_tabs', { action: 'list' }],
  ['browser_evaluate', { function: '() => texts' }],
  ['browser_evaluate', { function: '() => ({ html: all.innerHTML, text: all.innerText })' }],
  [
    'browser_evaluate',
    { function: '() => ({ json: JSON.stringify(texts), twice: JSON.stringify({ a: JSON.stringify(texts) }) })' },
  ],
  ['browser_evaluate', { function: '() => { throw new Error(texts.join(" ")) }' }],
  ['browser_evaluate', { function: '() => texts', filename: 'texts.txt' }],
  ['browser_take_screenshot', { filename: `${values[0]}.png` }],
  ['browser_snapshot', { filename: `of ${values[0]}.yml` }],
  ['browser_click', { selector: '#file' }],
  ['browser_click', { selector: '#latin' }],
  ['browser_context_save_storage', { path: `${values[0]}.json` }],
  ['get_all_links', {}],
  ['get_metadata', {}],
  ['get_cookies', {}],
  ['get_local_storage', {}],
  ['extract_text', {}],
  ['browser_type', { selector: 'input', text: 'SECRET_2', submit: true }],
  ['browser_navigate_back', {}],
  ['browser_fill_form', { fields: [{ name: 'Field', value: 'SECRET_8' }] }],
  ['browser_click', { selector: 'form button' }],
  ['browser_stop_tracing', { filename: 'trace.zip' }],
  ['browser_sessions', { action: 'list' }],
  ...repeated.flatMap((value): [string, object][] => [
    ['browser_click', { selector: `[title='${value}']`, timeout: 1 }],
    ['browser_navigate', { url: value }],
    ['browser_file_upload', { paths: [value] }],
    ['browser_wait_for', { text: value, timeout: 1 }],
    ['browser_press_key', { key: value }],
    ['browser_tabs', { action: value }],
  ]),
];

/** What must not be found: encodings of ten characters and more, whole and without the ends that base64 shares. */
function leaksIn(content: string): readonly string[] {
  return texts.map((text) => text.slice(4, -4)).filter((text) => text.length >= 10 && content.includes(text));
}

test('no secret leaves the process: answers, data, resources, logs, files, names and protocol errors', async () => {
  using folder = temporaryFolder();
  await using site = await startSite();
  const config = join(folder.path, 'config.json');
  writeFileSync(config, JSON.stringify({ secrets }));
  const log = join(folder.path, 'server.log');
  const output = join(folder.path, 'out');
  await using server = new ServerProcess({
    args: [
      '--headless',
      `--config=${config}`,
      '--toolset=all',
      '--caps=tracing',
      '--save-session',
      '--log-level=debug',
      `--log-file=${log}`,
      `--output-dir=${output}`,
      `--screenshot-dir=${output}`,
      ...quiet.map((arg) => `--browser-arg=${arg}`),
    ],
    cwd: folder.path,
  });
  await server.initialize();
  await server.request('tools/list');
  await server.request('tools/call', { name: 'browser_navigate', arguments: { url: site.url } });
  for (const [name, args] of calls) await server.request('tools/call', { name, arguments: args });
  for (const value of repeated) {
    await server.request('tools/call', { name: value, arguments: {} });
    await server.request('tools/call', { name: 'browser_click', arguments: { [value]: value } });
    await server.request(value, { [value]: value });
    await server.request('resources/read', { uri: `playwright:///page/default/${value}` });
    await server.request('resources/read', { uri: value });
    await server.request('prompts/get', { name: value, arguments: { url: value } });
    await server.request('completion/complete', {
      ref: { type: 'ref/prompt', name: value },
      argument: { name: value, value },
    });
    await server.request('resources/subscribe', { uri: value });
    server.write(`${value}\n`);
  }
  const { result } = await server.request('resources/list');
  const resources = Array.isArray(result?.['resources']) ? result['resources'] : [];
  expect(resources.length).toBeGreaterThan(5);
  for (const { uri } of resources) await server.request('resources/read', { uri });
  const wire = server.lines.join('\n');
  await server.request('tools/call', { name: 'browser_close', arguments: {} });

  // The marks of values show that the page was read.
  for (const name of names) expect(wire, name).toContain(`<secret>${name}</secret>`);
  const byLine = server.lines.map((line) => ({ line, leaks: leaksIn(line + decodedLine(line)) }));
  expect(
    byLine.filter(({ leaks }) => leaks.length > 0).map(({ line, leaks }) => [line.slice(0, 300), leaks.slice(0, 3)]),
  ).toEqual([]);
  expect(leaksIn(server.stderr)).toEqual([]);
  expect(leaksIn(readFileSync(log, 'utf8'))).toEqual([]);
  const files = readdirSync(output, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  expect(leaksIn(files.map(({ name }) => name).join('\n'))).toEqual([]);
  const leaking: string[] = [];
  for (const { parentPath, name } of files) {
    const bytes = readFileSync(join(parentPath, name));
    // Downloads and saved states are written as they are.
    const isRaw = name.endsWith('.json') || name === 'x.txt' || name === 'secret-SECRET_0.txt';
    if (!isRaw && leaksIn(await contentOf(name, bytes)).length > 0) leaking.push(name);
  }
  expect(leaking).toEqual([]);
  expect(files.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      'page.yml',
      'session.md',
      'trace.zip',
      'secret-SECRET_0.png',
      'secret-SECRET_0.txt',
      'of secret-SECRET_0.yml',
    ]),
  );
});

/** A line of the protocol, without the encoding that JSON itself adds. */
function decodedLine(line: string): string {
  const found: string[] = [];
  JSON.parse(line, (key: string, value: unknown) => {
    found.push(key, typeof value === 'string' ? value : '');
    return value;
  });
  return found.join('\n');
}

async function contentOf(name: string, bytes: Buffer): Promise<string> {
  if (!name.endsWith('.zip')) return `${bytes.toString()}\n${bytes.toString('latin1')}`;
  const parts: string[] = [];
  await rewriteZip(bytes, async (_entry, content) => {
    parts.push(content.toString());
    return undefined;
  });
  return parts.join('\n');
}
