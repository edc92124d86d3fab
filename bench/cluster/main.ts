/**
 * The figures of a cluster in docs/scale.md, with Redis, gateways and workers of its own on loopback ports.
 *
 *   npm run bench:cluster [-- --rounds 11] [--only hop,calls,wake,worker,gateway,memory]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { killDescendants, runWithCleanup } from '../cleanup.ts';
import { measureCalls } from './calls.ts';
import { Contestants } from './contestants.ts';
import { measureHop } from './hop.ts';
import { measureGatewayKill, measureWorkerKill } from './kills.ts';
import { measureMemory } from './memory.ts';
import { tableOf } from './row.ts';
import type { Row } from './row.ts';
import { measureWake } from './wake.ts';

const groups = ['hop', 'calls', 'wake', 'worker', 'gateway', 'memory'] as const;
type Group = (typeof groups)[number];

const hopCalls = 600;
const blockMs = 2000;
const kills = 5;

async function withContestants(
  folder: string,
  measure: (contestants: Contestants) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  await using contestants = await Contestants.start(folder);
  return await measure(contestants);
}

async function measureGroup(group: Group, folder: string, rounds: number): Promise<readonly Row[]> {
  switch (group) {
    case 'hop':
      return withContestants(folder, async (contestants) => measureHop(contestants, hopCalls));
    case 'calls':
      return withContestants(folder, async (contestants) =>
        measureCalls(contestants, { rounds: Math.ceil(rounds / 2), blockMs }),
      );
    case 'wake':
      return measureWake(folder, rounds);
    case 'worker':
      return measureWorkerKill(folder, kills);
    case 'gateway':
      return measureGatewayKill(folder, kills);
    case 'memory':
      return measureMemory(folder);
  }
}

async function report(): Promise<number> {
  const { values } = parseArgs({
    options: { rounds: { type: 'string', default: '11' }, only: { type: 'string', default: groups.join(',') } },
  });
  const wanted = values.only.split(',');
  const unknown = wanted.find((name) => !groups.some((group) => group === name));
  if (unknown !== undefined) throw new Error(`There is no group "${unknown}": use ${groups.join(', ')}`);
  const rounds = Number(values.rounds);
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds takes a number from 1');
  const folder = mkdtempSync(join(tmpdir(), 'pagehelm-cluster-'));
  process.once('exit', () => {
    killDescendants();
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  });
  const rows: Row[] = [];
  for (const group of groups) {
    if (!wanted.includes(group)) continue;
    process.stderr.write(`${group}\n`);
    rows.push(...(await measureGroup(group, folder, rounds)));
  }
  process.stdout.write(`\n${tableOf(rows)}`);
  return 0;
}

process.exitCode = await runWithCleanup(report);
