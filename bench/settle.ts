import type { Check } from './measure.ts';
import { timed } from './measure.ts';
import type { Route } from './site.ts';
import type { Suite } from './suite.ts';

const kinds = ['timer', 'fetch', 'chain', 'navigation', 'push'] as const;
/** Delays: 0, then roughly geometric steps, because most effects come early. */
const delaysMs = [0, 10, 20, 50, 100, 200, 500, 1000, 2000] as const;
type Kind = (typeof kinds)[number];

/** Does not occur in any URL or in the page before the effect. */
const effect = 'EFFECT';

/** Short delays first, so that each kind is spread over the run. */
const effects = delaysMs.flatMap((ms) => kinds.map((kind) => ({ kind, ms })));

function script(kind: Kind, ms: number): string {
  const show = "out.textContent = 'EFF' + 'ECT'";
  const api = (part: number, wait: number): string => `fetch('/settle/api?part=${part}&ms=${wait}')`;
  switch (kind) {
    case 'timer':
      return `setTimeout(() => { ${show} }, ${ms})`;
    case 'fetch':
      return `${api(1, ms)}.then((answer) => answer.text()).then(() => { ${show} })`;
    case 'chain':
      return `${api(1, ms / 2)}.then((answer) => answer.text()).then(() => ${api(2, ms / 2)})
        .then((answer) => answer.text()).then(() => { ${show} })`;
    case 'navigation':
      return `setTimeout(() => { location.href = '/settle/next?ms=${ms / 2}' }, ${ms / 2})`;
    case 'push':
      return `setTimeout(() => { history.pushState(1, '', '/settle/pushed'); ${show} }, ${ms})`;
  }
}

const html = (body: string): string =>
  `<!doctype html><html lang="en"><head><title>Settle</title><link rel="icon" href="data:,"></head><body>${body}</body></html>`;

export const settleRoute: Route = ({ pathname, searchParams }) => {
  const ms = Number(searchParams.get('ms'));
  const kind = kinds.find((name) => name === searchParams.get('kind'));
  if (pathname === '/settle/api') return { body: 'done', type: 'text/plain', delayMs: ms };
  if (pathname === '/settle/next') return { body: html(`<h1>${effect}</h1>`), delayMs: ms };
  if (pathname !== '/settle' || kind === undefined) return undefined;
  const start = `const out = document.getElementById('out');
    document.getElementById('go').addEventListener('click', () => { ${script(kind, ms)} });`;
  return { body: html(`<button id="go">Go</button><p id="out">nothing yet</p><script>${start}</script>`) };
};

/** One click per effect: its time, and whether the effect is in the answer or a linked file. */
export async function runSettle({ recorder, site, drivers, progress }: Suite): Promise<readonly Check[]> {
  const seen = new Map<string, { held: number; of: number; missed: string[] }>();
  progress('settle: effects after 0 to 2,000 ms');
  await recorder.interleave('settle', drivers, effects.length, async (driver, round) => {
    const { kind, ms: delay } = effects[Math.max(round, 0)] ?? { kind: 'timer', ms: 0 };
    await driver.navigate(site.at(`/settle?kind=${kind}&ms=${delay}&visit=${round}`));
    const target = await driver.find({ role: 'button', name: 'Go' });
    const { ms, value } = await timed(() => driver.click(target));
    if (round < 0) return;
    recorder.add({ id: 'settle.click', title: 'click with an effect, all 45', unit: 'ms' }, driver.name, ms);
    recorder.add({ id: `settle.${kind}`, title: `click, effect by ${kind}`, unit: 'ms' }, driver.name, ms);
    const count = seen.get(driver.name) ?? { held: 0, of: 0, missed: [] };
    seen.set(driver.name, count);
    const isSeen = [value.text, ...value.files].some((text) => text.includes(effect));
    count.of += 1;
    count.held += Number(isSeen);
    if (!isSeen) count.missed.push(`${kind} ${delay}`);
    const late = { id: 'settle.late', title: 'answer after an effect that was seen', unit: 'ms' } as const;
    if (isSeen) recorder.add(late, driver.name, ms - delay);
  });
  return [
    { id: 'settle.seen', title: 'effect is in the answer or a file it links to', counts: Object.fromEntries(seen) },
  ];
}
