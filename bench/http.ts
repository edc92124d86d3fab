import type { Cleanup } from './cleanup.ts';
import { timed } from './measure.ts';
import type { Check } from './measure.ts';
import { formPage } from './pages.ts';
import { processTree, pssMiB } from './proc.ts';
import { McpDriver } from './servers.ts';
import type { ContestantName, ServerCommand } from './servers.ts';
import { runResources } from './resources.ts';
import { callsOfWork, openClients, work } from './sessions.ts';
import type { Call } from './sessions.ts';
import type { Suite } from './suite.ts';

const clients = 16;
const lastShare = 0.95;
const source = '() => document.title';

/** Runs sixteen HTTP clients in parallel through each server, and compares a call over HTTP with one on stdio. */
export async function runHttp(
  suite: Suite,
  commands: readonly ServerCommand[],
  cleanup: Cleanup,
): Promise<readonly Check[]> {
  const { recorder, site, rounds, progress } = suite;
  progress(`http: ${clients} clients at once`);
  const own = new Map<ContestantName, { held: number; of: number }>();
  const crews = [];
  try {
    for (const command of commands) crews.push(cleanup.use(await openClients(overHttp(command), clients)));
    await recorder.interleave('http', crews, Math.ceil(rounds / 2), async ({ name, workers }, round) => {
      const times: number[] = [];
      const clocked = (call: Call): Call => {
        return async (tool, args) => {
          const { ms, value } = await timed(() => call(tool, args));
          times.push(ms);
          return value;
        };
      };
      const url = (index: number): string => site.at(`/${formPage.id}?visit=${name}-${round}-${index}`);
      const { ms, value } = await timed(() =>
        Promise.all(workers.map((call, index) => work(clocked(call), url(index), `client ${index}`))),
      );
      if (round < 0) return;
      const title = `${clients} HTTP clients`;
      recorder.add({ id: 'http.call', title: `${title}, a call`, unit: 'ms' }, name, ms / (callsOfWork * clients));
      recorder.add({ id: 'http.p95', title: `${title}, p95 of a call`, unit: 'ms' }, name, slowest(times));
      const { held, of } = own.get(name) ?? { held: 0, of: 0 };
      own.set(name, { held: held + value.filter(Boolean).length, of: of + value.length });
    });
    for (const { name, root } of crews) {
      const total = processTree(root).reduce((sum, { pid }) => sum + (pssMiB(pid) ?? 0), 0);
      const metric = {
        id: 'http.memory',
        title: `${clients} HTTP clients, PSS of all processes`,
        unit: 'MiB',
      } as const;
      if (total > 0) recorder.add(metric, name, total);
    }
  } finally {
    for (const crew of crews) await cleanup.release(crew);
  }
  await runOverhead(suite, commands, cleanup);
  const ours = commands.find(({ name }) => name === 'pagehelm');
  if (ours !== undefined) await runResources(suite, overHttp(ours), cleanup);
  return [{ id: 'http.own', title: 'each HTTP client saw its own page', counts: Object.fromEntries(own) }];
}

/** The same call of pagehelm on stdio and over HTTP, in turns. */
async function runOverhead(
  { recorder, site, rounds }: Suite,
  commands: readonly ServerCommand[],
  cleanup: Cleanup,
): Promise<void> {
  const command = commands.find(({ name }) => name === 'pagehelm');
  if (command === undefined) return;
  const stdio = cleanup.use(await McpDriver.open(command));
  const http = cleanup.use(await openClients(overHttp(command), 1));
  try {
    const [overWire] = http.workers;
    if (overWire === undefined) return;
    const url = site.at(`/${formPage.id}?visit=overhead`);
    await stdio.navigate(url);
    await overWire('browser_navigate', { url });
    await recorder.interleave('http.evaluate', [{ name: 'pagehelm' as const }], rounds * 5, async ({ name }, round) => {
      const onStdio = await timed(() => stdio.evaluate(source));
      const onHttp = await timed(() => overWire('browser_evaluate', { function: source }));
      if (round < 0) return;
      recorder.add({ id: 'http.evaluate', title: 'evaluate over HTTP', unit: 'ms' }, name, onHttp.ms);
      recorder.add({ id: 'http.stdio', title: 'evaluate on stdio', unit: 'ms' }, name, onStdio.ms);
    });
  } finally {
    await cleanup.release(stdio);
    await cleanup.release(http);
  }
}

/** Without keys, each client has its own session, as with the peer. */
function overHttp(command: ServerCommand): ServerCommand {
  return command.name === 'pagehelm' ? { ...command, args: [...command.args, '--no-auth'] } : command;
}

function slowest(times: readonly number[]): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * lastShare))] ?? 0;
}
