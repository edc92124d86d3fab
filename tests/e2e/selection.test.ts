import { evaluate, expect, open, test } from '../fixtures.ts';
import type { Call } from '../fixtures.ts';

async function ask(call: Call, expression: string): Promise<unknown> {
  return JSON.parse((await evaluate(call, expression)) ?? '');
}

const article = `<title>Text</title><article id="all"><h1>Alpha</h1><p id="first">One  two
  <b>three</b> four.</p><p id="second">Five six seven.</p></article><div id="bar" hidden>Toolbar</div><script>
document.addEventListener('mouseup', () => { bar.hidden = document.getSelection().isCollapsed })</script>`;

test.for([
  ['a word', { ref: '#first', text: 'two' }, 'two'],
  ['words across elements', { ref: '#first', text: 'two three' }, 'two three'],
  ['a range across paragraphs', { text: 'three four', to: 'six' }, 'three four.\n\nFive six'],
  ['everything in an element', { ref: '#second' }, 'Five six seven.'],
] as const)('%s is selected, and the answer shows it', async ([, args, expected], { site, call }) => {
  await open(site, call, article);
  const answer = await call('browser_select_text', args);
  expect(await ask(call, 'JSON.stringify(String(getSelection()))')).toBe(expected);
  expect(answer.section('Result')).toContain(`Selection: ${JSON.stringify(expected.replaceAll(/\s+/g, ' '))}`);
});

test('a page that reacts to the mouse sees the selection', async ({ site, call }) => {
  await open(site, call, article);
  expect((await call('browser_select_text', { ref: '#second', text: 'six' })).text).toContain('Toolbar');
});

test('a text that is not there is an error, and selects nothing', async ({ site, call }) => {
  await open(site, call, article);
  const answer = await call('browser_select_text', { ref: '#second', text: 'eight' });
  expect(answer.kind).toBe('INVALID_ARGUMENT');
  expect(await ask(call, 'getSelection().rangeCount')).toBe(0);
});

test('text of fields is selected, and the caret is set', async ({ site, call }) => {
  await open(
    site,
    call,
    '<title>F</title><textarea id="area">one two\nthree</textarea><input id="mail" type="email" value="a@b.c">',
  );
  await call('browser_select_text', { ref: '#area', text: 'two three' });
  expect(await ask(call, '[area.selectionStart, area.selectionEnd]')).toEqual([4, 13]);
  const answer = await call('browser_select_text', { ref: '#area', text: 'two', caret: 'after' });
  expect(answer.text).toContain('Caret: between "one two" and " three"');
  await call('browser_press_key', { key: '!' });
  expect(await ask(call, 'JSON.stringify(area.value)')).toBe('one two!\nthree');
  await call('browser_select_text', { ref: '#mail' });
  await call('browser_press_key', { key: 'Delete' });
  expect(await ask(call, 'JSON.stringify(mail.value)')).toBe('');
});

test('the secret text of a field is not shown', async ({ site, call }) => {
  await open(site, call, '<title>F</title><input id="word" type="password" value="hunter2">');
  expect((await call('browser_select_text', { ref: '#word' })).text).not.toContain('hunter');
});

test.for([
  ['number', '12', '1'],
  ['password', 'hunter2', 'hunt'],
  ['password', 'hunter2', 'other'],
] as const)('a part of a %s field cannot be selected', async ([type, value, part], { site, call }) => {
  await open(site, call, `<title>F</title><input id="field" type="${type}" value="${value}">`);
  const answer = await call('browser_select_text', { ref: '#field', text: part });
  expect(answer.kind).toBe('INVALID_ARGUMENT');
  expect(answer.text).toContain('can only be selected as a whole');
});

test('text of an editor is formatted, and the answer shows how', async ({ site, call }) => {
  await open(site, call, '<title>E</title><div id="ed" contenteditable>Make this bold, not that.</div>');
  expect((await call('browser_select_text', { ref: '#ed', text: 'this' })).text).toContain('Selection: "this"\n');
  expect((await call('browser_press_key', { key: 'Control+b' })).text).toContain('Selection: "this" (bold)');
  expect(await ask(call, 'JSON.stringify(ed.innerHTML)')).toBe('Make <b>this</b> bold, not that.');
  await call('browser_select_text', { ref: '#ed', text: 'bold', caret: 'before' });
  await call('browser_press_key', { key: 'x' });
  expect(await ask(call, "JSON.stringify(ed.textContent.replaceAll('\u00a0', ' '))")).toBe(
    'Make this xbold, not that.',
  );
});

/** Adds a mark to what is copied, and shows what is pasted. */
const events = `<title>Events</title><p id="text">Copy me</p><textarea id="field"></textarea><div id="ed" contenteditable>rich <b>bold</b></div><pre id="log"></pre><script>
text.addEventListener('copy', (event) => { event.preventDefault(); event.clipboardData.setData('text/plain', 'marked ' + getSelection()) });
for (const type of ['copy', 'cut', 'paste']) document.addEventListener(type, (event) =>
  log.append(type + ' ' + event.isTrusted + ' ' + event.clipboardData.getData('text/plain') + ';'));</script>`;

test('copy, cut and paste are events of the page with their data', async ({ site, call }) => {
  await open(site, call, events);
  await call('browser_select_text', { ref: '#text', text: 'me' });
  await call('browser_press_key', { key: 'Control+c' });
  await call('browser_click', { ref: '#field' });
  await call('browser_press_key', { key: 'Control+v' });
  expect(await ask(call, 'JSON.stringify(field.value)')).toBe('marked me');
  await call('browser_press_key', { key: 'Control+a' });
  await call('browser_press_key', { key: 'Control+x' });
  expect(await ask(call, 'JSON.stringify(field.value)')).toBe('');
  expect(await evaluate(call, 'log.textContent')).toBe('copy true marked me;paste true marked me;cut true ;');
});

test('sessions do not share a clipboard', async ({ site, server, call }) => {
  await using other = await server.drive();
  await open(site, call, events);
  await call('browser_select_text', { ref: '#ed' });
  await call('browser_press_key', { key: 'Control+c' });
  await other.call('browser_navigate', { url: site.url('/') });
  const pasted = async (by: Call): Promise<unknown> => {
    await by('browser_click', { ref: '#field' });
    await by('browser_press_key', { key: 'Control+v' });
    return ask(by, 'JSON.stringify(field.value)');
  };
  expect(await pasted(other.call)).toBe('');
  await other.call('browser_select_text', { ref: '#text', text: 'Copy' });
  await other.call('browser_press_key', { key: 'Control+c' });
  expect(await pasted(call)).toBe('rich bold');
  expect(await pasted(other.call)).toBe('marked Copy');
  expect(await evaluate(call, 'log.textContent')).toBe('copy true ;paste true rich bold;');
});
