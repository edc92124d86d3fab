import { expect, open, refOf, test } from '../fixtures.ts';

const box = (script: string): string =>
  `<style>body { margin: 0 }</style><div id="box" onclick="${script}" style="position: absolute; left: 10px; top: 10px; width: 60px; height: 60px">Box</div>`;

test('a click that moves its target says how far', async ({ site, call }) => {
  await open(site, call, box("box.style.left = '235px'; box.style.top = '5px'"));
  const answer = await call('browser_click', { selector: '#box' });
  expect(answer.section('Result')).toMatch(/\nIt moved 225 px right, 5 px up\.$/);
});

test('a move is reported once', async ({ site, call }) => {
  const { text } = await open(site, call, box("box.style.transform = 'translateX(40px)'"));
  const ref = refOf(text, 'generic');
  expect((await call('browser_click', { ref })).section('Result')).toMatch(/\nIt moved 40 px right\.$/);
  expect((await call('browser_click', { ref })).section('Result')).toMatch(/\nNo text or control changed\.$/);
});

test('a click that draws on a canvas says so', async ({ site, call }) => {
  const draw = "this.getContext('2d').fillRect(5, 5, 1, 1)";
  await open(site, call, `<canvas id="drawn" onclick="${draw}"></canvas><canvas id="blank" onclick="0"></canvas>`);
  const result = async (selector: string) => (await call('browser_click', { selector })).section('Result');
  expect(await result('#drawn')).toMatch(/\nThe canvas was drawn on\.$/);
  expect(await result('#drawn')).toMatch(/\nNo text or control changed\.$/);
  expect(await result('#blank')).toMatch(/\nNo text or control changed\.$/);
});

test('a click that scrolls the box around its target says how far', async ({ site, call }) => {
  await open(
    site,
    call,
    `<div style="height: 100px; overflow: auto"><p onclick="this.parentElement.scrollTop = 400">Text</p>
     <div style="height: 2000px"></div></div>`,
  );
  const answer = await call('browser_click', { selector: 'p' });
  expect(answer.section('Result')).toMatch(/\nScrolled to 2\d %\.$/);
});

test('scrolling an element into view for a click is no effect of the click', async ({ site, call }) => {
  await open(site, call, '<div style="height: 3000px"></div><button>Far</button>');
  const answer = await call('browser_click', { selector: 'button' });
  expect(answer.section('Result')).toMatch(/\nNo text or control changed\.$/);
});

const around = `<style>body { margin: 0 } #box { position: absolute; left: 20px; top: 200px; width: 60px }</style>
  <div id="box">Parcel</div><canvas id="paper" width="50" height="50"></canvas><p id="words">Some words</p>
  <div id="list" style="height: 50px; overflow: auto"><div style="height: 250px">Long</div></div>`;

test.for([
  ['moves a box', "box.style.left = '120px'", '"Parcel" moved 100 px right.'],
  ['draws on a canvas', "paper.getContext('2d').fillRect(5, 5, 9, 9)", 'The canvas was drawn on.'],
  ['scrolls a box', 'list.scrollTop = 100', 'Scrolled to 50 %.'],
  ['selects a text', 'getSelection().selectAllChildren(words)', 'Selection: "Some words"'],
  ['changes a font', "words.style.fontWeight = 'bold'", 'No text or control changed.'],
] as const)('a click that %s elsewhere says so, if that can be known', async ([, script, line], { site, call }) => {
  await open(site, call, `<button onclick="${script}">Go</button>${around}`);
  const answer = await call('browser_click', { selector: 'button' });
  expect(answer.section('Result')?.split('\n').at(-1)).toBe(line);
});
