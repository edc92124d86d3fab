import { evaluate, expect, open, refOf, test } from '../fixtures.ts';
import type { Call } from '../fixtures.ts';

/** A page that records every event. */
const recorder = `<title>Recorder</title><button>Press</button><pre id="log"></pre><script>
  for (const type of ['click', 'dblclick', 'contextmenu', 'auxclick', 'mousedown']) addEventListener(type, (event) => {
    const keys = ['ctrlKey', 'shiftKey', 'altKey', 'metaKey'].filter((key) => event[key]).join('+');
    log.textContent += event.type + event.button + keys + ' ';
  });
</script>`;

async function recorded(call: Call): Promise<string | undefined> {
  return evaluate(call, 'log.textContent.trim()');
}

test('[S2-07, S2-09, R-9] a click on a ref clicks that element', async ({ site, call }) => {
  const page = await open(
    site,
    call,
    '<button>Sign in</button><button onclick="document.title = \'right\'">Sign in now</button>',
  );
  const ref = refOf(page.text, 'button', 'Sign in now');
  const answer = await call('browser_click', { ref, element: 'Sign In button' });
  expect(answer.section('Result')).toBe('Successfully clicked element: Sign In button\nNo text or control changed.');
  expect(answer.page).toBe(`- Page URL: ${site.url('/')}\n- Page Title: right`);
  expect(answer.section('Ran Playwright code')).toBe(
    "```js\nawait page.getByRole('button', { name: 'Sign in now' }).click();\n```",
  );
  expect(answer.structured).toBeUndefined();
});

test('[R-3] an element is found by ref, target or selector', async ({ site, call }) => {
  site.set('/', '<button id="b">Go</button>');
  const ref = refOf((await call('browser_navigate', { url: site.url('/') })).text, 'button', 'Go');
  for (const target of [{ ref }, { target: ref }, { ref: '#b' }, { target: '#b' }, { selector: '#b' }]) {
    expect((await call('browser_click', target)).isError, JSON.stringify(target)).toBe(false);
  }
});

test('[R-3] a selector of every type finds its element', async ({ site, call }) => {
  await open(
    site,
    call,
    `<button data-testid="go">Go on</button><label>Mail <input placeholder="you@site"></label>
     <script>onclick = (event) => { document.title = event.target.tagName }</script>`,
  );
  for (const [args, tag] of [
    [{ selector: 'button', selectorType: 'css' }, 'BUTTON'],
    [{ selector: 'Go on', selectorType: 'text' }, 'BUTTON'],
    [{ selector: 'button', selectorType: 'role', options: { name: 'Go on' } }, 'BUTTON'],
    [{ selector: 'go', selectorType: 'testId' }, 'BUTTON'],
    [{ selector: 'Mail', selectorType: 'label' }, 'INPUT'],
    [{ selector: 'you@site', selectorType: 'placeholder' }, 'INPUT'],
    [{ selector: '//button', selectorType: 'xpath' }, 'BUTTON'],
  ] as const) {
    await call('browser_evaluate', { function: '() => { document.title = "" }' });
    const answer = await call('browser_click', args);
    expect(answer.page, args.selectorType).toBe(`- Page URL: ${site.url('/')}\n- Page Title: ${tag}`);
    expect(answer.section('Result'), args.selectorType).toContain(`Successfully clicked element: ${args.selector}`);
  }
});

test('[R-3, R-33] no target, or two targets, is an error that lists the accepted keys', async ({ call }) => {
  const twice = await call('browser_click', { ref: 'e1', target: 'button' });
  expect(twice.text).toBe(
    '### Error\n[INVALID_ARGUMENT] Give the element once, not as ref and target. ' +
      'Accepted arguments: ref, target or selector.\nCorrect the arguments and call again.',
  );
  const none = await call('browser_click', {});
  expect(none.text).toBe(
    '### Error\n[MISSING_PARAMETER] Missing argument "ref": a ref from a snapshot, or a selector. ' +
      'Also accepted: target, selector.\nCorrect the arguments and call again.',
  );
});

