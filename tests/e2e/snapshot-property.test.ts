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

/** A page with lists, tables, cards and forms of random lengths. Every name on it is unique. */
const large = (seed: number): string => `<title>Large</title><main></main><script>
  let state = ${seed};
  const random = (below) => { state = (state * 1103515245 + 12345) & 0x7fffffff; return Math.floor(state / 65536) % below; };
  let count = 0;
  const name = () => 'N' + count++ + 'x';
  const times = (most, make) => Array.from({ length: 1 + random(most) }, make).join('');
  const button = () => '<button>' + name() + '</button>';
  const link = () => '<a href="/' + count + '">' + name() + '</a>';
  const field = () => '<label>' + name() + ' <input></label>';
  const control = () => [button, link, field][random(3)]();
  const makers = [
    () => '<p>' + name() + ' ' + link() + '</p>', control,
    () => '<h2>' + name() + '</h2>',
    () => '<ul>' + times(70, () => '<li>' + name() + ' ' + (random(2) ? control() : '') + '</li>') + '</ul>',
    () => '<table>' + times(50, () => '<tr><td>' + name() + '</td><td>' + control() + '</td></tr>') + '</table>',
    () => times(40, () => '<article><h3>' + link() + '</h3><p>' + name() + '</p>' + button() + '</article>'),
    () => '<section aria-label="' + name() + '">' + times(6, control) + '<ul>' + times(30, () => '<li>' + link() + '</li>') + '</ul></section>',
    () => '<select aria-label="' + name() + '">' + times(20, () => '<option>' + name() + '</option>') + '</select>',
  ];
  document.querySelector('main').innerHTML = times(10, () => makers[random(makers.length)]()) + button();
</script>`;

const namesIn = (text: string): readonly string[] => [...new Set(text.match(/N\d+x/g))].sort();

for (const seed of casesOf([firstSeed, 7, 42, 99, 1234], (one) => one === firstSeed)) {
  test(`[C5-11] every text of a page and a ref of every control is behind some cursor, on the random page ${seed}`, async ({
    site,
    call,
  }) => {
    await open(site, call, large(seed));
    let text = '';
    const cursors: (string | undefined)[] = [undefined];
    for (const cursor of cursors) {
      const answer = await call('browser_snapshot', { maxTokens: 800, ...(cursor === undefined ? {} : { cursor }) });
      expect(answer.isError, answer.text).toBe(false);
      text += answer.section('Snapshot') ?? '';
      for (const [, next] of answer.text.matchAll(/cursor="([^"]+)"/g)) if (!cursors.includes(next)) cursors.push(next);
    }
    // The options of a long select are behind its ref.
    const selects = [...text.matchAll(/\[ref=(\w+)\][^\n]*\(\d+ options\)/g)].map(([, ref = '']) => ref);
    for (const ref of selects) text += (await call('browser_snapshot', { ref })).section('Snapshot') ?? '';
    const wanted = await call('browser_evaluate', {
      function: `() => ({
        texts: [...document.querySelectorAll('main *')].map((each) => (each.ariaLabel ?? '') + ' ' + each.textContent).join(' '),
        controls: [...document.querySelectorAll('button, a, input, select')].map((each) => each.ariaLabel ?? each.labels?.[0]?.textContent ?? each.textContent),
      })`,
    });
    const { texts, controls } = Object(Object(wanted.structured?.['data']).result);
    expect(namesIn(text)).toEqual(namesIn(texts));
    expect(cursors.length + selects.length).toBeGreaterThan(1);
    const refs = new Map(
      [...text.matchAll(/(N\d+x)"(?: \[[^\]]*\])*? \[ref=(\w+)\]/g)].map(([, name, ref]) => [name, ref]),
    );
    const reached = controls.map((name: string) => name.trim()).filter((name: string) => !refs.has(name));
    expect(reached).toEqual([]);
    for (const name of [controls[0].trim(), controls.at(-1).trim()]) {
      const found = await call('browser_evaluate', {
        ref: refs.get(name) ?? '',
        function: '(it) => it.labels?.[0]?.textContent ?? it.ariaLabel ?? it.textContent',
      });
      expect(found.section('Result')).toContain(name);
    }
  });
}
