import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { evaluate, expect, open, refOf, slowly, test, testWith } from '../fixtures.ts';

const testWithout = testWith(['--no-file-upload']);
const testDisabled = testWith(['--disable-tool=browser_file_upload']);

/** The action time-out. It exceeds the time limit of a test, so only an answer that does not wait for it passes. */
const limit = 15_000;

const uploads = `<title>Uploads</title><label>Papers <input id="papers" type="file" multiple></label>
<label>Photo<input id="photo" type="file" style="display: none"></label><label>Later <input type="file" disabled></label>
<button type="button" onclick="const field = document.createElement('input'); field.type = 'file'; field.onchange = () => { document.title = field.files[0].name }; field.click();">Attach</button>
<label>Name <input id="who"></label>`;

test('[S2-24] file inputs are filled in forms, including hidden ones and those behind a button', async ({
  site,
  call,
  callRaw,
  server,
}) => {
  await writeFile(join(server.folder, 'a.txt'), 'one');
  await writeFile(join(server.folder, 'b.txt'), 'two');
  const { text: page } = await open(site, call, uploads);
  const answer = await callRaw('browser_fill_form', {
    fields: [
      { name: 'Papers', value: ['a.txt', 'b.txt'] },
      { name: 'Photo', value: join(server.folder, 'a.txt') },
      { ref: refOf(page, 'button', 'Attach'), type: 'file', value: 'b.txt' },
      { name: 'Name', value: 'Ada' },
    ],
  });
  expect(answer.section('Result')?.split('\n').slice(0, 2)).toEqual([
    'Papers: "a.txt, b.txt"',
    `Photo: "${join(server.folder, 'a.txt')}"`,
  ]);
  expect(await evaluate(call, 'papers.files.length + photo.files[0].name + document.title + who.value')).toBe(
    '2a.txtb.txtAda',
  );
});

test('[S2-24] forms cannot upload files outside the permitted folders', async ({ site, call, server }) => {
  await writeFile(join(server.folder, 'a.txt'), 'one');
  await open(site, call, uploads);
  const answer = await call('browser_fill_form', {
    fields: [
      { name: 'Papers', value: '/etc/passwd' },
      { name: 'Photo', value: 'missing.txt' },
      { name: 'Later', value: 'a.txt' },
      { name: 'Name', value: 'Ada' },
    ],
  });
  expect(answer.section('Error')).toBe(
    `[FORM_INCOMPLETE] 3 of 4 fields could not be filled:
- Papers: not filled. The file "/etc/passwd" cannot be used: it is outside of the working directory and the output directories, which needs --allow-unrestricted-file-access.
- Photo: not filled. The file "missing.txt" cannot be used: there is no such file.
- Later: not filled. Later could not be acted on: it is disabled.
- Name: "Ada"
Fill the named fields again with refs from browser_snapshot. The others keep their values.`,
  );
  expect(await evaluate(call, 'papers.files.length + photo.files.length')).toBe('0');
});

for (const [what, run] of [
  ['without file uploads', testWithout],
  ['without the upload tool', testDisabled],
] as const) {
  run(`[R-19] a server ${what} uploads no files in forms`, async ({ site, call, server }) => {
    await writeFile(join(server.folder, 'a.txt'), 'one');
    await open(site, call, uploads);
    const answer = await call('browser_fill_form', { fields: [{ name: 'Papers', value: 'a.txt' }] });
    expect(answer.section('Error')).toContain(
      '- Papers: not filled. This is not allowed: file uploads are disabled on this server.\n',
    );
    expect(await evaluate(call, 'papers.files.length')).toBe('0');
  });
}

const blocked = `<title>Blocked</title><label>Off <input disabled></label><label>Fixed <input readonly></label>
<label>Gone <input style="visibility: hidden"></label><div style="position: relative; height: 40px">
<label>Under <input type="checkbox"></label><div role="img" aria-label="Veil" style="position: absolute; inset: 0; background: #eee"></div></div>
<label>Free <input id="free"></label>`;

