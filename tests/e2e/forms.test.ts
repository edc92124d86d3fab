import { evaluate, expect, open, refOf, slowly, test } from '../fixtures.ts';
import type { Call } from '../fixtures.ts';

/** Twenty fields: label, given value, expected value. */
const fields: readonly (readonly [label: string, html: string, value: string, holds: unknown])[] = [
  ['Text', '<input>', 'plain', 'plain'],
  ['Email', '<input type="email">', 'ada@example.com', 'ada@example.com'],
  ['Phone', '<input type="tel">', '+49 30 1', '+49 30 1'],
  ['Site', '<input type="url">', 'http://example.com/', 'http://example.com/'],
  ['Query', '<input type="search">', 'bees', 'bees'],
  ['Passphrase', '<input type="password">', 'hunter2-swordfish', 'hunter2-swordfish'],
  ['Amount', '<input type="number">', '42', '42'],
  ['Day', '<input type="date">', '2024-12-31', '2024-12-31'],
  ['Hour', '<input type="time">', '23:59', '23:59'],
  ['Moment', '<input type="datetime-local">', '2024-12-31T23:59', '2024-12-31T23:59'],
  ['Month', '<input type="month">', '2024-12', '2024-12'],
  ['Week', '<input type="week">', '2024-W52', '2024-W52'],
  ['Colour', '<input type="color">', '#ff8800', '#ff8800'],
  ['Volume', '<input type="range">', '70', '70'],
  ['Notes', '<textarea></textarea>', 'one\ntwo', 'one\ntwo'],
  [
    'Country',
    '<select><option value="at">Austria</option><option value="be">Belgium</option></select>',
    'Belgium',
    'be',
  ],
  ['Terms', '<input type="checkbox">', 'true', true],
  ['News', '<input type="checkbox" checked>', 'false', false],
  ['Pro', '<input type="radio" name="plan">', 'true', true],
  ['Last text', '<input list="cities">', 'Bonn', 'Bonn'],
];

const formHtml = `<title>Form</title><form>${fields
  .map(([label, html], i) => `<p><label for="f${i}">${label}</label> ${html.replace(/^<(\w+)/, `<$1 id="f${i}"`)}</p>`)
  .join('')}</form>`;

const readForm = `() => Array.from({ length: ${fields.length} }, (_, i) => {
  const field = document.getElementById('f' + i);
  return field.type === 'checkbox' || field.type === 'radio' ? field.checked : field.value;
})`;

async function held(call: Call): Promise<unknown> {
  return JSON.parse((await call('browser_evaluate', { function: readForm })).section('Result') ?? '');
}

const wanted = fields.map(([, , , holds]) => holds);

test('[S2-23, S2-24] twenty fields of all kinds are filled by their labels in one call', async ({ site, call }) => {
  await open(site, call, formHtml);
  const answer = await call('browser_fill_form', { fields: fields.map(([name, , value]) => ({ name, value })) });
  expect(answer.isError).toBe(false);
  expect(await held(call)).toEqual(wanted);
  expect(answer.section('Result')?.split('\n')).toEqual(
    fields.map(([name, , value]) => {
      const shown = name === 'Passphrase' ? '[REDACTED]' : value.replace('\n', ' ');
      return `${name}: ${JSON.stringify(shown)}`;
    }),
  );
});

test('[S2-23, S2-24] twenty fields are filled by refs and by selectors', async ({ site, call }) => {
  await open(site, call, formHtml);
  const named = await call('browser_find', { selector: 'input, textarea, select' });
  const refs = /Refs: (.*)/.exec(named.text)?.[1]?.split(', ') ?? [];
  expect(refs).toHaveLength(fields.length);
  const answer = await call('browser_fill_form', {
    fields: fields.map(([, , value], i) => ({ ref: i % 2 === 0 ? (refs[i] ?? '') : `#f${i}`, value })),
  });
  expect(answer.isError).toBe(false);
  expect(await held(call)).toEqual(wanted);
});

test('[S2-24] field objects of other servers are accepted', async ({ site, callRaw, call }) => {
  const { text: page } = await open(site, call, formHtml);
  const answer = await callRaw('browser_fill_form', {
    fields: [
      { element: 'Text', target: refOf(page, 'textbox', 'Text'), name: 'Text', type: 'textbox', value: 'a' },
      { target: refOf(page, 'checkbox', 'Terms'), name: 'Terms', type: 'checkbox', value: true },
      { target: refOf(page, 'radio', 'Pro'), name: 'Pro', type: 'radio', value: 'true' },
      { target: refOf(page, 'combobox', 'Country'), name: 'Country', type: 'combobox', value: 'be' },
      { target: refOf(page, 'slider', 'Volume'), name: 'Volume', type: 'slider', value: 30 },
    ],
  });
  expect(answer.section('Result')).toBe('Text: "a"\nTerms: "true"\nPro: "true"\nCountry: "be"\nVolume: "30"');
  expect(await held(call)).toMatchObject({ 0: 'a', 13: '30', 15: 'be', 16: true, 18: true });
});

