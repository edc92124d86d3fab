import { evaluate, expect, open, test, testWith } from '../fixtures.ts';
import type { Call } from '../fixtures.ts';

async function ask(call: Call, expression: string): Promise<unknown> {
  return JSON.parse((await evaluate(call, expression)) ?? '');
}

const listening = `<title>Input</title><style>#pad { width: 300px; height: 200px; border: 5px solid }</style><div id="pad"></div><input id="field"><script>
const seen = [];
for (const type of ['mousedown', 'mouseup', 'click', 'dblclick'])
  pad.addEventListener(type, (event) => seen.push([type, event.offsetX, event.offsetY, event.detail, event.timeStamp]));
const keys = [];
for (const type of ['keydown', 'keyup'])
  field.addEventListener(type, (event) => keys.push([type, event.key, event.repeat, event.shiftKey]));
</script>`;

test('a click hits the given point of an element', async ({ site, call }) => {
  await open(site, call, listening);
  await call('browser_click', { ref: '#pad', x: 20, y: 150 });
  expect(await ask(call, "seen.filter(([type]) => type === 'click').map(([, x, y]) => [x, y])")).toEqual([[20, 150]]);
});

test('a triple click is three clicks in a row', async ({ site, call }) => {
  await open(site, call, listening);
  await call('browser_click', { ref: '#pad', clickCount: 3 });
  expect(await ask(call, "seen.filter(([type]) => type === 'click').map(([,,, detail]) => detail)")).toEqual([1, 2, 3]);
});

test('a button is held, also for longer than an action may wait for its element', async ({ site, call }) => {
  await open(site, call, listening);
  const answer = await call('browser_click', { ref: '#pad', hold: 600, timeout: 300 });
  expect(answer.isError, answer.text).toBe(false);
  expect(await ask(call, 'seen[1][4] - seen[0][4] >= 590')).toBe(true);
});

test('a key is pressed several times', async ({ site, call }) => {
  await open(site, call, listening);
  await call('browser_click', { ref: '#field' });
  await call('browser_press_key', { key: 'a', count: 5 });
  const { text } = await call('browser_press_key', { key: 'Shift+ArrowLeft', count: 3 });
  expect(text).toContain("for (let i = 0; i < 3; i++) await page.keyboard.press('Shift+ArrowLeft');");
  expect(await ask(call, '[field.value, field.selectionStart, field.selectionEnd]')).toEqual(['aaaaa', 2, 5]);
  expect((await call('browser_press_key', { key: 'a', count: 1000 })).kind).toBe('INVALID_ARGUMENT');
});

test('a key is held with its modifiers, and repeats as on a keyboard', async ({ site, call }) => {
  await open(site, call, listening);
  await call('browser_click', { ref: '#field' });
  await call('browser_press_key', { key: 'Shift+X', hold: 800 });
  const [first, ...others] = [await ask(call, "keys.filter(([, key]) => key === 'X' || key === 'x')")].flat();
  expect(first).toEqual(['keydown', 'X', false, true]);
  expect(others.at(-1)).toEqual(['keyup', 'X', false, true]);
  expect(others.slice(0, -1).length).toBeGreaterThan(1);
  expect(others.slice(0, -1).every((event) => Array.isArray(event) && event[2] === true)).toBe(true);
  expect(await ask(call, "field.value === 'X'.repeat(field.value.length) && field.value.length > 2")).toBe(true);
});

const rows = Array.from({ length: 100 }, (_, i) => `<p>Row ${i}.</p>`).join('');
const shell = `<title>Shell</title><style>body { margin: 0; height: 100vh; overflow: hidden; display: flex } p { height: 30px; margin: 0 }
#menu { width: 200px; overflow: auto } #rows { flex: 1; overflow: auto; margin: 80px }</style>
<div id="menu">${rows.replaceAll('Row', 'Item')}</div><div id="rows">${rows}</div>`;
const isShown = (text: string): string => `(() => {
  const found = [...document.querySelectorAll('p')].find((each) => each.textContent === '${text}');
  const { left, top, bottom, height } = found.getBoundingClientRect();
  const hit = document.elementFromPoint(left + 5, top + height / 2);
  return hit === found && top >= 0 && bottom <= innerHeight;
})()`;