test('[S2-13, S2-14] a right click triggers the context menu', async ({ site, call }) => {
  await open(site, call, recorder);
  const answer = await call('browser_click', { selector: 'button', button: 'right' });
  expect(answer.section('Ran Playwright code')).toBe(
    "```js\nawait page.locator('button').click({ button: 'right' });\n```",
  );
  expect(await recorded(call)).toBe('mousedown2 contextmenu2 auxclick2');
});

test('[S2-15] a middle click fires auxclick', async ({ site, call }) => {
  await open(site, call, recorder);
  await call('browser_click', { selector: 'button', button: 'middle' });
  expect(await recorded(call)).toBe('mousedown1 auxclick1');
});

test('[S2-16] modifiers are held during the click', async ({ site, call }) => {
  await open(site, call, recorder);
  await call('browser_click', { selector: 'button', modifiers: ['Control', 'Shift'] });
  expect(await recorded(call)).toBe('mousedown0ctrlKey+shiftKey click0ctrlKey+shiftKey');
});

test('[S2-18] a double click fires dblclick and waits for its effects', async ({ site, call }) => {
  site.set('/', recorder.replace('<button>', '<button ondblclick="location = \'/next\'">'));
  site.set('/next', '<title>Next</title><p>Text</p>');
  await call('browser_navigate', { url: site.url('/') });
  const answer = await call('browser_click', { selector: 'button', doubleClick: true });
  expect(answer.section('Result')).toBe('Successfully clicked element: button');
  expect(answer.page).toBe(`- Page URL: ${site.url('/next')}\n- Page Title: Next`);
  expect(answer.section('Ran Playwright code')).toBe("```js\nawait page.locator('button').dblclick();\n```");
});

test('[R-34] clickCount and the options object of other servers work', async ({ site, call }) => {
  await open(site, call, recorder);
  await call('browser_click', { selector: 'button', options: { button: 'right' } });
  await call('browser_click', { selector: 'button', options: { clickCount: 2 } });
  await call('browser_click', { selector: 'button', clickCount: 2 });
  expect((await recorded(call))?.match(/contextmenu2|dblclick0/g)).toEqual(['contextmenu2', 'dblclick0', 'dblclick0']);
});

test.for([
  [{ clickCount: 1e9 }, 'Argument "clickCount" must be a whole number from 1 to 100, not 1000000000.'],
  [{ clickCount: 1.5 }, 'Argument "clickCount" must be a whole number from 1 to 100, not 1.5.'],
  [{ timeout: -1 }, 'Argument "timeout" must be from 0 to 86400000, not -1.'],
  [{ timeout: 1e12 }, 'Argument "timeout" must be from 0 to 86400000, not 1000000000000.'],
  [{ options: { clickCount: -1 } }, 'Argument "options.clickCount" must be a whole number from 1 to 100, not -1.'],
  [{ options: { button: 'lef' } }, 'Argument "options.button" must be one of left, right, middle, not "lef".'],
  [{ options: { timeout: 'long' } }, 'Argument "options.timeout" must be a number, not the string "long".'],
] as const)('[R-33] a click with %j is rejected', async ([how, problem], { site, callRaw }) => {
  site.set('/', recorder);
  await callRaw('browser_navigate', { url: site.url('/') });
  const answer = await callRaw('browser_click', { ref: 'button', ...how });
  expect(answer.kind).toBe('INVALID_ARGUMENT');
  expect(answer.text).toContain(problem);
});

test('[R-10] a click on a covered element names the covering element', async ({ site, call }) => {
  await open(site, call, '<button>Under</button><div id="veil" style="position: fixed; inset: 0">Veil</div>');
  const answer = await call('browser_click', { target: 'button' });
  expect(answer.section('Error')?.replace(/ref=e\d+/, 'ref')).toBe(
    '[ELEMENT_NOT_CLICKABLE] button could not be acted on: it is covered by generic "Veil" [ref].\n' +
      'Remove the obstacle (close the dialog or banner, enable or reveal the element), then call again.',
  );
  expect(answer.structured).toMatchObject({
    errorCode: 'ELEMENT_NOT_CLICKABLE',
    error: { code: 'ELEMENT_NOT_INTERACTIVE', retryable: false },
  });
});

