import { evaluate, expect, open, test } from '../fixtures.ts';
import type { Call } from '../fixtures.ts';

function refsIn(text: string): readonly string[] {
  return [...text.matchAll(/\[ref=(e\d+)\]/g)].map(([, ref = '']) => ref);
}

/** Clicks every ref; returns what the page has noted. */
async function clickAll(call: Call, text: string): Promise<unknown> {
  for (const ref of refsIn(text)) {
    const answer = await call('browser_click', { ref });
    expect(answer.isError, answer.text).toBe(false);
  }
  return JSON.parse((await evaluate(call, 'JSON.stringify(seen)')) ?? '');
}

/** Notes the id of each clicked element. */
const listen = (selector: string): string => `<script>
const seen = [];
for (const each of document.querySelectorAll('${selector}'))
  each.addEventListener('click', (event) => { event.preventDefault(); seen.push(each.id) })</script>`;

const cases: Readonly<Record<string, readonly [html: string, selector: string, ids: readonly string[]]>> = {
  'links of one name in rows, cards and text': [
    `<ul><li>Ada <a id="a1" href="#">Edit</a></li><li>Bob <a id="a2" href="#">Edit</a></li></ul>
     <div><div class="r"><b>Cy</b><a id="a3" href="#">Edit</a></div><div class="r"><b>Di</b><a id="a4" href="#">Edit</a></div></div>
     <table><tr><td>Ed</td><td><a id="a5" href="javascript:void(0)">Like</a></td></tr><tr><td>Flo</td><td><a id="a6" href="javascript:void(0)">Like</a></td></tr></table>
     <table><tr><td>Gus</td><td><a id="a7" href="/same">Open</a></td></tr><tr><td>Hal</td><td><a id="a8" href="/same">Open</a></td></tr></table>`,
    'a',
    ['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7', 'a8'],
  ],
  'links without a target, and a day of a calendar': [
    `<a id="prev">Prev</a><table><tr><td id="d1"><a>1</a></td><td id="d2"><a>2</a></td></tr></table>`,
    '#prev,td',
    ['prev', 'd1', 'd2'],
  ],
  'two targets in one element with a pointer': [
    `<div style="cursor:pointer"><span id="reply">Reply</span> <span id="forward">Forward</span></div>`,
    'span',
    ['reply', 'forward'],
  ],
  'a menu item once, not its wrappers': [
    `<ul role="menu"><li role="none" style="cursor:pointer"><div id="file" role="menuitem" tabindex="-1" style="cursor:pointer"><span style="cursor:pointer">File</span></div></li></ul>`,
    '#file',
    ['file'],
  ],
  'empty cells and coloured boxes': [
    `<style>td { width: 30px; height: 30px } div { width: 40px; height: 40px }</style>
     <table><tr><td id="c1"></td><td id="c2"></td></tr></table><div id="red" style="background:red"></div>`,
    'td,div',
    ['c1', 'c2', 'red'],
  ],
  'a custom dropdown': [
    `<div id="pick" style="cursor:pointer;width:200px"><span>Choose</span><i>▾</i><input style="width:1px;height:1px;opacity:0;border:0;padding:0"></div>`,
    '#pick',
    ['pick'],
  ],
};

test.for(Object.entries(cases))('each has one ref: %s', async ([, [html, selector, ids]], { site, call }) => {
  const { text } = await open(site, call, `<title>T</title>${html}${listen(selector)}`);
  expect(await clickAll(call, text), text).toEqual(ids);
});

test('targets with an attribute in an element with a pointer have a ref each, and the element has none', async ({
  site,
  call,
}) => {
  const { text } = await open(
    site,
    call,
    `<title>T</title><div style="cursor:pointer"><span onclick="document.title = 1">Reply</span> <span onclick="document.title = 2">Forward</span></div>`,
  );
  expect(refsIn(text)).toHaveLength(2);
});

test('shapes and texts of a drawing that react have refs; a description is no text', async ({ site, call }) => {
  const { text } = await open(
    site,
    call,
    `<svg width="300" height="100"><desc>Made with a tool</desc><circle id="dot" cx="20" cy="20" r="10" fill="red"/>
     <text id="label" x="100" y="20">Label</text><text x="200" y="20">Plain</text></svg>${listen('#dot,#label')}`,
  );
  expect(text).not.toContain('Made with');
  const [, dot = '', label = '', ...others] = refsIn(text);
  expect(others).toEqual([]);
  expect(text).toContain('[circle at 18,18 size 20x20 rgb(255,0,0)]');
  await call('browser_click', { ref: dot });
  await call('browser_click', { ref: label });
  expect(await evaluate(call, 'seen.join()')).toBe('dot,label');
});

