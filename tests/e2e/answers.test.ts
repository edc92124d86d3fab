import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, open, refOf, test, testWith } from '../fixtures.ts';
import type { Answer } from '../fixtures.ts';

/** Static content, so that a change is smaller than the page. */
const rest = `<main>${Array.from({ length: 20 }, (_, index) => `<p>Paragraph ${index} of many</p>`).join('')}</main>`;
const linesOf = (answer: Answer): readonly string[] => answer.section('Snapshot')?.split('\n').slice(1, -1) ?? [];

test('URL and title are reported when they change, and in every snapshot of the whole page', async ({ site, call }) => {
  site.set('/b', '<title>B</title><p>B</p>');
  const page = `<title>A</title><button>Go</button><button onclick="document.title = 'C'">Name</button><a href="/b">B</a>${rest}`;
  const opened = await open(site, call, page);
  expect(opened.section('Result')).toBe(`Successfully navigated to ${site.url('/')}\nTitle: A`);
  expect(opened.section('Page')).toBeUndefined();
  expect((await call('browser_click', { selector: 'text=Go' })).section('Page')).toBeUndefined();
  const renamed = await call('browser_click', { selector: 'text=Name' });
  expect(renamed.section('Page')).toBe(`- Page URL: ${site.url('/')}\n- Page Title: C`);
  expect((await call('browser_snapshot')).section('Page')).toBe(`- Page URL: ${site.url('/')}\n- Page Title: C`);
  const next = await call('browser_click', { selector: 'a' });
  expect(next.section('Page')).toBe(`- Page URL: ${site.url('/b')}\n- Page Title: B`);
  const back = await call('browser_navigate_back');
  expect(back.section('Page')).toContain(`- Page URL: ${site.url('/')}`);
});

test('another tab is reported as another page', async ({ site, call }) => {
  site.set('/b', '<title>B</title><button>Go</button>');
  await open(site, call, `<title>A</title><button>Go</button>${rest}`);
  await call('browser_tabs', { action: 'new', url: site.url('/b') });
  const again = await call('browser_tabs', { action: 'select', index: 0 });
  expect(again.page).toContain(`- Page URL: ${site.url('/')}\n- Page Title: A`);
  expect((await call('browser_click', { selector: 'button' })).section('Page')).toBeUndefined();
});

test('console counts are reported when they change', async ({ site, call }) => {
  await open(site, call, `<title>A</title><button onclick="console.error('x')">Err</button><i>Go</i>${rest}`);
  expect((await call('browser_click', { selector: 'button' })).section('Page')).toBe('- Console: 1 errors, 0 warnings');
  expect((await call('browser_click', { selector: 'i' })).section('Page')).toBeUndefined();
});

test('typing is answered in at most 60 tokens, a click that changes one line in at most 80', async ({ site, call }) => {
  const page = `<title>A</title><label>Name <input></label><button aria-pressed="false" onclick="this.ariaPressed = true">Green</button>${rest}`;
  const { text } = await open(site, call, page);
  const typed = await call('browser_type', { ref: refOf(text, 'textbox', 'Name'), text: 'Ada Berg' });
  expect(typed.text).toContain('Text: Ada Berg');
  expect(typed.section('Snapshot')).toBeUndefined();
  expect(typed.text).not.toContain('No text or control changed');
  expect(countTokens(typed.text)).toBeLessThanOrEqual(60);
  const clicked = await call('browser_click', { ref: refOf(text, 'button', 'Green') });
  expect(linesOf(clicked)).toEqual([expect.stringContaining('[pressed]')]);
  expect(countTokens(clicked.text)).toBeLessThanOrEqual(80);
});

test('a field that holds another text than the typed one is shown', async ({ site, call }) => {
  const { text } = await open(
    site,
    call,
    `<label>Name <input oninput="this.value = this.value.toUpperCase()"></label><label>Copy <input id="copy"></label>
     <label>Twice <input oninput="copy.value = this.value"></label>${rest}`,
  );
  const shouted = await call('browser_type', { ref: refOf(text, 'textbox', 'Name'), text: 'ada' });
  expect(linesOf(shouted)).toEqual([expect.stringMatching(/^~ - textbox "Name" .*: ADA$/)]);
  const copied = await call('browser_type', { ref: refOf(text, 'textbox', 'Twice'), text: 'two' });
  expect(linesOf(copied)).toEqual([expect.stringMatching(/^~ - textbox "Copy" .*: two$/)]);
});

test('a run of removed lines is one line, and a select shows its value', async ({ site, call }) => {
  const cards = Array.from({ length: 8 }, (_, n) => `<article><h3>Card ${n}</h3><button>Open</button></article>`);
  const { text } = await open(
    site,
    call,
    `<button onclick="cards.innerHTML = ''">Clear</button><label>Size <select><option>Small<option>Medium<option>Large</select></label>
     <div id="cards">${cards.join('')}</div>${rest}`,
  );
  expect(text).toContain('- article: Card 3 | button "Open" [ref=');
  expect(linesOf(await call('browser_click', { ref: refOf(text, 'button', 'Clear') }))).toEqual(['- 8 articles']);
  const chosen = await call('browser_select_option', { ref: refOf(text, 'combobox', 'Size'), values: ['Large'] });
  expect(linesOf(chosen)).toEqual([expect.stringMatching(/^~ - combobox "Size" .*\]: Large$/)]);
});

