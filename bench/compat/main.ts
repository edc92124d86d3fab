/**
 * Sends the same calls to @playwright/mcp and to pagehelm with --compat playwright, and compares the answers section by
 * section.
 *
 *   npm run compat [-- --third N] [-- --only regex] [-- --jobs N]
 *   npm run compat -- --times   measures calls of both
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { killDescendants } from '../cleanup.ts';
import type { Parts } from './answer.ts';
import { differences } from './differences.ts';
import type { Difference } from './differences.ts';
import type { Group, Scenario } from './scenario.ts';
import { groups } from './scenarios/index.ts';
import { CompatServer, peerVersion } from './server.ts';
import { startCompatSite } from './site.ts';
import type { CompatSite } from './site.ts';
import { printTimes } from './times.ts';

interface Found {
  readonly scenario: string;
  readonly step: string;
  readonly part: string;
  readonly ours: string | undefined;
  readonly theirs: string | undefined;
}

interface Result {
  readonly scenarios: number;
  readonly found: readonly Found[];
  readonly ms: Readonly<Record<'ours' | 'theirs', number>>;
}

const defaultJobs = 2;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      third: { type: 'string' },
      only: { type: 'string' },
      jobs: { type: 'string' },
      times: { type: 'boolean' },
    },
  });
  const chosen = choose(values.third === undefined ? undefined : Number(values.third), values.only);
  const folder = mkdtempSync(join(tmpdir(), 'helm-compat-'));
  await using site = await startCompatSite();
  if (values.times === true) {
    await printTimes(site, folder).finally(() => cleanUp(folder));
    return;
  }
  const results: Result[] = [];
  const waiting = [...chosen];
  const work = async (): Promise<void> => {
    for (let group = waiting.shift(); group !== undefined; group = waiting.shift()) {
      results.push(await runGroup(group, site, mkdtempSync(join(folder, 'group-'))));
    }
  };
  try {
    await Promise.all(Array.from({ length: Number(values.jobs ?? defaultJobs) }, work));
  } finally {
    cleanUp(folder);
  }
  report(results);
}

function cleanUp(folder: string): void {
  killDescendants();
  rmSync(folder, { recursive: true, force: true });
}

/** All scenarios, every third one beginning with the given number, or those whose name matches a regular expression. */
function choose(third: number | undefined, only: string | undefined): readonly Group[] {
  let index = 0;
  const isChosen = (group: Group, { name }: Scenario): boolean => {
    const isOfThird = third === undefined || index++ % 3 === third % 3;
    return isOfThird && (only === undefined || new RegExp(only).test(`${group.name} / ${name}`));
  };
  return groups
    .map((group) => ({ ...group, scenarios: group.scenarios.filter((scenario) => isChosen(group, scenario)) }))
    .filter(({ scenarios }) => scenarios.length > 0);
}

async function runGroup(group: Group, site: CompatSite, folder: string): Promise<Result> {
  const found: Found[] = [];
  // The folders have the same length: a text that is cut must be cut at the same place.
  const [ours, theirs] = await Promise.all([
    CompatServer.start('ours', group, join(folder, 'ours-1')),
    CompatServer.start('theirs', group, join(folder, 'theirs')),
  ]);
  try {
    for (const scenario of group.scenarios) found.push(...(await runScenario(group, scenario, site, { ours, theirs })));
  } finally {
    await Promise.all([ours[Symbol.asyncDispose](), theirs[Symbol.asyncDispose]()]);
  }
  return { scenarios: group.scenarios.length, found, ms: { ours: ours.milliseconds, theirs: theirs.milliseconds } };
}

async function runScenario(
  group: Group,
  scenario: Scenario,
  site: CompatSite,
  { ours, theirs }: Readonly<Record<'ours' | 'theirs', CompatServer>>,
): Promise<readonly Found[]> {
  const found: Found[] = [];
  const name = `${group.name} / ${scenario.name}`;
  const path = scenario.page === undefined ? undefined : site.add(scenario.page);
  const page = `${site.url}${path ?? ''}`;
  const first = path === undefined ? [] : [['browser_navigate', { url: page }] as const];
  for (const [index, [tool, args = {}]] of [...first, ...scenario.steps].entries()) {
    const texts = { site: site.url, page };
    const [own, peer] = await Promise.all([ours.call(tool, args, texts), theirs.call(tool, args, texts)]);
    const step = `${index + 1} ${tool} ${JSON.stringify(args).slice(0, 100)}`;
    found.push(...compare(own, peer).map((difference) => ({ scenario: name, step, ...difference })));
  }
  return found;
}

function compare(ours: Parts, theirs: Parts): readonly Pick<Found, 'part' | 'ours' | 'theirs'>[] {
  const names = new Set([...theirs.keys(), ...ours.keys()]);
  return [...names]
    .filter((part) => ours.get(part) !== theirs.get(part))
    .map((part) => ({ part, ours: ours.get(part), theirs: theirs.get(part) }));
}

function explanationOf({ scenario, part }: Found): Difference | undefined {
  return differences.find((each) => each.scenarios.test(scenario) && each.parts.test(part));
}

function report(results: readonly Result[]): void {
  const found = results.flatMap((result) => result.found);
  const unexplained = found.filter((each) => explanationOf(each) === undefined);
  for (const { scenario, step, part, ours, theirs } of unexplained) {
    process.stdout.write(`\n${scenario}\n  step ${step}\n  ${part}\n${block('ours', ours)}${block('peer', theirs)}`);
  }
  const used = new Set(found.flatMap((each) => explanationOf(each)?.id ?? []));
  const scenarios = results.reduce((sum, result) => sum + result.scenarios, 0);
  const differing = new Set(unexplained.map(({ scenario }) => scenario)).size;
  const time = (side: 'ours' | 'theirs'): string =>
    `${(results.reduce((sum, { ms }) => sum + ms[side], 0) / 1000).toFixed(1)} s`;
  process.stdout.write(
    `\n${scenarios} scenarios with @playwright/mcp ${peerVersion()}: ${scenarios - differing} equal, ${differing} with unexplained differences, ` +
      `${used.size} explained differences\nTime in calls: pagehelm ${time('ours')}, @playwright/mcp ${time('theirs')}\n`,
  );
  if (unexplained.length > 0) process.exitCode = 1;
}

function block(name: string, text: string | undefined): string {
  const lines = (text ?? '(none)').split('\n').slice(0, 30);
  return `    ${name}:\n${lines.map((line) => `      ${line}\n`).join('')}`;
}

await main();
