import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport, getDefaultEnvironment } from '@modelcontextprotocol/client/stdio';
import { quietArgs } from './browser.ts';
import { endTree } from './cleanup.ts';
import type { Element } from './pages.ts';

export type ServerName = 'pagehelm' | 'peer';
/** `raw` is playwright-core, `cdp` the browser's own protocol; both without a server. */
export type ContestantName = ServerName | 'raw' | 'cdp' | 'devtools' | 'agent-browser';

/** An element by role and name in a snapshot. */
export type Sought = Pick<Element, 'role' | 'name'>;

/** The part of an answer that a model sees. */
export interface Answer {
  readonly text: string;
  /** Contents of text files linked in the answer. */
  readonly files: readonly string[];
}

/** One browser with one page, driven by a contestant; `find` returns targets on the open page. */
export interface Driver extends AsyncDisposable {
  readonly name: ContestantName;
  /** Processes of the contestant; the first is the server, if there is one. */
  readonly roots: readonly number[];
  navigate(url: string): Promise<Answer>;
  snapshot(): Promise<Answer>;
  find(element: Element): Promise<string>;
  click(target: string): Promise<Answer>;
  type(target: string, text: string, submit: boolean): Promise<Answer>;
  press(key: string): Promise<Answer>;
  hover(target: string): Promise<Answer>;
  select(target: string, value: string): Promise<Answer>;
  check(target: string, isOn: boolean): Promise<Answer>;
  drag(from: string, to: string): Promise<Answer>;
  /** Takes the source of a function with no parameters. */
  evaluate(source: string): Promise<Answer>;
  screenshot(): Promise<Answer>;
  /** Lists the tabs with their titles. */
  tabs(): Promise<Answer>;
  /** An answer without any work: the cost of the protocol. Without a protocol it takes no time. */
  ping(): Promise<Answer>;
  /** The groups it takes part in; all if absent. */
  readonly groups?: ReadonlySet<string>;
  /** Clicks and returns once `text` is on the page. Servers are expected to wait for it. */
  clickAndExpect(target: string, text: string): Promise<Answer>;
}

export interface ServerCommand<N extends ContestantName = ServerName> {
  readonly name: N;
  readonly title: string;
  readonly version: string;
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Some servers are slow on pages of 50,000 elements. */
export const callTimeoutMs = 120_000;
const fileLink = /(?:\]\(|written to )([^)\s]+\.(?:ya?ml|md|txt|json))/g;

function manifestVersion(path: string): string {
  const manifest: unknown = JSON.parse(readFileSync(path, 'utf8'));
  const isManifest = typeof manifest === 'object' && manifest !== null && 'version' in manifest;
  return isManifest ? String(manifest.version) : 'unknown';
}

/** The command of a server. `folder` is its working directory and output folder, `entry` the pagehelm to run. */
export function serverCommand(
  name: ServerName,
  root: string,
  folder: string,
  browser: string,
  entry: string,
): ServerCommand {
  const config = join(folder, 'config.json');
  const browserArgs = ['--executable-path', browser, '--no-sandbox', '--config', config];
  const common = { name, file: process.execPath, cwd: folder, env: { ...getDefaultEnvironment(), TMPDIR: folder } };
  if (name === 'pagehelm') {
    if (!existsSync(entry)) {
      throw new Error(
        `No pagehelm at ${entry}: run \`npm run build\`, or leave it out with \`--contestants peer,raw\``,
      );
    }
    writeFileSync(config, JSON.stringify({ browser: { args: quietArgs } }));
    const version = manifestVersion(join(root, 'package.json'));
    return { ...common, title: 'pagehelm', version, args: [entry, '--headless', ...browserArgs] };
  }
  const manifest = createRequire(join(root, 'package.json')).resolve('@playwright/mcp/package.json');
  writeFileSync(config, JSON.stringify({ browser: { launchOptions: { args: quietArgs } } }));
  const args = [join(dirname(manifest), 'cli.js'), '--headless', '--isolated', '--output-dir', join(folder, 'output')];
  return { ...common, title: '@playwright/mcp', version: manifestVersion(manifest), args: [...args, ...browserArgs] };
}

/** The ref of an element anywhere in a snapshot line. */
export function refInLine(line: string, { role, name }: Sought): string | undefined {
  const plain = line.replaceAll('\\"', '"');
  const head = `${role} "${name}"`;
  for (let at = plain.indexOf(head); at >= 0; at = plain.indexOf(head, at + 1)) {
    const attributes = /^(?: \[[^\]]*\])*/.exec(plain.slice(at + head.length))?.[0] ?? '';
    const ref = /\[ref=([^\]\s]+)\]/.exec(attributes)?.[1];
    if (ref !== undefined) return ref;
  }
  return undefined;
}

/** The ref of an element in an answer. */
export function refIn({ text, files }: Answer, sought: Sought): string | undefined {
  for (const line of [text, ...files].join('\n').split('\n')) {
    const ref = refInLine(line, sought);
    if (ref !== undefined) return ref;
  }
  return undefined;
}

