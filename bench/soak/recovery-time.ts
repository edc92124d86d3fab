import { setTimeout as pause } from 'node:timers/promises';
import { ServerClient } from '../server-client.ts';
import { summarise } from '../stats.ts';
import type { CountingSite } from './counting-site.ts';
import { killOne } from './faults.ts';

const rounds = 7;
const noticeMs = 10_000;

async function timed(run: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await run();
  return performance.now() - started;
}

/** Compares the first call of a server, which starts the browser, with the call after the browser was killed. */
export async function measureRecovery(site: CountingSite, say: (line: string) => void): Promise<void> {
  const first: number[] = [];
  const next: number[] = [];
  for (let round = 0; round < rounds; round++) {
    await using server = await ServerClient.open();
    const url = site.url('recovery', round);
    first.push(await timed(async () => server.call('browser_navigate', { url })));
    await server.call('browser_click', { selector: '#go' });
    killOne(server.pid, 'browser', 0);
    const deadline = Date.now() + noticeMs;
    const isNoticed = async (): Promise<boolean> =>
      (await server.call('browser_tabs', { action: 'list' })).text.includes('No open tabs');
    while (!(await isNoticed()) && Date.now() < deadline) await pause(20);
    next.push(await timed(async () => server.call('browser_snapshot', {})));
  }
  const [cold, after] = [summarise(first)?.median ?? 0, summarise(next)?.median ?? 0];
  say(
    `First call of a server: ${Math.round(cold)} ms; first call after the browser was killed: ${Math.round(after)} ms ` +
      `(medians of ${rounds}); ${(after / cold).toFixed(2)} times (goal: at most 2)`,
  );
}
