// @ts-check
// Prints the path of a plain ref click through the server: the files of src/ whose functions run during the call, and the
// calls between tools/ and session/.
//   npm run click-path [-- --json]
// The server is bundled unminified and runs in a child process under V8's own coverage; a second click counts the calls
// with breakpoints whose condition records the stack and never pauses.
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const out = join(root, 'build/click-path');
const quietBrowser = ['--disable-background-networking', '--disable-component-update', '--disable-sync'];

/** @typedef {{ readonly file: string, readonly calls: number }} Touched */
/** @typedef {{ readonly from: string, readonly to: string }} Crossing */
/** @typedef {{ readonly files: readonly string[], readonly crossings: readonly Crossing[] }} ClickPath */

if (process.env['CLICK_PATH_CHILD'] === '1') await trace();
else if (process.argv[1] === fileURLToPath(import.meta.url)) await print();

async function print() {
  const { files, crossings } = await clickPath();
  if (process.argv.includes('--json')) return console.log(JSON.stringify({ files, crossings }, undefined, 2));
  console.log(files.join('\n'));
  console.log(`\n${files.length} files of src/`);
  for (const { from, to } of crossings) console.log(`${from} → ${to}`);
  return console.log(`${crossings.length * 2} crossings between tools/ and session/ (each call and its return)`);
}

/** @returns {Promise<ClickPath>} */
export async function clickPath() {
  await bundle();
  const site = createServer((_, response) => {
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>T</title><button>Go</button>');
  });
  await new Promise((resolve) => site.listen(0, '127.0.0.1', () => resolve(undefined)));
  const address = site.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const args = ['--headless', '--isolated', ...quietBrowser.map((arg) => `--browser-arg=${arg}`)];
  const child = spawn(process.execPath, ['--import', fileURLToPath(import.meta.url), join(out, 'bin.js'), ...args], {
    env: { ...process.env, CLICK_PATH_CHILD: '1' },
    stdio: ['pipe', 'pipe', 'ignore', 'ipc'],
  });
  try {
    const call = client(child);
    await call('initialize', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'click-path', version: '1' },
    });
    const { content } = await tool('browser_navigate', { url: `http://127.0.0.1:${port}/` });
    const ref = /button "Go" \[ref=(\w+)\]/.exec(content[0].text)?.[1];
    const click = async () => tool('browser_click', { ref });
    // The first click finds the page just loaded, which is not yet known to be stable.
    await click();
    await ask('start');
    await click();
    await ask('crossings');
    await click();
    return await ask('end');

    async function tool(/** @type {string} */ name, /** @type {object} */ given) {
      const result = await call('tools/call', { name, arguments: given });
      if (result.isError === true) throw new Error(result.content[0].text);
      return result;
    }

    async function ask(/** @type {string} */ message) {
      child.send(message);
      return new Promise((resolve) => child.once('message', resolve));
    }
  } finally {
    child.disconnect();
    child.stdin?.end();
    site.closeAllConnections();
    site.close();
  }
}

