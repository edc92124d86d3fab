import { expect, open, refOf, test } from '../fixtures.ts';

const limit = 60_000;

test(
  'a click on a covered element names the covering element and its buttons, which can be clicked at once',
  { timeout: limit },
  async ({ site, call }) => {
    const shown = await open(
      site,
      call,
      `<button onclick="document.title = 'bought'">Buy</button>
       <div role="dialog" aria-label="Cookies" style="position: fixed; inset: 0; background: #fff">We use cookies
         <button onclick="this.parentElement.remove()">Accept</button><a href="/more">More</a><button hidden>Never</button></div>`,
    );
    const ref = refOf(shown.text, 'button', 'Buy');
    const answer = await call('browser_click', { ref });
    expect(answer.section('Error')?.replaceAll(/ref=e\d+/g, 'ref')).toBe(
      '[ELEMENT_NOT_CLICKABLE] button "Buy" could not be acted on: it is covered by dialog "Cookies" [ref]. ' +
        'In it: button "Accept" [ref], link "More" [ref].\n' +
        'Remove the obstacle (close the dialog or banner, enable or reveal the element), then call again.',
    );
    const accept = /button "Accept" \[ref=(e\d+)\]/.exec(answer.text)?.[1] ?? '';
    expect((await call('browser_click', { ref: accept })).isError).toBe(false);
    expect((await call('browser_click', { ref })).page).toContain('Page Title: bought');
  },
);

test('a covering element in a frame is named with refs of the frame', { timeout: limit }, async ({ site, call }) => {
  site.set(
    '/in',
    `<button>Pay</button><div style="position: fixed; inset: 0; background: #fff"><button onclick="this.parentElement.remove()">Close</button></div>`,
  );
  const shown = await open(site, call, '<iframe title="Shop" src="/in"></iframe>');
  const answer = await call('browser_click', { ref: refOf(shown.text, 'button', 'Pay') });
  const close = /button "Close" \[ref=(f1e\d+)\]/.exec(answer.text)?.[1] ?? '';
  expect((await call('browser_click', { ref: close })).isError, answer.text).toBe(false);
});

for (const [what, html, reason] of [
  ['disabled', '<button id="it" disabled>Go</button>', 'it is disabled.'],
  ['disabled by ARIA', '<div aria-disabled="true"><button id="it">Go</button></div>', 'it is disabled.'],
  ['hidden', '<button id="it" style="visibility: hidden">Go</button>', 'it is not visible.'],
  [
    'without a size',
    '<button id="it" style="width: 0; padding: 0; border: 0; overflow: hidden">Go</button>',
    'it is not visible.',
  ],
  [
    'styled with pointer-events: none',
    '<button id="it" style="pointer-events: none">Go</button>',
    'it takes no clicks (its style has pointer-events: none).',
  ],
  [
    'outside the viewport for good',
    '<button id="it" style="position: fixed; left: -500px">Go</button>',
    'it is outside of the viewport and cannot be scrolled into it.',
  ],
] as const) {
  test(`an element that is ${what} fails fast with the reason`, { timeout: limit }, async ({ site, call }) => {
    await open(site, call, html);
    const answer = await call('browser_click', { target: '#it' });
    expect(answer.section('Error')?.split('\n')[0]).toBe(
      `[ELEMENT_NOT_CLICKABLE] #it could not be acted on: ${reason}`,
    );
  });
}

test(
  'typing into a read-only or disabled field is an error with the reason',
  { timeout: limit },
  async ({ site, call }) => {
    const shown = await open(
      site,
      call,
      '<input aria-label="Fixed" readonly value="1"><input aria-label="Off" disabled>',
    );
    const fixed = await call('browser_type', {
      ref: refOf(shown.text, 'textbox', 'Fixed'),
      text: 'x',
    });
    expect(fixed.section('Error')).toContain('[ELEMENT_NOT_EDITABLE] textbox "Fixed"');
    expect(fixed.section('Error')).toContain('read-only');
    const off = await call('browser_type', { ref: refOf(shown.text, 'textbox', 'Off'), text: 'x' });
    expect(off.section('Error')).toContain('it is disabled.');
  },
);

