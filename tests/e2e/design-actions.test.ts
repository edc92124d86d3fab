import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { data, expect, slowly, testWith } from '../fixtures.ts';
import { open, out, page } from './design.ts';

const test = testWith(['--toolset=design']);

test('[S1-02, S1-03, S1-05, S1-52, R-2] navigate opens a URL and returns URL, status and timing', async ({
  site,
  callRaw,
}) => {
  site.set('/', page);
  const answer = await callRaw('navigate', { url: site.url('/') });
  expect(data(answer)).toEqual({
    url: site.url('/'),
    status: 200,
    title: 'Design',
    loadState: 'load',
    timing: expect.objectContaining({ startTime: expect.any(Number), duration: expect.any(Number) }),
  });
});

test('[S1-02] navigate waits for the load event by default', async ({ site, callRaw }) => {
  site.set('/late.png', slowly(1000, '', 'image/png'));
  await open(
    site,
    callRaw,
    '<title>Parsed</title><img src="/late.png"><script>onload = () => { document.title = "Loaded" }</script>',
  );
  expect(data(await callRaw('evaluate', { script: 'document.title' }))).toEqual({ result: 'Loaded' });
});

const testClosing = testWith(['--toolset=design', '--enable-tool=browser_close']);

testClosing(
  '[S1-05] navigate uses the page of the session, and opens one if there is none',
  async ({ site, callRaw }) => {
    site.set('/', page);
    const { sessionId } = data(await callRaw('create_session', {}));
    const session = async (): Promise<unknown> => {
      const { sessions } = Object(data(await callRaw('list_sessions', {})));
      return sessions.find((each: { readonly sessionId: string }) => each.sessionId === sessionId);
    };
    for (const path of ['/', '/?2']) {
      await callRaw('navigate', { url: site.url(path), sessionId });
      expect(await session()).toMatchObject({ pageCount: 1, currentUrl: site.url(path) });
    }
    await callRaw('browser_close', { sessionId });
    expect(await session()).toMatchObject({ pageCount: 0 });
    expect(data(await callRaw('navigate', { url: site.url('/?3'), sessionId }))).toMatchObject({ status: 200 });
    expect(await session()).toMatchObject({ pageCount: 1, currentUrl: site.url('/?3') });
    await callRaw('close_session', { sessionId });
  },
);

test('[S1-02, S1-96] navigate fails after its time-out', async ({ site, callRaw }) => {
  site.set('/slow', slowly(5000, 'late'));
  const answer = await callRaw('navigate', { url: site.url('/slow'), timeout: 100 });
  expect(answer.structured).toMatchObject({
    errorCode: 'NAVIGATION_FAILED',
    error: {
      code: 'TIMEOUT',
      message: 'Navigation timed out after 100ms',
      details: { url: site.url('/slow'), timeout: 100 },
      retryable: true,
      suggestion: 'Increase timeout or check if the website is responsive.',
    },
  });
});

test('[S1-04, S1-52, S1-93, S1-94] a navigation that fails has its code, message and URL', async ({ callRaw }) => {
  const url = 'http://127.0.0.1:9/';
  const answer = await callRaw('navigate', { url });
  expect(answer).toMatchObject({
    isError: true,
    structured: {
      success: false,
      errorCode: 'NAVIGATION_FAILED',
      error: {
        code: 'NAVIGATION_FAILED',
        message: expect.stringContaining('failed'),
        details: { url, netError: expect.stringMatching(/^net::ERR_/) },
        retryable: false,
        suggestion: expect.stringMatching(/^[A-Z].+\.$/),
      },
    },
  });
});

test('[S1-06, S1-07] go_back and go_forward move through the history', async ({ site, callRaw }) => {
  const url = await open(site, callRaw);
  site.set('/next', '<title>Next</title>');
  await callRaw('navigate', { url: site.url('/next') });
  expect(data(await callRaw('go_back', {}))).toMatchObject({ url, title: 'Design' });
  expect(data(await callRaw('go_forward', {}))).toMatchObject({ url: site.url('/next'), title: 'Next' });
});