test('[C5-3] the value of a password field is not in the answer', async ({ site, call }) => {
  await open(site, call, formHtml);
  const answer = await call('browser_fill_form', { fields: [{ name: 'Passphrase', value: 'hunter2-swordfish' }] });
  expect(answer.section('Result')).toBe('Passphrase: "[REDACTED]"');
  expect(JSON.stringify(answer)).not.toContain('hunter2');
});

test('[S2-24, C5-3] each invalid field is reported with what it accepts, and the others keep their values', async ({
  site,
  call,
}) => {
  await open(site, call, formHtml);
  const answer = await call('browser_fill_form', {
    fields: [
      { name: 'Text', value: 'kept' },
      { name: 'Day', value: 'tomorrow' },
      { name: 'Colour', value: 'blue' },
      { name: 'Amount', value: 'many' },
      { name: 'Volume', value: '700' },
      { name: 'Country', value: 'Atlantis' },
      { ref: 'e99999', value: 'x' },
      { name: 'Passphrase', value: 'hunter2-swordfish' },
      { name: 'Notes', value: 'kept too' },
    ],
  });
  expect(answer.section('Error')).toBe(
    `[FORM_INCOMPLETE] 6 of 9 fields could not be filled:
- Text: "kept"
- Day: not filled. A date field takes a day as 2024-12-31.
- Colour: not filled. A color field takes a colour as #ff8800.
- Amount: not filled. A number field takes a number.
- Volume: not filled. A range field takes a number from 0 to 100, in steps of 1.
- Country: not filled. There is no option "Atlantis". The options are "Austria", "Belgium".
- e99999: not filled. The element was not found: no snapshot of this page has shown a ref "e99999".
- Passphrase: "[REDACTED]"
- Notes: "kept too"
Fill the named fields again with refs from browser_snapshot. The others keep their values.`,
  );
  expect(await held(call)).toMatchObject({ 0: 'kept', 5: 'hunter2-swordfish', 14: 'kept too' });
});

test('a field without ref and name is an error before anything is filled', async ({ site, call }) => {
  await open(site, call, formHtml);
  const answer = await call('browser_fill_form', { fields: [{ name: 'Text', value: 'x' }, { value: 'y' }] });
  expect(answer.kind).toBe('MISSING_PARAMETER');
  expect(await held(call)).toMatchObject({ 0: '' });
});

test('an exact label match wins over a longer label that contains it', async ({ site, call }) => {
  await open(site, call, '<label>Name <input id="a"></label><label>Last name <input id="b"></label>');
  expect((await call('browser_fill_form', { fields: [{ name: 'Name', value: 'Ada' }] })).isError).toBe(false);
  expect(await evaluate(call, 'a.value + "|" + b.value')).toBe('Ada|');
});

test('[S2-25] filling waits for the requests it starts', async ({ site, call }) => {
  site.set('/check', slowly(300, 'free'));
  await open(
    site,
    call,
    `<label>User <input oninput="fetch('/check').then((r) => r.text()).then((text) => { state.textContent = 'Name is ' + text })"></label><p id="state"></p>`,
  );
  const answer = await call('browser_fill_form', { fields: [{ name: 'User', value: 'ada' }] });
  expect(answer.section('Snapshot')).toContain('Name is free');
});

const lists = `<title>Lists</title>
<label>Fruit <select id="fruit" onchange="picked.textContent = 'Picked ' + this.value"><option value="a">Apple</option><option value="b">Banana</option></select></label>
<label>Towns <select id="towns" multiple><option>Bonn</option><option>Cologne</option><option>Trier</option></select></label><p id="picked"></p>`;

const chosen = '() => [...document.querySelectorAll("option:checked")].map((option) => option.label).join()';

test('[S2-30] an option is selected by its value and by its text', async ({ site, call }) => {
  const ref = refOf((await open(site, call, lists)).text, 'combobox', 'Fruit');
  const answer = await call('browser_select_option', { ref, element: 'Fruit list', values: ['b'] });
  expect(answer.section('Result')).toBe('Selected "b" in Fruit list.');
  expect(answer.section('Snapshot')).toContain('Picked b');
  await call('browser_select_option', { ref, values: ['Apple'] });
  expect((await call('browser_evaluate', { function: chosen })).section('Result')).toBe('Apple');
});

test('[S2-30] several options of a list are selected', async ({ site, call }) => {
  await open(site, call, lists);
  const answer = await call('browser_select_option', { selector: '#towns', values: ['Bonn', 'Trier'] });
  expect(answer.section('Result')).toBe('Selected "Bonn", "Trier" in #towns.');
  expect((await call('browser_evaluate', { function: chosen })).section('Result')).toBe('Apple,Bonn,Trier');
});

