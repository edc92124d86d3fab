import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cidrOf, openSinks, tryAll } from '../../tests/egress/sinks.ts';
import type { Side, Sinks } from '../../tests/egress/sinks.ts';
import { ways } from '../../tests/egress/ways.ts';
import { findBrowser } from '../browser.ts';
import { killDescendants, runWithCleanup } from '../cleanup.ts';
import { McpDriver, serverCommand } from '../servers.ts';
import type { ServerCommand, ServerName } from '../servers.ts';
import { reportCost } from './cost.ts';

const lists = ['allowlist', 'blocklist'] as const;
type List = (typeof lists)[number];

interface Row {
  readonly server: string;
  readonly list: List;
  /** Ways that reach a host without rules. */
  readonly working: readonly string[];
  /** Ways that reach a denied host with rules. */
  readonly leaks: readonly string[];
}

/** The rules of a server, as its documentation says. */
function rulesOf(name: ServerName, list: List, sinks: Sinks): readonly string[] {
  if (name === 'pagehelm') {
    const allowed = `127.0.0.1,${cidrOf('allowed')}`;
    return list === 'allowlist' ? ['--allowed-domains', allowed] : ['--blocked-domains', cidrOf('denied')];
  }
  const allowed = [sinks.origin, ...sinks.origins('allowed')].join(';');
  return list === 'allowlist'
    ? ['--allowed-origins', allowed]
    : ['--blocked-origins', sinks.origins('denied').join(';')];
}

interface Run {
  readonly name: ServerName;
  readonly root: string;
  readonly folder: string;
  readonly browser: string;
}

function commandOf({ name, root, folder, browser }: Run): ServerCommand {
  const entry = resolve(process.env['PAGEHELM_BENCH_SERVER'] ?? join(root, 'dist/bin.js'));
  return serverCommand(name, root, mkdtempSync(join(folder, 'server-')), browser, entry);
}

/** Tries all ways with a server; returns those that reached a denied host. */
async function leaksOf(run: Run, list: List | undefined): Promise<readonly string[]> {
  await using sinks = await openSinks();
  const { name } = run;
  const command = commandOf(run);
  const flags = list === undefined ? [] : rulesOf(name, list, sinks);
  await using driver = await McpDriver.open({ ...command, args: [...command.args, ...flags] });
  const sides: readonly Side[] = ['denied', 'allowed'];
  // The second round gives slow requests of the first one time to arrive.
  for (const side of sides) {
    await tryAll(sinks, ways, side, async (url) => driver.navigate(url).catch(() => undefined));
  }
  return sinks.reached('denied');
}

async function measure(run: Run, title: string): Promise<readonly Row[]> {
  const working = await leaksOf(run, undefined);
  const rows: Row[] = [];
  for (const list of lists) rows.push({ server: title, list, working, leaks: await leaksOf(run, list) });
  return rows;
}

function print(rows: readonly Row[]): void {
  process.stdout.write(`\n${ways.length} ways out of a page were tried.\n\n`);
  process.stdout.write(
    '| Server | Rules | Ways that work without rules | Reach a denied host |\n| --- | --- | --- | --- |\n',
  );
  for (const { server, list, working, leaks } of rows) {
    process.stdout.write(`| ${server} | ${list} | ${working.length} | ${leaks.length} |\n`);
  }
  for (const { server, list, leaks } of rows) {
    if (leaks.length > 0) process.stdout.write(`\n${server}, ${list}: ${leaks.join(', ')}\n`);
  }
}

const allParts = ['ways', 'cost'];

async function report(root: string, parts: readonly string[]): Promise<number> {
  const unknown = parts.find((part) => !allParts.includes(part));
  if (unknown !== undefined) throw new Error(`There is no part "${unknown}": use ${allParts.join(' or ')}`);
  const folder = mkdtempSync(join(tmpdir(), 'pagehelm-egress-'));
  process.once('exit', () => {
    killDescendants();
    rmSync(folder, { recursive: true, force: true });
  });
  const browser = findBrowser(process.env['PAGEHELM_BENCH_BROWSER']);
  const rows: Row[] = [];
  if (parts.includes('cost')) await reportCost(() => commandOf({ name: 'pagehelm', root, folder, browser }));
  if (!parts.includes('ways')) return 0;
  for (const name of ['pagehelm', 'peer'] as const) {
    rows.push(...(await measure({ name, root, folder, browser }, name === 'peer' ? '@playwright/mcp' : name)));
  }
  print(rows);
  return rows.some(({ server, leaks }) => server === 'pagehelm' && leaks.length > 0) ? 1 : 0;
}

const isolation = 'PAGEHELM_EGRESS_ISOLATED';
/** Runs a command in a network namespace that has only a loopback interface. */
const isolated = ['unshare', '--map-root-user', '--net', 'sh', '-c', 'ip link set lo up && exec "$0" "$@"'] as const;

/** Whether this machine lets us make a network namespace. */
function canIsolate(): boolean {
  const [file, ...args] = isolated;
  return process.platform === 'linux' && spawnSync(file, [...args, 'true']).status === 0;
}

if (process.env[isolation] === undefined && canIsolate()) {
  const [file, ...args] = isolated;
  const child = spawn(file, [...args, process.execPath, ...process.argv.slice(1)], {
    stdio: 'inherit',
    env: { ...process.env, [isolation]: 'yes' },
  });
  child.on('exit', (code) => (process.exitCode = code ?? 1));
} else {
  const where = process.env[isolation] === undefined ? 'on this machine' : 'in a network namespace with loopback only';
  const asked = process.argv.slice(2);
  process.stdout.write(`Measuring ${where}\n`);
  const root = dirname(dirname(fileURLToPath(import.meta.url)));
  process.exitCode = await runWithCleanup(async () => report(root, asked.length > 0 ? asked : allParts));
}
