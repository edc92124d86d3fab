import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { firstSeed, isLongRun } from '../extent.ts';
import { Seen } from './harness.ts';
import { afresh, disagreements, Reader } from './remembering.ts';

let seen: Seen;

beforeAll(async () => {
  seen = await Seen.open();
});
afterAll(() => seen.close());

const rows = Array.from(
  { length: 700 },
  (_, i) => `<li class="row"><b>Row ${i}</b> <a href="/r/${i}">Open ${i}</a> <button>Delete</button></li>`,
);

/** Large enough for incremental walks. */
const list = `<!doctype html><style>.off{display:none}.tip{visibility:hidden}.row:hover .tip{visibility:visible}
  .menu ul{display:none}.menu:focus-within ul{display:block}#all.dim .row{display:none}</style>
  <h1>List</h1><p id="out">count 0</p><div class="menu"><button id="m">Menu</button><ul><li><a href="/x">Hidden entry</a></li></ul></div>
  <label for="f">Field</label><input id="f">
  <section><p>One</p><p>Two</p><p>Three</p><input aria-labelledby="who"></section><p id="who">Old name</p><ul id="all">${rows.join('')}</ul>`;

describe('a large page', () => {
  let reader: Reader;

  beforeEach(async () => {
    reader = new Reader(seen);
    await seen.page.mouse.move(0, 0);
    await seen.show(list);
    await seen.page.evaluate(() => window.scrollTo(0, 0));
    await reader.look();
    await reader.look();
  });

  test('is sent once, and then only its changes', async () => {
    expect(reader.same).toBeGreaterThan(0);
    await seen.page.evaluate(() => {
      document.querySelector('#out')?.replaceChildren('count 1');
    });
    await reader.look();
    expect(reader.same).toBeGreaterThan(0);
    expect(reader.lines.join('\n')).toContain('count 1');
    expect(reader.lines).toEqual(await afresh(seen));
  });

  /** Each of these is detected by an incremental walk. */
  const changes: Record<string, () => void> = {
    'a text': () => document.querySelectorAll('.row b')[400]?.replaceChildren('Other'),
    'a new row': () => document.querySelectorAll('.row')[10]?.after(document.createElement('hr')),
    'a removed row': () => document.querySelectorAll('.row')[300]?.remove(),
    'a row of another class': () => document.querySelectorAll('.row')[20]?.classList.add('off'),
    'a field that a script fills': () => Object.assign(document.querySelector('#f') ?? {}, { value: 'written' }),
    'a label elsewhere': () => document.querySelector('label')?.replaceChildren('Another name'),
    'another element of the same id': () =>
      document
        .querySelector('h1')
        ?.after(Object.assign(document.createElement('p'), { id: 'who', textContent: 'New' })),
    'a class on the list': () => document.querySelector('#all')?.classList.add('dim'),
    'a rule in a style sheet': () => void document.styleSheets[0]?.insertRule('.row b { display: none }'),
    'a new style sheet': () =>
      document.head.append(Object.assign(document.createElement('style'), { textContent: '.row a { display: none }' })),
    'focus that opens a menu': () => document.querySelector<HTMLElement>('#m')?.focus(),
    'another scroll position': () => window.scrollTo(0, 4000),
    'a row that moves': () => document.querySelector('#all')?.prepend(document.querySelectorAll('.row')[650] ?? ''),
  };
  for (const [what, change] of Object.entries(changes)) {
    test(`${what} is detected`, async () => {
      const before = reader.lines;
      await seen.page.evaluate(change);
      await reader.look();
      expect(reader.lines).toEqual(await afresh(seen));
      expect(reader.lines).not.toEqual(before);
    });
  }

  test('content revealed by the pointer is detected', async () => {
    await seen.page.evaluate(() => {
      for (const row of document.querySelectorAll('.row'))
        row.insertAdjacentHTML('beforeend', '<i class="tip">Tip</i>');
    });
    await reader.look();
    expect(reader.lines.join('\n')).not.toContain('Tip');
    await seen.page.locator('.row').nth(3).hover();
    await reader.look();
    expect(reader.lines.filter((line) => line.includes('Tip'))).toHaveLength(1);
    expect(reader.lines).toEqual(await afresh(seen));
    expect(reader.same).toBeGreaterThan(0);
  });

  test('changes inside a shadow root are detected', async () => {
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

test('after random changes, an incremental walk equals a full walk', async () => {
  const pages = isLongRun ? Number(process.env['PAGEHELM_DOCUMENTS'] ?? 300) / 100 : 1;
  expect(await disagreements(seen, { first: firstSeed, pages, steps: isLongRun ? 40 : 10 })).toEqual([]);
}, 3_600_000);