test('[S1-08] reload bypasses the cache only with ignoreCache', async ({ site, callRaw }) => {
  site.set('/style.css', (_request, response) => {
    response.setHeader('cache-control', 'max-age=3600').setHeader('content-type', 'text/css').end('p {}');
  });
  await open(site, callRaw, '<title>Cached</title><link rel="stylesheet" href="/style.css"><p>Text</p>');
  const asked = (): number => site.requests.filter(({ path }) => path === '/style.css').length;
  expect(asked()).toBe(1);
  expect(data(await callRaw('reload', {}))).toMatchObject({ title: 'Cached' });
  expect(asked()).toBe(1);
  await callRaw('reload', { ignoreCache: true });
  expect(asked()).toBe(2);
});

/** Navigation does not wait for the load event here, so that wait_for_load has something to wait for. */
const testImpatient = testWith(['--toolset=design', '--timeout-load=1', '--timeout-settle=1']);

/** Reports its progress in the title. */
const steps = `<title>Parsed</title><p>Text</p><img src="/image.png"><script>
  onload = () => { document.title = 'Loaded'; fetch('/data').then(() => { document.title = 'Idle' }) };
</script>`;

testImpatient.for([
  [{ state: 'domcontentloaded' }, 'Parsed', { image: 10_000, data: 0 }],
  [{}, 'Loaded', { image: 1500, data: 10_000 }],
  [{ state: 'load' }, 'Loaded', { image: 1500, data: 10_000 }],
  [{ state: 'networkidle' }, 'Idle', { image: 1500, data: 300 }],
] as const)(
  '[S1-09] wait_for_load with %j returns when the page is %s',
  async ([args, title, ms], { site, callRaw }) => {
    site.set('/image.png', slowly(ms.image, '', 'image/png'));
    site.set('/data', slowly(ms.data, 'x'));
    const url = await open(site, callRaw, steps);
    const state = 'state' in args ? args.state : 'load';
    expect(data(await callRaw('wait_for_load', args))).toEqual({ state, url, title });
  },
);

test('[S1-10] click takes a selector, a button and a count', async ({ site, callRaw }) => {
  const url = await open(site, callRaw);
  expect(data(await callRaw('click', { selector: '#go' }))).toMatchObject({ selector: '#go', url, title: 'Design' });
  expect(await out(callRaw)).toEqual({ text: 'clicked 1' });
  await callRaw('click', { selector: '#go', clickCount: 2 });
  expect(await out(callRaw)).toEqual({ text: 'clicked 2' });
  await callRaw('click', { selector: '#go', clickCount: 3 });
  expect(await out(callRaw)).toEqual({ text: 'clicked 3' });
  await callRaw('click', { selector: '#menu', button: 'right' });
  expect(await out(callRaw)).toEqual({ text: 'menu' });
  await callRaw('evaluate', {
    script: `() => { menu.onauxclick = ({ button }) => { out.value = 'button ' + button } }`,
  });
  await callRaw('click', { selector: '#menu', button: 'middle' });
  expect(await out(callRaw)).toEqual({ text: 'button 1' });
});

test('[S1-11, S1-12] type and fill enter text, key by key with a delay', async ({ site, callRaw }) => {
  await open(site, callRaw);
  const value = async (): Promise<unknown> => data(await callRaw('get_value', { selector: '#name' }));
  await callRaw('fill', { selector: '#name', value: 'Grace' });
  expect([await value(), await out(callRaw)]).toEqual([{ value: 'Grace' }, { text: '' }]);
  await callRaw('type', { selector: '#name', text: 'Alan' });
  expect([await value(), await out(callRaw)]).toEqual([{ value: 'Alan' }, { text: '' }]);
  expect(data(await callRaw('type', { selector: '#name', text: 'Edsger', delay: 1 }))).toMatchObject({
    selector: '#name',
  });
  expect([await value(), await out(callRaw)]).toEqual([{ value: 'Edsger' }, { text: 'keys' }]);
});

test('[S1-11] the delay of type lies between its keys', async ({ site, callRaw }) => {
  await open(
    site,
    callRaw,
    '<input id="x"><script>times = []; x.onkeydown = ({ key, timeStamp }) => key.length === 1 && times.push(timeStamp)</script>',
  );
  await callRaw('type', { selector: '#x', text: 'abcd', delay: 120 });
  const { result } = data(await callRaw('evaluate', { script: 'times.length === 4 && times[3] - times[0]' }));
  expect(Number(result)).toBeGreaterThanOrEqual(3 * 120 - 20);
});

