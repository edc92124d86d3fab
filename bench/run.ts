import { anatomyArguments, runAnatomy } from './anatomy.ts';
import type { PageSights } from './anatomy.ts';
import type { Cleanup } from './cleanup.ts';
import { runGrowth } from './growth.ts';
import type { GrowthPages } from './growth-page.ts';
import { measureStart } from './handshake.ts';
import type { ListedTool } from './handshake.ts';
import { Recorder, timed } from './measure.ts';
import type { Check } from './measure.ts';
import { formElements, formPage, pages } from './pages.ts';
import type { Site } from './site.ts';
import { processTree, pssMiB, rssMiB } from './proc.ts';
import { AgentBrowserDriver, DevtoolsDriver } from './peer-drivers.ts';
import type { Peers } from './peers.ts';
import { CdpDriver, RawDriver } from './raw.ts';
import { runBatch } from './batch.ts';
import { checkFetch, scenarios } from './scenarios.ts';
import type { Group, Scenario } from './scenarios.ts';
import { McpDriver } from './servers.ts';
import type { Answer, ContestantName, Driver, ServerCommand, ServerName } from './servers.ts';
import { runHttp } from './http.ts';
import { runSessions } from './sessions.ts';
import { runSettle } from './settle.ts';
import { withArguments } from './suite.ts';
import type { Suite } from './suite.ts';
import { runTask } from './task.ts';
import { answerTokens, toolListTokens } from './tokens.ts';
import type { AnswerTokens, ToolListTokens } from './tokens.ts';

export interface AnswerSize {
  readonly title: string;
  readonly sizes: Partial<Record<ServerName, AnswerTokens>>;
}

export interface Results {
  readonly recorder: Recorder;
  readonly checks: readonly Check[];
  readonly toolLists: Partial<Record<ContestantName, ToolListTokens>>;
  readonly answers: readonly AnswerSize[];
  readonly anatomy: readonly PageSights[];
  readonly browserVersion: string | undefined;
}

export interface Plan {
  readonly servers: readonly ServerCommand[];
  /** Other peers, as far as they can be run here. */
  readonly peers: Peers;
  readonly withRaw: boolean;
  readonly withCdp: boolean;
  readonly browser: string;
  readonly site: Site;
  readonly growthPages: GrowthPages;
  readonly rounds: number;
  readonly groups: ReadonlySet<Group>;
  readonly cleanup: Cleanup;
  readonly signal: AbortSignal;
  readonly progress: (text: string) => void;
}

interface Opener {
  readonly name: ContestantName;
  readonly open: () => Promise<Driver>;
}

function openers(plan: Plan): readonly Opener[] {
  const servers = plan.servers.map((command) => ({ name: command.name, open: () => McpDriver.open(command) }));
  return plan.withRaw ? [...servers, { name: 'raw', open: () => RawDriver.open(plan.browser) }] : servers;
}

/** Contestants that take part in some groups only. */
function furtherOpeners({ peers: { devtools, agentBrowser }, withCdp, browser }: Plan): readonly Opener[] {
  return [
    ...(withCdp ? [{ name: 'cdp', open: () => CdpDriver.open(browser) } as const] : []),
    ...(devtools ? [{ name: 'devtools', open: () => DevtoolsDriver.open(devtools) } as const] : []),
    ...(agentBrowser ? [{ name: 'agent-browser', open: () => AgentBrowserDriver.open(agentBrowser) } as const] : []),
  ];
}

async function runStart(plan: Plan, recorder: Recorder): Promise<Map<ContestantName, readonly ListedTool[]>> {
  const lists = new Map<ContestantName, readonly ListedTool[]>();
  const rounds = plan.groups.has('start') ? plan.rounds : 0;
  const { devtools } = plan.peers;
  const commands: readonly ServerCommand<ContestantName>[] =
    devtools === undefined ? plan.servers : [...plan.servers, devtools];
  await recorder.interleave('start', commands, rounds, async (command, round) => {
    const start = await measureStart(command, plan.cleanup);
    lists.set(command.name, start.tools);
    if (round < 0) return;
    recorder.add({ id: 'start.wall', title: 'start to tools/list, wall', unit: 'ms' }, command.name, start.wallMs);
    if (start.cpuMs !== undefined) {
      recorder.add({ id: 'start.cpu', title: 'start to tools/list, CPU', unit: 'ms' }, command.name, start.cpuMs);
    }
    if (start.rssMiB !== undefined) {
      recorder.add({ id: 'start.rss', title: 'start to tools/list, RSS', unit: 'MiB' }, command.name, start.rssMiB);
    }
  });
  return lists;
}

