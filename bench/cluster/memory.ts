import { setTimeout as pause } from 'node:timers/promises';
import { formPage, pagesRoute } from '../pages.ts';
import { Site } from '../site.ts';
import { Caller } from './caller.ts';
import { BenchCluster, keyNames } from './cluster.ts';
import type { Row } from './row.ts';

const sessions = 21;
/** Until new renderers have freed what only their start needed. */
const restMs = 3000;

/** What each further live session adds to the memory of all processes. */
export async function measureMemory(parent: string): Promise<readonly Row[]> {
  await using site = await Site.open([pagesRoute]);
  await using cluster = await BenchCluster.start(parent, ['--sleep-after=0', `--max-sessions=${sessions}`]);
  const open = async (name: string, index: number): Promise<void> => {
    using caller = new Caller(cluster.origin, name);
    await caller.call('browser_navigate', { url: site.url(formPage, index) });
  };
  await open(keyNames[0] ?? '', 0);
  await pause(restMs);
  const before = cluster.memoryMiB();
  for (const [index, name] of keyNames.slice(1, sessions).entries()) await open(name, index + 1);
  await pause(restMs);
  const after = cluster.memoryMiB();
  const each = (after - before) / (sessions - 1);
  return [
    {
      figure: `memory per further live session with a small page, all processes (PSS, ${sessions} sessions against one)`,
      value: `${each.toFixed(1)} MiB (${Math.round(before)} MiB to ${Math.round(after)} MiB)`,
    },
  ];
}
