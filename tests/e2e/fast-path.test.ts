import { evaluate, expect, open, refOf, testWith } from '../fixtures.ts';
import type { Call } from '../fixtures.ts';

const test = testWith(['--toolset=all', '--timeout-action=1500']);

/** Records the events of an action, without values that vary between runs. */
const listening = `<script>
  window.heard = [];
  const types = 'pointerdown mousedown focusin pointerup mouseup click dblclick contextmenu mouseover keydown beforeinput input change keyup';
  for (const type of types.split(' ')) addEventListener(type, (event) => {
    const { isTrusted, button, detail, inputType, data, key } = event;
    heard.push([type, event.target.className, isTrusted, button, detail, inputType, data, key].join());
  }, true);
</script>`;
/** Two of each kind: one is addressed by ref (fast path), the other by selector (Playwright's actions). */
const pairs = ['a', 'b']
  .map(
    (id) => `<form onsubmit="return false"><button class="button" id="button-${id}">Press ${id}</button>
<input class="field" id="field-${id}" aria-label="Field ${id}" value="old"><textarea class="area" id="area-${id}" aria-label="Area ${id}">old</textarea>
<input class="box" id="box-${id}" type="checkbox" aria-label="Box ${id}">
<select class="list" id="list-${id}" aria-label="List ${id}"><option value="1">One<option value="2">Two</select>
<select class="many" id="many-${id}" aria-label="Many ${id}" multiple size="3"><option selected>Red<option>Green<option>Blue</select></form>`,
  )
  .join('');

async function heardOf(call: Call, act: () => Promise<{ readonly isError: boolean }>): Promise<string | undefined> {
  await evaluate(call, '{ document.activeElement.blur(); heard.length = 0 }');
  // The pointer starts at the same position each time.
  expect((await act()).isError).toBe(false);
  return evaluate(call, 'JSON.stringify(heard)');
}

type Aim = { readonly ref: string } | { readonly selector: string };

test.for([
  ['button', 'button', 'Press a', async (call: Call, aim: Aim) => call('browser_click', aim)],
  ['button', 'button', 'Press a', async (call: Call, aim: Aim) => call('browser_click', { ...aim, doubleClick: true })],
  ['button', 'button', 'Press a', async (call: Call, aim: Aim) => call('browser_click', { ...aim, button: 'right' })],
  ['button', 'button', 'Press a', async (call: Call, aim: Aim) => call('browser_hover', aim)],
  ['field', 'textbox', 'Field a', async (call: Call, aim: Aim) => call('browser_type', { ...aim, text: 'new' })],
  ['field', 'textbox', 'Field a', async (call: Call, aim: Aim) => call('browser_type', { ...aim, text: '' })],
  ['area', 'textbox', 'Area a', async (call: Call, aim: Aim) => call('browser_type', { ...aim, text: 'a\nb' })],
  ['box', 'checkbox', 'Box a', async (call: Call, aim: Aim) => call('browser_check', aim)],
  [
    'list',
    'combobox',
    'List a',
    async (call: Call, aim: Aim) => call('browser_select_option', { ...aim, values: ['2'] }),
  ],
  [
    'many',
    'listbox',
    'Many a',
    async (call: Call, aim: Aim) => call('browser_select_option', { ...aim, values: ['Green', 'Blue'] }),
  ],
] as const)(
  'the fast path and Playwright fire the same events for an action on a %s',
  async ([kind, role, name, act], { site, call }) => {
    const { text } = await open(site, call, `${listening}${pairs}`);
    const byRef = await heardOf(call, async () => act(call, { ref: refOf(text, role, name) }));
    const bySelector = await heardOf(call, async () => act(call, { selector: `#${kind}-b` }));
    expect(byRef).toBe(bySelector);
    expect(byRef).toContain(`,${kind},`);
    const value = (id: string): string =>
      `JSON.stringify([...document.querySelectorAll('#${kind}-${id}')].map((e) => [e.value, e.checked, [...e.selectedOptions ?? []].map((o) => o.text)]))`;
    expect(await evaluate(call, value('a'))).toBe(await evaluate(call, value('b')));
  },
);

test.for([
  [
    'a style sheet',
    '@keyframes go { to { translate: 300px 0 } } .go { animation: go 0.4s forwards }',
    'b.className = "go"',
  ],
  [
    'a script',
    '',
    'let x = 0; const go = () => { b.style.left = `${(x += 15)}px`; if (x < 300) requestAnimationFrame(go) }; go()',
  ],
])('an element moved by %s is clicked at its final position', async ([, style, move], { site, call }) => {
  const { text } = await open(
    site,
    call,
    `<style>#b { position: relative; width: 60px } ${style}</style><button id="b" onclick="this.textContent = 'Hit'">Go</button>
<p id="m" onclick="hit = 'missed'">.</p><script>hit = 'none'; document.body.addEventListener('click', () => { hit += '.' })</script>`,
  );
  await evaluate(call, `{ ${move} }`);
  expect((await call('browser_click', { ref: refOf(text, 'button', 'Go') })).text).toContain('button "Hit"');
});

