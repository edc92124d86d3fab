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

test('an empty text means all of the element', async ({ site, call }) => {
  await open(site, call, '<p id="one">All of it</p>');
  expect((await call('browser_select_text', { ref: '#one', text: '', to: '' })).text).toContain(
    'Selection: "All of it"',
  );
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
  expect((await call('browser_select_text', { ref: '#ed', text: 'this' })).text).toMatch(/Selection: "this"$/m);
  expect((await call('browser_press_key', { key: 'Control+b' })).text).toContain('Selection: "this" (bold)');
  expect(await ask(call, 'JSON.stringify(ed.innerHTML)')).toBe('Make <b>this</b> bold, not that.');
  expect((await call('browser_select_text', { ref: '#ed', text: 'Make this' })).text).toContain('(partly bold)');
  expect((await call('browser_select_text', { ref: '#ed', text: ' bold' })).text).toMatch(/Selection: " bold"$/m);
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

/** A page with "Copy" buttons that show whether the clipboard took the text. */
const copyPage = `<title>Copy</title><textarea id="field"></textarea><p id="said"></p><script>
const say = (promise) => promise.then(() => said.textContent = 'Copied', (error) => said.textContent = String(error));
const item = (text) => new ClipboardItem({ 'text/plain': new Blob([text], { type: 'text/plain' }) });
</script><button id="text" onclick="say(navigator.clipboard.writeText('code of ' + window.name))">Copy</button>
<button id="item" onclick="say(navigator.clipboard.write([item('item of ' + window.name)]))">Copy item</button>`;

async function paste(call: Call): Promise<unknown> {
  await call('browser_click', { ref: '#field' });
  await call('browser_press_key', { key: 'Control+a' });
  await call('browser_press_key', { key: 'Control+v' });
  return ask(call, 'JSON.stringify(field.value)');
}

test.for(['text', 'item'])(
  'a button can copy: the %s is pasted in its own session, whatever others copy',
  async (what, { site, server, call }) => {
    await using other = await server.drive();
    await open(site, call, copyPage);
    await other.call('browser_navigate', { url: site.url('/') });
    await evaluate(call, "window.name = 'one'");
    await evaluate(other.call, "window.name = 'two'");
    expect((await call('browser_click', { ref: `#${what}` })).text).toContain('Copied');
    const [one, two] = what === 'text' ? ['code of one', 'code of two'] : ['item of one', 'item of two'];
    expect(await paste(other.call)).toBe('');
    expect((await other.call('browser_click', { ref: `#${what}` })).text).toContain('Copied');
    expect(await paste(call)).toBe(one);
    expect(await paste(other.call)).toBe(two);
  },
);

test('a button that copies in one tab fills the clipboard for another tab', async ({ site, server, call }) => {
  await using other = await server.drive();
  await open(site, call, copyPage);
  await evaluate(call, "window.name = 'one'");
  await call('browser_click', { ref: '#text' });
  await other.call('browser_navigate', { url: site.url('/') });
  await other.call('browser_click', { ref: '#text' });
  await call('browser_tabs', { action: 'new', url: site.url('/') });
  expect(await paste(call)).toBe('code of one');
  await call('browser_select_text', { ref: '#field', text: 'of' });
  await call('browser_press_key', { key: 'Control+c' });
  await other.call('browser_click', { ref: '#text' });
  expect(await paste(call)).toBe('of');
});

test('only the permission to write to the clipboard is granted, for as long as the session lasts', async ({
  site,
  call,
}) => {
  const states = `Promise.all(['clipboard-write', 'clipboard-read', 'geolocation', 'notifications'].map(async (name) => (await navigator.permissions.query({ name })).state))`;
  await open(site, call, copyPage);
  expect(await ask(call, states)).toEqual(['granted', 'prompt', 'prompt', 'prompt']);
  await call('browser_tabs', { action: 'new', url: site.url('/') });
  await call('browser_tabs', { action: 'close', index: 0 });
  expect(await ask(call, states)).toEqual(['granted', 'prompt', 'prompt', 'prompt']);
});

test('text in frames and shadow roots is selected', async ({ site, call }) => {
  site.set('/inner', '<p>Words in a frame</p>');
  await open(
    site,
    call,
    `<title>S</title><p>Outside</p><x-note></x-note><iframe src="/inner"></iframe><script>
      document.querySelector('x-note').attachShadow({ mode: 'open' }).innerHTML = '<p>Words in a <b>shadow</b> root</p>';
    </script>`,
  );
  const shadow = await call('browser_select_text', { text: 'a shadow root' });
  expect(shadow.section('Result')).toContain('Selection: "a shadow root"');
  const framed = await call('browser_select_text', { text: 'in a frame' });
  expect(framed.section('Result')).toContain('Selection: "in a frame"');
  expect(await ask(call, 'JSON.stringify(String(frames[0].getSelection()))')).toBe('in a frame');
});