test('[S1-12] fill replaces the content of every kind of text field', async ({ site, callRaw }) => {
  await open(
    site,
    callRaw,
    '<input id="a" value="old"><textarea id="b">old</textarea><p id="c" contenteditable>old</p><input id="d" type="number" value="1">',
  );
  for (const [selector, value] of [
    ['#a', 'new'],
    ['#b', 'two\nlines'],
    ['#c', 'new'],
    ['#d', '42'],
  ] as const)
    await callRaw('fill', { selector, value });
  expect(data(await callRaw('evaluate', { script: '[a.value, b.value, c.textContent, d.value]' }))).toEqual({
    result: ['new', 'two\nlines', 'new', '42'],
  });
});

test('[S1-13, S1-14, S1-15] select, check and uncheck', async ({ site, callRaw }) => {
  await open(site, callRaw);
  await callRaw('select', { selector: '#list', value: '2' });
  expect(data(await callRaw('get_value', { selector: '#list' }))).toEqual({ value: '2' });
  await callRaw('select', { selector: '#list', value: 'One' });
  expect(data(await callRaw('get_value', { selector: '#list' }))).toEqual({ value: '1' });
  await callRaw('select', { selector: '#many', values: ['b'] });
  expect(data(await callRaw('get_value', { selector: '#many' }))).toEqual({ value: 'b', values: ['b'] });
  await callRaw('check', { selector: '#box' });
  expect(data(await callRaw('get_value', { selector: '#box' }))).toEqual({ value: 'on', checked: true });
  await callRaw('uncheck', { selector: '#box' });
  expect(data(await callRaw('get_value', { selector: '#box' }))).toEqual({ value: 'on', checked: false });
});

test('[S1-16, S1-20] hover, and press with modifiers', async ({ site, callRaw }) => {
  await open(site, callRaw);
  await callRaw('hover', { selector: '#over' });
  expect(await out(callRaw)).toEqual({ text: 'over' });
  await callRaw('click', { selector: '#name' });
  await callRaw('press', { key: 'a', modifiers: ['Control'] });
  await callRaw('press', { key: 'Backspace' });
  expect(data(await callRaw('get_value', { selector: '#name' }))).toEqual({ value: '' });
});

test('[S1-17] scroll moves the page and returns its position', async ({ site, callRaw }) => {
  await open(site, callRaw, '<div style="height: 5000px; width: 5000px">Tall</div>');
  expect(data(await callRaw('scroll', { y: 300 }))).toEqual({ moved: true, x: 0, y: 300 });
  expect(data(await callRaw('scroll', { x: 200, y: -100 }))).toEqual({ moved: true, x: 200, y: 200 });
  expect(data(await callRaw('evaluate', { script: '[scrollX, scrollY]' }))).toEqual({ result: [200, 200] });
});

test('[S1-18] drag_and_drop onto a missing element is ELEMENT_NOT_FOUND, and drags nothing', async ({
  site,
  callRaw,
}) => {
  await open(
    site,
    callRaw,
    `<div id="from" draggable="true" ondragstart="out.value = 'dragged'">From</div><output id="out">no</output>`,
  );
  for (const ends of [
    { source: '#from', target: '#none' },
    { source: '#none', target: '#from' },
  ]) {
    const answer = await callRaw('drag_and_drop', { ...ends, timeout: 1000 });
    expect(answer.structured).toMatchObject({ error: { code: 'ELEMENT_NOT_FOUND' } });
    expect(answer.text).toContain('#none');
  }
  expect(data(await callRaw('get_text', { selector: '#out' }))).toEqual({ text: 'no' });
});

test('[S1-15] uncheck on a radio button is an error that says how to unselect it', async ({ site, callRaw }) => {
  await open(site, callRaw, '<input id="r" type="radio" checked>');
  const answer = await callRaw('uncheck', { selector: '#r' });
  expect(answer.structured).toMatchObject({ error: { code: 'ELEMENT_NOT_INTERACTIVE' } });
  expect(answer.text).toContain('by selecting another one of its group');
  expect(data(await callRaw('get_value', { selector: '#r' }))).toMatchObject({ checked: true });
});