test('a ref of a removed element is stale', { timeout: limit }, async ({ site, call }) => {
  const shown = await open(site, call, '<button>Go</button>');
  await call('browser_evaluate', { function: '() => document.querySelector("button").remove()' });
  const answer = await call('browser_click', { ref: refOf(shown.text, 'button', 'Go') });
  expect(answer.kind).toBe('STALE_REF');
});

for (const [what, attributes, undo] of [
  ['enabled', 'disabled', 'go.disabled = false'],
  ['visible', 'style="display: none"', "go.style.display = ''"],
  ['uncovered', '', 'veil.remove()'],
] as const) {
  test(`an element that is ${what} only by a timer after 800 ms is waited for and clicked`, async ({ site, call }) => {
    const veil = what === 'uncovered' ? '<div id="veil" style="position: fixed; inset: 0">Loading</div>' : '';
    await open(
      site,
      call,
      `<button id="go" ${attributes} onclick="document.title = 'clicked'">Go</button>${veil}
       <script>const begun = setTimeout(() => { ${undo} }, 800)</script>`,
    );
    const answer = await call('browser_click', { target: '#go' });
    expect(answer.isError, answer.text).toBe(false);
    expect(answer.page).toContain('Page Title: clicked');
  });
}

test(
  'on a page whose timers never end an action waits its full time and names the obstacle',
  { timeout: limit },
  async ({ site, call }) => {
    await open(
      site,
      call,
      `<button id="go" disabled>Go</button><script>(function again() { setTimeout(again, 100) })(); setInterval(() => {}, 50)</script>`,
    );
    const answer = await call('browser_click', { target: '#go' });
    expect(answer.section('Error')).toContain('it is disabled. Waited 5000 ms.');
  },
);

test('a notice that disappeared is reported', async ({ site, call }) => {
  const shown = await open(
    site,
    call,
    `<button onclick="toast()">Save</button><script>function toast() {
       const note = document.createElement('div'); note.role = 'status'; note.textContent = 'Saved as draft 7';
       document.body.append(note); setTimeout(() => note.remove(), 120); }</script>`,
  );
  const answer = await call('browser_click', { ref: refOf(shown.text, 'button', 'Save') });
  expect(answer.section('Result')).toContain('The page said: "Saved as draft 7"');
  const again = await call('browser_click', { ref: refOf(shown.text, 'button', 'Save') });
  expect(again.section('Result')).toContain('The page said: "Saved as draft 7"');
  expect(answer.section('Snapshot') ?? '').not.toContain('Saved');
});

test('a live region is reported once: in the changes if it is still shown, otherwise as an event', async ({
  site,
  call,
}) => {
  const shown = await open(
    site,
    call,
    `<button onclick="live.textContent = 'Two results'">Search</button><button onclick="live.textContent = 'Gone soon'; setTimeout(() => { live.textContent = '' }, 60)">Flash</button>
     <div id="live" aria-live="polite"></div><p>Words</p>`,
  );
  const stays = await call('browser_click', { ref: refOf(shown.text, 'button', 'Search') });
  expect(stays.text.match(/Two results/g)).toHaveLength(1);
  const flash = await call('browser_click', { ref: refOf(shown.text, 'button', 'Flash') });
  expect(flash.section('Result')).toContain('The page said: "Gone soon"');
});

test('native validation messages are reported with their field', async ({ site, call }) => {
  const shown = await open(
    site,
    call,
    '<form action="/sent"><label>Mail <input type="email" required value="nobody"></label><button>Send</button></form>',
  );
  const answer = await call('browser_click', { ref: refOf(shown.text, 'button', 'Send') });
  expect(answer.section('Result')).toMatch(/The page said: "Mail: Please include an '@' in the email address\./);
  const again = await call('browser_click', { ref: refOf(shown.text, 'button', 'Send') });
  expect(again.section('Result')).toMatch(/The page said: "Mail: Please include an '@' in the email address\./);
  expect(answer.page).toContain(`Page URL: ${site.url('/')}\n`);
});