async function runFirst(plan: Plan, recorder: Recorder): Promise<void> {
  const rounds = Math.max(3, Math.ceil(plan.rounds / 2));
  await recorder.interleave('first', openers(plan), rounds, async ({ name, open }, round) => {
    const url = plan.site.url(formPage);
    const opened = await timed(open);
    const driver = plan.cleanup.use(opened.value);
    try {
      const { ms } = await timed(() => driver.navigate(url));
      if (round < 0) return;
      const fromStart = opened.ms + ms;
      // Raw Playwright launches in `open`, the servers on the first call.
      const first = name === 'raw' ? fromStart : ms;
      recorder.add({ id: 'first.navigate', title: 'first navigate, with launch', unit: 'ms' }, name, first);
      if (name !== 'raw') {
        recorder.add({ id: 'first.total', title: 'server start to first page', unit: 'ms' }, name, fromStart);
      }
    } finally {
      await plan.cleanup.release(driver);
    }
  });
}

async function runScenario(plan: Plan, recorder: Recorder, drivers: readonly Driver[], it: Scenario): Promise<void> {
  const work = new Map<ContestantName, (round: number) => Promise<Answer>>();
  const rounds = it.isSlow ? Math.max(3, Math.ceil(plan.rounds / 4)) : plan.rounds;
  const taking = drivers.filter(({ groups }) => groups?.has(it.group) !== false);
  await recorder.interleave(it.id, taking, rounds, async (driver, round) => {
    const run = work.get(driver.name) ?? (await it.prepare(driver));
    work.set(driver.name, run);
    const { ms } = await timed(() => run(round));
    if (round >= 0) recorder.add({ id: it.id, title: it.title, unit: 'ms' }, driver.name, ms);
    if (round < rounds - 1 || !it.proof) return;
    const { source, expected } = it.proof(rounds);
    const { text } = await driver.evaluate(source);
    if (!text.includes(expected))
      throw new Error(`not all was done: expected ${expected} and found ${text.slice(0, 200)}`);
  });
}

async function runFetch(plan: Plan, recorder: Recorder, drivers: readonly Driver[]): Promise<readonly Check[]> {
  const metric = { id: 'fetch.form', title: 'click that fetches (50 ms)', unit: 'ms' } as const;
  const targets = new Map<ContestantName, string>();
  const outcomes = new Map<ContestantName, { written: number; text: number; files: number; of: number }>();
  await recorder.interleave(metric.id, drivers, plan.rounds, async (driver, round) => {
    let target = targets.get(driver.name);
    if (target === undefined) {
      await driver.navigate(plan.site.url(formPage));
      target = await driver.find(formElements.load);
      targets.set(driver.name, target);
    }
    const aim = target;
    const n = round + 2;
    const { ms, value } = await timed(() => driver.clickAndExpect(aim, `answer ${n}`));
    const outcome = await checkFetch(driver, n, value, Date.now());
    if (round < 0) return;
    recorder.add(metric, driver.name, ms);
    const counts = outcomes.get(driver.name) ?? { written: 0, text: 0, files: 0, of: 0 };
    outcomes.set(driver.name, counts);
    counts.written += Number(outcome.isWritten);
    counts.text += Number(outcome.isInText);
    counts.files += Number(outcome.isInText || outcome.isInFiles);
    counts.of += 1;
  });
  const check = (title: string, field: 'written' | 'text' | 'files', of: readonly Driver[]): Check => ({
    id: `fetch.${field}`,
    title,
    counts: Object.fromEntries(
      of.flatMap(({ name }) => {
        const counts = outcomes.get(name);
        return counts ? [[name, { held: counts[field], of: counts.of }]] : [];
      }),
    ),
  });
  const servers = drivers.filter(({ name }) => name !== 'raw');
  return [
    check('fetched text is on the page when the click is answered', 'written', drivers),
    check('fetched text is in the answer', 'text', servers),
    check('fetched text is in the answer or a file it links to', 'files', servers),
  ];
}

async function runAnswerTokens(plan: Plan, recorder: Recorder, drivers: readonly McpDriver[]): Promise<AnswerSize[]> {
  const sizes = new Map<string, Partial<Record<ServerName, AnswerTokens>>>();
  const keep = (title: string, name: ServerName, answer: Answer): void => {
    sizes.set(title, { ...sizes.get(title), [name]: answerTokens(answer) });
  };
  for (const page of pages) {
    await recorder.interleave('tokens', drivers, 0, async (driver) => {
      keep(`navigate, ${page.title}`, driver.name, await driver.navigate(plan.site.url(page)));
      keep(`snapshot, ${page.title}`, driver.name, await driver.snapshot());
      const target = await driver.find(page.idle);
      keep(`click, ${page.title}`, driver.name, await driver.click(target));
    });
  }
  return [...sizes].map(([title, bySize]) => ({ title, sizes: bySize }));
}

async function runMemory(plan: Plan, recorder: Recorder, drivers: readonly Driver[]): Promise<void> {
  await recorder.interleave('memory', drivers, 0, async (driver) => {
    await driver.navigate(plan.site.url(formPage, 1));
  });
  const sum = (values: readonly (number | undefined)[]): number =>
    values.reduce<number>((total, value) => total + (value ?? 0), 0);
  for (const { name, roots } of drivers) {
    const tree = roots.flatMap((pid) => processTree(pid)).map(({ pid }) => pid);
    const [server] = roots;
    if (server === undefined || tree.length === 0) continue;
    const own = name === 'raw' ? undefined : rssMiB(server);
    if (own !== undefined) recorder.add({ id: 'memory.server', title: 'server alone, RSS', unit: 'MiB' }, name, own);
    const add = (id: string, title: string, value: number): void => {
      if (value > 0) recorder.add({ id, title, unit: 'MiB' }, name, value);
    };
    add('memory.tree.rss', 'server and browser, RSS', sum(tree.map((pid) => rssMiB(pid))));
    add('memory.tree.pss', 'server and browser, PSS', sum(tree.map((pid) => pssMiB(pid))));
  }
}

