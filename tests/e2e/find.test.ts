import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { evaluate, expect, open, test } from '../fixtures.ts';

const page = `<title>Shop</title><h1>Shop</h1><button data-testid="send">Submit</button><button disabled>Later</button>
<button style="display:none" id="secret">Hidden</button><ul>${Array.from({ length: 25 }, (_, i) => `<li>Item ${i}</li>`).join('')}</ul>
<p>Total: 12.50 EUR</p><p>Shipping: 3.00 EUR</p><p>Nothing else</p>`;

test('[S4-15, S4-18, S4-19, S4-23, S4-25, R-13, R-29] find by role and name returns the count, the state and the ref', async ({
  site,
  call,
}) => {
  await open(site, call, page);
  const answer = await call('browser_find', { selector: 'button', selectorType: 'role', options: { name: 'Submit' } });
  const ref = /Refs: (e\d+)$/m.exec(answer.text)?.[1];
  expect(answer.text).toBe(
    `### Result\nFound 1 element(s) matching: role=button[name="Submit"]\nVisible: true, Enabled: true\nElement is visible and enabled\nRefs: ${ref}\n- button "Submit" [ref=${ref}]`,
  );
  expect(answer.structured).toEqual({ success: true, data: { count: 1, visible: true, enabled: true, refs: [ref] } });
  expect((await call('browser_click', { ref: ref ?? '' })).isError).toBe(false);
});

test.for([
  [{ selector: 'h1' }, 'Found 1 element(s) matching: h1', 'true', 'true'],
  [{ selector: 'h1', selectorType: 'css' }, 'Found 1 element(s) matching: h1', 'true', 'true'],
  [
    { selector: 'Nothing else', selectorType: 'text' },
    'Found 1 element(s) matching: text=Nothing else',
    'true',
    'true',
  ],
  [{ selector: 'send', selectorType: 'testId' }, 'Found 1 element(s) matching: testId=send', 'true', 'true'],
  [{ selector: 'button' }, 'Found 3 element(s) matching: button', 'true', 'true'],
  [{ selector: 'button[disabled]' }, 'Found 1 element(s) matching: button[disabled]', 'true', 'false'],
  [{ selector: '#secret' }, 'Found 1 element(s) matching: #secret', 'false', 'true'],
  [{ selector: '.none' }, 'Found 0 element(s) matching: .none', 'false', 'false'],
  [{ selector: 'nothing', selectorType: 'text' }, 'Found 1 element(s) matching: text=nothing', 'true', 'true'],
  [
    { selector: 'nothing', selectorType: 'text', options: { exact: true } },
    'Found 0 element(s) matching: text=nothing',
    'false',
    'false',
  ],
] as const)(
  '[S4-16, S4-17, S4-18, S4-20, S4-21, S4-22, S4-23, S4-24] %j is answered with "%s"',
  async ([args, found, visible, enabled], { site, call }) => {
    await open(site, call, page);
    const lines = (await call('browser_find', args)).section('Result')?.split('\n') ?? [];
    expect(lines.slice(0, 2)).toEqual([found, `Visible: ${visible}, Enabled: ${enabled}`]);
    const isGood = found.startsWith('Found 1 ') && visible === 'true' && enabled === 'true';
    expect(lines.includes('Element is visible and enabled')).toBe(isGood);
  },
);

test('[R-13] the refs of the first twenty matches are listed', async ({ site, call }) => {
  await open(site, call, page);
  const answer = await call('browser_find', { selector: 'li' });
  expect(answer.section('Result')).toMatch(
    /^Found 25 element\(s\) matching: li\nVisible: true, Enabled: true\nRefs: (?:e\d+, ){20}…(?:\n- li \[ref=e\d+\]: Item \d+){20}$/,
  );
});

test('[R-13] text is searched in the snapshot, ignoring case', async ({ site, call }) => {
  await open(site, call, page);
  const answer = await call('browser_find', { text: 'total' });
  expect(answer.section('Result')).toBe('1 line contains "total".');
  expect(answer.section('Snapshot')).toContain('Total: 12.50 EUR');
  expect(answer.section('Snapshot')).not.toContain('Item 3');
});

test('[R-13] matches are shown with surrounding lines', async ({ site, call }) => {
  site.set(
    '/',
    `<title>Shop</title><main><h2>Basket</h2><ul><li>Pear</li><li>Plum</li></ul><h2>Total</h2><p>12.50 EUR</p><hr>
     <button>Pay</button><button>Clear</button><p>Until Friday</p></main>`,
  );
  await call('browser_navigate', { url: site.url('/') });
  const found = async (text: string): Promise<string | undefined> =>
    (await call('browser_find', { text })).section('Snapshot')?.replaceAll(/ref=e\d+/g, 'ref');
  expect(await found('total')).toMatchInlineSnapshot(`
    "\`\`\`yaml
    - main:
      - list: (2 things in it)
      - heading "Total" [level=2]
      - paragraph: 12.50 EUR
    \`\`\`"
  `);
  // The next button is not part of the context.
  expect(await found('clear')).toMatchInlineSnapshot(`
    "\`\`\`yaml
    - main:
      - button "Clear" [ref]
      - paragraph: Until Friday
    \`\`\`"
  `);
});

