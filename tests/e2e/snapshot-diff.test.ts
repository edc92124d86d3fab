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
  expect(pressed.section('Page')).toContain('- Page Title: 7');
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

test('[C5-1] changes in folded parts are counted', async ({ site, call }) => {
  const rows = Array.from({ length: 100 }, (_, index) => `<li>Row ${index} <button>Edit</button></li>`).join('');
  const shown = await open(
    site,
    call,
    `<button onclick="rows()[70].firstChild.data = 'Changed '">Change</button><button onclick="rows()[80].remove()">Remove</button>
     <ul>${rows}</ul><script>const rows = () => document.querySelectorAll('li')</script>`,
  );
  const changed = await call('browser_click', { ref: refOf(shown.text, 'button', 'Change') });
  expect(changed.section('Snapshot')).toMatchInlineSnapshot(`
    "\`\`\`diff
    # 1 line changed in parts of the page that were not shown
    \`\`\`"
  `);
  const removed = await call('browser_click', { ref: refOf(shown.text, 'button', 'Remove') });
  expect(removed.section('Snapshot')).toMatchInlineSnapshot(`
    "\`\`\`diff
    ~ - … 91 more like these, cursor="n3+8"
    # 1 line changed in parts of the page that were not shown
    \`\`\`"
  `);
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
    '```diff\n@@ heading "Prices", in another order @@\n~ - row: Milk | 2\n~ - row: Tea | 1\n```',
  );
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
  expect((await call('browser_click', { selector: 'button' })).section('Snapshot')).toBeUndefined();
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
    expect(text).toMatch(/^- - paragraph: Paragraph 3 of many$/m);
    expect(text).toMatch(/^\+ - heading "Other" \[level=2\]$/m);
  },
);
