import type { ServerResponse } from 'node:http';
import { evaluate, expect, open, refOf, test, testWith } from '../fixtures.ts';
import type { Site } from '../fixtures.ts';

/** The load time-out exceeds the time limit of a test. */
const testPatient = testWith(['--timeout-load=120000']);

function askingPage(site: Site): string {
  site.set(
    '/',
    `<title>Asks</title><button id="alert" onclick="alert('Careful')">Alert</button>
     <button id="confirm" onclick="document.title = String(confirm('Sure?'))">Confirm</button>
     <button id="prompt" onclick="document.title = String(prompt('Name?', 'nobody'))">Prompt</button>`,
  );
  return site.url('/');
}

test('[S2-75] a click that opens a dialog returns at once and says how to answer it', async ({ site, call }) => {
  await call('browser_navigate', { url: askingPage(site) });
  const answer = await call('browser_click', { selector: '#alert' });
  expect(answer.text).toBe(
    '### Result\nSuccessfully clicked element: #alert\nIt opened an alert dialog with the message "Careful".\n' +
      "### Ran Playwright code\n```js\nawait page.locator('#alert').click();\n```\n" +
      '### Modal state\n- [an alert dialog with the message "Careful"]: answer it with browser_handle_dialog',
  );
});

test('[S2-75, R-16] while a dialog is open, other tools fail; answering it unblocks the page', async ({
  site,
  call,
}) => {
  await call('browser_navigate', { url: askingPage(site) });
  await call('browser_click', { selector: '#alert' });
  const refused = await call('browser_snapshot');
  expect(refused.text).toBe(
    '### Error\n[MODAL_OPEN] The page is blocked by an alert dialog with the message "Careful".\n' +
      'Answer it with browser_handle_dialog first. If the page keeps opening dialogs, close its tab with browser_close.',
  );
  expect(refused.structured).toMatchObject({ error: { code: 'ELEMENT_NOT_INTERACTIVE', retryable: false } });
  const answered = await call('browser_handle_dialog', { accept: true });
  expect(answered.section('Result')).toBe(
    'Accepted an alert dialog with the message "Careful".\nNo text or control changed.',
  );
  expect(answered.section('Modal state')).toBeUndefined();
  expect((await call('browser_snapshot')).isError).toBe(false);
});

test('a page that opens dialogs in a loop can be left and closed', async ({ site, call }) => {
  site.set('/', '<title>Endless</title><button onclick="for (;;) alert(1)">Go</button>');
  site.set('/next', '<title>Next</title>');
  await call('browser_navigate', { url: site.url('/') });
  await call('browser_click', { selector: 'button' });
  expect((await call('browser_handle_dialog', { accept: true })).section('Modal state')).toContain('an alert dialog');
  const next = await call('browser_navigate', { url: site.url('/next') });
  expect(next.page, next.text).toContain('- Page Title: Next');
  expect(next.section('Events')).toContain('Dismissed an alert dialog with the message "1" to leave the page');
  await call('browser_navigate', { url: site.url('/') });
  await call('browser_click', { selector: 'button' });
  expect((await call('browser_close')).isError).toBe(false);
  expect((await call('browser_navigate', { url: site.url('/next') })).isError).toBe(false);
});

test.for([
  ['[S2-76] accepting a confirm', '#confirm', { accept: true }, 'true'],
  ['[S2-77] dismissing a confirm', '#confirm', { accept: false }, 'false'],
  ['[S2-78] answering a prompt', '#prompt', { accept: true, promptText: 'answer' }, 'answer'],
  ['[S2-78] accepting a prompt without an answer', '#prompt', { accept: true }, 'nobody'],
  ['[S2-77] dismissing a prompt', '#prompt', { accept: false }, 'null'],
] as const)('[R-16] %s gives the page that answer', async ([, selector, decision, title], { site, call }) => {
  await call('browser_navigate', { url: askingPage(site) });
  await call('browser_click', { selector });
  const answer = await call('browser_handle_dialog', decision);
  expect(answer.page).toBe(`- Page URL: ${site.url('/')}\n- Page Title: ${title}`);
});