test.for(['\\d+\\.\\d\\d EUR', '/\\d+\\.\\d\\d EUR/', '/\\d+\\.\\d\\d eur/i'])(
  '[R-13] %s is searched as a regular expression',
  async (regex, { site, call }) => {
    await open(site, call, page);
    const answer = await call('browser_find', { regex });
    expect(answer.section('Result')).toMatch(/^2 lines contain \/.*\/i?\.$/);
    expect(answer.section('Snapshot')).toContain('Total: 12.50 EUR');
    expect(answer.section('Snapshot')).toContain('Shipping: 3.00 EUR');
  },
);

test('a regular expression without flags minds the case, and is not combined with a text', async ({ site, call }) => {
  await open(site, call, page);
  expect((await call('browser_find', { regex: 'total' })).section('Result')).toBe('0 lines contain /total/.');
  expect((await call('browser_find', { regex: '/total/i' })).section('Result')).toBe('1 line contains /total/i.');
  const both = await call('browser_find', { text: 'Total', regex: 'Total' });
  expect(both.section('Error')).toContain('Give either text or regex, not both.');
});

test('[R-13] text without a match is reported as 0 lines', async ({ site, call }) => {
  await open(site, call, page);
  const answer = await call('browser_find', { text: 'Refund' });
  expect(answer.section('Result')).toBe('0 lines contain "Refund".');
  expect(answer.section('Snapshot')).toBeUndefined();
});

test('[R-13, R-33] an empty search and an invalid pattern are errors that say what to pass', async ({ site, call }) => {
  await open(site, call, page);
  expect((await call('browser_find')).section('Error')).toContain('Give text, regex or selector.');
  expect((await call('browser_find', { regex: '(' })).section('Error')).toContain('"(" is not a regular expression.');
  expect((await call('browser_find', { selector: '###' })).kind).toBe('INVALID_SELECTOR');
});

test('matches of a selector can be saved to a file', async ({ site, call, server }) => {
  await open(site, call, page);
  const answer = await call('browser_find', { selector: 'h1', filename: 'found.txt' });
  expect(answer.section('Result')).toBe('Written to .playwright-mcp/found.txt');
  expect(await readFile(join(server.folder, '.playwright-mcp/found.txt'), 'utf8')).toMatch(
    /^Found 1 element\(s\) matching: h1\nVisible: true, Enabled: true\nElement is visible and enabled\nRefs: e\d+\n- h1 \[ref=e\d+\]: Shop\n$/,
  );
});

test('elements are found in frames, by selector and by role and name, and their refs work', async ({ site, call }) => {
  site.set('/frame', `<button onclick="parent.document.title = 'clicked'">Pay</button>`);
  await open(site, call, '<title>-</title><button>Pay later</button><iframe src="/frame"></iframe>');
  const answer = await call('browser_find', { selector: 'button' });
  expect(answer.section('Result')).toMatch(
    /^Found 2 element\(s\) matching: button\nVisible: true, Enabled: true\nRefs: e\d+, f1e\d+\n- button "Pay later" \[ref=e\d+\]\n- button "Pay" \[ref=f1e\d+\]$/,
  );
  const named = await call('browser_find', { selector: 'button "Pay later"' });
  expect(named.section('Result')).toContain('Found 1 element(s) matching: role=button[name="Pay later"]');
  const inFrame = await call('browser_find', { selector: 'button "Pay"' });
  expect(inFrame.section('Result')).toContain('Found 1 element(s) matching: role=button[name="Pay"]');
  await call('browser_click', { ref: /f1e\d+/.exec(answer.text)?.[0] ?? '' });
  expect(await evaluate(call, 'document.title')).toBe('clicked');
});

test('a role and name means the only element of a frame that has exactly this name', async ({ site, call }) => {
  site.set('/frame', `<button onclick="parent.document.title += 'Pay,'">Pay</button><button>Help</button>`);
  site.set('/other', '<button>Help</button>');
  await open(
    site,
    call,
    `<title>-</title><button onclick="document.title += 'later,'">Pay later</button>
    <iframe title="Payment" src="/frame"></iframe><iframe src="/other"></iframe>`,
  );
  const clicked = await call('browser_click', { target: 'button "Pay"' });
  expect(clicked.section('Ran Playwright code')).toContain(
    `contentFrame().getByRole('button', { name: 'Pay' }).click();`,
  );
  expect(await evaluate(call, 'document.title')).toBe('-Pay,');
  await call('browser_click', { target: 'button "Pay l"' });
  expect(await evaluate(call, 'document.title')).toBe('-Pay,later,');
  const twice = await call('browser_click', { target: 'button "Help"' });
  expect(twice.section('Error')).toMatch(
    /^\[ELEMENT_NOT_FOUND\] [^]*- button "Help" \[ref=f1e\d+\]\n- button "Help" \[ref=f2e\d+\]/,
  );
});

test('a match that is hidden is marked', async ({ site, call }) => {
  await open(
    site,
    call,
    '<button>Shown</button><button hidden>Gone</button><button style="visibility:hidden">Off</button>',
  );
  const { text } = await call('browser_find', { selector: 'button' });
  expect(text).toMatch(
    /- button "Shown" \[ref=e\d+\]\n- button \[hidden\] \[ref=e\d+\].*\n- button \[hidden\] \[ref=e\d+\]/,
  );
});