test(
  '[S2-24] disabled, read-only, hidden and covered fields fail fast, each with its reason',
  { timeout: limit },
  async ({ site, call }) => {
    await open(site, call, blocked);
    const answer = await call('browser_fill_form', {
      fields: ['Off', 'Fixed', 'Gone', 'Under', 'Nowhere', 'Free'].map((name) => ({ name, value: 'true' })),
    });
    expect(answer.section('Error')?.replaceAll(/ref=e\d+/g, 'ref')).toBe(
      `[FORM_INCOMPLETE] 5 of 6 fields could not be filled:
- Off: not filled. Off cannot be typed into: it is disabled.
- Fixed: not filled. Fixed cannot be typed into: it is read-only.
- Gone: not filled. Gone could not be acted on: it is not visible.
- Under: not filled. Under could not be acted on: it is covered by img "Veil" [ref].
- Nowhere: not filled. No element found matching selector "Nowhere"
- Free: "true"
Fill the named fields again with refs from browser_snapshot. The others keep their values.`,
    );
    expect(await evaluate(call, 'free.value')).toBe('true');
  },
);

test('[S2-24] a field that an earlier one loads over the network is waited for and filled', async ({ site, call }) => {
  site.set(
    '/towns',
    slowly(1500, '<label>Town <select id="town"><option>Bonn</option><option>Ulm</option></select></label>'),
  );
  await open(
    site,
    call,
    `<label>Country <input onchange="fetch('/towns').then((r) => r.text()).then((html) => { more.innerHTML = html; late.disabled = false })"></label>
     <label>Street <input id="late" disabled></label><div id="more"></div>`,
  );
  const answer = await call('browser_fill_form', {
    fields: [
      { name: 'Country', value: 'Germany' },
      { name: 'Street', value: 'Main street' },
      { name: 'Town', value: 'Ulm' },
    ],
  });
  expect(answer.isError, answer.text).toBe(false);
  expect(await evaluate(call, 'late.value + town.value')).toBe('Main streetUlm');
});

const own = `<title>Own</title>
<label>Towns <select id="towns" multiple><option>Bonn</option><option>Trier</option><option>Ulm</option></select></label>
<div id="body" contenteditable="true" aria-label="Body">old</div>
<fieldset><legend>Plan</legend><label><input type="radio" name="plan" value="b">Basic</label><label><input type="radio" name="plan" value="p" id="pro">Pro</label></fieldset>
<div role="switch" id="dark" aria-label="Dark" aria-checked="false" tabindex="0" onclick="this.ariaChecked = this.ariaChecked === 'true' ? 'false' : 'true'">.</div>
<div role="slider" id="volume" aria-label="Volume" tabindex="0" aria-valuenow="5" aria-valuemin="0" aria-valuemax="10" onkeydown="const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key] ?? 0; this.ariaValueNow = Math.max(0, Math.min(10, Number(this.ariaValueNow) + step))">x</div>
<input placeholder="Zip code" id="zip">
<label><input type="checkbox" id="drawn" style="position: absolute; width: 1px; height: 1px; clip-path: inset(50%)"><span style="display: inline-block; width: 40px; height: 20px; background: #ccc"></span>Drawn</label>
<label><input type="checkbox" id="unseen" style="display: none"><span>Unseen</span> <a href="/terms">terms</a></label>`;