test('without a ref, the main scroll box of an app is scrolled', async ({ site, call }) => {
  await open(site, call, shell);
  expect((await call('browser_scroll', { y: 300 })).text).toContain('Scrolled.');
  expect(await ask(call, '[menu.scrollTop, rows.scrollTop, scrollY]')).toEqual([0, 300, 0]);
  await call('browser_scroll', { to: 'end' });
  expect(await ask(call, isShown('Row 99.'))).toBe(true);
});

test('a text in an inner scroll box is scrolled into view', async ({ site, call }) => {
  await open(site, call, shell);
  const answer = await call('browser_scroll', { until: 'Row 70.' });
  expect(answer.section('Result')).toBe('The text "Row 70." was found after 1 step.\nScrolled.');
  expect(answer.section('Ran Playwright code')).toBe(
    "```js\nawait page.getByText('Row 70.').first().scrollIntoViewIfNeeded();\n```",
  );
  expect(await ask(call, isShown('Row 70.'))).toBe(true);
  await call('browser_scroll', { ref: '#menu', until: 'Item 50.' });
  expect(await ask(call, isShown('Item 50.'))).toBe(true);
});

/** Renders only the rows in view. */
const virtual = `<title>Virtual</title><div style="height:3000px"><div id="box" style="height:200px;width:300px;overflow:auto"><div id="space" style="height:15000px;position:relative"></div></div></div><script>
const draw = () => {
  const first = Math.floor(box.scrollTop / 30);
  space.innerHTML = Array.from({ length: 8 }, (_, i) => '<p style="margin:0;position:absolute;top:' + (first + i) * 30 + 'px">Row ' + (first + i) + '.</p>').join('');
};
box.addEventListener('scroll', draw); draw();</script>`;

test('until in a virtual list scrolls that list, by no more than its height', async ({ site, call }) => {
  await open(site, call, virtual);
  const answer = await call('browser_scroll', { ref: '#box', until: 'Row 101.', max: 40 });
  expect(answer.text).toContain('was found');
  expect(await ask(call, isShown('Row 101.'))).toBe(true);
  expect(await ask(call, 'scrollY')).toBe(0);
});

test('the wheel turns over a box that does not scroll', async ({ site, call }) => {
  await open(
    site,
    call,
    `<title>Map</title><canvas id="map" style="width:200px;height:200px"></canvas><div style="height:3000px"></div><script>
     let zoom = 0; map.addEventListener('wheel', (event) => { event.preventDefault(); zoom += Math.sign(event.deltaY); document.title = 'Zoom ' + zoom })</script>`,
  );
  const answer = await call('browser_scroll', { ref: '#map', y: -100 });
  expect(answer.text).toContain('Zoom -1');
  expect(answer.text).not.toContain('The end is reached');
  expect(await ask(call, 'scrollY')).toBe(0);
});

test('a screenshot in a file says how to see it', async ({ site, call }) => {
  await open(site, call, '<title>Shot</title><h1>Here</h1>');
  const answer = await call('browser_take_screenshot');
  expect(answer.content.some(({ type }) => type === 'image')).toBe(false);
  expect(answer.text).toContain('image: "inline"');
  const shown = await call('browser_take_screenshot', { image: 'inline' });
  expect(shown.content.some(({ type }) => type === 'image')).toBe(true);
});

const seeing = testWith(['--caps', 'vision']);

seeing('[S2-44] with --caps vision, screenshots are in the answer', async ({ site, call }) => {
  await open(site, call, '<title>Shot</title><h1>Here</h1>');
  const shown = await call('browser_take_screenshot');
  expect(shown.content.some(({ type }) => type === 'image')).toBe(true);
  const saved = await call('browser_take_screenshot', { image: 'file' });
  expect(saved.content.some(({ type }) => type === 'image')).toBe(false);
});
