import { evaluate, expect, open, refOf, test, testWith } from '../fixtures.ts';
import type { Call } from '../fixtures.ts';
import { rerenderPage, zoo } from '../site/zoo.ts';

async function run(call: Call, script: string): Promise<string | undefined> {
  return (await call('browser_evaluate', { function: `() => { ${script} }` })).section('Result');
}

const refsIn = (text: string): readonly string[] => [...text.matchAll(/\[ref=(\w+)\]/g)].map(([, ref = '']) => ref);
const whoWasIt = "addEventListener('click', ({ target }) => { document.title = target.closest('li').textContent })";

test('[S2-07, R-27] refs are stable across snapshots and never reused', async ({ site, call }) => {
  await open(site, call, '<ul><li><button>A</button> x</li><li><button>B</button> x</li></ul><a href="/x">End</a>');
  const first = await call('browser_snapshot');
  const [a, b] = [refOf(first.text.replaceAll(/listitem: /g, ''), 'button', 'A'), refsIn(first.text)[1] ?? ''];
  await run(call, "document.querySelector('li').remove()");
  const second = await call('browser_snapshot');
  expect(refsIn(second.text)).toContain(b);
  await run(call, "document.querySelector('ul').insertAdjacentHTML('afterbegin', '<li><button>C</button> y</li>')");
  const third = await call('browser_snapshot');
  expect(refsIn(second.text).every((ref) => refsIn(third.text).includes(ref))).toBe(true);
  expect(refsIn(third.text)).not.toContain(a);
});

test('[S2-43] every ref of five test pages resolves to an element', async ({ site, call }) => {
  for (const name of ['form', 'menus', 'frames', 'shadows', 'shop']) {
    const { text } = await open(site, call, zoo[name]?.() ?? '');
    const refs = refsIn(text);
    expect(refs.length, name).toBeGreaterThan(2);
    for (const ref of refs) {
      const found = await call('browser_evaluate', { ref, function: '(element) => element.isConnected' });
      expect(found.section('Result'), `${name} ${ref}`).toBe('true');
    }
  }
});

test('[S2-07] a ref of a re-rendered element resolves to its replacement and says so', async ({ site, call }) => {
  const { text } = await open(site, call, rerenderPage().replace('render([', `${whoWasIt};render([`));
  const line = text.split('\n').find((candidate) => candidate.includes('Grace')) ?? '';
  const [edit = ''] = refsIn(line);
  await run(call, "render(['Alan', 'Grace', 'Ada'])");
  const answer = await call('browser_click', { ref: edit });
  expect(answer.section('Result')).toMatch(new RegExp(`^${edit} was re-rendered and is e\\d+ now\\.$`, 'm'));
  expect(answer.page).toContain('Page Title: Grace Edit Delete');
  const now = /is (e\d+) now/.exec(answer.text)?.[1] ?? '';
  const again = await call('browser_click', { ref: now });
  expect(again.section('Result')).not.toContain('re-rendered');
  expect((await call('browser_click', { ref: edit })).section('Result')).toContain(`is ${now} now`);
});

test('an element that is rendered again while an action waits for it is acted on', async ({ site, call }) => {
  const { text } = await open(
    site,
    call,
    `<div id="root"><button disabled>Send</button></div><script>let count = 0;
     setTimeout(() => { root.innerHTML = '<button onclick="count++">Send</button>'; }, 800);</script>`,
  );
  const answer = await call('browser_click', { ref: refOf(text, 'button', 'Send') });
  expect(answer.section('Result')).toContain('Successfully clicked element: button "Send"');
  expect(await evaluate(call, 'count')).toBe('1');
});

/** A list that the page draws again every 20 ms; no element lives long enough for Playwright to find it stable. */
const restless = `<title>0</title><div id="root"></div><script>
  addEventListener('click', ({ target }) => { document.title = target.closest('button').textContent });
  addEventListener('mouseover', ({ target }) => { document.body.dataset.over = target.textContent });
  const draw = () => { root.innerHTML = '<ul><li><button>Save</button></li><li><button>Delete</button></li></ul>' };
  draw();
  setInterval(draw, 20);
</script>`;

