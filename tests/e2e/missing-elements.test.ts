import { expect, open, testWith } from '../fixtures.ts';

/** A call that waited for the whole timeout would not return within the time of a test. */
const test = testWith([
  '--timeout-action=600000',
  '--fail-fast',
  '--caps=devtools',
  '--enable-tool=browser_compare_screenshot',
]);

const button = '<h1>Order</h1><button id="submit-now">Submit</button>';
const similar = 'No element found matching selector "#submit-button". Similar elements:';

const pages = [
  ['at rest', button],
  ['with a clock', `${button}<p id="n"></p><script>setInterval(() => (n.textContent = Date.now()), 400)</script>`],
  [
    'with a clock that sets its next timer',
    `${button}<p id="n"></p><script>(function tick() { n.textContent = Date.now(); setTimeout(tick, 400); })()</script>`,
  ],
  [
    'with a carousel',
    `${button}<div id="n"></div><script>setInterval(() => (n.innerHTML = '<img alt="' + Date.now() + '">'), 500)</script>`,
  ],
] as const;

test.for(pages)(
  'a selector without a match fails on a page %s, and names similar elements',
  async ([, html], { site, call }) => {
    await open(site, call, html);
    const answer = await call('browser_click', { selector: '#submit-button' });
    expect(answer.kind).toBe('ELEMENT_NOT_FOUND');
    expect(answer.text).toContain(`${similar} - button "Submit" [ref=e1]`);
  },
);

test.for([
  ['browser_screenshot', {}],
  ['browser_scroll', { direction: 'down' }],
  ['browser_scroll', { direction: 'down', items: 3 }],
  ['browser_select_text', {}],
  ['browser_snapshot', {}],
  ['browser_read', {}],
  ['browser_compare_screenshot', { baseline: 'page.png' }],
  ['browser_highlight', {}],
] as const)(
  '%s with %j fails for a selector without a match, and names similar elements',
  async ([name, args], { site, call, callRaw }) => {
    await open(site, call, pages[1][1]);
    const answer = await callRaw(name, { ...args, selector: '#submit-button' });
    expect(answer.kind).toBe('ELEMENT_NOT_FOUND');
    expect(answer.text).toContain(similar);
    expect(answer.text).toContain('- button "Submit" [ref=e1]');
  },
);

test.for([
  ['a timer', 'setTimeout(add, 1500)'],
  ['a timer beside an interval', 'setTimeout(add, 1500); setInterval(() => undefined, 50)'],
  [
    'a progress bar',
    "let left = 20; const id = setInterval(() => { bar.style.width = 100 - 5 * --left + '%'; if (left === 0) { clearInterval(id); add(); } }, 100)",
  ],
  [
    'a list that grows',
    "let left = 5; const id = setInterval(() => { bar.append(document.createElement('i')); if (--left === 0) { clearInterval(id); add(); } }, 500)",
  ],
] as const)('an element that %s adds is waited for', async ([, script], { site, call }) => {
  await open(
    site,
    call,
    `${button}<div id="bar" style="width: 0"></div><script>
    const add = () => document.body.insertAdjacentHTML('beforeend', '<button id="late" onclick="document.title = 7">Late</button>');
    ${script}</script>`,
  );
  const answer = await call('browser_click', { selector: '#late' });
  expect(answer.isError).toBe(false);
  expect(answer.page).toContain('- Page Title: 7');
});

test('a role and name without a match is named as it was given', async ({ site, call }) => {
  await open(site, call, button);
  const answer = await call('browser_click', { target: 'button "Submitt"' });
  expect(answer.section('Error')).toContain(
    '[ELEMENT_NOT_FOUND] No element found matching selector "button \\"Submitt\\"". Similar elements:\n- button "Submit" [ref=e1]',
  );
});

test('a misspelt name is similar to the right one', async ({ site, call }) => {
  await open(site, call, '<a href="/x">Settings</a><a href="/y">Sessions</a><button>Go</button>');
  const answer = await call('browser_click', { target: 'link "Setings"' });
  expect(answer.section('Error')).toContain('Similar elements:\n- link "Settings" [ref=e1]\n');
});
