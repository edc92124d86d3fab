import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { WalkNode, WalkResult } from '../../src/page/items.ts';
import { generated } from './generate.ts';
import { launch, Seen, walkScript } from './harness.ts';

let browser: Browser;
let seen: Seen;

beforeAll(async () => {
  browser = await launch();
  seen = new Seen(await browser.newPage(), await walkScript());
});
afterAll(() => browser.close());

/** What the server makes of walks that tell only what changed. */
class Reader {
  nodes: readonly WalkNode[] = [];
  same = 0;
  #walk: string | undefined;

  async look(): Promise<void> {
    this.#take(await seen.walk({ nodes: true }, undefined, this.#walk));
  }

  /** Lines of the page as it was told bit by bit. */
  get lines(): readonly string[] {
    return linesOf(this.nodes);
  }

  #take({ nodes = [], walk }: WalkResult): void {
    this.#walk = walk;
    this.same = nodes.filter((node) => node.isSame).length;
    const places = new Map(this.nodes.map(({ key }, at) => [key, at]));
    this.nodes = nodes.flatMap((node) => (node.isSame === true ? this.#subtree(places.get(node.key)) : [node]));
  }

  #subtree(start = -1): readonly WalkNode[] {
    const top = this.nodes[start];
    if (top === undefined) throw new Error('taken as known, but never told');
    let end = start + 1;
    while ((this.nodes[end]?.depth ?? -1) > top.depth) end++;
    return this.nodes.slice(start, end);
  }
}

function linesOf(nodes: readonly WalkNode[]): readonly string[] {
  return nodes.map(({ depth, line }) => `${'  '.repeat(depth)}- ${line}`);
}

/** The page as a walk sees it that remembers nothing: an option that is set, if only to its default, makes it so. */
async function afresh(): Promise<readonly string[]> {
  return linesOf((await seen.walk({ nodes: true, maxText: 200 })).nodes ?? []);
}

const rows = Array.from(
  { length: 700 },
  (_, i) => `<li class="row"><b>Row ${i}</b> <a href="/r/${i}">Open ${i}</a> <button>Delete</button></li>`,
);

/** Large enough for walks to leave out what did not change. */
const list = `<!doctype html><style>.off{display:none}.tip{visibility:hidden}.row:hover .tip{visibility:visible}
  .menu ul{display:none}.menu:focus-within ul{display:block}#all.dim .row{display:none}</style>
  <h1>List</h1><p id="out">count 0</p><div class="menu"><button id="m">Menu</button><ul><li><a href="/x">Hidden entry</a></li></ul></div>
  <label for="f">Field</label><input id="f"><ul id="all">${rows.join('')}</ul>`;