test.for([
  ['[S2-76] accept', { accept: true, promptText: 'before' }, 'before', 'accepted'],
  ['[S2-77] dismiss', { accept: false }, 'null', 'dismissed'],
] as const)(
  '[R-16] %s without an open dialog is kept for the next one',
  async ([, decision, title, verb], { site, call }) => {
    await call('browser_navigate', { url: askingPage(site) });
    const kept = await call('browser_handle_dialog', decision);
    expect(kept.section('Result')).toBe(`No dialog is open. The next one in this tab will be ${verb}.`);
    const answer = await call('browser_click', { selector: '#prompt' });
    expect(answer.page).toBe(`- Page URL: ${site.url('/')}\n- Page Title: ${title}`);
    expect(answer.section('Events')).toBe(
      `- ${verb === 'accepted' ? 'Accepted' : 'Dismissed'} a prompt dialog with the message "Name?" that proposes "nobody"`,
    );
    expect((await call('browser_click', { selector: '#prompt' })).section('Modal state')).toContain('a prompt dialog');
    await call('browser_handle_dialog', { accept: false });
  },
);

test('[R-16] an answer given in advance applies to the next dialog of its own tab only', async ({ site, call }) => {
  await call('browser_navigate', { url: askingPage(site) });
  await call('browser_handle_dialog', { accept: true, promptText: 'first tab' });
  await call('browser_tabs', { action: 'new', url: site.url('/') });
  const other = await call('browser_click', { selector: '#prompt' });
  expect(other.section('Modal state')).toContain('a prompt dialog with the message "Name?"');
  await call('browser_handle_dialog', { accept: false });
  await call('browser_tabs', { action: 'select', index: 0 });
  const answer = await call('browser_click', { selector: '#prompt' });
  expect(answer.page).toBe(`- Page URL: ${site.url('/')}\n- Page Title: first tab`);
});

test('[S2-75] a dialog at load time is reported by the navigation', async ({ site, call }) => {
  const answer = await open(site, call, '<title>Early</title><script>alert("first")</script><h1>After</h1>');
  expect(answer.isError).toBe(false);
  expect(answer.section('Modal state')).toBe(
    '- [an alert dialog with the message "first"]: answer it with browser_handle_dialog',
  );
  await call('browser_handle_dialog', { accept: true });
  expect((await call('browser_snapshot')).section('Snapshot')).toContain('- heading "After"');
});

testPatient(
  '[S2-75] a dialog of a frame at load time is reported at once, not after the load time-out',
  async ({ site, call }) => {
    const html = '<h1>After</h1><iframe srcdoc="<script>alert(1)</script><p>Inside</p>"></iframe>';
    expect((await open(site, call, html)).section('Modal state')).toContain('an alert dialog with the message "1"');
    const answer = await call('browser_handle_dialog', { accept: true });
    expect(answer.section('Snapshot')).toContain('- paragraph: Inside');
  },
);

test('[S2-75] successive dialogs are answered one by one', async ({ site, call }) => {
  await open(site, call, '<button onclick="alert(1); alert(2); document.title = \'done\'">Go</button>');
  await call('browser_click', { selector: 'button' });
  const second = await call('browser_handle_dialog', { accept: true });
  expect(second.section('Modal state')).toBe(
    '- [an alert dialog with the message "2"]: answer it with browser_handle_dialog',
  );
  const done = await call('browser_handle_dialog', { accept: true });
  expect(done.page).toBe(`- Page URL: ${site.url('/')}\n- Page Title: done`);
});

test('a page with a beforeunload dialog can be left', async ({ site, call }) => {
  site.set(
    '/',
    '<title>Sticky</title><button>Touch</button><script>onbeforeunload = (event) => event.preventDefault()</script>',
  );
  site.set('/away', '<title>Away</title><p>Text</p>');
  await call('browser_navigate', { url: site.url('/') });
  await call('browser_click', { selector: 'button' });
  const answer = await call('browser_navigate', { url: site.url('/away') });
  expect(answer.section('Result')).toBe(`Successfully navigated to ${site.url('/away')}\nTitle: Away`);
});

test('a page can be closed, and console messages read, while a dialog is open', async ({ site, call }) => {
  await call('browser_navigate', { url: askingPage(site) });
  await call('browser_click', { selector: '#alert' });
  expect((await call('browser_console_messages')).section('Result')).toBe('No console messages.');
  expect((await call('browser_tabs', { action: 'list' })).isError).toBe(false);
  expect((await call('browser_close')).section('Result')).toContain('Closed the page.');
  expect((await call('browser_navigate', { url: site.url('/') })).isError).toBe(false);
});