test('[S2-24] contenteditable elements, multi-selects, radio groups, and custom checkboxes and sliders are filled', async ({
  site,
  call,
  callRaw,
}) => {
  await open(site, call, own);
  const answer = await callRaw('browser_fill_form', {
    fields: [
      { name: 'Towns', value: 'Bonn, Ulm' },
      { name: 'Body', value: 'new' },
      { name: 'Plan', value: 'Pro' },
      { name: 'Dark', value: true },
      { name: 'Volume', value: 8 },
      { name: 'Zip code', value: '53111' },
      { name: 'Drawn', value: true },
      { name: 'Unseen', value: true },
    ],
  });
  expect(answer.section('Result')).toBe(
    'Towns: "Bonn, Ulm"\nBody: "new"\nPlan: "Pro"\nDark: "true"\nVolume: "8"\nZip code: "53111"\nDrawn: "true"\nUnseen: "true"',
  );
  const values =
    '[[...towns.selectedOptions].map((option) => option.text), body.textContent, pro.checked, dark.ariaChecked, volume.ariaValueNow, zip.value, drawn.checked, unseen.checked].join()';
  expect(await evaluate(call, values)).toBe('Bonn,Ulm,new,true,true,8,53111,true,true');
  const wrong = await callRaw('browser_fill_form', {
    fields: [
      { name: 'Plan', value: 'Huge' },
      { name: 'Volume', value: 11 },
    ],
  });
  expect(wrong.section('Error')).toContain(
    `- Plan: not filled. There is no option "Huge". The options are "Basic", "Pro".
- Volume: not filled. A slider field takes a number from 0 to 10.
`,
  );
  expect(await evaluate(call, 'volume.ariaValueNow')).toBe('8');
});

test('[S2-24] an invalid slider value is an error with range and step, and the slider is not moved if that is known in advance', async ({
  site,
  call,
}) => {
  await open(
    site,
    call,
    `<label>Level <input id="level" type="range" min="0" max="10" step="2" value="6"></label>
     <label>Fine <input id="fine" type="range" max="1" step="any" value="0.5"></label>
     <div role="slider" aria-label="Coarse" tabindex="0" aria-valuenow="0" aria-valuemin="0" aria-valuemax="10" onkeydown="if (event.key === 'ArrowRight') this.ariaValueNow = Number(this.ariaValueNow) + 5">x</div>`,
  );
  const answer = await call('browser_fill_form', {
    fields: [
      { name: 'Level', value: 7 },
      { name: 'Fine', value: 1.5 },
      { name: 'Coarse', value: 7 },
    ],
  });
  expect(answer.section('Error')).toContain(
    `- Level: not filled. A range field takes a number from 0 to 10, in steps of 2.
- Fine: not filled. A range field takes a number from 0 to 1.
- Coarse: not filled. A slider field takes values that its arrow keys reach; its value is 10 now.
`,
  );
  expect(await evaluate(call, '[level.value, fine.value].join()')).toBe('6,0.5');
});

test('a checkbox drawn by its label is clicked and checked like any other', async ({ site, call }) => {
  const { text: page } = await open(site, call, own);
  const clicked = await call('browser_click', { ref: refOf(page, 'checkbox', 'Drawn') });
  expect(clicked.section('Snapshot')).toContain('[checked]');
  expect(await evaluate(call, 'drawn.checked')).toBe('true');
});

test('the current value of a number field is shown, not its stale ARIA value', async ({ site, call }) => {
  const { text: page } = await open(
    site,
    call,
    '<input role="spinbutton" aria-label="Count" aria-valuenow="2" value="2">',
  );
  await call('browser_type', { ref: refOf(page, 'spinbutton', 'Count'), text: '7' });
  expect((await call('browser_snapshot')).section('Snapshot')).toContain(': 7');
});

test.for(['switch', 'checkbox', 'radio'] as const)('a %s is found by its own text', async (role, { site, call }) => {
  const flip = "this.setAttribute('aria-checked', this.getAttribute('aria-checked') !== 'true')";
  await open(
    site,
    call,
    `<div role="${role}" id="it" aria-checked="false" tabindex="0" onclick="${flip}">Dark mode</div>`,
  );
  const answer = await call('browser_fill_form', { fields: [{ name: 'Dark mode', value: 'true' }] });
  expect(answer.isError, answer.text).toBe(false);
  expect(await evaluate(call, "it.getAttribute('aria-checked')")).toBe('true');
});

test('a value beyond the maxlength of a field is reported as the field holds it', async ({ site, call }) => {
  await open(
    site,
    call,
    '<label>Code <input id="code" maxlength="3"></label><label>Pin <input type="password" maxlength="2"></label>',
  );
  const answer = await call('browser_fill_form', {
    fields: [
      { name: 'Code', value: '987654' },
      { name: 'Pin', value: '4711' },
    ],
  });
  expect(answer.section('Result')?.split('\n').slice(0, 2)).toEqual([
    'Code: "987" (takes at most 3 characters)',
    'Pin: "[REDACTED]" (takes at most 2 characters)',
  ]);
  expect(await evaluate(call, 'code.value')).toBe('987');
});