/** @returns {(method: string, params: object) => Promise<any>} */
function client(/** @type {import('node:child_process').ChildProcess} */ child) {
  let text = '';
  let id = 0;
  const waiting = new Map();
  child.stdout?.on('data', (chunk) => {
    text += String(chunk);
    const lines = text.split('\n');
    text = lines.pop() ?? '';
    for (const line of lines) {
      const { id: of, result } = JSON.parse(line);
      waiting.get(of)?.(result);
    }
  });
  return async (method, params) => {
    const own = ++id;
    child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id: own, method, params })}\n`);
    return new Promise((resolve) => waiting.set(own, resolve));
  };
}

async function bundle() {
  // esbuild starts a process of its own, which the traced server must not have.
  const { build } = await import('esbuild');
  const { dashboardForEsbuild } = await import('./dashboard.mjs');
  const { imageWorkerForEsbuild } = await import('./image-worker.mjs');
  const { pageAgentForEsbuild } = await import('./page-agent.mjs');
  await build({
    absWorkingDir: root,
    entryPoints: { bin: 'src/bin.ts' },
    outdir: out,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    external: ['playwright-core'],
    define: { PAGEHELM_VERSION: '"0.0.0"' },
    logLevel: 'warning',
    plugins: [imageWorkerForEsbuild, pageAgentForEsbuild, dashboardForEsbuild],
  });
}

/** Runs in the server's process, before the server. */
async function trace() {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  /** @type {Map<string, string>} */
  const urls = new Map();
  session.on('Debugger.scriptParsed', ({ params }) => void urls.set(params.url, params.scriptId));
  await session.post('Debugger.enable');
  /** @type {{ files: readonly string[], crossings: Crossing[] }} */
  let path = { files: [], crossings: [] };
  const handle = async (/** @type {unknown} */ message) => {
    const ran = await called(session);
    if (message === 'crossings') {
      path = { files: [...new Set(ran.map(({ file }) => file))].sort(), crossings: [] };
      Object.assign(globalThis, { clickPathRecord: record(path.crossings) });
      await watch(session, urls, ran);
    }
    process.send?.(path);
  };
  process.on('message', (message) => void handle(message));
  // Without this, the listener keeps the server alive.
  process.channel?.unref();
}

/** The functions of src/ that have run since the last time. */
async function called(/** @type {Session} */ session) {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  return result
    .filter(({ url }) => url.includes('/build/click-path/'))
    .flatMap(({ url, functions }) => {
      const { fileAt } = scriptAt(url);
      return functions
        .filter(({ functionName, ranges: [range] }) => functionName !== '' || (range?.startOffset ?? 0) > 0)
        .flatMap(({ ranges: [range] }) => (range === undefined || range.count === 0 ? [] : [{ url, range }]))
        .map(({ range }) => ({ url, range, file: fileAt(range.startOffset) }));
    })
    .filter(({ file }) => file.startsWith('src/'));
}

/** @type {Map<string, ReturnType<typeof readScript>>} */
const scripts = new Map();

function scriptAt(/** @type {string} */ url) {
  const known = scripts.get(url) ?? readScript(url);
  scripts.set(url, known);
  return known;
}

/** esbuild puts the path of each file before its code, in a comment. */
function readScript(/** @type {string} */ url) {
  const text = readFileSync(fileURLToPath(url), 'utf8');
  const files = [...text.matchAll(/^\/\/ ((?:src|node_modules)\/\S+)$/gm)].map(({ index, 1: file }) => ({
    index,
    file,
  }));
  const lines = [...text.matchAll(/^/gm)].map(({ index }) => index);
  const fileAt = (/** @type {number} */ offset) => files.findLast(({ index }) => index <= offset)?.file ?? '';
  const placeOf = (/** @type {number} */ offset) => {
    const lineNumber = lines.findLastIndex((start) => start <= offset);
    return { lineNumber, columnNumber: offset - (lines[lineNumber] ?? 0) };
  };
  return { fileAt, placeOf, fileInLine: (/** @type {number} */ line) => fileAt(lines[line - 1] ?? 0) };
}

/** Records each call of these functions, if they are of tools/ or session/. */
async function watch(
  /** @type {Session} */ session,
  /** @type {Map<string, string>} */ urls,
  /** @type {Awaited<ReturnType<typeof called>>} */ functions,
) {
  for (const { url, range, file } of functions.filter((each) => sideOf(each.file) !== '')) {
    const scriptId = urls.get(url) ?? '';
    const { placeOf } = scriptAt(url);
    const [start, end] = [range.startOffset, range.endOffset].map((offset) => ({ scriptId, ...placeOf(offset) }));
    if (start === undefined || end === undefined) continue;
    const { locations } = await session.post('Debugger.getPossibleBreakpoints', {
      start,
      end,
      restrictToFunction: true,
    });
    const [first] = locations;
    const condition = `clickPathRecord(${JSON.stringify(file)}, new Error().stack)`;
    if (first !== undefined) await session.post('Debugger.setBreakpoint', { location: first, condition });
  }
}

function sideOf(/** @type {string} */ file) {
  return /^src\/(tools|session)\//.exec(file)?.[1] ?? '';
}

/** @returns {(to: string, stack: string) => boolean} */
function record(/** @type {Crossing[]} */ crossings) {
  return (to, stack) => {
    const frames = [...stack.matchAll(/^ +at (async )?.*?(file:\/\/[^)]+?):(\d+):\d+\)?$/gm)];
    // The first frame is the function itself.
    const [, caller] = frames;
    const isDirect = caller !== undefined && caller[1] === undefined && caller[2]?.includes('/build/click-path/');
    const from = isDirect ? scriptAt(caller?.[2] ?? '').fileInLine(Number(caller?.[3])) : '';
    if (sideOf(from) !== '' && sideOf(from) !== sideOf(to)) crossings.push({ from, to });
    return false;
  };
}
