import { evaluate, expect, open, test } from '../fixtures.ts';
import type { Call } from '../fixtures.ts';
import {
  boardPage,
  canvasPage,
  dndKitPage,
  jqueryUiPage,
  nativeListPage,
  sortableJsPage,
  tilesPage,
} from '../site/drag-libraries.ts';

/** The letters of the items in a list. */
async function order(call: Call, list = 'one'): Promise<unknown> {
  const expression = `[...document.querySelectorAll('#${list} li')].map((item) => item.textContent.trim().slice(-1)).join('')`;
  return evaluate(call, expression);
}

const item = (letter: string): string => `li:text-is("Item ${letter}")`;

const libraries: Readonly<Record<string, () => string>> = {
  'jQuery UI sortable': jqueryUiPage,
  SortableJS: sortableJsPage,
  'dnd-kit': dndKitPage,
  'HTML5 drag and drop': nativeListPage,
};

test.for(Object.entries(libraries))('%s: an item goes before or after another', async ([, page], { site, call }) => {
  await open(site, call, page());
  for (const [from, position, to, expected] of [
    ['A', 'after', 'C', 'BCADE'],
    ['E', 'before', 'B', 'EBCAD'],
    ['E', 'before', 'A', 'BCEAD'],
    ['D', 'after', 'C', 'BCDEA'],
    ['B', 'after', 'A', 'CDEAB'],
  ] as const) {
    const dragged = await call('browser_drag', { startRef: item(from), endRef: item(to), position });
    expect(dragged.isError, dragged.text).toBe(false);
    expect(await order(call), `${from} ${position} ${to}`).toBe(expected);
  }
});

test.for(Object.entries(libraries))('%s: an item takes the place of another', async ([, page], { site, call }) => {
  await open(site, call, page());
  await call('browser_drag', { startRef: item('A'), endRef: item('C') });
  expect(await order(call)).toBe('BCADE');
  await call('browser_drag', { startRef: item('E'), endRef: item('C') });
  expect(await order(call)).toMatch(/^B(?:EC|CE)AD$/);
});

test.for(Object.entries(libraries).filter(([name]) => name !== 'dnd-kit'))(
  '%s: an item goes into another list',
  async ([, page], { site, call }) => {
    await open(site, call, page());
    await call('browser_drag', { startRef: item('B'), endRef: item('Y'), position: 'before' });
    expect([await order(call), await order(call, 'two')]).toEqual(['ACDE', 'XBY']);
    await call('browser_drag', { startRef: item('C'), endRef: item('Y'), position: 'after' });
    expect([await order(call), await order(call, 'two')]).toEqual(['ADE', 'XBYC']);
  },
);

/** The ref on the line of an item or a column. */
function refOf(text: string, name: string): string {
  const after = new RegExp(`\\[ref=(e\\d+)\\][^\\n]*(?:\\n +- heading )?.*${name}`).exec(text)?.[1];
  const ref = new RegExp(`${name}" \\[ref=(e\\d+)\\]`).exec(text)?.[1] ?? after;
  expect(ref, text).toBeDefined();
  return ref ?? '';
}

test.for(Object.entries(libraries))('%s: the items have refs, also after a drag', async ([, page], { site, call }) => {
  const { text } = await open(site, call, page().replaceAll('cursor: grab', ''));
  await call('browser_drag', { startRef: refOf(text, 'Item A'), endRef: refOf(text, 'Item C'), position: 'after' });
  expect(await order(call)).toBe('BCADE');
  const after = (await call('browser_snapshot')).text;
  await call('browser_drag', { startRef: refOf(after, 'Item E'), endRef: refOf(after, 'Item B'), position: 'before' });
  expect(await order(call)).toBe('EBCAD');
});

test('an empty column of a board has a ref, and loses it when it gets an item', async ({ site, call }) => {
  const { text } = await open(site, call, boardPage());
  await call('browser_drag', { startRef: refOf(text, 'Write'), endRef: refOf(text, 'Done') });
  expect(await evaluate(call, "document.querySelector('#done .card').textContent")).toBe('Write');
  const after = (await call('browser_snapshot')).text;
  expect(after).not.toMatch(/\[ref=e\d+\]:\n +- heading "Done"/);
  await call('browser_drag', { startRef: refOf(after, 'Write'), endRef: refOf(after, 'To do') });
  expect(await evaluate(call, "document.querySelector('#todo .card').textContent")).toBe('Write');
});

test('what the cursor shows as movable has a ref', async ({ site, call }) => {
  const { text } = await open(
    site,
    call,
    `<div id="panel" style="position:absolute;width:200px"><div style="cursor:move">Notes</div><p>Milk</p></div><script>
     panel.firstChild.parentElement.onpointerdown = (down) => {
       if (getComputedStyle(down.target).cursor !== 'move') return;
       const left = panel.offsetLeft - down.clientX;
       onpointermove = (event) => { panel.style.left = left + event.clientX + 'px' };
       onpointerup = () => { onpointermove = null };
     }</script>`,
  );
  const before = Number(await evaluate(call, 'panel.offsetLeft'));
  await call('browser_drag', { startRef: refOf(text, 'Notes'), x: 90, y: 0 });
  expect(Number(await evaluate(call, 'panel.offsetLeft')) - before).toBe(90);
});

test('tiles below the viewport are sorted by their handles', async ({ site, call }) => {
  await open(site, call, tilesPage());
  const tile = (letter: string): string => `li:has-text("Item ${letter}")`;
  for (const [from, position, to, expected] of [
    ['A', 'after', 'B', 'BACDE'],
    ['E', 'before', 'A', 'BEACD'],
    ['B', 'before', 'D', 'EACBD'],
  ] as const) {
    await call('browser_drag', { startRef: `${tile(from)} b`, endRef: tile(to), position });
    expect(await order(call), `${from} ${position} ${to}`).toBe(expected);
  }
});

test('a target is needed, and one way to say where', async ({ site, call }) => {
  await open(site, call, canvasPage());
  const refused = [{}, { position: 'before' }, { endRef: 'p', position: 'after', x: 3 }] as const;
  const kinds = [];
  for (const goal of refused) kinds.push((await call('browser_drag', { startRef: 'canvas', ...goal })).kind);
  expect(kinds).toEqual(['MISSING_PARAMETER', 'MISSING_PARAMETER', 'INVALID_ARGUMENT']);
});

test('jQuery UI: an element is dropped on another, and moved by an offset', async ({ site, call }) => {
  await open(site, call, jqueryUiPage());
  await call('browser_drag', { startRef: '#box', x: 120, y: 30 });
  expect(await evaluate(call, "$('#box').css('left') + ' ' + $('#box').css('top')")).toBe('120px 30px');
  await call('browser_drag', { startRef: '#box', endRef: '#bin' });
  expect(await evaluate(call, "$('#bin').text()")).toBe('Dropped!');
});

test('a line is drawn on a canvas between two of its points', async ({ site, call }) => {
  await open(site, call, canvasPage());
  await call('browser_drag', { startRef: 'canvas', startX: 20, startY: 30, endRef: 'canvas', x: 300, y: 250 });
  const drawn = { from: [20, 30], to: [300, 250], isSmooth: true };
  expect(JSON.parse((await evaluate(call, 'log.textContent')) ?? '')).toEqual(drawn);
});