test('an announcement that the changes show is left out; another is one sentence with spaces', async ({
  site,
  call,
}) => {
  const { text } = await open(
    site,
    call,
    `<div role="status" id="said"></div><button onclick="said.innerHTML = '<b>Saved</b><div>Draft 2</div>'">Save</button>
     <button onclick="said.innerHTML = '<div>Sent</div><div>to Bo. Undo within a minute.</div>'; setTimeout(() => said.replaceChildren())">Send</button>${rest}`,
  );
  const saved = await call('browser_click', { ref: refOf(text, 'button', 'Save') });
  expect(saved.text).toContain('Draft 2');
  expect(saved.text).not.toContain('The page said');
  const sent = await call('browser_click', { ref: refOf(text, 'button', 'Send') });
  expect(sent.section('Result')).toContain('The page said: "Sent to Bo. …"');
});

test('nothing is folded on a small page, and controls are folded last on a large one', async ({ site, call }) => {
  const tools = Array.from({ length: 15 }, (_, n) => `<button>Tool ${n}</button>`).join('');
  const small = await open(site, call, `<div role="toolbar">${tools}</div>`);
  expect(small.text).not.toContain('cursor=');
  expect(small.text).toContain('Tool 14');
  const rows = Array.from({ length: 300 }, (_, n) => `<li>Row ${n} with words <button>Edit</button></li>`).join('');
  const large = await open(site, call, `<div role="toolbar">${tools}</div><ul>${rows}</ul>`);
  expect(large.text).toContain('Tool 14');
  expect(large.text).toMatch(/… \d+ more like these, cursor="n\d+\+\d+"/);
  const { length } = [...large.text.matchAll(/^ *- listitem/gm)];
  expect(length).toBeLessThan(60);
});

test('a header and footer as on the page before are named, and their refs stay valid', async ({ site, call }) => {
  const links = ['Home', 'News', 'Help', 'Jobs', 'Terms'].map((name) => `<li><a href="/${name}">${name}</a></li>`);
  const page = (title: string, body: string): string =>
    `<title>${title}</title><main><h1>${title}</h1>${body}</main><footer><ul>${links.join('')}</ul></footer>`;
  site.set('/two', page('Two', '<p>Second</p><a href="/three">Next</a>'));
  site.set('/three', page('Three', '<p>Third</p>'));
  site.set('/Help', '<title>Help</title><p>Here</p>');
  const first = await open(site, call, page('One', '<a href="/two">Next</a>'));
  const help = refOf(first.text, 'link', 'Help');
  const second = await call('browser_click', { ref: refOf(first.text, 'link', 'Next') });
  const line = /^ {2}- … 6 lines as on the page before, same refs, cursor="([^"]+)"$/m;
  expect(second.section('Snapshot')).toMatch(line);
  expect(second.section('Snapshot')).toContain('Second');
  const unfolded = await call('browser_snapshot', { cursor: line.exec(second.text)?.[1] ?? '' });
  expect(unfolded.section('Snapshot')).toContain('link "Terms"');
  const third = await call('browser_click', { ref: refOf(second.text, 'link', 'Next') });
  expect(third.section('Snapshot')).toMatch(line);
  expect((await call('browser_click', { ref: help })).page).toContain('- Page Title: Help');
});

test('targets of links are shown where they say more than the name, or on request', async ({ site, call }) => {
  const page =
    '<a href="/here">Here</a><a href="/nameless"></a><a href="https://else.test/x">Else</a><a href="mailto:a@b.test">a@b.test</a>';
  const shown = await open(site, call, `${page}<style>a{display:block;height:20px}</style>${rest}`);
  expect(shown.text).toContain('/url: https://else.test/x');
  expect(shown.text).not.toContain('/here');
  expect(shown.text).not.toContain('mailto:');
  const all = await call('browser_snapshot', { urls: true });
  expect(all.section('Snapshot')).toContain('/url: /here');
  expect(all.section('Snapshot')).toContain('/url: mailto:a@b.test');
});

test('the detail of an answer is chosen per call', async ({ site, callRaw, call }) => {
  const links = Array.from({ length: 60 }, (_, n) => `<li>Entry ${n} <a href="/e/${n}">Open entry ${n}</a></li>`).join(
    '',
  );
  const page = `<title>A</title><label>Name <input></label><ul>${links}</ul>`;
  await open(site, call, page);
  const full = await callRaw('browser_type', { selector: 'input', text: 'x', detail: 'full' });
  expect(full.section('Page')).toBe(`- Page URL: ${site.url('/')}\n- Page Title: A`);
  expect(full.section('Snapshot')).toContain(': x');
  const terse = await callRaw('browser_snapshot', { detail: 'terse' });
  const normal = await callRaw('browser_snapshot', {});
  expect(countTokens(terse.text)).toBeLessThan(countTokens(normal.text));
  expect(terse.text).toContain('cursor=');
  expect(
    (await callRaw('browser_click', { selector: 'input', detail: 'terse' })).section('Ran Playwright code'),
  ).toBeUndefined();
  expect((await callRaw('browser_snapshot', { detail: 'much' })).kind).toBe('INVALID_ARGUMENT');
});

testWith(['--snapshot-detail', 'full'])(
  '--snapshot-detail full repeats the head and folds nothing',
  async ({ site, call }) => {
    const rows = Array.from({ length: 150 }, (_, n) => `<li>Row ${n} of many <button>Edit</button></li>`).join('');
    const opened = await open(site, call, `<title>A</title><ul>${rows}</ul>`);
    expect(opened.section('Page')).toBe(`- Page URL: ${site.url('/')}\n- Page Title: A`);
    expect(opened.section('Snapshot')).toContain('Row 149');
    expect(opened.text).not.toContain('cursor=');
  },
);