/** The text of a result; throws if it is an error. */
export function textOf(
  what: string,
  result: { readonly content: readonly { readonly type: string }[]; readonly isError?: boolean | undefined },
): string {
  const texts = result.content.flatMap((part) => ('text' in part && typeof part.text === 'string' ? [part.text] : []));
  if (result.isError === true) throw new Error(`${what} failed: ${texts.join('\n').slice(0, 500)}`);
  return texts.join('\n');
}

/** Starts a server on stdio, and connects to it. */
export async function openClient(
  command: ServerCommand<ContestantName>,
): Promise<{ readonly client: Client; readonly pid: number | null }> {
  const { file, args, cwd, env } = command;
  const transport = new StdioClientTransport({
    command: file,
    args: [...args],
    cwd,
    env: { ...env },
    stderr: 'pipe',
  });
  let errors = '';
  transport.stderr?.on('data', (chunk: Buffer) => (errors = (errors + chunk.toString()).slice(-2000)));
  const client = new Client({ name: 'bench', version: '1' });
  try {
    await client.connect(transport, { timeout: callTimeoutMs });
    await client.listTools(undefined, { timeout: callTimeoutMs });
    return { client, pid: transport.pid };
  } catch (error: unknown) {
    await endTree(transport.pid ?? undefined, () => client.close());
    throw new Error(`${command.title} did not start: ${String(error)}\n${errors.trim()}`.trim(), { cause: error });
  }
}

/** A server on stdio, driven by the MCP client. */
export class McpDriver implements Driver {
  readonly name: ServerName;
  readonly roots: readonly number[];
  readonly #client: Client;
  readonly #folder: string;

  private constructor(command: ServerCommand, client: Client, pid: number | null) {
    this.name = command.name;
    this.roots = pid === null ? [] : [pid];
    this.#client = client;
    this.#folder = command.cwd;
  }

  static async open(command: ServerCommand): Promise<McpDriver> {
    const { client, pid } = await openClient(command);
    return new McpDriver(command, client, pid);
  }

  navigate(url: string): Promise<Answer> {
    return this.call('browser_navigate', { url });
  }

  snapshot(): Promise<Answer> {
    return this.call('browser_snapshot', {});
  }

  async find(element: Sought): Promise<string> {
    const ref = refIn(await this.snapshot(), element);
    if (ref !== undefined) return ref;
    throw new Error(`${this.name}: no ${element.role} "${element.name}" with a ref in the snapshot`);
  }

  click(target: string): Promise<Answer> {
    return this.call('browser_click', { target });
  }

  type(target: string, text: string, submit: boolean): Promise<Answer> {
    return this.call('browser_type', submit ? { target, text, submit } : { target, text });
  }

  press(key: string): Promise<Answer> {
    return this.call('browser_press_key', { key });
  }

  hover(target: string): Promise<Answer> {
    return this.call('browser_hover', { target });
  }

  select(target: string, value: string): Promise<Answer> {
    return this.call('browser_select_option', { target, values: [value] });
  }

  check(target: string, isOn: boolean): Promise<Answer> {
    const field = { target, name: 'the box', type: 'checkbox', value: String(isOn) };
    return this.call('browser_fill_form', { fields: [field] });
  }

  drag(from: string, to: string): Promise<Answer> {
    return this.call('browser_drag', { startTarget: from, endTarget: to });
  }

  evaluate(source: string): Promise<Answer> {
    return this.call('browser_evaluate', { function: source });
  }

  screenshot(): Promise<Answer> {
    return this.call('browser_take_screenshot', { type: 'png' });
  }

  tabs(): Promise<Answer> {
    return this.call('browser_tabs', { action: 'list' });
  }

  async ping(): Promise<Answer> {
    await this.#client.ping();
    return { text: '', files: [] };
  }

  refInLine(line: string, sought: Sought): string | undefined {
    return refInLine(line, sought);
  }

  clickAndExpect(target: string): Promise<Answer> {
    return this.click(target);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const killed = await endTree(this.roots[0], () => this.#client.close());
    if (killed > 0) console.error(`${this.name} left ${killed} processes behind; they were killed`);
  }

  /** Calls any tool. */
  async call(name: string, args: Record<string, unknown>): Promise<Answer> {
    const result = await this.#client.callTool({ name, arguments: args }, { timeout: callTimeoutMs });
    return new McpAnswer(textOf(`${this.name}: ${name}`, result), this.#folder);
  }
}

/** Reads linked files on demand, so that reading is not part of the measured time. */
export class McpAnswer implements Answer {
  readonly text: string;
  readonly #folder: string;

  constructor(text: string, folder: string) {
    this.text = text;
    this.#folder = folder;
  }

  get files(): readonly string[] {
    const paths = [...this.text.matchAll(fileLink)].map((match) => resolve(this.#folder, match[1] ?? ''));
    return paths.filter((path) => existsSync(path)).map((path) => readFileSync(path, 'utf8'));
  }
}
