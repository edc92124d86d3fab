import { expect, open, refOf, testWith } from '../fixtures.ts';

const test = testWith(['--toolset=all']);
const boxes = `<title>Boxes</title><label><input type="checkbox" id="box"> Terms</label>
<label><input type="radio" name="plan" checked> Basic</label><label><input type="radio" name="plan" id="pro"> Pro</label>
<label><input type="checkbox" id="off" disabled> Later</label>`;

const state = '() => [box.checked, pro.checked].join()';

test('checking and unchecking a checkbox is idempotent', async ({ site, call }) => {
  site.set('/', boxes);
  const ref = refOf((await call('browser_navigate', { url: site.url('/') })).text, 'checkbox', 'Terms');
  for (const [name, said, is] of [
    ['browser_check', 'Checked Terms.', 'true,false'],
    ['browser_check', 'Checked Terms.', 'true,false'],
    ['browser_uncheck', 'Unchecked Terms.', 'false,false'],
    ['browser_uncheck', 'Unchecked Terms.', 'false,false'],
  ] as const) {
    expect((await call(name, { ref, element: 'Terms' })).section('Result')?.split('\n')[0]).toBe(said);
    expect((await call('browser_evaluate', { function: state })).section('Result')).toBe(is);
  }
});

test('a radio button is checked by selector', async ({ site, call }) => {
  await open(site, call, boxes);
  expect((await call('browser_check', { selector: 'Pro', selectorType: 'label' })).isError).toBe(false);
  expect((await call('browser_evaluate', { function: state })).section('Result')).toBe('false,true');
});

test('checking a disabled checkbox is an error that says so', async ({ site, call }) => {
  await open(site, call, boxes);
  const answer = await call('browser_check', { selector: '#off' });
  expect(answer.kind).toBe('ELEMENT_NOT_CLICKABLE');
  expect(answer.section('Error')).toContain('disabled');
});

test('checking an element that is not a checkbox is an error', async ({ site, call }) => {
  await open(site, call, '<p>Text</p>');
  const answer = await call('browser_check', { selector: 'p' });
  expect(answer.structured).toMatchObject({ errorCode: 'ELEMENT_NOT_CLICKABLE' });
  expect(answer.section('Error')).toBe(
    '[WRONG_ELEMENT] p could not be acted on: it is neither a checkbox nor a radio button.\n' +
      'Choose another element from browser_snapshot, or use browser_click on this one.',
  );
});

const drawn = `<div onclick="box.checked = !box.checked"><input type="checkbox" role="switch" aria-label="Power" id="box" style="position: absolute; width: 0; height: 0; margin: 0"><span style="display: inline-block; width: 40px; height: 20px; cursor: pointer"></span></div>`;

test('a hidden unlabeled checkbox is checked through the switch drawn next to it', async ({ site, call }) => {
  await open(site, call, drawn);
  for (const [name, is] of [
    ['browser_check', 'true'],
    ['browser_check', 'true'],
    ['browser_uncheck', 'false'],
  ] as const) {
    expect((await call(name, { selector: '#box' })).isError).toBe(false);
    expect((await call('browser_evaluate', { function: '() => box.checked' })).section('Result')).toBe(is);
  }
});