test('selecting in an element that is not a list is an error', async ({ site, call }) => {
  await open(site, call, '<p>Text</p>');
  const answer = await call('browser_select_option', { selector: 'p', values: ['a'] });
  expect(answer.structured).toMatchObject({ errorCode: 'ELEMENT_NOT_CLICKABLE' });
  expect(answer.section('Error')).toBe(
    '[WRONG_ELEMENT] p could not be acted on: it is not a list to select from.\n' +
      'Choose another element from browser_snapshot, or use browser_click on this one.',
  );
});

test('with autocomplete=new-password, a combobox is not masked and a text field is', async ({ site, call }) => {
  const { text: page } = await open(
    site,
    call,
    '<input role="combobox" aria-label="City" autocomplete="new-password"><input aria-label="New" autocomplete="new-password">',
  );
  await call('browser_type', { ref: refOf(page, 'combobox', 'City'), text: 'Heidelberg' });
  const answer = await call('browser_type', { ref: refOf(page, 'textbox', 'New'), text: 'Geheimnis' });
  const whole = (await call('browser_snapshot')).text;
  expect(whole).toContain('Heidelberg');
  expect(answer.text + whole).not.toContain('Geheimnis');
});

test('a dialog opened by a field stops the form; the remaining fields are reported and not filled', async ({
  site,
  call,
}) => {
  await open(
    site,
    call,
    '<label>One <input id="one"></label><label>Two <input oninput="alert(1)"></label><label>Three <input id="three"></label>',
  );
  const answer = await call('browser_fill_form', {
    fields: ['One', 'Two', 'Three'].map((name) => ({ name, value: 'x' })),
  });
  expect(answer.section('Result')?.split('\n').slice(0, 3)).toEqual([
    'One: "x"',
    'Two: not filled. A dialog opened while it was being filled; check its value.',
    'Three: not filled. A dialog opened before.',
  ]);
  expect(answer.section('Modal state')).toContain('an alert dialog');
  await call('browser_handle_dialog', { accept: true });
  expect(await evaluate(call, 'one.value + "|" + three.value')).toBe('x|');
});

test('[R-23, C5-3] values for secret fields are not repeated anywhere', async ({ site, call }) => {
  const names = ['Password', 'Code', 'Card', 'Key'];
  const { text } = await open(
    site,
    call,
    `<input type="password" aria-label="Password"><input autocomplete="one-time-code" aria-label="Code">
<input autocomplete="cc-number" aria-label="Card"><textarea autocomplete="current-password" aria-label="Key"></textarea>`,
  );
  const refs = names.map((name) => ({ ref: refOf(text, 'textbox', name), value: `s3cret-${name}` }));
  for (const fields of [refs, names.map((name) => ({ name, value: `s3cret-${name}` }))]) {
    const answer = await call('browser_fill_form', { fields });
    expect(answer.section('Result')?.match(/"\[REDACTED\]"/g)).toHaveLength(names.length);
    expect(JSON.stringify(answer.content)).not.toContain('s3cret');
    expect((await call('browser_snapshot')).text).not.toContain('s3cret');
  }
});

test('a slider and a colour in a modal dialog are filled', async ({ site, call }) => {
  const { text } = await open(
    site,
    call,
    `<dialog id="d"><label>Budget <input id="budget" type="range" value="10"></label>
     <label>Colour <input id="colour" type="color" value="#000000"></label></dialog><script>d.showModal()</script>`,
  );
  const answer = await call('browser_fill_form', {
    fields: [
      { name: 'Budget', type: 'slider', ref: refOf(text, 'slider', 'Budget'), value: '70' },
      { name: 'Colour', type: 'textbox', selector: '#colour', value: '#ff0000' },
    ],
  });
  expect(answer.isError, answer.text).toBe(false);
  expect(await evaluate(call, 'budget.value + colour.value')).toBe('70#ff0000');
});
