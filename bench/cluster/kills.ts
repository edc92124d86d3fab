import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { formPage, pagesRoute } from '../pages.ts';
import { Site } from '../site.ts';
import { Caller } from './caller.ts';
import { BenchCluster, keyNames } from './cluster.ts';
import { ms, shownMs } from './row.ts';
import type { Row } from './row.ts';

const goalMs = 1000;
const answerLimitMs = 20_000;
const retryMs = 5;
const clients = 8;

/** Repeats a call until it is answered. */
async function answered(call: () => Promise<string>): Promise<string> {
  const deadline = performance.now() + answerLimitMs;
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await pause(retryMs);
    }
  }
}

/** Sets a value that only the heap of the page has. */
async function mark(caller: Caller, value: string): Promise<void> {
  await caller.call('browser_evaluate', { function: `() => { window.mark = '${value}' }` });
}

const readMark = { function: '() => window.mark' };

/** A worker with --keep-browsers is killed and started again under its name. */
export async function measureWorkerKill(parent: string, rounds: number): Promise<readonly Row[]> {
  await using site = await Site.open([pagesRoute]);
  await using cluster = await BenchCluster.start(parent, ['--keep-browsers', '--sleep-after=0']);
  using caller = new Caller(cluster.origin, 'agent1');
  await caller.call('browser_navigate', { url: site.url(formPage) });
  const times: number[] = [];
  const starts: number[] = [];
  let kept = 0;
  for (let round = 0; round < rounds; round++) {
    await mark(caller, `round-${round}`);
    const killedAt = performance.now();
    await cluster.killWorker();
    const starting = cluster.startWorker();
    const text = await answered(async () => caller.call('browser_evaluate', readMark));
    times.push(performance.now() - killedAt);
    starts.push((await starting).startMs);
    if (text.includes(`round-${round}`)) kept++;
  }
  const slowest = Math.max(...times);
  return [
    {
      figure: `worker killed and started again with \`--keep-browsers\`: next answer, ${rounds} kills`,
      value: `${shownMs(times)}, slowest ${ms(slowest)}; start of the process ${shownMs(starts)}; heap kept ${kept} of ${rounds}`,
      goal: `at most ${goalMs} ms, heap kept`,
      isMet: slowest <= goalMs && kept === rounds,
    },
  ];
}

/** Calls at the first gateway until it is gone, then at the second; returns the time of the first answer there. */
async function switchOver(first: Caller, second: Caller): Promise<{ readonly at: number; readonly text: string }> {
  try {
    for (;;) await first.call('browser_evaluate', readMark);
  } catch {
    const text = await answered(async () => second.call('browser_evaluate', readMark));
    return { at: performance.now(), text };
  }
}

/** A gateway is killed while clients call; each goes on at another gateway. */
export async function measureGatewayKill(parent: string, rounds: number): Promise<readonly Row[]> {
  await using site = await Site.open([pagesRoute]);
  await using cluster = await BenchCluster.start(parent, ['--sleep-after=0'], 2);
  const names = keyNames.slice(0, clients);
  const times: number[] = [];
  let kept = 0;
  for (let round = 0; round < rounds; round++) {
    const [first, second] = cluster.gateways;
    if (first === undefined || second === undefined) throw new Error('there are no two gateways');
    const callersAt = (origin: string): readonly Caller[] => names.map((name) => new Caller(origin, name));
    const [before, after] = [callersAt(first.origin), callersAt(second.origin)];
    for (const [index, caller] of before.entries()) {
      if (round === 0) await caller.call('browser_navigate', { url: site.url(formPage, index) });
      await mark(caller, `${names[index]}-${round}`);
    }
    const switching = before.map(async (caller, index) => switchOver(caller, after[index] ?? caller));
    // Every client has calls under way.
    await pause(200);
    const killedAt = performance.now();
    await first.kill();
    for (const [index, { at, text }] of (await Promise.all(switching)).entries()) {
      times.push(at - killedAt);
      if (text.includes(`${names[index]}-${round}`)) kept++;
    }
    for (const caller of [...before, ...after]) caller[Symbol.dispose]();
    cluster.gateways.shift();
    await cluster.startGateway();
  }
  const slowest = Math.max(...times);
  const of = clients * rounds;
  return [
    {
      figure: `gateway killed while ${clients} clients call: next answer at another one, ${rounds} kills`,
      value: `${shownMs(times)}, slowest ${ms(slowest)}; sessions kept ${kept} of ${of}`,
      goal: `at most ${goalMs} ms, no session lost`,
      isMet: slowest <= goalMs && kept === of,
    },
  ];
}