/** Starts separate servers, because the default token budget limits answers. */
async function openAndRunAnatomy(plan: Plan, suite: Suite): Promise<readonly PageSights[]> {
  const opened: AsyncDisposable[] = [];
  const use = <T extends AsyncDisposable>(resource: T): T => {
    opened.push(plan.cleanup.use(resource));
    return resource;
  };
  try {
    const unbound: McpDriver[] = [];
    for (const command of plan.servers)
      unbound.push(use(await McpDriver.open(withArguments(command, anatomyArguments(command.name)))));
    return await runAnatomy(suite, unbound, use(await RawDriver.open(plan.browser)));
  } finally {
    for (const resource of opened) await plan.cleanup.release(resource);
  }
}

interface SuiteResults {
  readonly checks: readonly Check[];
  readonly anatomy: readonly PageSights[];
}

/** The largest pages come last, so that their memory does not slow down the others. */
async function runSuites(
  plan: Plan,
  recorder: Recorder,
  drivers: readonly McpDriver[],
  others: Suite['others'],
): Promise<SuiteResults> {
  const { groups, site, rounds, progress } = plan;
  const suite: Suite = { recorder, site, drivers, others, rounds, progress };
  const checks: Check[] = [];
  if (groups.has('task')) checks.push(...(await runTask(suite)));
  if (groups.has('settle')) checks.push(...(await runSettle(suite)));
  const anatomy = groups.has('anatomy') ? await openAndRunAnatomy(plan, suite) : [];
  if (groups.has('growth')) checks.push(...(await runGrowth(suite, plan.growthPages)));
  if (groups.has('http')) checks.push(...(await runHttp(suite, plan.servers, plan.cleanup)));
  if (groups.has('sessions')) checks.push(...(await runSessions(suite, plan.servers, plan.browser, plan.cleanup)));
  return { checks, anatomy };
}

/** The whole run: start-up, cold calls, then everything else in open browsers. */
export async function run(plan: Plan): Promise<Results> {
  const { groups, progress } = plan;
  const recorder = new Recorder(plan.signal, progress);
  const wants = (...any: readonly Group[]): boolean => any.some((group) => groups.has(group));
  const toolLists: Partial<Record<ContestantName, ToolListTokens>> = {};
  if (wants('start', 'tokens')) {
    progress('start');
    const lists = await runStart(plan, recorder);
    if (wants('tokens')) for (const [name, tools] of lists) toolLists[name] = toolListTokens(tools);
  }
  if (wants('first')) {
    progress('first navigate');
    await runFirst(plan, recorder);
  }
  const chosen = scenarios(plan.site).filter(({ group }) => groups.has(group));
  if (
    chosen.length === 0 &&
    !wants('batch', 'fetch', 'tokens', 'memory', 'task', 'settle', 'anatomy', 'growth', 'sessions', 'http')
  ) {
    return { recorder, checks: [], toolLists, answers: [], anatomy: [], browserVersion: undefined };
  }
  const openAll = async (all: readonly Opener[]): Promise<readonly Driver[]> => {
    const opened: Driver[] = [];
    for (const { name, open } of all) {
      try {
        opened.push(plan.cleanup.use(await open()));
      } catch (error: unknown) {
        recorder.fail('open', name, error);
      }
    }
    return opened;
  };
  const drivers = await openAll(openers(plan));
  const further = await openAll(furtherOpeners(plan));
  for (const scenario of chosen) {
    progress(scenario.title);
    await runScenario(plan, recorder, [...drivers, ...further], scenario);
  }
  if (wants('fetch')) progress('click that fetches');
  const checks = wants('fetch') ? await runFetch(plan, recorder, drivers) : [];
  const servers = drivers.filter((driver) => driver instanceof McpDriver);
  const answers = wants('tokens') ? await runAnswerTokens(plan, recorder, servers) : [];
  if (wants('memory')) await runMemory(plan, recorder, drivers);
  const own = servers.find(({ name }) => name === 'pagehelm');
  if (wants('batch') && own !== undefined) await runBatch(plan, recorder, own);
  const others = further.filter((driver) => driver instanceof DevtoolsDriver || driver instanceof AgentBrowserDriver);
  const suites = await runSuites(plan, recorder, servers, others);
  const raw = drivers.find((driver) => driver instanceof RawDriver);
  const { anatomy } = suites;
  const all = [...checks, ...suites.checks];
  return { recorder, checks: all, toolLists, answers, anatomy, browserVersion: raw?.browserVersion };
}
