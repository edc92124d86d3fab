import { spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { freePort } from '../tests/free-port.ts';
import { endTree } from './cleanup.ts';
import type { Cleanup } from './cleanup.ts';
import type { Check } from './measure.ts';
import { timed } from './measure.ts';
import { formElements, formPage } from './pages.ts';
import { processTree, pssMiB, rssMiB } from './proc.ts';
import { RawDriver } from './raw.ts';
import { McpAnswer, McpDriver, refIn, textOf } from './servers.ts';
import type { Answer, ContestantName, ServerCommand } from './servers.ts';
import type { Suite } from './suite.ts';

/** Number of parallel sessions. */
const size = 8;
/** Minimum thinking time of a model. */
const restMs = 5000;
const startLimitMs = 30_000;
const callTimeoutMs = 120_000;

export type Call = (tool: string, args: Record<string, unknown>) => Promise<Answer>;

/** One server with several parallel workers, each with its own cookies and pages. */
export interface Crew extends AsyncDisposable {
  readonly name: ContestantName;
  readonly root: number;
  readonly workers: readonly Call[];
}

/** Several sessions on one connection. */
async function openSessions(command: ServerCommand): Promise<Crew> {
  const driver = await McpDriver.open(command);
  try {
    const names = Array.from({ length: size }, (_, index) => `worker${index}`);
    for (const name of names) await driver.call('create_session', { name, ttl: 0 });
    const workers = names.map(
      (sessionId): Call =>
        (tool, args) =>
          driver.call(tool, { ...args, sessionId }),
    );
    return {
      name: driver.name,
      root: driver.roots[0] ?? 0,
      workers,
      [Symbol.asyncDispose]: () => driver[Symbol.asyncDispose](),
    };
  } catch (error: unknown) {
    await driver[Symbol.asyncDispose]();
    throw error;
  }
}

/** Clients of an HTTP server, each with its own session. */
export async function openClients(command: ServerCommand, count: number): Promise<Crew & { readonly url: URL }> {
  const port = await freePort();
  const url = new URL(`http://localhost:${port}/mcp`);
  const { file, args, cwd, env } = command;
  const child = spawn(file, [...args, '--port', String(port)], { cwd, env: { ...env }, stdio: 'ignore' });
  const clients: Client[] = [];
  const end = async (): Promise<void> => {
    const close = async (): Promise<void> => {
      await Promise.all(clients.map((client) => client.close()));
      child.kill();
    };
    await endTree(child.pid, close);
  };
  try {
    for (let index = 0; index < count; index += 1) clients.push(await connect(url));
    const callWith =
      (client: Client): Call =>
      async (tool, toolArgs) => {
        const result = await client.callTool({ name: tool, arguments: toolArgs }, { timeout: callTimeoutMs });
        return new McpAnswer(textOf(tool, result), cwd);
      };
    const workers = clients.map(callWith);
    return { name: command.name, root: child.pid ?? 0, url, workers, [Symbol.asyncDispose]: end };
  } catch (error: unknown) {
    await end();
    throw error;
  }
}

/** Retries until the server listens. */
async function connect(url: URL): Promise<Client> {
  const deadline = Date.now() + startLimitMs;
  for (;;) {
    const client = new Client({ name: 'bench', version: '1' });
    try {
      await client.connect(new StreamableHTTPClientTransport(url));
      return client;
    } catch (error: unknown) {
      if (Date.now() > deadline) throw error;
      await pause(100);
    }
  }
}

/** One round of a worker: six calls and a check that the page was its own. */
export async function work(call: Call, url: string, who: string): Promise<boolean> {
  await call('browser_navigate', { url });
  const seen = await call('browser_snapshot', {});
  const [name, save] = [formElements.name, formElements.save].map((element) => refIn(seen, element));
  if (name === undefined || save === undefined) throw new Error(`no refs in ${seen.text.slice(0, 200)}`);
  await call('browser_type', { target: name, text: who });
  await call('browser_click', { target: save });
  await call('browser_press_key', { key: 'ArrowLeft' });
  const { text } = await call('browser_evaluate', {
    function: '() => location.search + " " + document.querySelector("#name").value',
  });
  return text.includes(`${new URL(url).search} ${who}`);
}

/** Calls that `work` makes. */
export const callsOfWork = 6;
const callsOfRound = callsOfWork * size;

/** Runs eight workers in parallel through each server, and measures the cost of a new session. */
export async function runSessions(
  { recorder, site, rounds, progress }: Suite,
  commands: readonly ServerCommand[],
  browser: string,
  cleanup: Cleanup,
): Promise<readonly Check[]> {
  progress(`sessions: ${size} at once`);
  const crews: Crew[] = [];
  const own = new Map<ContestantName, { held: number; of: number }>();
  try {
    for (const command of commands) {
      const crew = command.name === 'pagehelm' ? await openSessions(command) : await openClients(command, size);
      crews.push(cleanup.use(crew));
    }
    await recorder.interleave('sessions', crews, Math.ceil(rounds / 2), async ({ name, workers }, round) => {
      const url = (index: number): string => site.at(`/${formPage.id}?visit=${name}-${round}-${index}`);
      const all = (): Promise<boolean[]> =>
        Promise.all(workers.map((call, index) => work(call, url(index), `worker ${index}`)));
      const { ms, value } = await timed(all);
      if (round < 0) return;
      recorder.add(
        { id: 'sessions.call', title: `${size} parallel sessions, a call`, unit: 'ms' },
        name,
        ms / callsOfRound,
      );
      const { held, of } = own.get(name) ?? { held: 0, of: 0 };
      own.set(name, { held: held + value.filter(Boolean).length, of: of + value.length });
    });
    for (const { name, root } of crews) recordMemory(recorder, name, root, 'after work');
    await pause(restMs);
    for (const { name, root } of crews) recordMemory(recorder, name, root, 'at rest');
  } finally {
    for (const crew of crews) await cleanup.release(crew);
  }
  await runRawMemory(recorder, browser, site.at(`/${formPage.id}?visit=raw`), cleanup);
  await runCreate(recorder, commands, browser, rounds, cleanup);
  return [{ id: 'sessions.own', title: 'each session saw its own page', counts: Object.fromEntries(own) }];
}

/** Memory of the browser alone with as many pages: the lower bound for a server. */
async function runRawMemory(
  recorder: Suite['recorder'],
  browser: string,
  url: string,
  cleanup: Cleanup,
): Promise<void> {
  const raw = cleanup.use(await RawDriver.open(browser));
  try {
    await raw.navigate(url);
    for (let index = 1; index < size; index += 1) await raw.openContext(url);
    const [root] = raw.roots;
    if (root !== undefined) recordMemory(recorder, 'raw', root, 'after work');
  } finally {
    await cleanup.release(raw);
  }
}

function recordMemory(
  recorder: Suite['recorder'],
  name: ContestantName,
  root: number,
  when: 'after work' | 'at rest',
): void {
  const tree = processTree(root).map(({ pid }) => pid);
  const add = (id: string, title: string, of: (pid: number) => number | undefined): void => {
    const total = tree.reduce((sum, pid) => sum + (of(pid) ?? 0), 0);
    if (total > 0) recorder.add({ id, title, unit: 'MiB' }, name, total / size);
  };
  const id = when === 'at rest' ? 'sessions.rest' : 'sessions.memory';
  add(`${id}.pss`, `${size} sessions ${when}, PSS of all processes, each`, pssMiB);
  add(`${id}.rss`, `${size} sessions ${when}, RSS of all processes, each`, rssMiB);
}

interface Maker extends AsyncDisposable {
  readonly name: ContestantName;
  /** Creates a session with a page; returns a function that ends it. */
  readonly make: () => Promise<() => Promise<unknown>>;
}

async function runCreate(
  recorder: Suite['recorder'],
  commands: readonly ServerCommand[],
  browser: string,
  rounds: number,
  cleanup: Cleanup,
): Promise<void> {
  const makers: Maker[] = [];
  try {
    const raw = await RawDriver.open(browser);
    makers.push(
      cleanup.use({
        name: 'raw',
        make: () => raw.openContext(),
        [Symbol.asyncDispose]: () => raw[Symbol.asyncDispose](),
      }),
    );
    const command = commands.find(({ name }) => name === 'pagehelm');
    if (command !== undefined) {
      const driver = await McpDriver.open(command);
      const make = async (): Promise<() => Promise<unknown>> => {
        await driver.call('create_session', { name: 'made' });
        return () => driver.call('close_session', { sessionId: 'made' });
      };
      makers.push(cleanup.use({ name: 'pagehelm', make, [Symbol.asyncDispose]: () => driver[Symbol.asyncDispose]() }));
    }
    await recorder.interleave('sessions.create', makers, rounds * 2, async ({ name, make }, round) => {
      const { ms, value: end } = await timed(make);
      await end();
      const metric = { id: 'sessions.create', title: 'a session with a page, running browser', unit: 'ms' } as const;
      if (round >= 0) recorder.add(metric, name, ms);
    });
  } finally {
    for (const maker of makers) await cleanup.release(maker);
  }
}
