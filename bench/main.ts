import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { findBrowser } from './browser.ts';
import { killDescendants, runWithCleanup } from './cleanup.ts';
import type { Cleanup } from './cleanup.ts';
import { anatomyRoute } from './anatomy.ts';
import { GrowthPages } from './growth-page.ts';
import { pagesRoute } from './pages.ts';
import { findPeers } from './peers.ts';
import { report, resultsJson } from './report.ts';
import type { RunFacts, Versions } from './report.ts';
import { run } from './run.ts';
import { foundationGroups, groups } from './scenarios.ts';
import type { Group } from './scenarios.ts';
import { serverCommand } from './servers.ts';
import type { ContestantName, ServerName } from './servers.ts';
import { settleRoute } from './settle.ts';
import { shopRoute } from './shop.ts';
import { Site } from './site.ts';

const help = `npm run bench -- [options]

  --rounds N           samples of each metric (default 11)
  --only a,b           only these: ${groups.join(', ')}
  --quick              only the first ${foundationGroups.length} of them
  --contestants a,b    only these: pagehelm, peer, raw, cdp, devtools, agent-browser
  --output FILE        where the results go as JSON (default build/bench-results.json)

PAGEHELM_BENCH_BROWSER names the browser that all contestants use, PAGEHELM_BENCH_SERVER the pagehelm that is
measured (default dist/bin.js).`;

interface Options {
  readonly rounds: number;
  readonly groups: ReadonlySet<Group>;
  readonly contestants: ReadonlySet<ContestantName>;
  readonly output: string;
}

class UsageError extends Error {}

const contestantNames = ['pagehelm', 'peer', 'raw', 'cdp', 'devtools', 'agent-browser'] as const;
const serverNames: readonly ServerName[] = ['pagehelm', 'peer'];
const packageSchema = z.looseObject({ version: z.string() });

function choose<T extends string>(flag: string, text: string | undefined, all: readonly T[]): ReadonlySet<T> {
  if (text === undefined) return new Set(all);
  return new Set(
    text.split(',').map((part) => {
      const found = all.find((name) => name === part.trim());
      if (found === undefined) throw new UsageError(`--${flag}: "${part}" is none of ${all.join(', ')}`);
      return found;
    }),
  );
}

function parseOptions(args: string[], root: string): Options | undefined {
  const string = { type: 'string' } as const;
  const boolean = { type: 'boolean' } as const;
  const { values } = parseArgs({
    args,
    options: { rounds: string, only: string, contestants: string, output: string, quick: boolean, help: boolean },
  });
  if (values.help) return undefined;
  const rounds = Number(values.rounds ?? 11);
  if (!Number.isInteger(rounds) || rounds < 1) throw new UsageError('--rounds: a whole number above 0');
  if (values.quick === true && values.only !== undefined) throw new UsageError('--quick and --only: give one of them');
  return {
    rounds,
    groups: values.quick === true ? new Set(foundationGroups) : choose('only', values.only, groups),
    contestants: choose('contestants', values.contestants, contestantNames),
    output: values.output ?? join(root, 'build/bench-results.json'),
  };
}

async function bench(options: Options, root: string, cleanup: Cleanup, signal: AbortSignal): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'pagehelm-bench-'));
  // Playwright's profiles for the raw browser are created there too and removed with it.
  process.env['TMPDIR'] = folder;
  process.once('exit', () => {
    killDescendants();
    rmSync(folder, { recursive: true, force: true });
  });
  const browser = findBrowser(process.env['PAGEHELM_BENCH_BROWSER']);
  const entry = resolve(process.env['PAGEHELM_BENCH_SERVER'] ?? join(root, 'dist/bin.js'));
  const servers = serverNames
    .filter((name) => options.contestants.has(name))
    .map((name) => {
      const own = join(folder, name);
      mkdirSync(own);
      return serverCommand(name, root, own, browser, entry);
    });
  const growthPages = new GrowthPages();
  const routes = [pagesRoute, anatomyRoute, growthPages.route, shopRoute(), settleRoute];
  const site = cleanup.use(await Site.open(routes));
  const wantsPeers = options.contestants.has('devtools') || options.contestants.has('agent-browser');
  const found = wantsPeers ? await findPeers(root, folder, browser) : { missing: [] };
  const { devtools, agentBrowser, missing } = found;
  const peers = {
    missing,
    ...(devtools && options.contestants.has('devtools') ? { devtools } : {}),
    ...(agentBrowser && options.contestants.has('agent-browser') ? { agentBrowser } : {}),
  };
  const results = await run({
    servers,
    peers,
    withRaw: options.contestants.has('raw'),
    withCdp: options.contestants.has('cdp'),
    browser,
    site,
    growthPages,
    rounds: options.rounds,
    groups: options.groups,
    cleanup,
    signal,
    progress: (text) => console.error(`… ${text}`),
  });
  const manifest: unknown = JSON.parse(readFileSync(join(root, 'node_modules/playwright-core/package.json'), 'utf8'));
  const versions: Versions = {
    node: process.version,
    playwrightCore: packageSchema.parse(manifest).version,
    browser: results.browserVersion,
    pagehelm: servers.find(({ name }) => name === 'pagehelm')?.version,
    peer: servers.find(({ name }) => name === 'peer')?.version,
    devtools: peers.devtools?.version,
    agentBrowser: peers.agentBrowser?.version,
  };
  const command = ['npm run bench', ...(process.argv.length > 2 ? ['--', ...process.argv.slice(2)] : [])].join(' ');
  const { rounds } = options;
  const facts: RunFacts = { versions, rounds, date: new Date().toISOString().slice(0, 10), command, missing };
  console.log(report(results, facts));
  mkdirSync(dirname(options.output), { recursive: true });
  writeFileSync(options.output, resultsJson(results, facts));
  return results.recorder.failures.length > 0 ? 1 : 0;
}

const root = dirname(dirname(fileURLToPath(import.meta.url)));
process.exitCode = await runWithCleanup(async (cleanup, interrupted) => {
  const options = parseOptions(process.argv.slice(2), root);
  if (options) return bench(options, root, cleanup, interrupted);
  console.log(help);
  return 0;
});
