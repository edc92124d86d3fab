import { expect, open, refOf, test } from '../fixtures.ts';

const words = (name: string, count = 150): string =>
  Array.from({ length: count }, (_, index) => `${name}${index}`).join(' ');

const page = `<p id="text">${words('text')}</p><label>Notes <textarea>${words('note')}</textarea></label>
  <button>${words('name')}</button>`;

test('a page shows the beginning of a long text, and its element shows the whole', async ({ site, call }) => {
  const { text } = await open(site, call, page);
  expect(text).not.toContain('text100');
  const paragraph = await call('browser_snapshot', { target: '#text' });
  expect(paragraph.section('Snapshot')).toContain(`paragraph: ${words('text')}\n`);
  const area = await call('browser_snapshot', { ref: refOf(text, 'textbox', 'Notes') });
  expect(area.section('Snapshot')).toContain(`: ${words('note')}\n`);
});

test('a part with several lines does not show long texts in full', async ({ site, call }) => {
  await open(site, call, `<main>${page}</main>`);
  expect((await call('browser_snapshot', { target: 'main' })).text).not.toContain('text100');
});

test('a whole text keeps to the token limit', async ({ site, call }) => {
  await open(site, call, `<p id="text">${words('text', 5000)}</p>`);
  const answer = await call('browser_snapshot', { target: '#text', maxTokens: 1000 });
  expect(answer.text.length).toBeLessThan(4000);
  expect(answer.section('Snapshot')).toContain('text250 ');
});

test('a search finds a word anywhere in a long text, name or value, and shows the words around it', async ({
  site,
  call,
}) => {
  await open(site, call, page);
  for (const word of ['text', 'note', 'name']) {
    const answer = await call('browser_find', { text: `${word}120` });
    expect(answer.section('Result')).toContain(`1 line contains "${word}120".`);
    expect(answer.section('Snapshot')).toContain(`${word}119 ${word}120 ${word}121`);
    expect(answer.text.length).toBeLessThan(1100);
  }
  const same = await call('browser_snapshot', { search: 'TEXT149' });
  expect(same.section('Snapshot')).toContain('text148 text149 (');
});

test('a search for a word at the beginning of a long text shows the beginning', async ({ site, call }) => {
  await open(site, call, page);
  const answer = await call('browser_find', { text: 'text3 ' });
  expect(answer.section('Snapshot')).toContain('- paragraph: text0 text1');
});
