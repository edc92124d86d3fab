import { evaluate, expect, open, refOf, testWith } from '../fixtures.ts';
import type { Call } from '../fixtures.ts';

const test = testWith(['--caps=vision']);
const three = ['browser_mouse_click_xy', 'browser_mouse_drag_xy', 'browser_mouse_move_xy'];
const all = [
  'browser_mouse_click_xy',
  'browser_mouse_down',
  'browser_mouse_drag_xy',
  'browser_mouse_move_xy',
  'browser_mouse_up',
  'browser_mouse_wheel',
];

const board = `<title>Board</title><style>body { margin: 0; height: 3000px } #log { position: fixed; top: 400px }</style><button style="position:absolute;left:600px;top:10px">Plain</button><p id="log">Nothing</p><script>
const say = (text) => { log.textContent = text; };
addEventListener('click', (event) => say('click ' + event.clientX + ',' + event.clientY + ' times ' + event.detail));
addEventListener('contextmenu', (event) => { event.preventDefault(); say('menu ' + event.clientX + ',' + event.clientY); });
let from = '';
addEventListener('mousemove', (event) => { if (event.buttons === 0) say('move ' + event.clientX + ',' + event.clientY); });
addEventListener('mousedown', (event) => { from = event.clientX + ',' + event.clientY; });
addEventListener('mouseup', (event) => { if (from !== event.clientX + ',' + event.clientY) setTimeout(() => say('drag ' + from + ' to ' + event.clientX + ',' + event.clientY)); });
</script>`;

async function said(call: Call): Promise<string | undefined> {
  return evaluate(call, 'log.textContent');
}

test('[S0-06, S0-40, S0-41, S2-89, S2-94] the capability adds the coordinate tools to the list', async ({ driver }) => {
  const names = (await driver.client.listTools()).tools.map(({ name }) => name);
  expect(names.filter((name) => name.startsWith('browser_mouse_'))).toEqual(all);
  expect(names).toEqual(expect.arrayContaining([...three, 'browser_click', 'browser_hover', 'browser_drag']));
  expect(names).not.toContain('browser_pdf_save');
});

test('[S2-90, S2-91] a click lands on its coordinates', async ({ site, call }) => {
  await open(site, call, board);
  const answer = await call('browser_mouse_click_xy', { x: 100, y: 200 });
  expect(answer.section('Snapshot')).toContain('click 100,200 times 1');
  expect(answer.section('Ran Playwright code')).toContain('await page.mouse.click(100, 200);');
  await call('browser_mouse_click_xy', { x: 30, y: 40, clickCount: 2 });
  expect(await said(call)).toBe('click 30,40 times 2');
  await call('browser_mouse_click_xy', { x: 30, y: 40, button: 'right' });
  expect(await said(call)).toBe('menu 30,40');
});

test('[S2-90, S2-92] the mouse is moved to its coordinates', async ({ site, call }) => {
  await open(site, call, board);
  await call('browser_mouse_move_xy', { x: 55, y: 66 });
  expect(await said(call)).toBe('move 55,66');
});

test('[S2-90, S2-93] the mouse drags between its coordinates', async ({ site, call }) => {
  await open(site, call, board);
  await call('browser_mouse_drag_xy', { startX: 10, startY: 20, endX: 210, endY: 220 });
  expect(await said(call)).toBe('drag 10,20 to 210,220');
});

test('mouse down, up and wheel act at the current mouse position', async ({ site, call }) => {
  await open(site, call, board);
  await call('browser_mouse_move_xy', { x: 10, y: 10 });
  await call('browser_mouse_down', {});
  await call('browser_mouse_move_xy', { x: 90, y: 95 });
  await call('browser_mouse_up', {});
  expect(await said(call)).toBe('drag 10,10 to 90,95');
  await call('browser_mouse_wheel', { deltaY: 150 });
  expect(await evaluate(call, 'scrollY')).toBe('150');
});

test('[S2-94, S2-95] coordinates and refs can be mixed in one session', async ({ site, call }) => {
  const { text: page } = await open(site, call, board);
  await call('browser_mouse_click_xy', { x: 5, y: 5 });
  expect(await said(call)).toBe('click 5,5 times 1');
  await call('browser_click', { ref: refOf(page, 'button', 'Plain') });
  expect(await said(call)).toMatch(/^click 6\d\d,\d+ times 1$/);
  await call('browser_mouse_click_xy', { x: 7, y: 8 });
  expect(await said(call)).toBe('click 7,8 times 1');
});

test('[S2-91] a point outside the viewport is reported as such', async ({ site, call }) => {
  await open(site, call, board);
  const note = 'is outside the viewport, which is 1280x720.';
  for (const point of [
    { x: -1, y: 5 },
    { x: 5, y: 720 },
    { x: 1280, y: 5 },
  ]) {
    const answer = await call('browser_mouse_click_xy', point);
    expect(answer.section('Result')).toContain(`The point ${point.x},${point.y} ${note}`);
  }
  const drag = { startX: 4000, startY: 1, endX: 5, endY: 5 };
  expect((await call('browser_mouse_drag_xy', drag)).section('Result')).toContain(`The point 4000,1 ${note}`);
  expect((await call('browser_mouse_click_xy', { x: 1279, y: 719 })).text).not.toContain('outside');
});

test.for([
  ['browser_mouse_click_xy', { x: 1e300, y: 5 }, '"x" must be from -1000000 to 1000000, not 1e+300'],
  ['browser_mouse_move_xy', { x: 5, y: -1e9 }, '"y" must be from -1000000 to 1000000, not -1000000000'],
  ['browser_mouse_drag_xy', { startX: 1, startY: 1, endX: 1e7, endY: 1 }, '"endX" must be from -1000000 to 1000000'],
  ['browser_mouse_wheel', { deltaY: 1e308 }, '"deltaY" must be from -1000000 to 1000000'],
  ['browser_mouse_click_xy', { x: 5, y: 5, clickCount: 1e9 }, '"clickCount" must be a whole number from 1 to 100'],
  ['browser_mouse_click_xy', { x: 5, y: 5, clickCount: 0 }, '"clickCount" must be a whole number from 1 to 100'],
  ['browser_mouse_click_xy', { x: 5, y: 5, delay: 1e9 }, '"delay" must be from 0 to 30000'],
  ['browser_mouse_click_xy', { x: 5, y: 5, delay: -1 }, '"delay" must be from 0 to 30000'],
] as const)('[R-33] %s with %j is rejected', async ([name, args, problem], { site, call, callRaw }) => {
  await open(site, call, board);
  const answer = await callRaw(name, args);
  expect(answer.kind).toBe('INVALID_ARGUMENT');
  expect(answer.section('Error')).toContain(`Argument ${problem}`);
});