test('[R-10] a click on a disabled or hidden element says so', async ({ site, call }) => {
  await open(site, call, '<button disabled>Off</button><a style="display: none">Hidden</a>');
  const disabled = await call('browser_click', { target: 'button', timeout: 500 });
  expect(disabled.structured).toMatchObject({
    message: expect.stringMatching(/^button could not be acted on: it is disabled\. Waited 500 ms\.$/),
  });
  const hidden = await call('browser_click', { target: 'a', timeout: 500 });
  expect(hidden.structured).toMatchObject({
    message: expect.stringMatching(/^a could not be acted on: it is not visible\. Waited 500 ms\.$/),
  });
});

test('[S1-98, S1-100, R-28] a selector without a match is ELEMENT_NOT_FOUND, one that cannot be parsed INVALID_SELECTOR', async ({
  site,
  call,
}) => {
  await open(site, call, '<button>Go</button>');
  const missing = await call('browser_click', { target: '#submit-button', timeout: 300 });
  expect(missing.text).toBe(
    '### Error\n[ELEMENT_NOT_FOUND] No element found matching selector "#submit-button"\n' +
      'Verify the selector using browser devtools. The element may be loaded dynamically - try using browser_wait_for first.',
  );
  const broken = await call('browser_click', { target: 'other:c0p0f1e1' });
  expect(broken.kind).toBe('INVALID_SELECTOR');
  expect(broken.text).not.toMatch(/<anonymous>|Call log/);
  expect(broken.section('Error')?.split('\n').at(-1)).toBe(
    'Check selector syntax. CSS selectors should not start with //, XPath should start with //',
  );
  expect(broken.structured).toMatchObject({ errorCode: 'INVALID_SELECTOR', error: { code: 'INVALID_SELECTOR' } });
});

test('[R-28] a selector with many matches says how many', async ({ site, call }) => {
  await open(site, call, '<button>One</button><button>Two</button>');
  const answer = await call('browser_click', { target: 'button' });
  expect(answer.text).toBe(
    '### Error\n[AMBIGUOUS_SELECTOR] The selector "button" matches 2 elements. Visible:\n- button "One" [ref=e1]\n- button "Two" [ref=e2]\n' +
      'Use a ref from browser_snapshot, or narrow the selector until one element matches.',
  );
});

test('[S2-119] an unknown ref is an element-not-found error', async ({ site, call }) => {
  await open(site, call, '<button>Go</button>');
  const answer = await call('browser_click', { ref: 'e99999999' });
  expect(answer.text).toBe(
    '### Error\n[REF_NOT_FOUND] The element was not found: no snapshot of this page has shown a ref "e99999999".\n' +
      'Take a new browser_snapshot and use a ref from it.',
  );
  expect(answer.structured).toMatchObject({ errorCode: 'ELEMENT_NOT_FOUND', error: { code: 'ELEMENT_NOT_FOUND' } });
});

test('[S2-120] a ref of a removed element is an error that it may no longer exist', async ({ site, call }) => {
  site.set('/', '<button>Go</button>');
  const ref = refOf((await call('browser_navigate', { url: site.url('/') })).text, 'button', 'Go');
  await call('browser_evaluate', { function: '() => document.querySelector("button").remove()' });
  const answer = await call('browser_click', { ref });
  expect(answer.section('Error')).toBe(
    `[STALE_REF] The element of ref "${ref}" (button "Go") may no longer exist: the page has changed since it was shown.\n` +
      'Take a new browser_snapshot and use a ref from it.',
  );
  expect(answer.structured).toMatchObject({ errorCode: 'ELEMENT_NOT_FOUND', error: { code: 'ELEMENT_NOT_FOUND' } });
});

test('[S2-120] a ref of the previous page never resolves to an element of the new one', async ({ site, call }) => {
  site.set('/', '<button>Go</button>');
  site.set('/other', '<button onclick="document.title = \'wrong\'">Other</button>');
  const ref = refOf((await call('browser_navigate', { url: site.url('/') })).text, 'button', 'Go');
  await call('browser_evaluate', { function: '() => { location = "/other" }' });
  const answer = await call('browser_click', { ref });
  expect(['STALE_REF', 'REF_NOT_FOUND']).toContain(answer.kind);
  expect(await evaluate(call, 'document.title')).toBe('');
});
