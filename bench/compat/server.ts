import { spawn } from 'node:child_process';
import type { ChildProcessByStdio } from 'node:child_process';
import { createRequire } from 'node:module';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport, getDefaultEnvironment } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { findBrowser, quietArgs } from '../browser.ts';
import { endTree } from '../cleanup.ts';
import { partsOf } from './answer.ts';
import type { Parts, RawAnswer } from './answer.ts';
import type { Group } from './scenario.ts';

export type Side = 'ours' | 'theirs';

const callLimitMs = 60_000;
/** The peer waits this long after each action, unless a group says otherwise: most actions cause nothing later. */
const peerSettleMs = 300;

export const peerFolder = dirname(createRequire(import.meta.url).resolve('@playwright/mcp/package.json'));

/** The version of @playwright/mcp that is installed. */
export function peerVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(join(peerFolder, 'package.json'), 'utf8'));
  return String(Object(manifest).version);
}

/** One of the two servers, in a folder of its own, with a client. */
export class CompatServer implements AsyncDisposable {
  readonly #client: Client;
  readonly #folder: string;
  /** Of the server, and of the browser that it is attached to. */
  readonly #pids: readonly (number | undefined)[];
  /** The last snapshot that an answer showed or linked. */
  #snapshot = '';
  milliseconds = 0;

  private constructor(client: Client, folder: string, pids: readonly (number | undefined)[]) {
    this.#client = client;
    this.#folder = folder;
    this.#pids = pids;
  }

  static async start(side: Side, group: Group, folder: string): Promise<CompatServer> {
    mkdirSync(folder, { recursive: true });
    for (const [name, text] of Object.entries(group.files ?? {})) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text, { mode: 0o755 });
    }
    const config = join(dirname(folder), `${side}.json`);
    writeFileSync(config, JSON.stringify(merged(baseConfig(), group.config ?? {})).replaceAll('{{folder}}', folder));
    const own = fileURLToPath(new URL('../dist/bin.js', import.meta.url));
    const command =
      side === 'ours'
        ? [own, '--compat', 'playwright']
        : [join(peerFolder, 'cli.js'), '--timeout-settle', String(group.peerSettleMs ?? peerSettleMs)];
    const attached = group.attached === true ? await startBrowser(join(dirname(folder), `${side}-profile`)) : undefined;
    const args = [
      ...command,
      '--config',
      config,
      ...(attached === undefined ? [] : ['--cdp-endpoint', attached.endpoint]),
      ...(group.flags ?? []).map((flag) => flag.replaceAll('{{folder}}', folder)),
    ];
    const env = { ...getDefaultEnvironment(), XDG_CACHE_HOME: join(dirname(folder), 'cache') };
    const client = clientFor(group, folder);
    if (group.transport === 'http') {
      const pid = await connectHttp(client, args, folder, {
        ...env,
        ...(side === 'ours' ? { PAGEHELM_AUTH: 'false' } : {}),
      });
      return new CompatServer(client, folder, [pid]);
    }
    const transport = new StdioClientTransport({ command: process.execPath, args, cwd: folder, env, stderr: 'ignore' });
    await client.connect(transport);
    return new CompatServer(client, folder, [transport.pid ?? undefined, attached?.pid]);
  }

  async tools(): Promise<readonly { readonly name: string; readonly inputSchema: unknown }[]> {
    return (await this.#client.listTools()).tools;
  }

  async call(
    tool: string,
    args: Readonly<Record<string, unknown>>,
    values: Readonly<Record<string, string>>,
  ): Promise<Parts> {
    const filled = fill(args, { ...values, folder: this.#folder }, this.#snapshot);
    const started = performance.now();
    const result = await this.#client
      .callTool({ name: tool, arguments: { ...Object(filled) } }, undefined, { timeout: callLimitMs })
      .catch((error: unknown) => ({ content: [{ type: 'text', text: `Protocol error: ${String(error)}` }] }));
    this.milliseconds += performance.now() - started;
    // The client has checked its shape.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const parts = partsOf(result as RawAnswer, this.#folder);
    const shown = [...parts].findLast(([name, text]) => /Snapshot$|^file/.test(name) && text.includes('[ref='))?.[1];
    this.#snapshot = shown ?? this.#snapshot;
    return parts;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const [server, browser] = this.#pids;
    await endTree(server, async () => this.#client.close());
    if (browser !== undefined) await endTree(browser, async () => void process.kill(browser));
  }
}

/** A browser with a blank page that is open for DevTools clients. */
async function startBrowser(profile: string): Promise<{ readonly endpoint: string; readonly pid: number | undefined }> {
  const browser = findBrowser(process.env['PAGEHELM_BENCH_BROWSER']);
  const flags = ['--headless', '--no-sandbox', '--remote-debugging-port=0', `--user-data-dir=${profile}`];
  const child = spawn(browser, [...quietArgs, ...flags, 'about:blank'], { stdio: ['ignore', 'ignore', 'pipe'] });
  const endpoint = await found(child, /ws:\/\/\S+/);
  return { endpoint, pid: child.pid };
}

/** The first match in what a program writes to stderr. */
async function found(child: ChildProcessByStdio<null, null, Readable>, pattern: RegExp): Promise<string> {
  return new Promise((resolveText, reject) => {
    let output = '';
    child.stderr.on('data', (chunk) => {
      output += String(chunk);
      const text = pattern.exec(output)?.[0];
      if (text !== undefined) resolveText(text);
    });
    child.once('exit', () => reject(new Error(`the program ended: ${output}`)));
  });
}

function clientFor({ root }: Group, folder: string): Client {
  const client = new Client(
    { name: 'compat', version: '1' },
    { capabilities: root === undefined ? {} : { roots: {} } },
  );
  if (root === undefined) return client;
  const uri = pathToFileURL(resolve(folder, root)).href;
  client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri, name: 'workspace' }] }));
  return client;
}

async function connectHttp(
  client: Client,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<number | undefined> {
  const child = spawn(process.execPath, [...args, '--port', '0'], { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] });
  const url = await found(child, /https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\]):\d+/);
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)));
  return child.pid;
}

function baseConfig(): Readonly<Record<string, unknown>> {
  const executablePath = findBrowser(process.env['PAGEHELM_BENCH_BROWSER']);
  const launchOptions = { headless: true, executablePath, args: [...quietArgs], chromiumSandbox: false };
  return { browser: { browserName: 'chromium', isolated: true, launchOptions } };
}

function merged(
  one: Readonly<Record<string, unknown>>,
  other: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const result: Record<string, unknown> = { ...one };
  for (const [key, value] of Object.entries(other)) {
    const isNested = isObject(value) && isObject(result[key]);
    result[key] = isNested ? merged(Object(result[key]), Object(value)) : value;
  }
  return result;
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function fill(value: unknown, values: Readonly<Record<string, string>>, snapshot: string): unknown {
  if (Array.isArray(value)) return value.map((item) => fill(item, values, snapshot));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fill(item, values, snapshot)]));
  if (typeof value !== 'string') return value;
  return value.replaceAll(/\{\{(\w+)(?::([^}]*))?\}\}/g, (_all, name: string, line: string | undefined) =>
    name === 'ref' ? refIn(snapshot, line ?? '') : (values[name] ?? ''),
  );
}

function refIn(snapshot: string, text: string): string {
  const line = snapshot.split('\n').find((each) => each.includes(text));
  return /\[ref=(\w+)\]/.exec(line ?? '')?.[1] ?? `no-ref-for-${text}`;
}
