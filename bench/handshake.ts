import { spawn } from 'node:child_process';
import { performance } from 'node:perf_hooks';
import { z } from 'zod';
import { endTree } from './cleanup.ts';
import type { Cleanup } from './cleanup.ts';
import { cpuMs, rssMiB } from './proc.ts';
import type { ContestantName, ServerCommand } from './servers.ts';

const deadlineMs = 30_000;

const toolSchema = z.looseObject({ name: z.string(), description: z.string().optional(), inputSchema: z.unknown() });
const messageSchema = z.looseObject({
  id: z.union([z.number(), z.string(), z.null()]).optional(),
  result: z.looseObject({ tools: z.array(toolSchema).optional() }).optional(),
  error: z.looseObject({ message: z.string() }).optional(),
});

export type ListedTool = z.infer<typeof toolSchema>;

export interface Start {
  readonly wallMs: number;
  readonly cpuMs: number | undefined;
  readonly rssMiB: number | undefined;
  readonly tools: readonly ListedTool[];
}

const line = (message: object): string => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;
const initialize = line({
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'bench', version: '1' } },
});
const listTools = line({ method: 'notifications/initialized' }) + line({ id: 2, method: 'tools/list', params: {} });

/** Starts a server, requests its tools with a minimal client, and ends it. */
export async function measureStart(command: ServerCommand<ContestantName>, cleanup: Cleanup): Promise<Start> {
  const startedAt = performance.now();
  const child = spawn(command.file, command.args, { cwd: command.cwd, env: command.env, stdio: 'pipe' });
  const exited = new Promise<void>((resolve) => void child.once('close', () => resolve()));
  const resource = cleanup.use({
    [Symbol.asyncDispose]: async () => {
      await endTree(child.pid, async () => {
        child.stdin.end();
        await Promise.resolve();
      });
      child.kill('SIGKILL');
      await exited;
    },
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors = (errors + text).slice(-2000)));
  child.stdin.on('error', () => undefined);
  try {
    return await new Promise<Start>((resolve, reject) => {
      const fail = (reason: string): void => reject(new Error(`${command.title} ${reason}\n${errors.trim()}`.trim()));
      const timer = setTimeout(() => fail(`did not list its tools within ${deadlineMs} ms`), deadlineMs);
      child.once('error', (error) => fail(`could not be started: ${error.message}`));
      child.once('close', (code) => {
        clearTimeout(timer);
        fail(`ended with code ${code} before it listed its tools`);
      });
      let buffer = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        // Read this first: a server may continue with background work after its answer.
        const sample = { wallMs: performance.now() - startedAt, ...usage(child.pid) };
        buffer += text;
        const lines = buffer.split('\n');
        buffer = lines.pop() ?? '';
        for (const each of lines) {
          const message = messageSchema.safeParse(parse(each)).data;
          if (message?.error) fail(`answered with an error: ${message.error.message}`);
          else if (message?.id === 1) child.stdin.write(listTools);
          else if (message?.id === 2 && message.result?.tools) {
            clearTimeout(timer);
            resolve({ ...sample, tools: message.result.tools });
          }
        }
      });
      child.stdin.write(initialize);
    });
  } finally {
    await cleanup.release(resource);
  }
}

function usage(pid: number | undefined): Pick<Start, 'cpuMs' | 'rssMiB'> {
  if (pid === undefined) return { cpuMs: undefined, rssMiB: undefined };
  return { cpuMs: cpuMs(pid), rssMiB: rssMiB(pid) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
