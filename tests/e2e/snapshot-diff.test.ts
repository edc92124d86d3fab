import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, open, refOf, test, testWith } from '../fixtures.ts';

/** Static content, so that a change is smaller than the page. */
const rest = `<main>${Array.from({ length: 20 }, (_, index) => `<p>Paragraph ${index} of many</p>`).join('')}</main>`;

test('[C5-1] additions, removals and changes are reported, with refs that work', async ({ site, call }) => {
  const shown = await open(
    site,
    call,
    `<button onclick="change()">Go</button><p id="old">Old words</p><button id="state">Off</button>${rest}<script>
     function change() {
       old.remove(); state.textContent = 'On'; state.disabled = true;
       document.querySelector('main').insertAdjacentHTML('beforeend', '<button onclick="document.title = 7">New</button>');
     }</script>`,
  );
  const answer = await call('browser_click', { ref: refOf(shown.text, 'button', 'Go') });
  expect(answer.section('Snapshot')).toMatchInlineSnapshot(`
    "\`\`\`diff
    - - paragraph: Old words
    ~ - button "On" [disabled] [ref=e2]
    + - button "New" [ref=e3] [offscreen]
    \`\`\`"
  `);
  const pressed = await call('browser_click', { ref: refOf(answer.text, 'button', 'New') });
  expect(pressed.page).toContain('- Page Title: 7');
});

test('[C5-1] an action that changes nothing shows nothing', async ({ site, call }) => {
  const shown = await open(site, call, `<button>Go</button>${rest}`);
  const answer = await call('browser_click', { ref: refOf(shown.text, 'button', 'Go') });
  expect(answer.section('Snapshot')).toBeUndefined();
  expect(answer.section('Result')).toMatch(/No text or control changed\.$/);
});

test('[C5-1] a new page is shown in full', async ({ site, call }) => {
  site.set('/next', `<h1>Next</h1>${rest}`);
  const shown = await open(site, call, `<a href="/next">Go</a>${rest}`);
  const answer = await call('browser_click', { ref: refOf(shown.text, 'link', 'Go') });
  expect(answer.section('Snapshot')).toMatch(/^```yaml\n- heading "Next" \[level=1\]\n/);
  expect(answer.section('Snapshot')).toContain('Paragraph 7');
});

test('[C5-1] a change of most of the page shows the full page', async ({ site, call }) => {
  const shown = await open(
    site,
    call,
    `<button onclick="document.querySelector('main').innerHTML = '<h2>Other</h2>' + '<p>Wholly new words, many of them</p>'.repeat(9)">Go</button>${rest}`,
  );
  const answer = await call('browser_click', { ref: refOf(shown.text, 'button', 'Go') });
  expect(answer.section('Snapshot')).toMatch(/^```yaml\n- button "Go"/);
});

