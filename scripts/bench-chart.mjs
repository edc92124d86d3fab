// @ts-check
// Draws the chart of the README from the results of the benchmarks:
//   node scripts/bench-chart.mjs [build/bench-results.json] [docs/images/benchmarks.svg]
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const [input = join(root, 'build/bench-results.json'), output = join(root, 'docs/images/benchmarks.svg')] =
  process.argv.slice(2);

/** @typedef {{ id: string, samples: Record<string, number[] | undefined> }} Metric */
/** @type {{ metrics: Metric[], versions: Record<string, string>, date: string }} */
const { metrics, versions, date } = JSON.parse(readFileSync(input, 'utf8'));

const median = (/** @type {number[]} */ samples) => {
  const sorted = samples.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2;
};

const valueOf = (/** @type {string} */ id, /** @type {string} */ contestant) => {
  const samples = metrics.find((metric) => metric.id === id)?.samples[contestant];
  return samples === undefined || samples.length === 0 ? undefined : median(samples);
};

const bars = [
  { label: 'pagehelm, batches', contestant: 'pagehelm', way: '.batch', isOwn: true },
  { label: 'pagehelm', contestant: 'pagehelm', way: '', isOwn: true },
  { label: `agent-browser ${versions['agentBrowser'] ?? ''}`, contestant: 'agent-browser', way: '', isOwn: false },
  { label: `chrome-devtools-mcp ${versions['devtools'] ?? ''}`, contestant: 'devtools', way: '', isOwn: false },
  { label: `@playwright/mcp ${versions['peer'] ?? ''}`, contestant: 'peer', way: '', isOwn: false },
];
const panels = [
  { title: 'Tokens of all answers', part: 'tokens', show: (/** @type {number} */ value) => value.toLocaleString('en') },
  { title: 'Time of all calls', part: 'wall', show: (/** @type {number} */ value) => `${(value / 1000).toFixed(1)} s` },
  { title: 'Calls', part: 'calls', show: (/** @type {number} */ value) => String(value) },
];

const width = 760;
const left = 210;
const barWidth = 440;
const row = 22;
const escaped = (/** @type {string} */ text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

let y = 62;
/** @type {string[]} */
const parts = [];
for (const { title, part, show } of panels) {
  const rows = bars.flatMap(({ label, contestant, way, isOwn }) => {
    const value = valueOf(`task${way}.${part}`, contestant);
    return value === undefined ? [] : [{ label, value, isOwn }];
  });
  const most = Math.max(...rows.map(({ value }) => value));
  parts.push(`<text class="head" x="24" y="${y}">${escaped(title)}</text>`);
  y += 12;
  for (const { label, value, isOwn } of rows) {
    const length = Math.max(2, (value / most) * barWidth);
    parts.push(
      `<text class="label" x="${left - 10}" y="${y + 13}" text-anchor="end">${escaped(label.trim())}</text>`,
      `<rect class="${isOwn ? 'own' : 'other'}" x="${left}" y="${y + 2}" width="${length.toFixed(1)}" height="15" rx="2"/>`,
      `<text class="value" x="${(left + length + 8).toFixed(1)}" y="${y + 13}">${escaped(show(Math.round(value)))}</text>`,
    );
    y += row;
  }
  y += 24;
}
const height = y + 20;
const about = 'Buying an item in a shop, in 20 steps';
// The card has its own background, so that it is readable wherever it is shown.
const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${about}">
<style>
.card { fill: #ffffff; stroke: #d0d7de } text { font: 13px system-ui, "Segoe UI", Helvetica, Arial, sans-serif; fill: #1f2328 }
.title { font-size: 16px; font-weight: 600 } .head { font-weight: 600 } .note { font-size: 11px; fill: #59636e } .label, .value { font-size: 12px }
.own { fill: #1f6feb } .other { fill: #8c959f }
@media (prefers-color-scheme: dark) {
.card { fill: #0d1117; stroke: #3d444d } text { fill: #f0f6fc } .note { fill: #9198a1 } .own { fill: #4493f8 } .other { fill: #656c76 }
}
</style>
<rect class="card" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8"/>
<text class="title" x="24" y="30">${about}</text>
${parts.join('\n')}
<text class="note" x="24" y="${height - 30}">Shorter is better. The page is seen after each step, except with batches.</text>
<text class="note" x="24" y="${height - 14}">${date}, npm run bench, all with Chromium ${versions['browser'] ?? ''} on the same machine.</text>
</svg>
`;
mkdirSync(dirname(output), { recursive: true });
writeFileSync(output, svg);
