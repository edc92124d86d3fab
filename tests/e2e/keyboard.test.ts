import { evaluate, expect, open, slowly, test } from '../fixtures.ts';

const recorder = `<title>Keys</title><input autofocus><pre id="log"></pre><script>
  onkeydown = (event) => { log.textContent += (event.ctrlKey ? 'C-' : '') + (event.shiftKey ? 'S-' : '') + event.key + ' ' };
</script>`;

test('[S2-32] a key is pressed on the focused element', async ({ site, call }) => {
  await open(site, call, recorder);
  await call('browser_click', { selector: 'input' });
  const answer = await call('browser_press_key', { key: 'a' });
  expect(answer.section('Ran Playwright code')).toBe("```js\nawait page.keyboard.press('a');\n```");
  expect(await evaluate(call, 'document.querySelector("input").value')).toBe('a');
});

test('[S2-32, R-34] combinations are pressed as "Control+a" or with modifiers', async ({ site, call }) => {
  await open(site, call, recorder);
  await call('browser_press_key', { key: 'Control+b' });
  await call('browser_press_key', { key: 'b', modifiers: ['Control', 'Shift'] });
  const log = (await evaluate(call, 'log.textContent')) ?? '';
  expect(
    log
      .trim()
      .split(' ')
      .filter((key) => key.endsWith('b')),
  ).toEqual(['C-b', 'C-S-b']);
});

test('[S2-32] keys have aliases, and characters without a key are inserted', async ({ site, call }) => {
  await open(site, call, recorder);
  await call('browser_click', { selector: 'input' });
  await call('browser_press_key', { key: 'esc' });
  const answer = await call('browser_press_key', { key: 'ctrl+Down' });
  expect(answer.section('Ran Playwright code')).toBe("```js\nawait page.keyboard.press('Control+ArrowDown');\n```");
  expect(await evaluate(call, 'log.textContent')).toBe('Escape C-Control C-ArrowDown ');
  const sign = await call('browser_press_key', { key: 'ä' });
  expect(sign.section('Ran Playwright code')).toBe("```js\nawait page.keyboard.insertText('ä');\n```");
  expect(await evaluate(call, 'document.querySelector("input").value')).toBe('ä');
});

test('[R-34] a single modifier may be a string', async ({ site, call, callRaw }) => {
  await open(site, call, recorder);
  expect((await callRaw('browser_press_key', { key: 'b', modifiers: 'Control' })).isError).toBe(false);
  expect(await evaluate(call, 'log.textContent')).toContain('C-b');
});

test('[S2-32] the answer reports where a key moved the focus', async ({ site, call }) => {
  const row = (name: string): string =>
    `<li><b>${name}</b> <button>Take ${name}</button> <button>Drop ${name}</button></li>`;
  await open(site, call, `<input aria-label='A "[active] [ref=e9]" b'><ul>${row('one')}${row('two')}</ul>`);
  const press = async (key: string): Promise<string | undefined> =>
    (await call('browser_press_key', { key })).section('Result')?.replaceAll(/e\d+\]\.$/g, 'e]');
  expect(await press('Tab')).toBe('The focus is on textbox "A \\"\\\\[active] \\\\[ref=e9]\\" b" [ref=e]');
  expect(await press('Tab')).toBe('The focus is on button "Take one" [ref=e]');
  expect(await press('Tab')).toBe('The focus is on button "Drop one" [ref=e]');
  expect(await press('Tab')).toBe('The focus is on button "Take two" [ref=e]');
  expect(await press('ArrowDown')).toBe('No text or control changed.');
  expect(await press('Shift+Tab')).toBe('The focus is on button "Drop one" [ref=e]');
});

test('[S2-33] the effects of a key are waited for', async ({ site, call }) => {
  site.set(
    '/',
    '<output id="o"></output><script>onkeydown = async () => { o.textContent = await (await fetch("/slow")).text() }</script>',
  );
  site.set('/slow', slowly(300, 'from the server'));
  await call('browser_navigate', { url: site.url('/') });
  expect((await call('browser_press_key', { key: 'ArrowDown' })).section('Snapshot')).toContain('from the server');
});

test('[S2-34] Enter in a form field waits for the submitted form’s page', async ({ site, call }) => {
  site.set('/', '<form action="/done"><input name="q" autofocus></form>');
  site.set('/done', slowly(300, '<title>Done</title><p>Text</p>'));
  await call('browser_navigate', { url: site.url('/') });
  await call('browser_type', { selector: 'input', text: 'x' });
  const answer = await call('browser_press_key', { key: 'Enter' });
  expect(answer.section('Result')).toBe(`Navigated to ${site.url('/done?q=x')}`);
  expect(answer.page).toBe(`- Page URL: ${site.url('/done?q=x')}\n- Page Title: Done`);
});

test('[R-33] an unknown key is rejected, and the page stays usable', async ({ site, call }) => {
  await open(site, call, recorder);
  for (const key of ['Entre', 'Control+', '', 'ab', 'Control+Entre']) {
    const answer = await call('browser_press_key', { key });
    expect(answer.kind, key).toBe('INVALID_ARGUMENT');
    expect(answer.section('Error'), key).toContain(`${JSON.stringify(key)} is not a key.`);
  }
  expect((await call('browser_press_key', { key: 'a' })).isError).toBe(false);
  expect((await evaluate(call, 'log.textContent'))?.trim()).toMatch(/(^|\s)a$/);
});

test('the effects of repeated keys are waited for each time', async ({ site, call }) => {
  await open(
    site,
    call,
    `<input aria-label="Search"><p id="out">-</p><script>
let n = 0;
addEventListener('keydown', () => { n += 1; setTimeout(() => { out.textContent = 'Found ' + n }, 150); }, true);
document.querySelector('input').focus();</script>`,
  );
  for (let n = 1; n <= 8; n += 1) {
    expect((await call('browser_press_key', { key: 'ArrowLeft' })).text).toContain(`Found ${n}`);
  }
});