test('[C5-1] a few changes in folded parts are shown, many are counted, with their kind and cursor', async ({
  site,
  call,
}) => {
  const rows = Array.from({ length: 300 }, (_, index) => `<li>Row ${index} <button>Edit</button></li>`).join('');
  const shown = await open(
    site,
    call,
    `<button onclick="rows()[70].firstChild.data = 'Changed '">Change</button><button onclick="rows()[80].remove()">Remove</button>
     <button onclick="rows().slice(100, 150).forEach((row) => { row.firstChild.data = 'New ' })">Change many</button>
     <ul>${rows}</ul><script>const rows = () => [...document.querySelectorAll('li')]</script>`,
  );
  expect(shown.section('Snapshot')).toMatch(/ {2}- … \d+ more like these, cursor="n4\+\d+"/);
  const changed = await call('browser_click', { ref: refOf(shown.text, 'button', 'Change') });
  expect(changed.section('Snapshot')).toMatch(/^\+ - listitem: Changed button "Edit" \[ref=e\d+\]/m);
  const removed = await call('browser_click', { ref: refOf(shown.text, 'button', 'Remove') });
  expect(removed.section('Snapshot')).toMatch(/^# 1 line changed in parts that were not shown: 1 listitem/m);
  const many = await call('browser_click', { ref: refOf(shown.text, 'button', 'Change many') });
  const cursor = /^# 50 lines changed in parts that were not shown: 50 listitems, cursor="([^"]+)"$/m;
  expect(many.section('Snapshot')).toMatch(cursor);
  const rest = await call('browser_snapshot', { cursor: cursor.exec(many.text)?.[1] ?? '' });
  expect(rest.section('Snapshot')).toContain('- listitem: New button "Edit"');
});

test('reordered rows are reported in their new order', async ({ site, call }) => {
  await open(
    site,
    call,
    `<h2>Prices</h2><button onclick="rows.append(...[...rows.children].reverse())">Sort</button>
    <table><tbody id="rows"><tr><td>Tea<td>1</tr><tr><td>Milk<td>2</tr></tbody></table>`,
  );
  const answer = await call('browser_click', { selector: 'button' });
  expect(answer.section('Result')).not.toContain('No text or control changed');
  expect(answer.section('Snapshot')).toBe(
    '```diff\n@@ heading "Prices", in another order @@\n~ |Milk|2\n~ |Tea|1\n```',
  );
});

const basket = `<ul><li>Milk from the farm <input aria-label=Count> <input type=checkbox aria-label=Gift> <b id=sum>2.10</b>
  <button onclick="sum.textContent = '4.20'">Add</button> <button onclick="more()">Details</button></li></ul>
  <table><tr><td>Tea<td>black, from India<td><input aria-label=Cups><td><button onclick="this.textContent = 'Ordered'">Order</button></table>${rest}
  <script>const it = document.querySelector('li');
  function more() { it.insertAdjacentHTML('beforeend', '<p>First <button onclick="less()">Close</button><ul><li>a<li>b</ul>'); it.querySelector('[type=checkbox]').remove(); }
  function less() { for (const each of it.querySelectorAll('p, ul')) each.remove(); }</script>`;

test('of a line with several fields only the changed one is repeated, with its ref and its place', async ({
  site,
  call,
}) => {
  const shown = await open(site, call, basket);
  const changes = async (selector: string): Promise<string | undefined> =>
    (await call('browser_click', { selector })).section('Snapshot');
  expect(shown.section('Snapshot')).toContain('- listitem: Milk from the farm textbox "Count" [ref=e1] checkbox');
  expect(await changes('[type=checkbox]')).toBe(
    '```diff\n~ - listitem: Milk from the farm … checkbox "Gift" [checked] [active] [ref=e2] …\n```',
  );
  expect(await changes('text=Add')).toBe('```diff\n~ - listitem: Milk from the farm … 4.20 …\n```');
  expect(await changes('text=Order')).toBe('```diff\n~ |Tea|…|…|button "Ordered" [active] [ref=e6]\n```');
  const typed = await call('browser_type', { selector: 'td input', text: '3' });
  expect(typed.section('Snapshot')).toBeUndefined();
  const filled = await call('browser_fill_form', { fields: [{ selector: '[aria-label=Count]', value: '12' }] });
  expect(filled.section('Snapshot')).toMatch(
    /^```diff\n~ - listitem: Milk from the farm textbox "Count" (?:\[active\] )?\[ref=e1\] = "12" …\n```$/,
  );
});

test('a line that becomes several lines tells only what is new, changed or gone', async ({ site, call }) => {
  await open(site, call, basket);
  const opened = await call('browser_click', { selector: 'text=Details' });
  expect(opened.section('Snapshot')).toBe(
    '```diff\n- - checkbox "Gift" [ref=e2]\n@@ listitem: Milk from the farm @@\n+ - paragraph: First button "Close" [ref=e7]\n+ - list:\n+   - listitem: a\n+   - listitem: b\n```',
  );
  const closed = await call('browser_click', { selector: 'text=Close' });
  expect(closed.section('Snapshot')).not.toMatch(/^- - (?:textbox|button|text)/m);
});

test('a part moved into a new parent is not reported as removed', async ({ site, call }) => {
  const shown = await open(
    site,
    call,
    `<button onclick="move()">Go</button><section aria-label="From"><button id="it">Keep</button><p>Words</p></section>${rest}<script>
     function move() { const to = document.createElement('section'); to.ariaLabel = 'To'; to.append(it);
       document.body.append(to); document.querySelector('[aria-label=From]').remove(); }</script>`,
  );
  const ref = refOf(shown.text, 'button', 'Keep');
  const answer = await call('browser_click', { ref: refOf(shown.text, 'button', 'Go') });
  expect(answer.section('Snapshot')).toMatchInlineSnapshot(`
    "\`\`\`diff
    - - region "From"
    - - paragraph: Words
    + - region "To":
    +   - button "Keep" [ref=e2] [offscreen]
    \`\`\`"
  `);
  expect((await call('browser_hover', { ref })).isError).toBe(false);
});

test('[C5-1] each call can choose how the page is shown', async ({ site, server, call, callRaw }) => {
  const shown = await open(
    site,
    call,
    `<button onclick="n.textContent = 1 + +n.textContent">Add</button><output id="n">0</output>${rest}`,
  );
  const ref = refOf(shown.text, 'button', 'Add');
  const full = await callRaw('browser_click', { ref, snapshotMode: 'full' });
  expect(full.section('Snapshot')).toMatch(/^```yaml\n[\s\S]*Paragraph 7/);
  const none = await callRaw('browser_click', { ref, snapshotMode: 'none' });
  expect(none.section('Snapshot')).toBeUndefined();
  const diff = await callRaw('browser_click', { ref, snapshotMode: 'diff' });
  expect(diff.section('Snapshot')).toMatch(/^```diff\n~ - status.*: 3\n```$/);
  const file = await callRaw('browser_click', { ref, snapshotMode: 'file' });
  expect(file.section('Snapshot')).toBeUndefined();
  const path = /Snapshot written to (\S+\.yml)/.exec(file.section('Result') ?? '')?.[1] ?? '';
  expect(await readFile(join(server.folder, path), 'utf8')).toMatch(/status.*: 4\n/);
  const auto = await callRaw('browser_click', { ref, snapshotMode: 'auto' });
  expect(auto.section('Snapshot')).toMatch(/^```diff\n~ - status.*: 5\n```$/);
});

const counter = `<button onclick="n.textContent = 1 + +n.textContent">Add</button><output id="n">0</output>${rest}`;

testWith(['--snapshot-mode=none'])('[C5-1] mode none shows the page only on request', async ({ site, call }) => {
  expect((await open(site, call, counter)).section('Snapshot')).toBeUndefined();
  const clicked = await call('browser_click', { selector: 'button' });
  expect(clicked.section('Snapshot')).toBeUndefined();
  expect(clicked.section('Result')).toBe('Successfully clicked element: button\nThe page said: "1"');
  // Nothing is known about changes.
  const again = await call('browser_press_key', { key: 'Shift' });
  expect(again.section('Result') ?? '').not.toContain('No text or control changed');
  expect((await call('browser_snapshot')).section('Snapshot')).toMatch(/^```yaml\n/);
});

testWith(['--snapshot-mode=file'])(
  '[C5-1] mode file writes the page after each action',
  async ({ site, server, call }) => {
    const opened = await open(site, call, counter);
    const clicked = await call('browser_click', { selector: 'button' });
    for (const [answer, count] of [
      [opened, '0'],
      [clicked, '1'],
    ] as const) {
      expect(answer.section('Snapshot')).toBeUndefined();
      const path = /Snapshot written to (\S+\.yml)/.exec(answer.section('Result') ?? '')?.[1] ?? '';
      expect(await readFile(join(server.folder, path), 'utf8')).toMatch(new RegExp(`status.*: ${count}\\n`));
    }
  },
);

testWith(['--snapshot-mode=diff'])(
  '[C5-1] mode diff reports even a large change line by line',
  async ({ site, call }) => {
    await open(
      site,
      call,
      `<button onclick="document.querySelector('main').innerHTML = '<h2>Other</h2>'">Go</button>${rest}`,
    );
    const { text } = await call('browser_click', { selector: 'button' });
    expect(text).toContain('```diff\n');
    expect(text).toMatch(/^- 20 paragraphs$/m);
    expect(text).toMatch(/^\+ - heading "Other" \[level=2\]$/m);
  },
);
