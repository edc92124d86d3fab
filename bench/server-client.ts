import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import type { CallToolResult } from '@modelcontextprotocol/client';
import { StdioClientTransport, getDefaultEnvironment } from '@modelcontextprotocol/client/stdio';
import * as z from 'zod';
import { quietArgs } from './browser.ts';
import { endTree } from './cleanup.ts';

/** One call of a tool, as a client makes it. */
export type CallTool = (name: string, args: Readonly<Record<string, unknown>>) => Promise<ToolAnswer>;

export interface ToolAnswer {
  readonly text: string;
  readonly isError: boolean;
  /** The kind of its error. */
  readonly kind?: string | undefined;
  /** Whether an acting call changed anything. */
  readonly effect?: string | undefined;
}

const callLimitMs = 180_000;

/** The built server. */
export const serverFile = fileURLToPath(new URL('../dist/bin.js', import.meta.url));
export const serverArgs: readonly string[] = [
  '--headless',
  '--isolated',
  '--log-level=error',
  ...quietArgs.map((arg) => `--browser-arg=${arg}`),
];

/** The built server as a process, with a client on stdio. */
export class ServerClient implements AsyncDisposable {
  readonly pid: number;
  readonly client: Client;

  private constructor(client: Client, pid: number) {
    this.client = client;
    this.pid = pid;
  }

  static async open(args: readonly string[] = [], env: Readonly<Record<string, string>> = {}): Promise<ServerClient> {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [serverFile, ...serverArgs, ...args],
      env: { ...getDefaultEnvironment(), TMPDIR: process.env['TMPDIR'] ?? '/tmp', ...env },
      stderr: 'ignore',
    });
    const client = new Client({ name: 'pagehelm-bench', version: '1.0.0' });
    await client.connect(transport);
    return new ServerClient(client, transport.pid ?? 0);
  }

  readonly call: CallTool = async (name, args) =>
    answerOf(await this.client.callTool({ name, arguments: { ...args } }, { timeout: callLimitMs }));

  /** Creates a session; returns its id. */
  readonly createSession = async (): Promise<string> => {
    const { text } = await this.call('create_session', { ttl: 0 });
    return /"sessionId":\s*"([^"]+)"/.exec(text)?.[1] ?? '';
  };

  /** Calls of one session. */
  async openSession(): Promise<CallTool> {
    const sessionId = await this.createSession();
    return async (name, args) => this.call(name, { ...args, sessionId });
  }

  /** Ends the server; returns the number of processes that it left behind, which are killed. */
  async end(): Promise<number> {
    return endTree(this.pid, async () => this.client.close());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end();
  }
}

const failure = z.object({ error: z.object({ kind: z.string() }) });
const meta = z.object({ 'pagehelm/effect': z.string() });

function answerOf(result: CallToolResult): ToolAnswer {
  const text = result.content.map((item) => (item.type === 'text' ? item.text : '')).join('\n');
  return {
    text,
    isError: result.isError === true,
    kind: failure.safeParse(result.structuredContent).data?.error.kind,
    effect: meta.safeParse(result._meta).data?.['pagehelm/effect'],
  };
}
