import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { findBrowser } from '../browser.ts';
import { killDescendants, runWithCleanup } from '../cleanup.ts';
import type { Cleanup } from '../cleanup.ts';
import { serverCommand } from '../servers.ts';
import { EvalSite } from './eval-site.ts';
import { reportText, summarize } from './report.ts';
import { runEval } from './run.ts';
import { areas } from './task.ts';
import type { PlacedTask } from './task.ts';
import { allTasks } from './tasks/all.ts';

const help = `npm run eval -- [options]

  --only a,b           only these areas or tasks. Areas: ${areas.join(', ')}
  --servers a,b        only these: pagehelm, peer
  --list               print the tasks with their goals
  --output FILE        where the results go as JSON (default build/eval-results.json)

PAGEHELM_BENCH_BROWSER is the browser, PAGEHELM_BENCH_SERVER the pagehelm to run (default dist/bin.js).`;

const serverNames = ['pagehelm', 'peer'] as const;

function chosen(only: string | undefined): readonly PlacedTask[] {
  if (only === undefined) return allTasks;
  const parts = only.split(',');
  for (const part of parts) {
    if (!allTasks.some(({ id, area }) => id === part || area === part))
      throw new Error(`--only: "${part}" is neither an area nor a task`);
  }
  return allTasks.filter(({ id, area }) => parts.includes(id) || parts.includes(area));
}

async function evaluate(root: string, cleanup: Cleanup): Promise<number> {
  const string = { type: 'string' } as const;
  const boolean = { type: 'boolean' } as const;
  const { values } = parseArgs({
    options: { only: string, servers: string, output: string, list: boolean, help: boolean },
  });
  if (values.help === true) {
    console.log(help);
    return 0;
  }
  const tasks = chosen(values.only);
  if (values.list === true) {
    for (const { area, id, goal } of tasks) console.log(`${area}/${id}: ${goal}`);
    return 0;
  }
  const names = values.servers?.split(',') ?? serverNames;
  const unknown = names.find((name) => !serverNames.some((known) => known === name));
  if (unknown !== undefined) throw new Error(`--servers: "${unknown}" is none of ${serverNames.join(', ')}`);
  const folder = mkdtempSync(join(tmpdir(), 'pagehelm-eval-'));
  process.once('exit', () => {
    killDescendants();
    rmSync(folder, { recursive: true, force: true });
  });
  const browser = findBrowser(process.env['PAGEHELM_BENCH_BROWSER']);
  const entry = resolve(process.env['PAGEHELM_BENCH_SERVER'] ?? join(root, 'dist/bin.js'));
  const commands = serverNames
    .filter((name) => names.includes(name))
    .map((name) => {
      mkdirSync(join(folder, name));
      return serverCommand(name, root, join(folder, name), browser, entry);
    });
  const site = cleanup.use(await EvalSite.open(tasks, root));
  const progress = (text: string): void => console.error(`… ${text}`);
  const attempts = await runEval({ tasks, commands, site, cleanup, progress });
  console.log(reportText(attempts));
  const output = values.output ?? join(root, 'build/eval-results.json');
  mkdirSync(dirname(output), { recursive: true });
  const versions = Object.fromEntries(commands.map(({ name, version }) => [name, version]));
  const results = { format: 1, node: process.version, versions, summary: summarize(attempts), attempts };
  writeFileSync(output, JSON.stringify(results, undefined, 2));
  return 0;
}

const root = dirname(dirname(fileURLToPath(import.meta.url)));
process.exitCode = await runWithCleanup(async (cleanup) => evaluate(root, cleanup));