describe('a large page', () => {
  const reader = new Reader();

  beforeEach(async () => {
    await seen.page.mouse.move(0, 0);
    await seen.show(list);
    await seen.page.evaluate(() => window.scrollTo(0, 0));
    await reader.look();
    await reader.look();
  });

  test('is told once, and then only what changed in it', async () => {
    expect(reader.same).toBeGreaterThan(0);
    await seen.page.evaluate(() => {
      document.querySelector('#out')?.replaceChildren('count 1');
    });
    await reader.look();
    expect(reader.same).toBeGreaterThan(0);
    expect(reader.lines.join('\n')).toContain('count 1');
    expect(reader.lines).toEqual(await afresh());
  });

  /** Each of these is seen without a look at everything. */
  const changes: Record<string, () => void> = {
    'a text': () => document.querySelectorAll('.row b')[400]?.replaceChildren('Other'),
    'a new row': () => document.querySelectorAll('.row')[10]?.after(document.createElement('hr')),
    'a row that is gone': () => document.querySelectorAll('.row')[300]?.remove(),
    'a row of another class': () => document.querySelectorAll('.row')[20]?.classList.add('off'),
    'a field that a script fills': () => Object.assign(document.querySelector('#f') ?? {}, { value: 'written' }),
    'a label elsewhere': () => document.querySelector('label')?.replaceChildren('Another name'),
    'a class on the list': () => document.querySelector('#all')?.classList.add('dim'),
    'a rule in a style sheet': () => void document.styleSheets[0]?.insertRule('.row b { display: none }'),
    'a new style sheet': () =>
      document.head.append(Object.assign(document.createElement('style'), { textContent: '.row a { display: none }' })),
    'focus that opens a menu': () => document.querySelector<HTMLElement>('#m')?.focus(),
    'another place of the window': () => window.scrollTo(0, 4000),
    'a row that moves': () => document.querySelector('#all')?.prepend(document.querySelectorAll('.row')[650] ?? ''),
  };
  for (const [what, change] of Object.entries(changes)) {
    test(`${what} is seen`, async () => {
      const before = reader.lines;
      await seen.page.evaluate(change);
      await reader.look();
      expect(reader.lines).toEqual(await afresh());
      expect(reader.lines).not.toEqual(before);
    });
  }

  test('what the pointer uncovers is seen', async () => {
    await seen.page.evaluate(() => {
      for (const row of document.querySelectorAll('.row'))
        row.insertAdjacentHTML('beforeend', '<i class="tip">Tip</i>');
    });
    await reader.look();
    expect(reader.lines.join('\n')).not.toContain('Tip');
    await seen.page.locator('.row').nth(3).hover();
    await reader.look();
    expect(reader.lines.filter((line) => line.includes('Tip'))).toHaveLength(1);
    expect(reader.lines).toEqual(await afresh());
    expect(reader.same).toBeGreaterThan(0);
  });

  test('what changes inside a component is seen', async () => {
    await seen.page.evaluate(() => {
      const host = document.createElement('x-box');
      host.attachShadow({ mode: 'open' }).innerHTML = '<p>before</p><p>2</p><p>3</p><p>4</p><p>5</p>';
      document.querySelector('h1')?.after(host);
    });
    await reader.look();
    await seen.page.evaluate(() =>
      document.querySelector('x-box')?.shadowRoot?.firstElementChild?.replaceChildren('after'),
    );
    await reader.look();
    expect(reader.lines.join('\n')).toContain('after');
    expect(reader.same).toBeGreaterThan(0);
  });
});

/** Something happens to an element of the page, by a script. */
function disturb(seed: number): void {
  const elements = [...document.body.querySelectorAll<HTMLElement>('*')];
  const element = elements[(seed * 7919) % elements.length];
  const other = elements[(seed * 104_729) % elements.length];
  if (element === undefined || other === undefined) return;
  const deeds: readonly (() => void)[] = [
    () => element.append(` text ${seed}`),
    () => element.setAttribute('class', ['blk', 'inl', 'ptr', 'con', 'vh', 'vv', ''][seed % 7] ?? ''),
    () => element.toggleAttribute('hidden'),
    () => element.remove(),
    () => element.after(other.cloneNode(true)),
    () => element.setAttribute('aria-label', `label ${seed}`),
    () => element.toggleAttribute('aria-hidden'),
    () => element.style.setProperty('display', seed % 2 === 0 ? 'none' : 'block'),
    () => element.setAttribute('role', ['button', 'group', 'none', 'list'][seed % 4] ?? ''),
    () => element.focus(),
    () => element.toggleAttribute('disabled'),
    () => element.toggleAttribute('open'),
    () => {
      const fields = document.querySelectorAll<HTMLInputElement>('input:not([type=file])');
      const field = fields[seed % fields.length];
      if (field !== undefined && field.type === 'checkbox') field.checked = !field.checked;
      else if (field !== undefined && field.type === 'text') field.value = `value ${seed}`;
    },
    () => {
      if (!other.contains(element) && !element.contains(other)) other.append(element);
    },
  ];
  deeds[seed % deeds.length]?.();
}

test('after any change a walk that remembers tells the same as one that does not', async () => {
  const wrong: string[] = [];
  for (let first = 1; first <= 2; first++) {
    const reader = new Reader();
    const body = Array.from({ length: 30 }, (_, at) => generated(first * 1000 + at)).join('\n');
    await seen.show(body);
    await reader.look();
    let same = 0;
    for (let step = 1; step <= 15; step++) {
      await seen.page.evaluate(disturb, first * 10_000 + step);
      await reader.look();
      same += reader.same;
      const expected = await afresh();
      const at = expected.findIndex((line, index) => line !== reader.lines[index]);
      if (at >= 0 || expected.length !== reader.lines.length) {
        wrong.push(`page ${first}, step ${step}: ${expected[at]} was told as ${reader.lines[at]}`);
        break;
      }
    }
    expect(same).toBeGreaterThan(0);
  }
  expect(wrong).toEqual([]);
});
