import { isDeepStrictEqual } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Cleanup } from '../cleanup.ts';
import { endTree } from '../cleanup.ts';
import type { ServerCommand, ServerName } from '../servers.ts';
import type { ToolCall } from './adapters.ts';
import type { EvalSite } from './eval-site.ts';
import { Hands } from './hands.ts';
import type { Cost, ToolAnswer } from './hands.ts';
import type { Outcome, PlacedTask } from './task.ts';

/** One task through one server. */
export interface Attempt extends Cost {
  readonly task: string;
  readonly area: string;
  readonly server: ServerName;
  readonly isSolved: boolean;
  /** Why it is not solved. */
  readonly failure: string | undefined;
  readonly outcome: Outcome | undefined;
  readonly transcript: string;
}

const callTimeoutMs = 60_000;

class Server implements AsyncDisposable {
  readonly #client: Client;
  readonly #pid: number | null;

  private constructor(client: Client, pid: number | null) {
    this.#client = client;
    this.#pid = pid;
  }

  static async open({ file, args, cwd, env }: ServerCommand): Promise<Server> {
    const transport = new StdioClientTransport({
      command: file,
      args: [...args],
      cwd,
      env: { ...env },
      stderr: 'ignore',
    });
    const client = new Client({ name: 'eval', version: '1' });
    await client.connect(transport, { timeout: callTimeoutMs });
    await client.listTools();
    return new Server(client, transport.pid);
  }

  async call({ name, args }: ToolCall): Promise<ToolAnswer> {
    const result = await this.#client.callTool({ name, arguments: { ...args } }, { timeout: callTimeoutMs });
    const texts = result.content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
    return { text: texts.join('\n'), isError: result.isError === true };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await endTree(this.#pid ?? undefined, () => this.#client.close());
  }
}

export interface EvalRun {
  readonly tasks: readonly PlacedTask[];
  readonly commands: readonly ServerCommand[];
  readonly site: EvalSite;
  readonly cleanup: Cleanup;
  readonly progress: (text: string) => void;
}

/** Runs each task through each server, the servers in turns. After a failure the server is restarted. */
export async function runEval({ tasks, commands, site, cleanup, progress }: EvalRun): Promise<readonly Attempt[]> {
  const servers = new Map<ServerName, Server>();
  const attempts: Attempt[] = [];
  for (const [index, task] of tasks.entries()) {
    const order = index % 2 === 0 ? commands : commands.toReversed();
    for (const command of order) {
      const server = servers.get(command.name) ?? cleanup.use(await openWarm(command, site));
      servers.set(command.name, server);
      const attempt = await tryTask(server, command.name, task, site);
      attempts.push(attempt);
      progress(`${task.area}/${task.id} ${command.name}: ${attempt.failure ?? 'solved'}`);
      if (attempt.isSolved) continue;
      servers.delete(command.name);
      await cleanup.release(server);
    }
  }
  return attempts;
}

/** The first call launches the browser, which is not part of a task. */
async function openWarm(command: ServerCommand, site: EvalSite): Promise<Server> {
  const server = await Server.open(command);
  await server.call({ name: 'browser_navigate', args: { url: site.blank } });
  return server;
}

async function tryTask(server: Server, name: ServerName, task: PlacedTask, site: EvalSite): Promise<Attempt> {
  const run = `${name}-${task.id}`;
  const hands = new Hands(name, (call) => server.call(call));
  let problem: string | undefined;
  try {
    await hands.open(site.url(task, run));
    await task.run(hands);
  } catch (error: unknown) {
    problem = error instanceof Error ? error.message : String(error);
  }
  const { cost, transcript } = hands;
  await server.call({ name: 'browser_navigate', args: { url: site.blank } });
  const outcome = await site.outcome(run);
  const isReached =
    outcome !== undefined &&
    Object.entries(task.expected).every(([key, value]) => isDeepStrictEqual(outcome[key], value));
  const failure = problem ?? (isReached ? undefined : `the page is in another state: ${JSON.stringify(outcome)}`);
  const { id, area } = task;
  return { ...cost, task: id, area, server: name, isSolved: failure === undefined, failure, outcome, transcript };
}
