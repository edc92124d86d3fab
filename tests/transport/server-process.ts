import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { raceSignal } from '../../src/util/signals.ts';
import { bin } from '../built.ts';
import { eventually } from './processes.ts';

const messageSchema = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.number(), z.null()]).optional(),
  method: z.string().optional(),
  params: z.record(z.string(), z.unknown()).optional(),
  result: z.record(z.string(), z.unknown()).optional(),
  error: z.object({ code: z.number(), message: z.string(), data: z.unknown().optional() }).optional(),
});
export type Message = z.output<typeof messageSchema>;

const callResultSchema = z.object({
  content: z.array(z.looseObject({ type: z.string(), text: z.string().optional() })),
  isError: z.boolean().optional(),
});

export interface ServerOptions {
  readonly args?: readonly string[];
  readonly program?: string;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Wraps the command line of the server. */
  readonly wrap?: (command: readonly string[]) => readonly string[];
  /** A file to use instead of a pipe. */
  readonly stdin?: number;
}

/** A folder that is removed with its owner. */
export function temporaryFolder(): { readonly path: string } & Disposable {
  const path = mkdtempSync(join(tmpdir(), 'ph-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true, maxRetries: 10 }) };
}

/** The real server as a child process. */
export class ServerProcess implements AsyncDisposable {
  readonly child: ChildProcess;
  readonly #folder = temporaryFolder();
  readonly #closed: Promise<unknown>;
  readonly #stdin: number | undefined;
  #stdout = '';
  #stderr = '';
  #lastId = 0;

  constructor(options: ServerOptions = {}) {
    const { args = ['--headless'], program = bin, cwd = this.#folder.path, wrap = (words) => words } = options;
    const [file = '', ...rest] = wrap([process.execPath, program, ...args]);
    this.child = spawn(file, rest, {
      cwd,
      env: { ...process.env, ...options.env },
      stdio: [options.stdin ?? 'pipe', 'pipe', 'pipe'],
    });
    this.#stdin = options.stdin;
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.#stdout += text));
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.#stderr += text));
    this.child.stdin?.on('error', () => undefined);
    this.#closed = once(this.child, 'close');
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  get stderr(): string {
    return this.#stderr;
  }

  /** Whole lines on stdout so far. */
  get lines(): readonly string[] {
    return this.#stdout.split('\n').slice(0, -1);
  }

  get messages(): readonly Message[] {
    return this.lines.map((line) => messageSchema.parse(JSON.parse(line)));
  }

  write(text: string | Buffer): void {
    if (this.#stdin === undefined) this.child.stdin?.write(text);
    else writeSync(this.#stdin, Buffer.from(text));
  }

  /** Sends a message as one line. */
  send(message: object): void {
    this.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  /** Sends a request without waiting for its answer. */
  ask(method: string, params?: object): number {
    const id = ++this.#lastId;
    this.send({ id, method, ...(params === undefined ? {} : { params }) });
    return id;
  }

  async request(method: string, params?: object): Promise<Message> {
    return this.answer(this.ask(method, params));
  }

  async answer(id: number | string | null): Promise<Message> {
    return this.until(`an answer to ${id}`, (message) => message.id === id && message.method === undefined);
  }

  async until(what: string, isIt: (message: Message) => boolean): Promise<Message> {
    let found: Message | undefined;
    await eventually(
      what,
      () => {
        found = this.messages.find(isIt);
        return found !== undefined || `${this.#stdout.slice(-500)}\n${this.#stderr.slice(-500)}`;
      },
      20_000,
    );
    return found ?? { jsonrpc: '2.0' };
  }

  async initialize(protocolVersion = '2025-11-25'): Promise<Message> {
    const clientInfo = { name: 'test', version: '1' };
    const answer = await this.request('initialize', { protocolVersion, capabilities: {}, clientInfo });
    this.send({ method: 'notifications/initialized' });
    return answer;
  }

  /** Calls a tool; its text, and whether it failed. */
  async call(name: string, args: object = {}): Promise<{ readonly text: string; readonly isError: boolean }> {
    const { result } = await this.request('tools/call', { name, arguments: args });
    const { content, isError = false } = callResultSchema.parse(result);
    return { text: content.map(({ text = '' }) => text).join('\n'), isError };
  }

  /** The exit code, once it has ended and its output was read. */
  async exit(withinMs = 6000): Promise<number | null> {
    await raceSignal(this.#closed, AbortSignal.timeout(withinMs));
    return this.child.exitCode;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.child.stdin?.end();
    await this.exit().catch(() => this.child.kill('SIGKILL'));
    this.#folder[Symbol.dispose]();
  }
}
