import { evaluate, expect, open, refOf, slowly, test } from '../fixtures.ts';

const valueOf = { function: '() => document.querySelector("input, textarea").value' };

test('[S2-19, R-9, R-22, R-23] text replaces the content of the element and is echoed', async ({ site, call }) => {
  site.set('/', '<title>Form</title><input aria-label="Email" value="old@example.com">');
  const ref = refOf((await call('browser_navigate', { url: site.url('/') })).text, 'textbox', 'Email');
  const answer = await call('browser_type', { ref, element: 'Email input', text: 'user@example.com' });
  expect(answer.isError).toBe(false);
  expect(answer.section('Result')?.split('\n').slice(0, 2)).toEqual([
    'Successfully typed into element: Email input',
    'Text: user@example.com',
  ]);
  expect(answer.section('Ran Playwright code')).toBe(
    "```js\nawait page.getByRole('textbox', { name: 'Email' }).fill('user@example.com');\n```",
  );
  expect((await call('browser_evaluate', valueOf)).section('Result')).toBe('user@example.com');
});

test('[S2-19] textareas and contenteditable elements accept text too', async ({ site, call }) => {
  await open(site, call, '<textarea></textarea><div contenteditable></div>');
  await call('browser_type', { selector: 'textarea', text: 'two\nlines' });
  await call('browser_type', { selector: 'div', text: 'rich' });
  const state = await call('browser_evaluate', {
    function: '() => [document.querySelector("textarea").value, document.querySelector("div").textContent]',
  });
  expect(state.section('Result')).toBe('["two\\nlines","rich"]');
});

test('[R-22] clear: false appends', async ({ site, call }) => {
  await open(site, call, '<input value="one">');
  await call('browser_type', { selector: 'input', text: ' two', clear: false });
  expect((await call('browser_evaluate', valueOf)).section('Result')).toBe('one two');
});

test('[R-22] slowly and delay type key by key; without them the text is inserted at once', async ({ site, call }) => {
  await open(
    site,
    call,
    '<input><script>keys = 0; onkeydown = (event) => { keys += event.key.length === 1 ? 1 : 0 }</script>',
  );
  for (const [args, keys, code] of [
    [{}, '0', "fill('abc');"],
    [{ slowly: true }, '3', "fill('');\n|pressSequentially('abc');"],
    [{ delay: 1 }, '6', "fill('');\n|pressSequentially('abc', { delay: 1 });"],
    [{ options: { delay: 1 } }, '9', "fill('');\n|pressSequentially('abc', { delay: 1 });"],
  ] as const) {
    const answer = await call('browser_type', { selector: 'input', text: 'abc', ...args });
    expect(answer.section('Ran Playwright code')?.replaceAll("await page.locator('input').", '|')).toContain(code);
    expect(await evaluate(call, 'keys')).toBe(keys);
    expect((await call('browser_evaluate', valueOf)).section('Result')).toBe('abc');
  }
});

test('[R-34] value is an alias of text', async ({ site, callRaw, call }) => {
  await open(site, call, '<input>');
  expect((await callRaw('browser_type', { selector: 'input', value: 'same' })).isError).toBe(false);
  expect((await call('browser_evaluate', valueOf)).section('Result')).toBe('same');
});

test('[S2-20, S2-21, R-22] submit presses Enter and waits for the page that follows', async ({ site, call }) => {
  site.set('/', '<form action="/done"><input name="q"></form>');
  site.set('/done', slowly(300, '<title>Done</title><h1>Thanks</h1>'));
  await call('browser_navigate', { url: site.url('/') });
  const answer = await call('browser_type', { selector: 'input', text: 'hi', submit: true });
  expect(answer.section('Result')).toBe('Successfully typed into element: input\nText: hi');
  expect(answer.page).toBe(`- Page URL: ${site.url('/done?q=hi')}\n- Page Title: Done`);
  expect(answer.section('Snapshot')).toContain('- heading "Thanks"');
  expect(answer.section('Ran Playwright code')).toBe(
    "```js\nawait page.locator('input').fill('hi');\nawait page.locator('input').press('Enter');\n```",
  );
});

test('[S2-22] a search is answered only after the results have loaded', async ({ site, call }) => {
  site.set('/', '<form action="/results" role="search"><input type="search" name="q" aria-label="Search"></form>');
  site.set(
    '/results',
    '<title>Results</title><ol id="list"></ol><script>onload = async () => { list.innerHTML = await (await fetch("/hits")).text() }</script>',
  );
  site.set('/hits', slowly(300, '<li>First hit</li>'));
  const ref = refOf((await call('browser_navigate', { url: site.url('/') })).text, 'searchbox', 'Search');
  const answer = await call('browser_type', { ref, text: 'shoes', submit: true });
  expect(answer.section('Snapshot')).toContain('First hit');
});

test('[R-23, C5-3] text typed into a secret field is not repeated anywhere', async ({ site, server, call }) => {
  site.set(
    '/',
    `<form action="/in"><input type="password" aria-label="Password"><input autocomplete="one-time-code" aria-label="Code">
     <input autocomplete="cc-number" aria-label="Card"></form>`,
  );
  site.set('/in', '<title>In</title><p>Text</p>');
  const page = await call('browser_navigate', { url: site.url('/') });
  for (const name of ['Password', 'Code', 'Card']) {
    for (const slowly of [false, true]) {
      const secret = `s3cret-${name}-${slowly}`;
      const answer = await call('browser_type', { ref: refOf(page.text, 'textbox', name), text: secret, slowly });
      expect(JSON.stringify(answer.content)).not.toContain(secret);
      expect(answer.section('Result')).toContain('Text: [REDACTED]');
      expect((await call('browser_snapshot')).text).not.toContain(secret);
    }
  }
  const submitted = await call('browser_type', {
    ref: refOf(page.text, 'textbox', 'Password'),
    text: 'last-one',
    submit: true,
  });
  expect(submitted.text).not.toContain('last-one');
  expect(server.log.join('\n')).not.toContain('s3cret');
});

