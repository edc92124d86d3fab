/**
 * Random work in many sessions at once, without a pause, while browsers and renderers are killed. Checks that every
 * acknowledged click happened exactly once and was not undone, and compares memory with playwright-core alone doing as
 * many steps beside it.
 *
 *   npm run soak -- --minutes 20 [--sessions 8] [--seed 1] [--fault-seconds 30 | --no-faults]
 *   npm run soak -- --recovery   measures the first call after the browser was killed
 */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { endTree } from '../cleanup.ts';
import { Random } from '../random.ts';
import { ServerClient } from '../server-client.ts';
import { CountingSite } from './counting-site.ts';
import { killOne } from './faults.ts';
import { MemoryLog } from './memory-log.ts';
import { measureRecovery } from './recovery-time.ts';
import { report } from './report.ts';
import { Worker } from './worker.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '20' },
    sessions: { type: 'string', default: '8' },
    seed: { type: 'string', default: '1' },
    'fault-seconds': { type: 'string', default: '30' },
    'no-faults': { type: 'boolean', default: false },
    recovery: { type: 'boolean', default: false },
  },
});
const durationMs = Number(values.minutes) * 60_000;
const sessions = Number(values.sessions);
const seed = Number(values.seed);
/** About one fault in this time. */
const faultMs = Number(values['fault-seconds']) * 1000;
const paceMs = 100;

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function injectFaults(pids: readonly number[], isOver: () => boolean): Promise<number> {
  const random = new Random(seed);
  let count = 0;
  while (!values['no-faults']) {
    const until = Date.now() + faultMs * (0.5 + random.next());
    while (Date.now() < until && !isOver()) await pause(paceMs);
    if (isOver()) break;
    const what = random.next() < 0.3 ? 'browser' : 'renderer';
    say(`fault ${++count}: SIGKILL a ${what}`);
    for (const pid of pids) killOne(pid, what, random.next());
  }
  return count;
}

async function main(): Promise<number> {
  if (values.recovery) {
    await using site = await CountingSite.open();
    await measureRecovery(site, say);
    return 0;
  }
  say(`${values.minutes} minutes, ${sessions} sessions, seed ${seed}, faults ${values['no-faults'] ? 'off' : 'on'}`);
  await using site = await CountingSite.open();
  await using server = await ServerClient.open(['--max-sessions', String(sessions)]);
  const rawFile = fileURLToPath(new URL('soak-raw.js', import.meta.url));
  const raw = fork(rawFile, [String(sessions), String(seed), site.origin], { stdio: 'ignore' });
  const workers: Worker[] = [];
  for (let index = 0; index < sessions; index++) {
    workers.push(new Worker(`worker${index}`, await server.openSession(), site, seed + index));
  }
  const end = Date.now() + durationMs;
  const isOver = (): boolean => Date.now() >= end;
  const memory = new MemoryLog({ server: server.pid, raw: raw.pid ?? 0 });
  const calls = (): number => workers.reduce((sum, { tally }) => sum + tally.calls, 0);
  // As many steps as the server has made.
  const pace = setInterval(() => void raw.send(calls()), paceMs);
  const faults = injectFaults([server.pid, raw.pid ?? 0], isOver);
  await Promise.all(workers.map(async (worker) => worker.run(isOver)));
  clearInterval(pace);
  memory.stop();
  await endTree(raw.pid, async () => void raw.kill());
  for (const worker of workers) await worker.check();
  const left = await server.end();
  return report(
    workers,
    memory,
    { faults: await faults, left, minutes: Number(values.minutes), hasFaults: !values['no-faults'] },
    say,
  );
}

process.exitCode = await main();