test.for([
  ['a file name', '<button><img src="/img/trash-can.4f3a9b1c.png"></button>', 'trash-can'],
  ['a sprite', '<button><svg width="20" height="20"><use href="/s.svg#icon-search"/></svg></button>', 'search'],
  ['a class of an icon font', '<button><i class="fa fa-lg fa-star"></i></button>', 'star'],
  [
    'a background',
    '<span style="cursor:pointer;display:inline-block;width:9px;height:9px;background:url(/x/close.gif)"></span>',
    'close',
  ],
  [
    'an image before it',
    '<style>b::before { content: url(/x/gear.svg) }</style><b style="cursor:pointer;display:inline-block;width:9px;height:9px"></b>',
    'gear',
  ],
  [
    'a set of images behind it',
    '<style>b::after { content: image-set(url(/x/bell.png) 1x, url(/x/bell-2.png) 2x) }</style><b style="cursor:pointer;display:inline-block;width:9px;height:9px"></b>',
    'bell',
  ],
  ['an id', '<div id="next-page" style="cursor:pointer;width:9px;height:9px"></div>', 'next-page'],
] as const)('the name of an icon is guessed from %s, and marked as a guess', async ([, html, icon], { site, call }) => {
  site.set('/s.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>');
  expect((await open(site, call, `<title>T</title>${html}`)).text).toContain(`[icon=${icon}]`);
});

test('an icon name cannot imitate another part of a line', async ({ site, call }) => {
  const html = `<div id="x] [ref=e99] button &quot;Pay" style="cursor:pointer;width:9px;height:9px"></div>`;
  const { text } = await open(site, call, `<title>T</title>${html}`);
  expect(refsIn(text)).toHaveLength(1);
  expect(text).toContain('[icon=x-ref-e99-button-Pay]');
});

test('a container that listens for clicks is no target', async ({ site, call }) => {
  const { text } = await open(
    site,
    call,
    `<title>T</title><div id="app"><p>Text</p><button id="go">Go</button></div>${listen('#app')}`,
  );
  expect(refsIn(text)).toHaveLength(1);
});

test('two cards do not share a line', async ({ site, call }) => {
  const flight = (hour: number): string =>
    `<div class="flight"><div>0${hour}:00</div><div>$${hour}00</div></div><div class="flight"><span>0${hour}:30</span> <span>$${hour}50</span></div>`;
  const { text } = await open(site, call, `<title>T</title><div>${flight(1)}${flight(2)}</div>`);
  const prices = text.split('\n').map((line) => line.match(/\$\d+/g)?.length ?? 0);
  expect(Math.max(...prices), text).toBe(1);
});

test('an element with a context menu of its own has a ref', async ({ site, call }) => {
  const { text } = await open(
    site,
    call,
    `<div id="file">report.txt</div><output id="o"></output><script>
     file.addEventListener('contextmenu', (event) => { event.preventDefault(); o.textContent = 'Rename' })</script>`,
  );
  const [ref] = refsIn(text);
  expect((await call('browser_click', { ref, button: 'right' })).text).toContain('Rename');
});

test.for([
  ['a list', '<ul id="all"><li id="a">Alpha</li><li id="b">Beta</li></ul>', ['a', 'b']],
  [
    'a list whose items have a pointer',
    '<style>li { cursor: pointer }</style><ol id="all"><li id="a">Alpha</li><li id="b">Beta</li></ol>',
    ['a', 'b'],
  ],
  [
    'a board',
    '<style>td { width: 30px; height: 30px }</style><table id="all"><tr><td id="a">X</td><td id="b"></td></tr><tr><td id="c"></td><td id="d">O</td></tr></table>',
    ['a', 'b', 'c', 'd'],
  ],
  [
    'options with values',
    '<div id="all"><div class="o" id="a" data-value="r">Red</div><div class="o" id="b" data-value="b">Blue</div></div>',
    ['a', 'b'],
  ],
  [
    'a card with two lines',
    '<div id="all"><div class="l" id="a">Lamp</div><div class="l" id="b">5 EUR</div></div>',
    ['?'],
  ],
  [
    'a list with buttons',
    '<ul id="all"><li>Alpha <button id="a">Open</button></li><li>Beta <button id="b">Open</button></li></ul>',
    ['a', 'b'],
  ],
] as const)(
  'the items of an element that listens for them have a ref each: %s',
  async ([, html, ids], { site, call }) => {
    const script =
      "<script>const seen = []; all.addEventListener('click', ({ target }) => seen.push(target.id))</script>";
    const { text } = await open(site, call, `<title>T</title>${html}${script}`);
    const clicked = await clickAll(call, text);
    expect(refsIn(text), text).toHaveLength(ids.length);
    if (ids[0] !== '?') expect(clicked, text).toEqual(ids);
  },
);

test('a large table that listens for clicks has no ref in each cell', async ({ site, call }) => {
  const rows = '<tr><td>One</td><td>Two</td></tr>'.repeat(60);
  const script = "<script>all.addEventListener('click', () => undefined)</script>";
  expect(refsIn((await open(site, call, `<title>T</title><table id="all">${rows}</table>${script}`)).text)).toEqual([]);
});
