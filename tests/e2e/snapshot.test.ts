import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { evaluate, expect, open, refOf, test } from '../fixtures.ts';

test('[S2-42, S2-43] a snapshot shows the accessibility tree, with refs for interactive elements', async ({
  site,
  call,
}) => {
  await open(
    site,
    call,
    `<title>Shop</title><h1>Shop</h1><a href="/cart">Cart</a><input aria-label="Search" value="shoes">
     <input type="checkbox" aria-label="New" checked><button disabled>Buy</button><p>Plain words</p>`,
  );
  const answer = await call('browser_snapshot');
  const snapshot = answer.section('Snapshot') ?? '';
  expect(snapshot).toMatch(/^```yaml\n[\s\S]*\n```$/);
  for (const [role, name] of [
    ['link', 'Cart'],
    ['textbox', 'Search'],
    ['checkbox', 'New'],
    ['button', 'Buy'],
  ] as const) {
    expect(refOf(snapshot, role, name)).toMatch(/^e\d+$/);
  }
  expect(snapshot).toMatch(/- heading "Shop" \[level=1\]/);
  expect(snapshot).toMatch(/- checkbox "New" \[checked\]/);
  expect(snapshot).toMatch(/- button "Buy" \[disabled\]/);
  expect(snapshot).toMatch(/- textbox "Search".*: shoes/);
  expect(snapshot).not.toContain('/url');
  expect(snapshot).toContain('Plain words');
  expect(answer.structured).toBeUndefined();
});

test('[S2-07, R-27] a ref keeps its element while the page changes around it', async ({ site, call }) => {
  const first = await open(
    site,
    call,
    '<ul id="list"><li><button onclick="document.title = \'kept\'">Keep</button></li></ul>',
  );
  const ref = refOf(first.text, 'button', 'Keep');
  await call('browser_evaluate', {
    function: `() => { for (let i = 0; i < 5; i++) list.insertAdjacentHTML('afterbegin', '<li><button>New</button></li>') }`,
  });
  expect(refOf((await call('browser_snapshot')).text, 'button', 'Keep')).toBe(ref);
  const answer = await call('browser_click', { ref });
  expect(answer.page).toContain('- Page Title: kept');
});

test('[R-27] a ref is accepted short, fully qualified and with the name of its session', async ({ site, call }) => {
  site.set('/', '<button onclick="n.textContent = 1 + +n.textContent">Add</button><output id="n">0</output>');
  const ref = refOf((await call('browser_navigate', { url: site.url('/') })).text, 'button', 'Add');
  for (const spelling of [ref, `c0p0f0${ref}`, `default:${ref}`]) {
    const answer = await call('browser_click', { ref: spelling });
    expect(answer.isError, spelling).toBe(false);
  }
  expect(await evaluate(call, 'n.textContent')).toBe('3');
});

test('[R-27] a ref with the name of another session is rejected', async ({ site, call }) => {
  site.set('/', '<button>Add</button>');
  const ref = refOf((await call('browser_navigate', { url: site.url('/') })).text, 'button', 'Add');
  const answer = await call('browser_click', { ref: `other:${ref}` });
  expect(answer.text).toBe(
    `### Error\n[REF_OF_OTHER_SESSION] The ref "other:${ref}" belongs to the session "other", but this call is for "default".\n` +
      'Give sessionId with the name of that session, or use a ref from browser_snapshot.',
  );
});

test('[R-27] a fully qualified ref is accepted only in its own tab and session', async ({ site, call, callRaw }) => {
  site.set('/', '<button onclick="document.title = \'added\'">Add</button>');
  const ref = refOf((await call('browser_navigate', { url: site.url('/') })).text, 'button', 'Add');
  await call('browser_tabs', { action: 'new', url: site.url('/') });
  const elsewhere = await call('browser_click', { ref: `c0p0f0${ref}` });
  expect(elsewhere.text).toBe(
    `### Error\n[REF_OF_OTHER_TAB] The ref "c0p0f0${ref}" belongs to tab 0, but this call is for tab 1.\n` +
      'Give tab with the number of that tab, or use a ref from browser_snapshot.',
  );
  expect((await call('browser_click', { ref: `c1p1f0${ref}` })).kind).toBe('REF_OF_OTHER_SESSION');
  const there = await callRaw('browser_click', { ref: `c0p0f0${ref}`, tab: 0 });
  expect(there.isError, there.text).toBe(false);
  const tabs = await call('browser_tabs', { action: 'list' });
  expect(tabs.text.match(/added/g)).toHaveLength(1);
});

