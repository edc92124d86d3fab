import { evaluate, expect, open, test } from '../fixtures.ts';

/** Runs a function in the page later, from outside the page, so that no action waits for it. */
const later = `<script>
  function later(ms, run) {
    const code = 'setTimeout(() => postMessage(0), ' + ms + ')';
    new Worker(URL.createObjectURL(new Blob([code]))).onmessage = run;
  }
</script>`;

test('[S2-72] waiting for a text ends when it appears', async ({ site, call }) => {
  await open(
    site,
    call,
    `${later}<p id="p">Loading...</p><script>start = () => later(1000, () => { p.textContent = "Loading complete" })</script>`,
  );
  await call('browser_evaluate', { function: '() => { start() }' });
  const answer = await call('browser_wait_for', { text: 'Loading complete' });
  expect(answer.section('Result')).toBe('The text "Loading complete" is there.');
  expect(answer.section('Ran Playwright code')).toBe(
    "```js\nawait page.getByText('Loading complete').first().waitFor();\n```",
  );
  expect(answer.section('Snapshot')).toContain('Loading complete');
});

test('[S2-73] waiting for a text to disappear ends when it is gone', async ({ site, call }) => {
  await open(
    site,
    call,
    `${later}<p id="p">Loading...</p><h1>Stays</h1><script>start = () => later(1000, () => p.remove())</script>`,
  );
  await call('browser_evaluate', { function: '() => { start() }' });
  const answer = await call('browser_wait_for', { textGone: 'Loading...' });
  expect(answer.section('Result')).toBe('The text "Loading..." is gone.');
  expect(await evaluate(call, 'document.querySelector("p")')).toBe('null');
});

test('[S2-74] waiting for a time lets that time pass in the page', async ({ site, call }) => {
  await open(
    site,
    call,
    `${later}<title>0</title><script>start = () => later(500, () => { document.title = "later" })</script>`,
  );
  const clock = async (): Promise<number> => Number(await evaluate(call, 'performance.now()'));
  await call('browser_evaluate', { function: '() => { start() }' });
  const before = await clock();
  const answer = await call('browser_wait_for', { time: 2 });
  expect((await clock()) - before).toBeGreaterThanOrEqual(2000);
  expect(answer.section('Result')).toContain('Waited 2 seconds.');
  expect(answer.page).toBe(`- Page URL: ${site.url('/')}\n- Page Title: later`);
});

test('[S2-72] a text in a frame counts, a hidden copy of it does not', async ({ site, call }) => {
  await open(site, call, '<p hidden>Ready</p><iframe srcdoc="<p hidden>Ready</p>"></iframe>');
  expect((await call('browser_wait_for', { text: 'Ready', timeout: 500 })).kind).toBe('TIMEOUT');
  await evaluate(call, 'void (frames[0].document.querySelector("p").hidden = false)');
  const answer = await call('browser_wait_for', { text: 'Ready' });
  expect(answer.section('Result')).toBe('The text "Ready" is there.');
});

test('a text that does not appear is a retryable time-out', async ({ site, call }) => {
  await open(site, call, '<p>Nothing</p>');
  const answer = await call('browser_wait_for', { text: 'Ready', timeout: 300 });
  expect(answer.text).toBe(
    '### Error\n[TIMEOUT] Waiting for "Ready" did not finish within 300ms.\n' +
      'Increase the timeout parameter or check if the page is loading slowly.',
  );
  expect(answer.structured).toMatchObject({ errorCode: 'TIMEOUT', error: { code: 'TIMEOUT', retryable: true } });
});

test('a text that does not disappear is a time-out too', async ({ site, call }) => {
  await open(site, call, '<p>Stays</p>');
  const answer = await call('browser_wait_for', { textGone: 'Stays', timeout: 300 });
  expect(answer.structured).toMatchObject({ message: 'Waiting for "Stays" to be gone did not finish within 300ms.' });
});

test('a wait without a condition is rejected', async ({ call }) => {
  expect((await call('browser_wait_for', {})).text).toBe(
    '### Error\n[MISSING_PARAMETER] Give one or more of text, textGone, time, ref, count, url, request, response, console, event.\nCorrect the arguments and call again.',
  );
});

test('a state without an element is rejected, and an empty text is no condition', async ({ site, call }) => {
  await open(site, call, '<title>T</title><p>Ready</p>');
  expect((await call('browser_wait_for', { text: 'Ready', state: 'hidden' })).text).toContain(
    '[MISSING_PARAMETER] state needs ref.',
  );
  expect((await call('browser_wait_for', { count: 2 })).text).toContain('[MISSING_PARAMETER] count needs ref or text.');
  expect((await call('browser_wait_for', { text: '' })).text).toContain('[MISSING_PARAMETER] Give one or more of text');
  const { text } = await call('browser_wait_for', { text: 'Ready', textGone: '', url: '' });
  expect(text).toContain('The text "Ready" is there.');
  expect(text).not.toContain('is gone');
});

