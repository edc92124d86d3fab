import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { formPage, pagesRoute } from '../pages.ts';
import { Site } from '../site.ts';
import { Caller } from './caller.ts';
import { BenchCluster } from './cluster.ts';
import { median, shownMs } from './row.ts';
import type { Row } from './row.ts';

const goal = 0.6;
const sleepAfterMs = 200;
const sleepLimitMs = 20_000;
const sleeper = 'agent1';
const newcomer = 'agent2';

/** Parts of the time of a wake or of a cold start. */
interface Parts {
  readonly total: number[];
  /** Until the page was requested from its site. */
  readonly opened: number[];
  /** From there to the last answer. */
  readonly shown: number[];
}

async function asleep(cluster: BenchCluster): Promise<void> {
  const deadline = performance.now() + sleepLimitMs;
  while (await cluster.isAwake(sleeper)) {
    if (performance.now() > deadline) throw new Error('the session does not sleep');
    await pause(20);
  }
}

function add(parts: Parts, startedAt: number, requestedAt: number): void {
  const endedAt = performance.now();
  parts.total.push(endedAt - startedAt);
  parts.opened.push(requestedAt - startedAt);
  parts.shown.push(endedAt - requestedAt);
}

/** A sleeping session that is woken by a snapshot, and a new session that opens the same page, in turns. */
export async function measureWake(parent: string, rounds: number): Promise<readonly Row[]> {
  let requestedAt = 0;
  const noted = (url: URL): undefined => {
    if (url.pathname === `/${formPage.id}`) requestedAt = performance.now();
  };
  await using site = await Site.open([noted, pagesRoute]);
  await using cluster = await BenchCluster.start(parent, [`--sleep-after=${sleepAfterMs}`]);
  using sleeping = new Caller(cluster.origin, sleeper);
  using starting = new Caller(cluster.origin, newcomer);
  const url = site.url(formPage);
  await sleeping.call('browser_navigate', { url });
  const wake: Parts = { total: [], opened: [], shown: [] };
  const cold: Parts = { total: [], opened: [], shown: [] };
  const taken: number[] = [];
  const created: number[] = [];
  const snapshots: number[] = [];
  // The first two rounds are a warm-up.
  for (let round = -2; round < rounds; round++) {
    await asleep(cluster);
    const listedAt = performance.now();
    await sleeping.call('list_sessions');
    const listMs = performance.now() - listedAt;
    await asleep(cluster);
    const wokenAt = performance.now();
    const text = await sleeping.call('browser_snapshot');
    if (!text.includes('News by mail')) throw new Error(`the page was not restored: ${text}`);
    if (round >= 0) add(wake, wokenAt, requestedAt);
    const snapshotAt = performance.now();
    await sleeping.call('browser_snapshot');
    const snapshotMs = performance.now() - snapshotAt;

    const startedAt = performance.now();
    const sessionId = /"sessionId":\s*"([^"]+)"/.exec(await starting.call('create_session', { ttl: 0 }))?.[1] ?? '';
    const createMs = performance.now() - startedAt;
    await starting.call('browser_navigate', { url, sessionId });
    await starting.call('browser_snapshot', { sessionId });
    if (round >= 0) {
      add(cold, startedAt, requestedAt);
      taken.push(listMs);
      created.push(createMs);
      snapshots.push(snapshotMs);
    }
    await starting.call('close_session', { sessionId });
  }
  const ratio = median(wake.total) / median(cold.total);
  return [
    {
      figure: `wake, compared with a new session that opens the same page, medians of ${rounds}`,
      value: `${ratio.toFixed(2)} (${shownMs(wake.total)} against ${shownMs(cold.total)})`,
      goal: `at most ${goal}`,
      isMet: ratio <= goal,
    },
    {
      figure: 'wake: placement taken and checkpoint loaded (a call without a page)',
      value: shownMs(taken),
    },
    { figure: 'wake: until the page is requested (with the placement)', value: shownMs(wake.opened) },
    { figure: 'wake: page loaded and snapshot taken', value: shownMs(wake.shown) },
    { figure: 'a further snapshot of the same page', value: shownMs(snapshots) },
    { figure: 'new session: create_session', value: shownMs(created) },
    { figure: 'new session: until the page is requested (with create_session)', value: shownMs(cold.opened) },
    { figure: 'new session: page loaded and shown, and the snapshot', value: shownMs(cold.shown) },
  ];
}
