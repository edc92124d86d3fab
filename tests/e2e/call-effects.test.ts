import { expect, open, refOf, test } from '../fixtures.ts';
import type { CallRaw } from '../fixtures.ts';

/** What an answer says about its effect; an error says it in its structured content too. */
async function effectOf(call: CallRaw, name: string, args: Readonly<Record<string, unknown>>): Promise<unknown> {
  const { meta, structured, isError } = await call(name, args);
  if (isError) expect(structured?.['effect']).toBe(meta['pagehelm/effect']);
  return meta['pagehelm/effect'];
}

const page = `<title>Home</title><button>Go</button><input aria-label="Name"><button disabled>Off</button>`;

test('an action that succeeds says that it had an effect', async ({ site, call, callRaw }) => {
  const shown = await open(site, call, page);
  const ref = refOf(shown.text, 'button', 'Go');
  expect(await effectOf(callRaw, 'browser_click', { ref })).toBe('done');
  expect(await effectOf(callRaw, 'browser_navigate', { url: site.url('/') })).toBe('done');
  expect(await effectOf(callRaw, 'browser_evaluate', { function: '() => 1' })).toBe('done');
});

test('a read says nothing about effects', async ({ site, call, callRaw }) => {
  await open(site, call, page);
  expect(await effectOf(callRaw, 'browser_snapshot', {})).toBeUndefined();
  expect(await effectOf(callRaw, 'browser_wait_for', { text: 'Never', timeout: 100 })).toBeUndefined();
});

test.for([
  ['a wrong argument', 'browser_click', { nothing: 1 }],
  ['a ref that does not exist', 'browser_click', { ref: 'e999' }],
  ['a selector without a match', 'browser_click', { selector: '#none', timeout: 200 }],
  ['a disabled button', 'browser_click', { selector: 'button[disabled]', timeout: 200 }],
  ['a URL that may not be opened', 'browser_navigate', { url: 'file:///etc/passwd' }],
  ['an unknown tab', 'browser_tabs', { action: 'select', index: 9 }],
] as const)('%s has no effect', async ([, name, args], { site, call, callRaw }) => {
  await open(site, call, page);
  expect(await effectOf(callRaw, name, args)).toBe('none');
});

test('a script that throws, and one that takes too long, may have had an effect', async ({ site, call }) => {
  await open(site, call, page);
  const thrown = await call('browser_evaluate', {
    function: '() => { document.title = "Half"; throw new Error("no") }',
  });
  expect(thrown.structured).toMatchObject({ effect: 'unknown', error: { kind: 'EVALUATION_FAILED' } });
  const late = await call('browser_evaluate', { function: '() => new Promise(() => {})', timeout: 200 });
  expect(late.structured).toMatchObject({ effect: 'unknown', error: { kind: 'TIMEOUT' } });
  expect(late.section('Error')).toContain('The call may have had an effect: look at the page before you repeat it.');
});

test('a call that is refused because of a dialog has no effect', async ({ site, call, callRaw }) => {
  await open(site, call, '<button onclick="alert(1)">Go</button>');
  await call('browser_click', { selector: 'button' });
  expect(await effectOf(callRaw, 'browser_click', { selector: 'button' })).toBe('none');
});