test('a dialog ends the wait', async ({ site, call }) => {
  await open(site, call, `${later}<script>start = () => later(3000, () => alert("stop"))</script>`);
  await call('browser_evaluate', { function: '() => { start() }' });
  const answer = await call('browser_wait_for', { text: 'never' });
  expect(answer.section('Modal state')).toBe(
    '- [an alert dialog with the message "stop"]: answer it with browser_handle_dialog',
  );
  expect(answer.section('Result')).toBe(
    'The wait was interrupted.\nIt opened an alert dialog with the message "stop".',
  );
  await call('browser_handle_dialog', { accept: true });
});

const soon = (code: string): string => `${later}<script>start = () => later(300, () => { ${code} })</script>`;

test.for([
  ['a selector', 'document.body.append(document.createElement("hr"))', { ref: 'hr' }, 'The element "hr" is visible.'],
  [
    'a hidden element',
    'b.hidden = true',
    { ref: 'button "Go"', state: 'hidden' },
    'The element "button \\"Go\\"" is hidden.',
  ],
  ['an enabled element', 'c.disabled = false', { ref: '#c', state: 'enabled' }, 'The element "#c" is enabled.'],
  ['a checked box', 'd.checked = true', { ref: '#d', state: 'checked' }, 'The element "#d" is checked.'],
  [
    'a count of elements',
    'u.innerHTML = "<li>x</li>".repeat(3)',
    { ref: 'li', count: 3 },
    'There are at least 3 elements "li".',
  ],
  [
    'a count of texts',
    'u.innerHTML = "<li>row</li>".repeat(2)',
    { text: 'row', count: 2 },
    'The text "row" is there 2 times.',
  ],
  ['a URL', 'history.pushState(0, "", "/next")', { url: '/next' }, 'The URL matches "/next".'],
  ['a request', 'fetch("/data?x=1")', { request: '/data' }, 'A request to "/data" was made.'],
  ['a response', 'fetch("/data")', { response: '**/data' }, 'A response from "**/data" has arrived.'],
  ['a console text', 'console.log("all is ready")', { console: 'is ready' }, 'The console shows "is ready".'],
  ['a download', 'l.click()', { event: 'download' }, 'A download has started.'],
  ['a new tab', 'window.open("/data")', { event: 'newTab' }, 'A tab has opened.'],
  ['a quiet page', 'void 0', { event: 'quiet' }, 'The page is quiet.'],
] as const)('waiting for %s ends when it is there', async ([, code, args, line], { site, call, callRaw }) => {
  site.set('/data', 'data');
  await open(
    site,
    call,
    `${soon(code)}<button id="b">Go</button><button id="c" disabled>Later</button><input type="checkbox" id="d"><ul id="u"></ul><a id="l" download href="/data">Load</a>`,
  );
  await call('browser_evaluate', { function: '() => { start() }' });
  const answer = await callRaw('browser_wait_for', args);
  expect(answer.isError, answer.text).toBe(false);
  expect(answer.section('Result')).toContain(line);
});

test('all conditions must hold, or any of them', async ({ site, call }) => {
  await open(site, call, `${soon('p.textContent = "Failed"')}<p id="p">Wait</p>`);
  await call('browser_evaluate', { function: '() => { start() }' });
  const both = await call('browser_wait_for', { text: 'Failed', url: 'nowhere', timeout: 700 });
  expect([both.kind, both.section('Error')]).toEqual([
    'TIMEOUT',
    expect.stringContaining('Waiting for "Failed" and the URL "nowhere" did not finish within 700ms.'),
  ]);
  const any = await call('browser_wait_for', { text: 'Done', url: 'nowhere', textGone: 'Wait', any: true });
  expect(any.section('Result')).toBe('The text "Wait" is gone.');
});

test('a wait tells its progress, and ends when it is cancelled', async ({ site, driver }) => {
  await open(site, driver.call, '<p>Nothing</p>');
  const cancel = new AbortController();
  const messages: (string | undefined)[] = [];
  const running = driver.client.callTool(
    { name: 'browser_wait_for', arguments: { text: 'Never', timeout: 30_000 } },
    {
      signal: cancel.signal,
      onprogress: ({ message }) => {
        messages.push(message);
        cancel.abort();
      },
    },
  );
  await expect(running).rejects.toThrow();
  expect(messages).toEqual([expect.stringMatching(/^Waiting for "Never": \d s$/)]);
  expect((await driver.call('browser_snapshot', {})).isError).toBe(false);
});