test('[R-27] an element in a frame has a ref that works like any other', async ({ site, call }) => {
  site.set('/', '<title>Outer</title><iframe src="/inner" title="Inner"></iframe>');
  site.set('/inner', '<button onclick="parent.document.title = \'clicked inside\'">Inside</button>');
  const ref = refOf((await call('browser_navigate', { url: site.url('/') })).text, 'button', 'Inside');
  expect(ref).toMatch(/^f\d+e\d+$/);
  const answer = await call('browser_click', { ref });
  expect(answer.page).toContain('- Page Title: clicked inside');
});

test('a part of the page is shown for a ref or a selector', async ({ site, call }) => {
  const whole = await open(site, call, '<nav><a href="/a">Away</a></nav><main><button>Save</button></main>');
  for (const target of [{ ref: refOf(whole.text, 'button', 'Save') }, { selector: 'main' }, { target: 'main' }]) {
    const part = (await call('browser_snapshot', target)).section('Snapshot') ?? '';
    expect(refOf(part, 'button', 'Save')).toBe(refOf(whole.text, 'button', 'Save'));
    expect(part).not.toContain('Away');
  }
});

test('depth limits the levels shown', async ({ site, call }) => {
  await open(site, call, '<main><section aria-label="Deep"><ul><li><button>Buried</button></li></ul></section></main>');
  const shallow = (await call('browser_snapshot', { depth: 1 })).section('Snapshot') ?? '';
  const deep = (await call('browser_snapshot')).section('Snapshot') ?? '';
  expect(shallow).not.toContain('Buried');
  expect(deep).toContain('Buried');
});

test('boxes adds the position of each element', async ({ site, call }) => {
  await open(site, call, '<style>body { margin: 0 }</style><button style="width: 120px; height: 40px">Save</button>');
  expect((await call('browser_snapshot', { boxes: true })).text).toMatch(/button "Save".*\[box=0,0,120,40\]/);
});

test('filename saves the snapshot instead of showing it', async ({ site, server, call }) => {
  await open(site, call, '<button>Save</button>');
  const answer = await call('browser_snapshot', { filename: 'page.yml' });
  expect(answer.section('Result')).toBe('Snapshot written to .playwright-mcp/page.yml');
  expect(answer.section('Snapshot')).toBeUndefined();
  expect(await readFile(join(server.folder, '.playwright-mcp/page.yml'), 'utf8')).toMatch(/- button "Save"/);
});

test('[C5-1] after an action only what changed is shown', async ({ site, call }) => {
  const rows = Array.from({ length: 30 }, (_, index) => `<li>Row ${index}</li>`).join('');
  site.set('/', `<button onclick="o.textContent = 'Saved'">Save</button><output id="o"></output><ul>${rows}</ul>`);
  const ref = refOf((await call('browser_navigate', { url: site.url('/') })).text, 'button', 'Save');
  const snapshot = (await call('browser_click', { ref })).section('Snapshot') ?? '';
  expect(snapshot).toMatch(/^```diff\n/);
  expect(snapshot).toMatch(/^\+ .*Saved/m);
  expect(snapshot).not.toContain('Row 7');
});

test('[C5-3] values of password, code and card fields are not shown', async ({ site, call }) => {
  const shown = await open(
    site,
    call,
    `<input type="password" aria-label="Password" value="hunter2-secret"><input type="password" value="second-secret">
     <input aria-label="Code" autocomplete="one-time-code" value="998877"><input aria-label="Card" autocomplete="cc-number" value="4111111111111111">
     <input aria-label="Name" value="Ada">`,
  );
  const again = await call('browser_snapshot');
  for (const { text } of [shown, again]) {
    for (const secret of ['hunter2-secret', 'second-secret', '998877', '4111111111111111']) {
      expect(text).not.toContain(secret);
    }
    expect(text).toMatch(/textbox "Name".*: Ada/);
  }
});