test('[R-34] a single value may be a string, under either name', async ({ site, call, callRaw }) => {
  await open(site, call, lists);
  for (const args of [{ value: 'b' }, { values: 'b' }, { value: ['b'] }]) {
    await call('browser_select_option', { selector: '#fruit', values: ['a'] });
    expect((await callRaw('browser_select_option', { selector: '#fruit', ...args })).isError).toBe(false);
    expect((await call('browser_evaluate', { function: chosen })).section('Result')).toBe('Banana');
  }
});

test('a missing option is an error that lists the available ones', async ({ site, call }) => {
  const ref = refOf((await open(site, call, lists)).text, 'combobox', 'Fruit');
  for (const element of [{ selector: '#fruit' }, { ref }]) {
    expect((await call('browser_select_option', { ...element, values: ['Cherry'] })).text).toBe(
      '### Error\n[NO_SUCH_OPTION] There is no option "Cherry". The options are "Apple", "Banana".\n' +
        'Choose one of the options.',
    );
  }
  const form = await call('browser_fill_form', { fields: [{ ref, value: 'Cherry' }] });
  expect(form.section('Error')).toContain(
    `- ${ref}: not filled. There is no option "Cherry". The options are "Apple", "Banana".`,
  );
});

test('an option that cannot be chosen is an error with the reason, and the selection does not change', async ({
  site,
  call,
}) => {
  const html = '<select aria-label="Size"><option>S</option><option>M</option><option disabled>L</option></select>';
  const ref = refOf((await open(site, call, html)).text, 'combobox', 'Size');
  const refusal = async (...values: string[]): Promise<string | undefined> =>
    (await call('browser_select_option', { ref, values })).section('Error')?.split('\n')[0];
  expect(await refusal('L')).toBe('[ELEMENT_NOT_CLICKABLE] option "L" could not be acted on: it is disabled.');
  expect(await refusal('M', 'S')).toBe('[INVALID_ARGUMENT] The list takes one option, not 2: "M", "S".');
  expect(await evaluate(call, "document.querySelector('select').value")).toBe('S');
});

test('an empty list clears the selection', async ({ site, call }) => {
  await open(site, call, lists);
  await call('browser_select_option', { selector: '#towns', values: ['Bonn', 'Trier'] });
  const answer = await call('browser_select_option', { selector: '#towns', values: [] });
  expect(answer.section('Result')).toContain('Selected nothing in #towns.');
  expect(await evaluate(call, 'towns.selectedOptions.length')).toBe('0');
});

test('a missing choice of a radio group is an error that lists the available ones, also by ref', async ({
  site,
  call,
}) => {
  const html = ['Tea', 'Milk'].map((name) => `<label><input type="radio" name="drink"> ${name}</label><br>`).join('');
  const ref = refOf((await open(site, call, `<fieldset>${html}</fieldset>`)).text, 'radio', 'Tea');
  const answer = await call('browser_fill_form', { fields: [{ ref, value: 'Wine' }] });
  expect(answer.section('Error')).toContain('There is no option "Wine". The options are "Tea", "Milk".');
});

test('[R-33] unknown keys of a field are reported, and missing ones are named', async ({ site, call, callRaw }) => {
  const ref = refOf((await open(site, call, '<input aria-label="Name">')).text, 'textbox', 'Name');
  const fill = async (field: object): Promise<string> => (await callRaw('browser_fill_form', { fields: [field] })).text;
  expect(await fill({ ref, value: 'Ada', zebra: 1 })).toContain('Ignored the unknown argument "fields.0.zebra".');
  expect(await fill({ ref, vlaue: 'Bob' })).toContain(
    '[INVALID_ARGUMENT] Unknown argument "fields.0.vlaue": did you mean "value"? ' +
      'Missing argument "fields.0.value" (a string or an array).',
  );
  expect(await evaluate(call, "document.querySelector('input').value")).toBe('Ada');
});

test('an option that is added later is waited for', async ({ site, call }) => {
  await open(
    site,
    call,
    `<select id="late"><option>One</option></select><script>setTimeout(() => late.add(new Option('Two')), 300)</script>`,
  );
  expect((await call('browser_select_option', { selector: '#late', values: ['Two'] })).isError).toBe(false);
});

test('[S2-31] selecting waits for the navigation it starts', async ({ site, call }) => {
  site.set('/there', slowly(200, '<title>There</title><h1>Arrived</h1>'));
  await open(site, call, `<select onchange="location = this.value"><option>/</option><option>/there</option></select>`);
  const answer = await call('browser_select_option', { selector: 'select', values: ['/there'] });
  expect(answer.page).toBe(`- Page URL: ${site.url('/there')}\n- Page Title: There`);
  expect(answer.section('Snapshot')).toContain('- heading "Arrived"');
});
