/**
 * The command line compared with `playwright-cli` and `agent-browser`, which are installed from npm into build/. The
 * programs take turns within each round, with the same browser.
 *
 *   npm run bench:cli [-- --rounds 11] [--only time,task,memory,vanish,pictures] [--agents 100] [--programs pagehelm,agent-browser]
 */
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { shopRoute } from '../shop.ts';
import { Site } from '../site.ts';
import { summarise } from '../stats.ts';
import { refInLine } from '../servers.ts';
import { confirmation, steps } from '../task.ts';
import { CommandUser, contestants, linesOf, snapshotFile } from './contestants.ts';
import type { Contestant, ContestantName } from './contestants.ts';
import { blinkingPage, delays, watch } from './pictures.ts';
import type { Viewer } from './pictures.ts';
import { memoryOf, processesOf } from './processes.ts';
import { Shopper } from './shopper.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '11' },
    only: { type: 'string', default: 'time,task,memory,vanish,pictures' },
    agents: { type: 'string', default: '100' },
    programs: { type: 'string', default: 'pagehelm,playwright-cli,agent-browser' },
  },
});
const rounds = Number(values.rounds);
const groups = new Set(values.only.split(','));
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const samples = new Map<string, Map<ContestantName, number[]>>();

function add(title: string, name: ContestantName, value: number): void {
  const row = samples.get(title) ?? new Map<ContestantName, number[]>();
  samples.set(title, row.set(name, [...(row.get(name) ?? []), value]));
}

const counterPage = `<title>Counter</title><h1>Counter</h1><button onclick="out.textContent = 'clicked ' + ++count">Go</button>
<p id="out">not clicked</p><script>let count = 0</script>`;

/** One command that only asks for the URL; a click, and seeing what it changed. */
async function timeCommands(all: readonly Contestant[], site: Site): Promise<void> {
  const opened: { readonly user: CommandUser; readonly ref: string }[] = [];
  for (const contestant of all) {
    const user = new CommandUser(contestant);
    const { text } = await user.run(contestant.open(site.at('/counter')));
    opened.push({ user, ref: buttonIn(await look(user, text)) });
  }
  for (let round = 0; round < rounds; round++) {
    for (const { user, ref } of opened) {
      const { contestant } = user;
      const url = await user.run(contestant.url);
      if (!url.text.includes('/counter')) throw new Error(`${contestant.name}: ${url.text}`);
      add('URL of the page, ms', contestant.name, url.ms);
      const began = performance.now();
      const clicked = await user.run(contestant.click(ref));
      const seen = await look(user, clicked.text);
      if (!seen.includes(`clicked ${round + 1}`))
        throw new Error(`${contestant.name} does not show the click: ${seen}`);
      add('click and see what changed, ms', contestant.name, performance.now() - began);
    }
  }
  for (const { user } of opened) await user[Symbol.asyncDispose]();
}

function buttonIn(text: string): string {
  const refs = linesOf(text).map((line) => refInLine(line, { role: 'button', name: 'Go' }));
  const ref = refs.find((each) => each !== undefined);
  if (ref === undefined) throw new Error(`no button in ${text}`);
  return ref;
}

/** What an agent has seen after an answer, with the command that it takes. */
async function look(user: CommandUser, text: string): Promise<string> {
  const { look: words } = user.contestant;
  if (words === undefined) return text;
  const line = words[0] === 'cat' ? ['cat', snapshotFile(text) ?? ''] : words;
  return (await user.run(line)).text;
}

async function runTask(all: readonly Contestant[], site: Site): Promise<void> {
  for (const contestant of all) {
    await attempt(`task of ${contestant.name}`, async () => shop(contestant, site));
  }
}

/** A failure of one program does not end the run. */
async function attempt(what: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    process.exitCode = 1;
    say(`${what} failed: ${error instanceof Error ? error.message.slice(0, 500) : String(error)}`);
  }
}

async function shop(contestant: Contestant, site: Site): Promise<void> {
  await using user = new CommandUser(contestant);
  const shopper = new Shopper(user);
  await shopper.open(site.at(`/shop/${contestant.name}`));
  for (const step of steps) await shopper.take(step);
  if (!confirmation.every((text) => shopper.seen.includes(text))) throw new Error(`${contestant.name}: no order`);
  add('shop task, 20 steps: tokens', contestant.name, shopper.tokens);
  add('shop task: commands', contestant.name, shopper.commands);
  add('shop task: ms', contestant.name, shopper.ms);
}

const sessionCount = 5;

