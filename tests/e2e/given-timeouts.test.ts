import { expect, open, refOf, slowly, startApp, test } from '../fixtures.ts';

/** Makes a button usable when `ready()` is called. */
const obstacles = {
  disabled: `<button id="go" disabled onclick="document.title = 'done'">Go</button>
    <script>const ready = () => { document.querySelector('#go').disabled = false }</script>`,
  hidden: `<button id="go" style="visibility: hidden" onclick="document.title = 'done'">Go</button>
    <script>const ready = () => { document.querySelector('#go').style.visibility = 'visible' }</script>`,
  covered: `<button id="go" onclick="document.title = 'done'">Go</button><div id="over" style="position: fixed; inset: 0"></div>
    <script>const ready = () => document.querySelector('#over').remove()</script>`,
};

const causes = {
  'a fetch of 2 s': "fetch('/slow').then(ready)",
  'a timer of 3 s': 'setTimeout(ready, 3000)',
  'a countdown of 2 s': 'let left = 4; setInterval(() => { if (--left === 0) ready() }, 500)',
  'an event stream': "new EventSource('/events').onmessage = ready",
};

const cases = [
  ['disabled', 'a fetch of 2 s'],
  ['disabled', 'a countdown of 2 s'],
  ['hidden', 'a timer of 3 s'],
  ['covered', 'an event stream'],
] as const;

test.for(cases)(
  '[S3-22, S4-28] an element that is %s until %s is done is clicked, with and without a timeout',
  async ([obstacle, cause], { site, call }) => {
    site.set('/slow', slowly(2000, 'ok'));
    site.set('/events', (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(': open\n\n');
      setTimeout(() => response.write('data: now\n\n'), 1500);
    });
    for (const timeout of [{ timeout: 8000 }, {}]) {
      await open(site, call, `<title>-</title>${obstacles[obstacle]}<script>${causes[cause]}</script>`);
      const answer = await call('browser_click', { selector: '#go', ...timeout });
      expect(answer.page, answer.text).toContain('Page Title: done');
    }
  },
);

test('[S3-27] a field that becomes editable within the timeout is typed into', async ({ site, call }) => {
  site.set('/slow', slowly(2000, 'ok'));
  await open(
    site,
    call,
    `<input id="it" disabled><script>fetch('/slow').then(() => { document.querySelector('#it').disabled = false })</script>`,
  );
  expect((await call('browser_type', { selector: '#it', text: 'x', timeout: 8000 })).isError).toBe(false);
  const value = await call('browser_evaluate', { function: "() => document.querySelector('#it').value" });
  expect(value.section('Result')).toBe('x');
});

test('[S3-22, S4-28] a timeout that is given is waited for in full, and the error names the obstacle', async ({
  site,
  call,
}) => {
  const { text } = await open(site, call, '<button disabled>Go</button>');
  const ref = refOf(text, 'button', 'Go');
  const given = await call('browser_click', { ref, timeout: 1500 });
  expect(given.kind).toBe('ELEMENT_NOT_CLICKABLE');
  expect(given.text).toContain('it is disabled. Waited 1500 ms.');
  const early = await call('browser_click', { ref });
  expect(early.text).toContain('it is disabled.');
  expect(early.text).not.toContain('Waited');
});

test('a navigation waits for the load event no longer than the given timeout', async ({ site, call }) => {
  site.set('/late.png', slowly(3500, '', 'image/png'));
  site.set('/', '<h1>Slow</h1><img src="/late.png">');
  const answer = await call('browser_navigate', { url: site.url('/'), timeout: 700 });
  expect(answer.section('Result')).toContain('The page is still loading.');
});

test.for([
  ['browser_click', { selector: '#off' }, 'it is disabled. Waited 1200 ms.'],
  ['browser_type', { selector: '#field', text: 'x' }, 'it is disabled. Waited 1200 ms.'],
  ['browser_check', { selector: '#box' }, 'it is disabled. Waited 1200 ms.'],
  ['browser_click', { selector: '#late' }, 'No element found'],
  ['get_text', { selector: '#late' }, 'No element found'],
  ['find_element', { selector: '#late' }, 'No element found'],
  ['browser_navigate', { url: '/slow' }, '1200'],
] as const)('[S1-123] %s %j waits as long as session.defaultTimeout says', async ([name, args, error], { site }) => {
  site.set('/slow', slowly(4000, 'ok'));
  site.set(
    '/',
    `<button id="off" disabled>Off</button><input id="field" disabled><input id="box" type="checkbox" disabled>
     <script>setTimeout(() => document.body.insertAdjacentHTML('beforeend', '<p id="late">Late</p>'), 4000)</script>`,
  );
  await using started = await startApp(['--default-timeout=1200', '--toolset=all,design']);
  await using driver = await started.drive();
  await driver.callRaw('browser_navigate', { url: site.url('/') });
  const asked = 'url' in args ? { url: site.url(args.url) } : args;
  const answer = await driver.callRaw(name, asked);
  expect(answer.isError).toBe(true);
  expect(answer.text).toContain(error);
});

test.for([
  ['design', {}],
  ['sessions', { sessionId: 'default' }],
] as const)(
  '[S1-123] navigate of the %s toolset times out after session.defaultTimeout, unless the call has a timeout',
  async ([toolset, where], { site }) => {
    site.set('/slow', slowly(4000, '<title>Slow</title>'));
    await using started = await startApp(['--default-timeout=1500', `--toolset=${toolset}`]);
    await using driver = await started.drive();
    const url = site.url('/slow');
    const late = await driver.callRaw('navigate', { ...where, url });
    expect(late.isError, late.text).toBe(true);
    expect(late.structured).toMatchObject({ error: { code: 'TIMEOUT', details: { timeout: 1500 } } });
    const opened = await driver.callRaw('navigate', { ...where, url, timeout: 8000 });
    expect(opened.isError, opened.text).toBe(false);
    expect(opened.text).toContain('Slow');
  },
);

test('browser_wait_for keeps the action timeout that the operator has configured', async ({ site }) => {
  await using server = await startApp(['--timeout-action=300']);
  await using driver = await server.drive();
  await open(site, driver.call, '<p>Here</p>');
  expect((await driver.call('browser_wait_for', { text: 'Never' })).section('Error')).toContain('300');
});
