import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { ToolError } from '../../errors.ts';
import { codeProgram } from './code-program.ts';

/** A step of a call on the page: a name, and the arguments of a method. */
export type Step = readonly [name: string, args?: readonly unknown[] | undefined];

/** What the code asks of the server. */
export interface CodeHandlers {
  /** Runs a call on the page. */
  readonly call: (path: readonly Step[]) => Promise<{ readonly value?: unknown; readonly response?: object }>;
  readonly log: (text: string) => void;
  readonly url: () => string;
}

const step = z.tuple([z.string(), z.array(z.unknown()).optional()]);
const message = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ready') }),
  z.object({ kind: z.literal('call'), id: z.number(), path: z.array(step).max(50) }),
  z.object({ kind: z.literal('log'), text: z.string() }),
  z.object({ kind: z.literal('end'), value: z.unknown().optional(), thrown: z.string().optional() }),
]);
type Message = z.output<typeof message>;

const mostMegabytes = 128;
const mostResident = 512 * 2 ** 20;
const pollMs = 100;
const pageBytes = 4096;
/** Characters of one message; a result can be as long. */
const longestMessage = 30_000_000;
const unshare = '/usr/bin/unshare';

/** Options of Node.js under which the process reaches no files, programs, threads or add-ons. */
function lockedArguments(): readonly string[] {
  const permission = process.allowedNodeEnvironmentFlags.has('--permission')
    ? '--permission'
    : '--experimental-permission';
  return [
    permission,
    '--disallow-code-generation-from-strings',
    '--no-addons',
    '--no-warnings',
    `--max-old-space-size=${mostMegabytes}`,
    '--input-type=commonjs',
    '--eval',
    codeProgram(),
  ];
}

/** On Linux also without a network and other processes, where the system allows it. */
function start(isContained: boolean): ChildProcess {
  const node = [process.execPath, ...lockedArguments()];
  const contained = [unshare, '--map-root-user', '--net', '--pid', '--fork', '--kill-child', '--', ...node];
  const [file = '', ...args] = isContained ? contained : node;
  return spawn(file, args, { cwd: '/', env: {}, detached: true, stdio: ['pipe', 'pipe', 'ignore'] });
}

/** Runs code in a process of its own until it ends or the signal aborts; then the process is killed. */
export async function runCode(code: string, handlers: CodeHandlers, signal: AbortSignal): Promise<unknown> {
  signal.throwIfAborted();
  const canContain = process.platform === 'linux' && existsSync(unshare);
  return canContain
    ? runIn(true, code, handlers, signal).catch(async (error: unknown) => {
        // The system does not allow namespaces; the other limits apply.
        if (!(error instanceof NotStarted)) throw error;
        return runIn(false, code, handlers, signal);
      })
    : runIn(false, code, handlers, signal);
}

/** The process ended before it could run anything. */
class NotStarted extends Error {}

async function runIn(contained: boolean, code: string, handlers: CodeHandlers, signal: AbortSignal): Promise<unknown> {
  const child = start(contained);
  const memory = setInterval(() => void killIfLarge(child), pollMs);
  const onAbort = (): void => kill(child);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await new Promise<unknown>((resolve, reject) => {
      const fail = (reason: string): void => reject(new ToolError('EVALUATION_FAILED', { reason }));
      let isReady = false;
      const on = (received: Message): void => {
        if (received.kind === 'ready') {
          isReady = true;
          child.stdin?.write(`url ${handlers.url()}\nrun ${JSON.stringify(`(${code}\n)`)}\n`);
        } else if (received.kind === 'log') handlers.log(received.text);
        else if (received.kind === 'call') void answer(child, received, handlers);
        else if (received.thrown === undefined) resolve(received.value);
        else fail(received.thrown);
      };
      readLines(child, on, () => fail('the code sent an invalid or too long message'));
      child.on('error', (error) => reject(new NotStarted(error.message)));
      child.on('close', () => {
        if (signal.aborted) reject(signal.reason);
        else if (!isReady) reject(new NotStarted('it ended at once'));
        else fail('the process of the code ended: it used too much memory or stopped itself');
      });
    });
  } finally {
    clearInterval(memory);
    signal.removeEventListener('abort', onAbort);
    kill(child);
  }
}

async function answer(
  child: ChildProcess,
  { id, path }: Extract<Message, { kind: 'call' }>,
  { call, url }: CodeHandlers,
): Promise<void> {
  const result = await call(path).catch((error: unknown) => ({
    error: error instanceof Error ? error.message : String(error),
  }));
  if (child.stdin?.writable === true) child.stdin.write(`answer ${JSON.stringify({ id, url: url(), ...result })}\n`);
}

function readLines(child: ChildProcess, on: (message: Message) => void, onInvalid: () => void): void {
  let rest = '';
  child.stdin?.on('error', () => undefined);
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > longestMessage) onInvalid();
    for (const line of lines) {
      const parsed = message.safeParse(parseJson(line));
      if (parsed.success) on(parsed.data);
      else onInvalid();
    }
  });
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** The heap has a limit of its own; buffers are outside of it. */
async function killIfLarge(child: ChildProcess): Promise<void> {
  if (process.platform !== 'linux' || child.pid === undefined) return;
  const pids = [child.pid, ...(await childrenOf(child.pid))];
  for (const pid of pids) {
    const statm = await readFile(`/proc/${pid}/statm`, 'latin1').catch(() => '');
    if (Number(statm.split(' ')[1] ?? 0) * pageBytes > mostResident) kill(child);
  }
}

async function childrenOf(pid: number): Promise<readonly number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'latin1').catch(() => '');
  return text.split(' ').filter(Boolean).map(Number);
}

/** Ends the process and everything it started. */
function kill(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  try {
    process.kill(process.platform === 'win32' ? child.pid : -child.pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}