test('a link that wraps over two lines is clicked on one of them', async ({ site, call }) => {
  const { text } = await open(
    site,
    call,
    `<div style="width: 300px">Some words to begin with, and then <a href="#there">a link that goes on</a> until its end.</div>`,
  );
  const answer = await call('browser_click', { ref: /link "a link that goes on" \[ref=(\w+)\]/.exec(text)?.[1] ?? '' });
  expect(answer.page).toContain('#there');
});

test('an offscreen element is scrolled into view and clicked', async ({ site, call }) => {
  const { text } = await open(
    site,
    call,
    `<div style="height: 3000px"></div><button onclick="this.textContent = 'Hit'">Far</button>`,
  );
  expect((await call('browser_click', { ref: refOf(text, 'button', 'Far') })).text).toContain('button "Hit"');
});

test('a ref of the previous document does not act on the new one', async ({ site, call }) => {
  const page = (name: string): string =>
    `<title>${name}</title><input aria-label="Name" value="${name}"><select aria-label="List"><option>1<option>2</select>
<input type="checkbox" aria-label="Box"><button onclick="document.title = 'Clicked'">Go</button>`;
  site.set('/other', page('Other'));
  const { text } = await open(site, call, page('One'));
  const [field, list, box, button] = [
    refOf(text, 'textbox'),
    refOf(text, 'combobox'),
    refOf(text, 'checkbox'),
    refOf(text, 'button'),
  ];
  await call('browser_evaluate', { function: "() => { location.href = '/other' }" });
  for (const answer of [
    await call('browser_type', { ref: field, text: 'x' }),
    await call('browser_select_option', { ref: list, values: ['2'] }),
    await call('browser_check', { ref: box }),
    await call('browser_click', { ref: button }),
  ])
    expect(answer.kind).toBe('STALE_REF');
  const values =
    "[document.title, ...[...document.querySelectorAll('input,select')].map((e) => e.value + e.checked)].join()";
  expect(await evaluate(call, values)).toBe('Other,Otherfalse,1undefined,onfalse');
});

test('a dialog opened on focus is reported', async ({ site, call }) => {
  const { text } = await open(site, call, `<input aria-label="Name" onfocus="this.onfocus = null; alert('Really?')">`);
  const ref = refOf(text, 'textbox');
  expect((await call('browser_type', { ref, text: 'x' })).text).toContain('Really?');
  await call('browser_handle_dialog', { accept: true });
  expect((await call('browser_type', { ref, text: 'Ada' })).isError).toBe(false);
  expect(await evaluate(call, "document.querySelector('input').value")).toBe('Ada');
});

test('a dialog opened by a change event is reported', async ({ site, call }) => {
  const { text } = await open(
    site,
    call,
    `<select aria-label="Plan" onchange="alert('Sure?')"><option>Basic<option>Pro</select>`,
  );
  const answer = await call('browser_select_option', { ref: refOf(text, 'combobox'), values: ['Pro'] });
  expect(answer.text).toContain('Sure?');
  await call('browser_handle_dialog', { accept: true });
  expect(await evaluate(call, "document.querySelector('select').value")).toBe('Pro');
});

test('fields behind a modal dialog are not filled, fields inside it are', async ({ site, call }) => {
  await open(
    site,
    call,
    `<input aria-label="Name"><select aria-label="List"><option>1<option>2</select><dialog aria-label="Wait"><input aria-label="Why"><button>OK</button></dialog>`,
  );
  const { text } = await call('browser_snapshot');
  const [name, list] = [refOf(text, 'textbox', 'Name'), refOf(text, 'combobox', 'List')];
  await evaluate(call, "document.querySelector('dialog').showModal()");
  for (const aim of [{ ref: name }, { selector: '[aria-label=Name]' }]) {
    const answer = await call('browser_type', { ...aim, text: 'x' });
    expect(answer.kind).toBe('ELEMENT_NOT_CLICKABLE');
    expect(answer.text).toMatch(/it is covered by dialog "Wait" \[ref=\w+\]\. In it: button "OK"/);
  }
  for (const aim of [{ ref: list }, { selector: 'select' }]) {
    const answer = await call('browser_select_option', { ...aim, values: ['2'] });
    expect(answer.kind).toBe('ELEMENT_NOT_CLICKABLE');
  }
  const filled = await call('browser_fill_form', {
    fields: [
      { ref: name, value: 'x' },
      { name: 'List', value: '2' },
    ],
  });
  expect(filled.kind).toBe('FORM_INCOMPLETE');
  expect(filled.text).toContain(`${name}: not filled.`);
  expect(filled.text).toContain('List: not filled.');
  expect((await call('browser_type', { selector: 'dialog input', text: 'because' })).isError).toBe(false);
  const values = "[...document.querySelectorAll('input,select')].map((e) => e.value).join()";
  expect(await evaluate(call, values)).toBe(',1,because');
});