test('[S2-07, S2-09] an element that the page replaces every 20 ms is clicked, by ref and by selector', async ({
  site,
  call,
}) => {
  const { text } = await open(site, call, restless);
  const byRef = await call('browser_click', { ref: refOf(text, 'button', 'Save') });
  expect(byRef.isError, byRef.text).toBe(false);
  expect(await evaluate(call, 'document.title')).toBe('Save');
  const bySelector = await call('browser_click', { selector: 'li:last-child button' });
  expect(bySelector.isError, bySelector.text).toBe(false);
  expect(await evaluate(call, 'document.title')).toBe('Delete');
  const hovered = await call('browser_hover', { ref: refOf(text, 'button', 'Save') });
  expect(hovered.isError, hovered.text).toBe(false);
  expect(await evaluate(call, 'document.body.dataset.over')).toBe('Save');
});

/**
 * Rows that are drawn again every 20 ms, and change places when the mouse moves to one of them. While a button is
 * pressed they stay: on a busy machine, a press takes longer than 20 ms, and a replaced element gets no click.
 */
const moving = `<title>0</title><ul id="root"></ul><script>
  const rows = ['A', 'B', 'C'];
  const events = [];
  for (const type of ['pointerdown', 'click'])
    root.addEventListener(type, ({ target }) => { events.push(type + ' ' + target.dataset.row) });
  const draw = () => {
    root.innerHTML = rows.map((row) => '<li>Row ' + row + ' <button data-row=' + row + '>Delete</button></li>').join('');
  };
  draw();
  let isPressed = false;
  addEventListener('pointerdown', () => { isPressed = true }, true);
  addEventListener('pointerup', () => { isPressed = false }, true);
  setInterval(() => isPressed || draw(), 20);
  let hasMoved = false;
  addEventListener('mousemove', ({ target }) => {
    if (hasMoved || target.dataset.row !== 'B') return;
    hasMoved = true;
    rows.push(rows.shift());
    draw();
  });
</script>`;

test('a click never hits another row that has moved to the point of the meant one', async ({ site, call }) => {
  const { text } = await open(site, call, moving);
  const ref = /Row B button "Delete" \[ref=(e\d+)\]/.exec(text)?.[1] ?? '';
  const answer = await call('browser_click', { ref });
  expect(answer.isError, answer.text).toBe(false);
  expect(await evaluate(call, 'events.join()')).toBe('pointerdown B,click B');
  await call('browser_click', { selector: 'li:first-child button' });
  expect(await evaluate(call, 'events.length')).toBe('4');
});

test('an element that the page keeps replacing, and that cannot be clicked, is reported as such', async ({
  site,
  call,
}) => {
  const { text } = await open(site, call, restless);
  const answer = await call('browser_click', { ref: refOf(text, 'button', 'Save'), modifiers: ['Shift'] });
  expect(answer.section('Error')).toMatch(
    /^\[ELEMENT_NOT_CLICKABLE\] button "Save" could not be acted on: the page keeps replacing it with a new element\.$/m,
  );
  expect(await evaluate(call, 'document.title')).toBe('0');
});

test('an ambiguous ref is an error with candidates whose refs work', async ({ site, call }) => {
  const html = (name: string): string => `<li>${name} <button>Edit</button></li>`;
  const { text } = await open(
    site,
    call,
    `<ul id="list">${html('Ada')}${html('Grace')}</ul><script>${whoWasIt}</script>`,
  );
  const [ref = ''] = refsIn(text);
  await run(call, `list.innerHTML = '${html('Same')}${html('Same')}'`);
  const answer = await call('browser_click', { ref });
  expect(answer.kind).toBe('STALE_REF');
  expect(answer.text).toContain(`The element of ref "${ref}" (button "Edit") may no longer exist`);
  const candidates = refsIn(answer.text);
  expect(candidates).toHaveLength(2);
  for (const candidate of candidates) {
    const clicked = await call('browser_click', { ref: candidate });
    expect(clicked.isError, clicked.text).toBe(false);
  }
});