test('[C5-3] a password that a form puts into its URL is not in the answers', async ({ site, driver, call }) => {
  const password = 'hun ter"2&';
  site.set(
    '/',
    '<form action="/in"><input name="u" value="ann"><input type="password" name="p"><button>Go</button></form>',
  );
  site.set('/in', '<title>In</title><p>Text</p>');
  await call('browser_navigate', { url: site.url('/') });
  await call('browser_type', { selector: '[type=password]', text: password });
  const sent = await call('browser_click', { selector: 'button' });
  expect(site.requests.at(-1)?.path).toBe('/in?u=ann&p=hun+ter%222%26');
  expect(sent.page).toContain(`- Page URL: ${site.url('/in?u=ann&p=[REDACTED]')}\n`);
  for (const [name, args] of [
    ['browser_snapshot', {}],
    ['browser_tabs', { action: 'list' }],
    ['browser_tabs', { action: 'new' }],
    ['browser_context_list', {}],
    ['list_sessions', {}],
    ['browser_find', { selector: 'p' }],
  ] as const) {
    const result = await driver.client.callTool({ name, arguments: args });
    expect(JSON.stringify(result), name).not.toContain('hun+ter');
  }
});

test('[R-10] typing into a non-editable element is an error that says so', async ({ site, call }) => {
  await open(site, call, '<button>Go</button><input readonly aria-label="Fixed"><textarea disabled></textarea>');
  const button = await call('browser_type', { target: 'button', text: 'x', timeout: 500 });
  expect(button.kind).toBe('ELEMENT_NOT_EDITABLE');
  expect(button.section('Error')?.split('\n')[1]).toBe(
    'Choose an input, a textarea or an editable element from browser_snapshot, or enable it first.',
  );
  expect(button.structured).toMatchObject({
    errorCode: 'ELEMENT_NOT_EDITABLE',
    error: { code: 'ELEMENT_NOT_INTERACTIVE', retryable: false },
  });
  const fixed = await call('browser_type', { target: 'input', text: 'x', timeout: 500 });
  expect(fixed.structured).toMatchObject({ message: 'input cannot be typed into: it is read-only. Waited 500 ms.' });
  const off = await call('browser_type', { target: 'textarea', text: 'x' });
  expect(off.structured).toMatchObject({
    errorCode: 'ELEMENT_NOT_EDITABLE',
    message: 'textarea cannot be typed into: it is disabled.',
  });
});

test.for([
  ['date', '2024-12-31', '31.12.2024', 'a day as 2024-12-31'],
  ['number', '42', 'many', 'a number'],
  ['color', '#ff8800', 'orange', 'a colour as #ff8800'],
  ['range', '7', '700', 'a number from 0 to 10, in steps of 1'],
] as const)('a %s field keeps its value if the text is rejected', async ([type, good, bad, format], { site, call }) => {
  await open(site, call, `<input type="${type}" min="0" max="10">`);
  await call('browser_type', { selector: 'input', text: good });
  const answer = await call('browser_type', { target: 'input', text: bad });
  expect(answer.section('Error')).toBe(
    `[BAD_FORMAT] A ${type} field takes ${format}.\nWrite the value in the format that the message names.`,
  );
  expect((await call('browser_evaluate', valueOf)).section('Result')).toBe(good);
});

test('text beyond the maxlength of a field is reported with what the field holds', async ({ site, call }) => {
  await open(site, call, '<input id="it" maxlength="3"><input type="password" maxlength="3" value="old">');
  const note = /^The field takes .*$/m;
  for (const [args, holds] of [
    [{ text: 'abcdef' }, 'abc'],
    [{ text: 'uvwxyz', slowly: true }, 'uvw'],
    [{ text: 'x', clear: false }, 'uvw'],
  ] as const) {
    const answer = await call('browser_type', { target: '#it', ...args });
    expect(await evaluate(call, 'it.value')).toBe(holds);
    expect(note.exec(answer.section('Result') ?? '')?.[0]).toBe(
      `The field takes at most 3 characters and holds ${JSON.stringify(holds)}.`,
    );
  }
  expect((await call('browser_type', { target: '#it', text: 'abc' })).text).not.toMatch(note);
  expect((await call('browser_type', { target: '[type=password]', text: 'secret' })).text).not.toMatch(note);
});

test('changes caused by typing are shown', async ({ site, call }) => {
  await open(site, call, '<input oninput="o.textContent = value.length + \' letters\'"><output id="o"></output>');
  const answer = await call('browser_type', { selector: 'input', text: 'four' });
  expect(answer.section('Snapshot')).toContain('4 letters');
});

test('[R-10] typing into a button is an error: it is not an input field', async ({ site, call }) => {
  await open(site, call, '<button>Go</button>');
  const answer = await call('browser_type', { target: 'button', text: 'x', timeout: 500 });
  expect(answer.structured).toMatchObject({ message: 'button cannot be typed into: it is not an input field.' });
});

test('an error names the element of a ref by its role and name', async ({ site, call }) => {
  const { text } = await open(site, call, '<label><input type="checkbox"> Agree</label>');
  const answer = await call('browser_type', { ref: refOf(text, 'checkbox', 'Agree'), text: 'x', timeout: 500 });
  expect(answer.structured).toMatchObject({
    message: 'checkbox "Agree" cannot be typed into: it is not an input field.',
  });
});
