import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { casesOf, firstSeed } from '../extent.ts';
import { expect, open, refOf, test } from '../fixtures.ts';
import type { Call } from '../fixtures.ts';

/** A page that changes pseudo-randomly, by a seed, when its button is pressed. */
const changing = (seed: number): string => `<title>Changing</title><button id="step">Step</button><main></main><script>
  let state = ${seed};
  const random = (below) => { state = (state * 1103515245 + 12345) & 0x7fffffff; return Math.floor(state / 65536) % below; };
  const main = document.querySelector('main');
  const words = ['apple', 'bee', 'cloud', 'door', 'elm', 'fox', 'gate', 'hill'];
  let count = 0;
  const word = () => words[random(words.length)] + ' ' + count++;
  const makers = [
    () => '<p>' + word() + '</p>', () => '<h2>' + word() + '</h2>', () => '<button>' + word() + '</button>',
    () => '<label>' + word() + ' <input value="' + word() + '"></label>',
    () => '<ul><li>' + word() + ' <button>' + word() + '</button></li><li>' + word() + '</li></ul>',
    () => '<section aria-label="' + word() + '"><p>' + word() + '</p><a href="/x">' + word() + '</a></section>',
    () => '<input type="checkbox" aria-label="' + word() + '">', () => '<div>' + word() + '</div>',
  ];
  const make = () => { const host = document.createElement('div'); host.innerHTML = makers[random(makers.length)](); return host.firstElementChild; };
  const any = (selector) => { const all = main.querySelectorAll(selector); return all[random(all.length)]; };
  const edits = [
    () => main.insertBefore(make(), main.children[random(main.children.length + 1)] ?? null),
    () => main.append(make()),
    () => (any('section') ?? main).append(make()),
    () => main.children.length > 12 && main.children[random(main.children.length)].remove(),
    () => main.children.length > 15 && main.children[random(main.children.length)].remove(),
    () => { const it = any('p, h2, button, a'); if (it) it.textContent = word(); },
    () => { const it = any('button'); if (it) it.disabled = !it.disabled; },
    () => { const it = any('input[type=checkbox]'); if (it) it.checked = !it.checked; },
    () => { const it = any('section'); if (it) it.ariaLabel = word(); },
    () => { const it = any('main > button'); if (it) main.prepend(it); },
    () => { const it = any('main > button'); if (it) { const box = make(); it.replaceWith(box); main.append(it); } },
    () => { const it = any('p, button'); if (it) it.hidden = !it.hidden; },
    () => { const it = any('ul'); if (it) it.innerHTML = it.innerHTML; },
  ];
  for (let i = 0; i < 10; i++) main.append(make());
  step.onclick = () => { for (let i = random(4); i >= 0; i--) edits[random(edits.length)](); };
</script>`;

/** A line for comparison, without indentation, scroll and focus state. */
function plain(line: string): string {
  return line
    .replace(/^\s*- /, '')
    .replace(/ \[active\]| \[offscreen[^\]]*\]/g, '')
    .replace(/:$/, '');
}

const refsIn = (line: string): readonly string[] => line.match(/\[ref=\w+\]/g) ?? [];
const kindOf = (line: string): string => /^[\w-]*/.exec(line)?.[0] ?? '';

function takeOut(lines: string[], line: string): boolean {
  const index = lines.indexOf(line);
  if (index >= 0) lines.splice(index, 1);
  return index >= 0;
}

function without(lines: readonly string[], others: readonly string[]): string[] {
  const left = [...lines];
  for (const line of others) takeOut(left, line);
  return left;
}

/** The model's view after applying a diff, including what the diff implies. */
function applied(view: readonly string[], diff: readonly string[]) {
  const lines = [...view];
  const renamed: string[] = [];
  let inner = 0;
  for (const change of diff) {
    if (change.startsWith('@@ ')) {
      const isKnown = refsIn(change).every((ref) => [...view, ...lines].some((line) => line.includes(ref)));
      expect(isKnown, `a place that was never shown: ${change}`).toBe(true);
      continue;
    }
    const reported = plain(change.slice(2));
    const place = lines.findIndex((line) => refsIn(line).some((ref) => reported.includes(ref)));
    if (change.startsWith('- ')) {
      const [, line = reported, count = '0'] = /^(.*) \(and (\d+) lines in it\)$/.exec(reported) ?? [];
      expect(takeOut(lines, line), `removed, but never shown: ${line}`).toBe(true);
      inner += Number(count);
    } else if (place >= 0) lines[place] = reported;
    else if (change.startsWith('+ ')) lines.push(reported);
    else renamed.push(reported);
  }
  return { lines, renamed, inner };
}

/** A changed line without a ref replaces one of its kind; a removed part removes its lines. */
function expectSame(view: ReturnType<typeof applied>, fresh: readonly string[]): void {
  const settled = without(fresh, view.renamed);
  expect(settled.length, 'changed lines are on the page').toBe(fresh.length - view.renamed.length);
  expect(without(settled, view.lines), 'on the page, but not reported').toEqual([]);
  const gone = without(view.lines, settled);
  expect(gone.length, `reported, but not on the page: ${gone.join('; ')}`).toBe(view.renamed.length + view.inner);
  const kinds = gone.map(kindOf);
  for (const line of view.renamed) expect(takeOut(kinds, kindOf(line)), `nothing became ${line}`).toBe(true);
}

async function freshLines(call: Call, folder: string): Promise<readonly string[]> {
  await call('browser_snapshot', { filename: 'fresh.yml' });
  const text = await readFile(join(folder, '.playwright-mcp/fresh.yml'), 'utf8');
  return text.trimEnd().split('\n').map(plain);
}

for (const seed of casesOf([firstSeed, 42], (one) => one === firstSeed)) {
  test(`[C5-1] diffs applied to the previous snapshot give the current page, over 30 random changes from ${seed}`, async ({
    site,
    server,
    call,
  }) => {
    const opened = await open(site, call, changing(seed));
    const step = refOf(opened.text, 'button', 'Step');
    let view = (opened.section('Snapshot') ?? '').split('\n').slice(1, -1).map(plain);
    let diffs = 0;
    for (let round = 0; round < 30; round++) {
      const answer = await call('browser_click', { ref: step });
      const [fence = '', ...lines] = (answer.section('Snapshot') ?? '```diff\n```').split('\n').slice(0, -1);
      const fresh = await freshLines(call, server.folder);
      if (fence === '```diff') expectSame(applied(view, lines), fresh);
      else expect(lines.map(plain).sort()).toEqual([...fresh].sort());
      diffs += Number(fence === '```diff');
      for (const ref of lines
        .filter((line) => /^[+~]/.test(line))
        .flatMap(refsIn)
        .slice(0, 2)) {
        const found = await call('browser_evaluate', { ref: ref.slice(5, -1), function: '(it) => it.isConnected' });
        expect(found.section('Result')).toBe('true');
      }
      view = [...fresh];
    }
    expect(diffs).toBeGreaterThan(20);
  });
}