test('[S1-18, R-3] drag_and_drop takes source and target', async ({ site, callRaw }) => {
  await open(
    site,
    callRaw,
    `<div id="from" draggable="true">From</div><div id="to" style="height: 50px" ondragover="event.preventDefault()"
     ondrop="this.textContent = 'dropped'">To</div>`,
  );
  await callRaw('drag_and_drop', { source: '#from', target: '#to' });
  expect(data(await callRaw('get_text', { selector: '#to' }))).toEqual({ text: 'dropped' });
  const { structured } = await callRaw('drag_and_drop', { source: '#from' });
  expect(structured).toMatchObject({
    message: 'Missing argument "target". Accepted arguments: source, target.',
  });
});

test('[S1-19] upload_file without files clears the input', async ({ site, server, callRaw }) => {
  await writeFile(join(server.folder, 'a.txt'), 'a');
  await open(
    site,
    callRaw,
    '<input id="f" type="file" onchange="out.value = this.files.length"><output id="out"></output>',
  );
  await callRaw('upload_file', { selector: '#f', files: ['a.txt'] });
  expect(data(await callRaw('get_text', { selector: '#out' }))).toEqual({ text: '1' });
  expect((await callRaw('upload_file', { selector: '#f', files: [] })).isError).toBe(false);
  expect(data(await callRaw('get_text', { selector: '#out' }))).toEqual({ text: '0' });
});

test('[S1-19] upload_file sets the files of an input', async ({ site, server, callRaw }) => {
  await open(
    site,
    callRaw,
    `<input type="file" id="other"><input type="file" id="f" multiple onchange="out.value = [...this.files].map((file) => file.name)"><output id="out"></output>`,
  );
  await writeFile(join(server.folder, 'a.txt'), 'a');
  await writeFile(join(server.folder, 'b.txt'), 'second');
  const files = ['a.txt', join(server.folder, 'b.txt')];
  expect((await callRaw('upload_file', { selector: '#f', files })).isError).toBe(false);
  expect(data(await callRaw('get_text', { selector: '#out' }))).toEqual({ text: 'a.txt,b.txt' });
  expect(data(await callRaw('evaluate', { script: 'f.files[1].text()' }))).toEqual({ result: 'second' });
});

test.for([
  [undefined, '<p id="x">now</p>', 'visible'],
  ['visible', '<p id="x" hidden>late</p><script>setTimeout(() => { x.hidden = false }, 50)</script>', 'visible'],
  ['hidden', '<p id="x">soon</p><script>setTimeout(() => { x.hidden = true }, 50)</script>', 'hidden'],
  ['attached', '<p id="x" hidden>there</p>', 'attached'],
  ['detached', '<p id="x">soon</p><script>setTimeout(() => x.remove(), 50)</script>', 'detached'],
] as const)('[S1-49] wait_for_selector waits for %s', async ([state, html, reached], { site, callRaw }) => {
  await open(site, callRaw, html);
  expect(data(await callRaw('wait_for_selector', { selector: '#x', state, timeout: 10_000 }))).toEqual({
    state: reached,
  });
});

test.for([
  ['visible', '#gone'],
  ['hidden', '#go'],
  ['detached', '#go'],
] as const)('[S1-49] a wait for %s that is not reached is a time-out', async ([state, selector], { site, callRaw }) => {
  await open(site, callRaw);
  const answer = await callRaw('wait_for_selector', { selector, state, timeout: 50 });
  expect(answer.structured).toMatchObject({ error: { code: 'TIMEOUT' } });
});

test('[S1-49] a wait for an element that is not attached is ELEMENT_NOT_FOUND', async ({ site, callRaw }) => {
  await open(site, callRaw);
  for (const state of ['attached', 'visible', undefined]) {
    const answer = await callRaw('wait_for_selector', { selector: '#never', state, timeout: 50 });
    expect(answer.structured, state).toMatchObject({ error: { code: 'ELEMENT_NOT_FOUND' } });
  }
});

test('[S1-49, S1-89, S1-99] a wait that times out says so', async ({ site, callRaw }) => {
  await open(site, callRaw);
  expect((await callRaw('wait_for_selector', { selector: '#gone', timeout: 50 })).structured).toMatchObject({
    error: {
      code: 'TIMEOUT',
      message: 'Waiting until #gone is visible did not finish within 50ms.',
      retryable: true,
      suggestion: 'Increase the timeout parameter or check if the page is loading slowly.',
    },
  });
});