/** Popups share the process of their opener, and a dialog blocks the whole process. */
function popupSite(site: Site): string {
  site.set('/', `<title>Opener</title><button onclick="window.open('/popup')">Open</button>`);
  site.set('/popup', '<title>Popup</title><script>alert("in the popup")</script><p>Loaded</p>');
  return site.url('/');
}

test('[S2-75] a dialog in a popup opened by a click is reported at once and can be answered there', async ({
  site,
  call,
}) => {
  await call('browser_navigate', { url: popupSite(site) });
  const answer = await call('browser_click', { selector: 'button' });
  expect(answer.section('Result')).toBe(
    `Successfully clicked element: button\nOpened tab 1 (t2), now the current one: ${site.url('/popup')}\n` +
      'It opened an alert dialog with the message "in the popup".',
  );
  expect(answer.section('Modal state')).toBe(
    '- [an alert dialog with the message "in the popup"]: answer it with browser_handle_dialog',
  );
  await call('browser_handle_dialog', { accept: true });
  expect((await call('browser_snapshot')).section('Snapshot')).toContain('- paragraph: Loaded');
});

test('[S2-75] a dialog in another tab that blocks this one is named in errors and can be answered from here', async ({
  site,
  call,
}) => {
  await call('browser_navigate', { url: popupSite(site) });
  await call('browser_click', { selector: 'button' });
  const selected = await call('browser_tabs', { action: 'select', index: 0 });
  expect(selected.section('Modal state')).toBe(
    '- [an alert dialog with the message "in the popup"] in tab 1 (t2): answer it with browser_handle_dialog',
  );
  for (const refused of [await call('browser_snapshot'), await call('browser_click', { ref: 'button' })]) {
    expect(refused.text).toBe(
      '### Error\n[MODAL_OPEN] The page is blocked by an alert dialog with the message "in the popup", in tab 1 (t2).\n' +
        'Answer it with browser_handle_dialog first. If the page keeps opening dialogs, close its tab with browser_close.',
    );
  }
  const answered = await call('browser_handle_dialog', { accept: true });
  expect(answered.section('Result')).toContain('Accepted an alert dialog with the message "in the popup".');
  expect((await call('browser_snapshot')).page).toContain('- Page Title: Opener');
});

test('an action prevented by a dialog is not performed later', async ({ site, call }) => {
  const listening = new Promise<ServerResponse>((resolve) => {
    site.set('/events', (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      resolve(response);
    });
  });
  const spinning = new Promise<void>((resolve) => {
    site.set('/spins', (_, response) => {
      response.end();
      resolve();
    });
  });
  const { text } = await open(
    site,
    call,
    `<button onclick="document.title = 'Clicked'">Go</button><script>
new EventSource('/events').onmessage = () => {
  fetch('/spins');
  for (const end = Date.now() + 800; Date.now() < end;);
  alert('Wait');
};</script>`,
  );
  (await listening).write('data: now\n\n');
  // From here on the page is unresponsive until the dialog opens.
  await spinning;
  const answer = await call('browser_click', { ref: refOf(text, 'button') });
  expect(answer.kind).toBe('MODAL_OPEN');
  expect(answer.text).toContain('Wait');
  await call('browser_handle_dialog', { accept: true });
  expect(await evaluate(call, 'document.title')).not.toBe('Clicked');
});

test('a message that was reported before a dialog is not reported again after it', async ({ site, call }) => {
  await open(
    site,
    call,
    `<form><input aria-label="Mail" required><button id="send">Send</button></form><button id="ask" onclick="alert('Hi')">Ask</button>`,
  );
  const sent = await call('browser_click', { selector: '#send' });
  expect(sent.section('Result')).toContain('The page said: "Mail: Please fill out this field."');
  await call('browser_click', { selector: '#ask' });
  const accepted = await call('browser_handle_dialog', { accept: true });
  expect(accepted.section('Result')).toBe(
    'Accepted an alert dialog with the message "Hi".\nNo text or control changed.',
  );
});
