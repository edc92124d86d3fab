import { join } from 'node:path';
import type { Step } from './scenario.ts';
import { CompatServer } from './server.ts';
import type { Side } from './server.ts';
import type { CompatSite } from './site.ts';

const page = `<title>Times</title><h1>Times</h1><button onclick="out.textContent = 'clicked'">Go</button>
<label>Name <input id="name"></label><label>Color <select id="color"><option>Red</option><option>Green</option></select></label>
<label><input id="box" type="checkbox"> Agree</label><p id="out">-</p>`;

const field = (target: string, type: string, value: string) => ({ target, type, value, name: target });

/** The calls of a round. */
const calls: readonly Step[] = [
  ['browser_navigate', { url: '{{page}}' }],
  ['browser_click', { target: 'button' }],
  ['browser_type', { target: '#name', text: 'Ada' }],
  ['browser_press_key', { key: 'Tab' }],
  ['browser_select_option', { target: '#color', values: ['Green'] }],
  [
    'browser_fill_form',
    {
      fields: [field('#name', 'textbox', 'Bo'), field('#color', 'combobox', 'Red'), field('#box', 'checkbox', 'true')],
    },
  ],
  ['browser_hover', { target: 'button' }],
  ['browser_evaluate', { function: '() => document.title' }],
  ['browser_snapshot'],
  ['browser_take_screenshot'],
];

interface Contestant {
  readonly name: string;
  readonly side: Side;
  readonly peerSettleMs?: number;
}

/** The last one shows what Playwright's own tools take without any wait. */
const contestants: readonly Contestant[] = [
  { name: 'pagehelm --compat playwright', side: 'ours' },
  { name: '@playwright/mcp', side: 'theirs', peerSettleMs: 500 },
  { name: '@playwright/mcp without its wait', side: 'theirs', peerSettleMs: 0 },
];

const rounds = 15;

/** Measures each call, in turn with each server, and prints medians as a table in Markdown. */
export async function printTimes(site: CompatSite, folder: string): Promise<void> {
  const texts = { site: site.url, page: `${site.url}${site.add(page)}` };
  const columns = new Map<string, ReadonlyMap<string, number>>();
  for (const [index, { name, side, peerSettleMs }] of contestants.entries()) {
    const group = { name, scenarios: [], ...(peerSettleMs === undefined ? {} : { peerSettleMs }) };
    await using server = await CompatServer.start(side, group, join(folder, `times-${index}`, side));
    const times = new Map<string, number[]>();
    // The first round starts the browser, and is not counted.
    for (let round = 0; round <= rounds; round++) {
      for (const [tool, args = {}] of calls) {
        const before = server.milliseconds;
        await server.call(tool, args, texts);
        if (round > 0) times.set(tool, [...(times.get(tool) ?? []), server.milliseconds - before]);
      }
    }
    columns.set(name, new Map([...times].map(([tool, all]) => [tool, medianOf(all)])));
  }
  const [ours, peer, bare] = [...columns.values()];
  const rows = calls.map(([tool]) => {
    const [own = 0, their = 0, least = 0] = [ours?.get(tool), peer?.get(tool), bare?.get(tool)];
    const cells = [
      own.toFixed(0),
      their.toFixed(0),
      (own / their).toFixed(2),
      least.toFixed(0),
      (least / their).toFixed(2),
    ];
    return `| \`${tool}\` | ${cells.join(' | ')} |`;
  });
  const head = ['Tool', 'pagehelm', '@playwright/mcp', 'ratio', 'without its wait', 'ratio'];
  const lines = [`| ${head.join(' | ')} |`, `| ${head.map(() => '---').join(' | ')} |`, ...rows];
  process.stdout.write(`${lines.join('\n')}\n`);
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}
