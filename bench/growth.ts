import { setTimeout as delay } from 'node:timers/promises';
import type { GrowthPages } from './growth-page.ts';
import type { Check } from './measure.ts';
import { timed } from './measure.ts';
import { cpuOfTrees, cpuSince } from './proc.ts';
import { refIn } from './servers.ts';
import type { Answer, McpDriver } from './servers.ts';
import type { Suite } from './suite.ts';
import { answerTokens } from './tokens.ts';

interface Size {
  readonly elements: number;
  /** Share of the rounds; large pages take fewer. */
  readonly share: number;
  readonly clicks: number;
}

export const sizes: readonly Size[] = [
  { elements: 100, share: 0.35, clicks: 3 },
  { elements: 1000, share: 0.35, clicks: 3 },
  { elements: 10_000, share: 0.25, clicks: 2 },
  { elements: 50_000, share: 0.1, clicks: 1 },
];
export const tokenBudget = 6000;
/** Lets the browser finish rendering and both sides become idle. */
const restMs = 300;
const change = { role: 'button', name: 'Change' };

interface Cost {
  readonly ms: number;
  readonly cpuMs: number;
  readonly value: Answer;
}

async function cost(driver: McpDriver, work: () => Promise<Answer>): Promise<Cost> {
  const before = cpuOfTrees(driver.roots);
  const { ms, value } = await timed(work);
  return { ms, value, cpuMs: cpuSince(before, driver.roots) };
}

/** Cost of snapshots and clicks by page size. */
export async function runGrowth(suite: Suite, pages: GrowthPages): Promise<readonly Check[]> {
  const { recorder, site, drivers, rounds, progress } = suite;
  const fits = new Map<string, { held: number; of: number }>();
  const sees = new Map<string, { held: number; of: number }>();
  const note = (counts: typeof fits, name: string, holds: boolean): void => {
    const { held, of } = counts.get(name) ?? { held: 0, of: 0 };
    counts.set(name, { held: held + Number(holds), of: of + 1 });
  };
  for (const { elements, share, clicks } of sizes) {
    const label = elements.toLocaleString('en');
    progress(`growth: ${label} elements`);
    await recorder.interleave(`growth.${elements}`, drivers, Math.ceil(rounds * share), async (driver, round) => {
      const id = `${driver.name}-${elements}-${round}`;
      await Promise.all([pages.grown(id), driver.navigate(site.at(pages.path(elements, id)))]);
      await delay(restMs);
      const add = (what: string, title: string, { ms, cpuMs }: Omit<Cost, 'value'>): void => {
        if (round < 0) return;
        const metric = { title: `${title}, ${label} elements`, unit: 'ms' } as const;
        recorder.add({ ...metric, id: `growth.${what}.wall.${elements}` }, driver.name, ms);
        const cpu = { ...metric, id: `growth.${what}.cpu.${elements}`, title: `${metric.title}, CPU` };
        if (cpuMs > 0) recorder.add(cpu, driver.name, cpuMs);
      };
      const first = await cost(driver, () => driver.snapshot());
      add('first', 'first snapshot', first);
      if (round >= 0) note(fits, driver.name, answerTokens(first.value).text <= tokenBudget);
      await delay(restMs);
      add('again', 'second snapshot', await cost(driver, () => driver.snapshot()));
      const target = refIn(first.value, change);
      if (target === undefined) throw new Error(`${driver.name}: no button "Change" in the snapshot`);
      for (let n = 1; n <= clicks; n += 1) {
        await delay(restMs);
        const click = await cost(driver, () => driver.click(target));
        const isTold = click.value.text.includes(`count ${n}`);
        const look = isTold ? undefined : await cost(driver, () => driver.snapshot());
        const both = { ms: click.ms + (look?.ms ?? 0), cpuMs: click.cpuMs + (look?.cpuMs ?? 0) };
        add('click', 'click', click);
        add('see', 'click and see', both);
        if (round >= 0) note(sees, driver.name, isTold || look?.value.text.includes(`count ${n}`) === true);
      }
    });
  }
  return [
    { id: 'growth.fits', title: `first snapshot is within ${tokenBudget} tokens`, counts: Object.fromEntries(fits) },
    { id: 'growth.sees', title: 'the change was seen', counts: Object.fromEntries(sees) },
  ];
}