test('[S2-07] a ref never resolves in another document', async ({ site, call }) => {
  const page = '<button onclick="document.title = \'pressed\'">Go</button>';
  site.set('/twin', page);
  const { text } = await open(site, call, page);
  const ref = refOf(text, 'button', 'Go');
  await run(call, "location = '/twin'");
  const before = await call('browser_click', { ref });
  expect(['STALE_REF', 'REF_NOT_FOUND']).toContain(before.kind);
  await call('browser_navigate', { url: site.url('/twin?again') });
  await run(call, 'location.reload()');
  const after = await call('browser_click', { ref: 'e99' });
  expect(after.kind).toBe('REF_NOT_FOUND');
  expect(await run(call, 'return document.title')).toBe('');
});

test('[R-27] refs of a removed or navigated frame are rejected', async ({ site, call }) => {
  site.set('/in', '<button onclick="parent.document.title = \'pressed\'">In</button>');
  site.set('/other', '<button onclick="parent.document.title = \'wrong\'">Other</button>');
  const { text } = await open(site, call, '<p>Outside</p><iframe title="F" src="/in"></iframe>');
  const ref = refOf(text, 'button', 'In');
  await run(
    call,
    "const f = document.querySelector('iframe'); return new Promise((done) => { f.onload = done; f.src = '/other' })",
  );
  expect((await call('browser_click', { ref })).kind).toBe('STALE_REF');
  const other = refOf((await call('browser_snapshot')).text, 'button', 'Other');
  await run(call, "document.querySelector('iframe').remove()");
  const gone = await call('browser_click', { ref: other });
  expect(gone.kind).toBe('STALE_REF');
  expect(await run(call, 'return document.title')).toBe('');
  expect((await call('browser_snapshot')).section('Snapshot')).toContain('Outside');
});

test('refs of a replaced frame never resolve in the new one', async ({ site, call }) => {
  site.set('/in', '<button onclick="parent.document.title = \'pressed\'">In</button>');
  const { text } = await open(site, call, '<iframe title="F" src="/in"></iframe>');
  const ref = refOf(text, 'button', 'In');
  await run(
    call,
    `document.querySelector('iframe').remove(); const f = document.createElement('iframe'); f.src = '/in'; f.title = 'G';
     return new Promise((done) => { f.onload = done; document.body.append(f) })`,
  );
  expect((await call('browser_click', { ref })).kind).toBe('STALE_REF');
  const fresh = refOf((await call('browser_snapshot')).text, 'button', 'In');
  expect(fresh).not.toBe(ref);
  expect((await call('browser_click', { ref: fresh })).page).toContain('pressed');
});

testWith(['--snapshot-format=playwright'])(
  '[S2-42, S2-43] Playwright’s format supports refs, parts, folds, diffs and masked passwords',
  async ({ site, call }) => {
    const rows = Array.from({ length: 60 }, (_, index) => `<li>Row ${index} <a href="/r/${index}">Open</a></li>`).join(
      '',
    );
    site.set('/in', '<button onclick="this.textContent = \'Pressed\'">Inside</button>');
    const { text } = await open(
      site,
      call,
      `<h1>Top</h1><button onclick="o.textContent = 'Saved'">Save</button><output id="o"></output>
       <input type="password" aria-label="Secret" value="hunter2-secret"><ul>${rows}</ul><iframe src="/in"></iframe>`,
    );
    expect(text).toMatch(/- heading "Top" \[level=1\] \[ref=e\d+\]/);
    expect(text).not.toContain('hunter2');
    const saved = await call('browser_click', { ref: refOf(text, 'button', 'Save') });
    expect(saved.section('Snapshot')).toMatch(/^```diff\n[\s\S]*Saved/);
    const inside = refOf(text, 'button', 'Inside');
    expect(inside).toMatch(/^f\d+e\d+$/);
    expect((await call('browser_click', { ref: inside })).section('Snapshot')).toContain('Pressed');
    const cursor = /cursor="([^"]+)"/.exec(text)?.[1] ?? '';
    expect((await call('browser_snapshot', { cursor })).text).toContain('Row 59');
    expect((await call('browser_snapshot', { search: 'Row 31' })).section('Result')).toContain('Row 31');
    const part = await call('browser_snapshot', { ref: refOf(text, 'heading', 'Top') });
    expect(part.section('Snapshot')).toMatch(/^```yaml\n- heading "Top" \[level=1\] \[ref=e\d+\]\n```$/);
  },
);