async function measureMemory(all: readonly Contestant[], site: Site): Promise<void> {
  for (const contestant of all) {
    await attempt(`sessions of ${contestant.name}`, async () => {
      await using user = new CommandUser(contestant);
      for (let number = 0; number < sessionCount; number++) {
        await user.run(contestant.inSession(`s${number}`, contestant.open(site.at(`/shop/m${number}`))));
      }
      await pause(3000);
      const pids = processesOf(user.home);
      add(`${sessionCount} sessions open: MiB`, contestant.name, memoryOf(pids));
      add(`${sessionCount} sessions open: processes`, contestant.name, pids.length);
    });
  }
}

/** The others leave a daemon and a browser for each agent: more would not fit on the machine. */
const peerAgents = 5;
const vanishedMs = 5000;

/** Agents that open a page and are killed. */
async function vanish(contestant: Contestant, site: Site): Promise<void> {
  await using user = new CommandUser(contestant);
  const isOwn = contestant.name === 'pagehelm';
  const agents = isOwn ? Number(values.agents) : peerAgents;
  let most = 0;
  for (let number = 0; number < agents; number++) {
    const tree = join(user.home, `tree${number}`);
    mkdirSync(tree);
    const agent = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'], { stdio: 'ignore' });
    const words = contestant.inSession(`a${number}`, contestant.open(site.at('/counter')));
    await user.run(isOwn ? [...words, '--owner-pid', String(agent.pid)] : words, tree);
    agent.kill('SIGKILL');
    most = Math.max(most, processesOf(user.home).length);
  }
  await pause(vanishedMs);
  const left = processesOf(user.home).length;
  say(
    `${contestant.name}: ${agents} agents vanished, ${left} processes are left after ${vanishedMs} ms (most ${most})`,
  );
}

const changes = new Map<string, number[]>();

/** Notes when the page of a program changed. */
function changeRoute({ pathname, searchParams }: URL): { readonly body: string } | undefined {
  if (pathname === '/blinking') return { body: blinkingPage };
  if (pathname !== '/changed') return undefined;
  const by = searchParams.get('by') ?? '';
  changes.set(by, [...(changes.get(by) ?? []), Number(searchParams.get('at'))]);
  return { body: '' };
}

const watchedMs = 30_000;

/** From a change of the page to the frame that shows it at a viewer, and the bytes of the frame. All run at once. */
async function timePictures(all: readonly Contestant[], site: Site): Promise<void> {
  const watched: { readonly user: CommandUser; readonly viewer: Viewer }[] = [];
  for (const contestant of all) {
    const user = new CommandUser(contestant);
    await user.run(contestant.open(site.at(`/blinking?by=${contestant.name}`)));
    watched.push({ user, viewer: await watch(user) });
  }
  const began = Date.now();
  await pause(watchedMs);
  for (const { user, viewer } of watched) {
    const { name } = user.contestant;
    const seen = changes.get(name)?.filter((at) => at >= began) ?? [];
    const found = delays(seen, viewer.frames);
    say(`${name}: ${found.length} of ${seen.length} changes shown`);
    for (const delay of found) add('change to picture, ms', name, delay);
    for (const { at, bytes } of viewer.frames) if (at >= began) add('bytes of a frame', name, bytes);
    await viewer[Symbol.asyncDispose]();
    await user[Symbol.asyncDispose]();
  }
}

function report(): void {
  for (const [title, row] of samples) {
    const own = summarise(row.get('pagehelm'))?.median ?? Number.NaN;
    const cells = [...row].map(([name, list]) => {
      const { median = Number.NaN, p25 = 0, p75 = 0 } = summarise(list) ?? {};
      const spread = list.length > 1 ? ` (${p25.toFixed(0)}–${p75.toFixed(0)})` : '';
      return `${name} ${median.toFixed(0)}${spread}${name === 'pagehelm' ? '' : ` ratio ${(own / median).toFixed(2)}`}`;
    });
    say(`${title}: ${cells.join(' · ')}`);
  }
}

const { browser } = JSON.parse(readFileSync(join(root, 'build', 'setup.json'), 'utf8'));
const all = contestants(root, String(browser)).filter(({ name }) => values.programs.split(',').includes(name));
await using site = await Site.open([
  shopRoute(),
  changeRoute,
  ({ pathname }) => (pathname === '/counter' ? { body: counterPage } : undefined),
]);
if (groups.has('time')) await attempt('times', async () => timeCommands(all, site));
if (groups.has('task')) await runTask(all, site);
if (groups.has('memory')) await measureMemory(all, site);
if (groups.has('pictures')) await attempt('pictures', async () => timePictures(all, site));
report();
if (groups.has('vanish')) for (const contestant of all) await vanish(contestant, site);