test('a checkbox that the page resets at once is an error', async ({ site, call }) => {
  const { text } = await open(site, call, `<input type="checkbox" aria-label="Box" onclick="return false">`);
  const answer = await call('browser_check', { ref: refOf(text, 'checkbox') });
  expect(answer.isError).toBe(true);
  expect(answer.section('Error')).toContain('did not change its state');
});

test('a click that navigates is answered with the new page', async ({ site, call }) => {
  site.set('/next', '<title>Next</title><h1>There</h1>');
  const { text } = await open(site, call, '<a href="/next">Go on</a>');
  expect((await call('browser_click', { ref: refOf(text, 'link') })).text).toContain('heading "There"');
});

test('a key whose propagation is stopped is answered with its effect', async ({ site, call }) => {
  await open(
    site,
    call,
    `<script>addEventListener('keyup', (event) => event.stopImmediatePropagation(), true);
addEventListener('keydown', ({ key }) => { document.querySelector('h1').textContent = key });</script><h1>none</h1>`,
  );
  expect((await call('browser_press_key', { key: 'ArrowLeft' })).text).toContain('ArrowLeft');
});

test('a focus handler that never returns is terminated, and the page is usable again', async ({ site, call }) => {
  const { text } = await open(site, call, `<input aria-label="Name" onfocus="this.onfocus = null; for (;;);">`);
  const ref = refOf(text, 'textbox');
  expect((await call('browser_type', { ref, text: 'x' })).kind).toBe('TIMEOUT');
  expect((await call('browser_type', { ref, text: 'Ada' })).isError).toBe(false);
  expect(await evaluate(call, "document.querySelector('input').value")).toBe('Ada');
});

test('a render in a separate task after a change event is in the answer', async ({ site, call }) => {
  const { text } = await open(
    site,
    call,
    `<select aria-label="Plan" onchange="channel.port2.postMessage(this.value)"><option>Basic<option>Pro</select><p id="out"></p>
<script>channel = new MessageChannel(); channel.port1.onmessage = ({ data }) => { out.textContent = 'Chosen: ' + data }</script>`,
  );
  const answer = await call('browser_select_option', { ref: refOf(text, 'combobox'), values: ['Pro'] });
  expect(answer.text).toContain('Chosen: Pro');
});

test.for([
  ['navigates', ''],
  ['navigates and keeps its page busy', 'const until = Date.now() + 300; while (Date.now() < until);'],
])('a selection that %s is answered with the new page', async ([, busy], { site, call }) => {
  site.set('/next', '<title>Next</title><h1>There</h1>');
  const { text } = await open(
    site,
    call,
    `<script>go = (url) => { location.href = url; ${busy} }</script>
<select aria-label="Go to" onchange="go(this.value)"><option value="">Where?<option value="/next">Next</select>`,
  );
  const answer = await call('browser_select_option', { ref: refOf(text, 'combobox'), values: ['Next'] });
  expect(answer.text).toContain('heading "There"');
  expect(answer.isError).toBe(false);
});

test('a selection that closes its tab returns to the opener', async ({ site, call }) => {
  site.set('/pick', '<select aria-label="Colour" onchange="window.close()"><option>None<option>Red</select>');
  const { text } = await open(site, call, `<h1>Here</h1><button onclick="window.open('/pick')">Pick</button>`);
  const picking = await call('browser_click', { ref: refOf(text, 'button') });
  const answer = await call('browser_select_option', { ref: refOf(picking.text, 'combobox'), values: ['Red'] });
  expect(answer.isError).toBe(false);
  expect((await call('browser_snapshot')).text).toContain('heading "Here"');
});

test.for([
  ['typing', 'browser_type', { text: 'Pro' }, '<input aria-label="Plan" oninput="ask(this.value)">'],
  [
    'selecting',
    'browser_select_option',
    { values: ['Pro'] },
    '<select aria-label="Plan" onchange="ask(this.value)"><option>Basic<option>Pro</select>',
  ],
  ['checking', 'browser_check', {}, '<input type="checkbox" aria-label="Plan" onchange="ask(\'Pro\')">'],
] as const)('the effect of a request started by %s is in the answer', async ([, tool, args, field], { site, call }) => {
  site.set('/price', 'It costs 5');
  const { text } = await open(
    site,
    call,
    // The page is busy until the confirm dialog is known to be open.
    `${field}<p id="out"></p><script>ask = (plan) => {
  fetch('/price?' + plan).then((answer) => answer.text()).then((price) => { out.textContent = price });
  const until = Date.now() + 100; while (Date.now() < until);
}</script>`,
  );
  const ref = /"Plan"[^\n]*\[ref=(\w+)\]/.exec(text)?.[1] ?? '';
  expect((await call(tool, { ref, ...args })).text).toContain('It costs 5');
});