test('[S1-82, S1-83, S1-84, S1-85, S1-86, S1-87, R-28] each caller error has its code', async ({ site, callRaw }) => {
  await open(site, callRaw);
  const code = async (name: string, args: object): Promise<unknown> =>
    Object((await callRaw(name, args)).structured?.['error']).code;
  expect(await code('click', { selector: '##' })).toBe('INVALID_SELECTOR');
  expect(await code('get_text', { selector: '//[' })).toBe('INVALID_SELECTOR');
  expect(await code('navigate', { url: 'http://' })).toBe('INVALID_URL');
  expect(await code('navigate', {})).toBe('MISSING_PARAMETER');
  expect(await code('get_text', {})).toBe('MISSING_PARAMETER');
  expect(await code('get_text', { selector: 'h1', sessionId: 'nobody' })).toBe('SESSION_NOT_FOUND');
  expect(await code('get_text', { selector: '#none', timeout: 50 })).toBe('ELEMENT_NOT_FOUND');
  expect(await code('click', { selector: '#none', timeout: 50 })).toBe('ELEMENT_NOT_FOUND');
  expect(await code('click', { selector: '#off', timeout: 300 })).toBe('ELEMENT_NOT_INTERACTIVE');
});

test('a dialog that no offered tool can answer is dismissed and noted', async ({ site, callRaw }) => {
  await open(site, callRaw, `<button onclick="document.title = confirm('Sure?')">Ask</button>`);
  expect(data(await callRaw('click', { selector: 'button' }))).toMatchObject({
    title: 'false',
    notes: expect.arrayContaining(['Dismissed a confirm dialog with the message "Sure?"']),
  });
});

test('[S1-94] error texts have the code and the suggestion of the vocabulary', async ({ site, callRaw }) => {
  await open(site, callRaw);
  for (const [name, args] of [
    ['click', { selector: '#none', timeout: 50 }],
    ['type', { selector: '#none', text: 'x', timeout: 50 }],
    ['fill', { selector: '#none', value: 'x', timeout: 50 }],
    ['screenshot_element', { selector: '#none', timeout: 50 }],
    ['hover', { selector: '#none', timeout: 50 }],
    ['get_text', { selector: '#none', timeout: 50 }],
  ] as const) {
    expect((await callRaw(name, args)).text, name).toBe(
      '### Error\n[ELEMENT_NOT_FOUND] No element found matching selector "#none"\nVerify the selector using browser devtools. ' +
        'The element may be loaded dynamically - try using wait_for_selector first.',
    );
  }
  expect((await callRaw('click', { selector: '#off', timeout: 50 })).section('Error')).toMatch(
    /^\[ELEMENT_NOT_INTERACTIVE\] #off/,
  );
});

test.for([
  ['navigate', { urll: 'about:blank' }, 'Unknown argument "urll": did you mean "url"?'],
  ['click', { slector: '#go' }, 'Unknown argument "slector": did you mean "selector"?'],
  ['reload', { ignorecache: true }, 'Unknown argument "ignorecache": did you mean "ignoreCache"?'],
  ['drag_and_drop', { sorce: '#a', target: '#b' }, 'Unknown argument "sorce": did you mean "source"?'],
] as const)('[S1-84, R-33] %s with %j names the nearest argument', async ([name, args, sentence], { callRaw }) => {
  expect((await callRaw(name, args)).section('Error')).toContain(sentence);
});

test.for([
  ['navigate', { url: 'about:blank', timeout: -1 }, 'url, waitUntil, timeout'],
  ['reload', { ignoreCache: 7 }, 'ignoreCache'],
  ['click', { selector: '#go', button: 'both' }, 'selector, button, clickCount'],
  ['evaluate', { script: 7, args: 'x', timeout: -1 }, 'script, args, timeout'],
  ['drag_and_drop', { source: {}, target: '#b' }, 'source, target'],
] as const)('[S1-84, R-33] %s with %j lists its own arguments', async ([name, args, list], { callRaw }) => {
  const answer = await callRaw(name, args);
  expect(answer.section('Error')).toContain(`Accepted arguments: ${list}.`);
  expect(answer.section('Error')).not.toMatch(/"(?:function|ref|startRef)"/);
});
