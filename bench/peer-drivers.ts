import { execFile } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Client } from '@modelcontextprotocol/client';
import { endTree } from './cleanup.ts';
import type { AgentBrowserCommand } from './peers.ts';
import type { Group } from './scenarios.ts';
import { callTimeoutMs, openClient, refInLine, textOf } from './servers.ts';
import type { Answer, Driver, ServerCommand, Sought } from './servers.ts';

const run = promisify(execFile);
/** What these peers are measured in; the other groups compare servers with the tools of @playwright/mcp. */
const measured: ReadonlySet<Group> = new Set([
  'navigate',
  'click',
  'type',
  'snapshot',
  'evaluate',
  'screenshot',
  'tabs',
  'task',
]);

const notMeasured = (): never => {
  throw new Error('not measured');
};

/** chrome-devtools-mcp. Actions return the page, so that no snapshot has to follow. */
export class DevtoolsDriver implements Driver {
  readonly name = 'devtools';
  readonly groups = measured;
  readonly roots: readonly number[];
  readonly #client: Client;
  /** Actions return a snapshot. */
  showsPage = false;

  private constructor(client: Client, pid: number | null) {
    this.#client = client;
    this.roots = pid === null ? [] : [pid];
  }

  static async open(command: ServerCommand<'devtools'>): Promise<DevtoolsDriver> {
    const { client, pid } = await openClient(command);
    return new DevtoolsDriver(client, pid);
  }

  navigate(url: string): Promise<Answer> {
    return this.#call('navigate_page', { url });
  }

  snapshot(): Promise<Answer> {
    return this.#call('take_snapshot', {});
  }

  refInLine(line: string, { role, name }: Sought): string | undefined {
    const match = /uid=(\S+) (\S+) "((?:[^"\\]|\\.)*)"/.exec(line);
    return match?.[2] === role && match[3] === name ? match[1] : undefined;
  }

  async find(element: Sought): Promise<string> {
    const { text } = await this.snapshot();
    for (const line of text.split('\n')) {
      const uid = this.refInLine(line, element);
      if (uid !== undefined) return uid;
    }
    throw new Error(`devtools: no ${element.role} "${element.name}" in the snapshot`);
  }

  click(uid: string): Promise<Answer> {
    return this.#act('click', { uid });
  }

  async type(uid: string, value: string, submit: boolean): Promise<Answer> {
    if (!submit) return this.#act('fill', { uid, value });
    const filled = await this.#call('fill', { uid, value });
    const pressed = await this.#act('press_key', { key: 'Enter' });
    return { text: `${filled.text}\n${pressed.text}`, files: [] };
  }

  press(key: string): Promise<Answer> {
    return this.#act('press_key', { key });
  }

  hover(uid: string): Promise<Answer> {
    return this.#act('hover', { uid });
  }

  readonly select = notMeasured;
  readonly check = notMeasured;
  readonly drag = notMeasured;

  evaluate(source: string): Promise<Answer> {
    return this.#call('evaluate_script', { function: source });
  }

  screenshot(): Promise<Answer> {
    return this.#call('take_screenshot', { format: 'png' });
  }

  async ping(): Promise<Answer> {
    await this.#client.ping();
    return { text: '', files: [] };
  }

  tabs(): Promise<Answer> {
    return this.#call('list_pages', {});
  }

  clickAndExpect(uid: string): Promise<Answer> {
    return this.click(uid);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await endTree(this.roots[0], () => this.#client.close());
  }

  #act(tool: string, args: Record<string, unknown>): Promise<Answer> {
    return this.#call(tool, this.showsPage ? { ...args, includeSnapshot: true } : args);
  }

  async #call(tool: string, args: Record<string, unknown>): Promise<Answer> {
    const result = await this.#client.callTool({ name: tool, arguments: args }, { timeout: callTimeoutMs });
    return { text: textOf(`devtools: ${tool}`, result), files: [] };
  }
}

/** agent-browser: each call is a run of its program, which talks to a daemon that keeps the browser. */
export class AgentBrowserDriver implements Driver {
  readonly name = 'agent-browser';
  readonly groups = measured;
  readonly roots: readonly number[] = [];
  readonly #command: AgentBrowserCommand;

  private constructor(command: AgentBrowserCommand) {
    this.#command = command;
  }

  static async open(command: AgentBrowserCommand): Promise<AgentBrowserDriver> {
    const driver = new AgentBrowserDriver(command);
    await driver.#call('open', 'about:blank');
    await driver.#call('set', 'viewport', '1280', '720');
    return driver;
  }

  navigate(url: string): Promise<Answer> {
    return this.#call('open', url);
  }

  snapshot(): Promise<Answer> {
    return this.#call('snapshot');
  }

  refInLine(line: string, sought: Sought): string | undefined {
    const ref = refInLine(line.replaceAll(/\[(?:[^\]]*, )?(ref=e\d+)(?:, [^\]]*)?\]/g, '[$1]'), sought);
    return ref === undefined ? undefined : `@${ref}`;
  }

  async find(element: Sought): Promise<string> {
    const { text } = await this.snapshot();
    for (const line of text.split('\n')) {
      const ref = this.refInLine(line, element);
      if (ref !== undefined) return ref;
    }
    throw new Error(`agent-browser: no ${element.role} "${element.name}" in the snapshot`);
  }

  click(ref: string): Promise<Answer> {
    return this.#call('click', ref);
  }

  async type(ref: string, text: string, submit: boolean): Promise<Answer> {
    const filled = await this.#call('fill', ref, text);
    if (!submit) return filled;
    const pressed = await this.#call('press', 'Enter');
    return { text: `${filled.text}${pressed.text}`, files: [] };
  }

  press(key: string): Promise<Answer> {
    return this.#call('press', key);
  }

  hover(ref: string): Promise<Answer> {
    return this.#call('hover', ref);
  }

  readonly select = notMeasured;
  readonly check = notMeasured;
  readonly drag = notMeasured;

  evaluate(source: string): Promise<Answer> {
    return this.#call('eval', `(${source})()`);
  }

  screenshot(): Promise<Answer> {
    return this.#call('screenshot', join(this.#command.env['HOME'] ?? '', 'shot.png'));
  }

  /** Its program talks to its daemon in each call. */
  ping(): Promise<Answer> {
    return this.#call('session');
  }

  tabs(): Promise<Answer> {
    return this.#call('tab');
  }

  clickAndExpect(ref: string): Promise<Answer> {
    return this.click(ref);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#call('close').catch(() => undefined);
    await endTree(this.#daemon(), async () => Promise.resolve());
  }

  /** The process that keeps the browser. */
  #daemon(): number | undefined {
    const folder = join(this.#command.env['HOME'] ?? '', '.agent-browser');
    try {
      const file = readdirSync(folder).find((name) => name.endsWith('.pid'));
      return file === undefined ? undefined : Number(readFileSync(join(folder, file), 'utf8'));
    } catch {
      return undefined;
    }
  }

  async #call(...args: readonly string[]): Promise<Answer> {
    const { file, env } = this.#command;
    const { stdout } = await run(file, [...args], { env: { ...env }, timeout: callTimeoutMs, maxBuffer: 1e8 });
    return { text: stdout, files: [] };
  }
}
