import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { evaluate, expect, open, refOf, test } from '../fixtures.ts';
import type { Call } from '../fixtures.ts';
import { gridPage, picturePage, shadowPage, tablePage } from '../site/zoo.ts';

/** The lines of a snapshot, without fences. */
function linesIn(answer: { section(name: string): string | undefined }): readonly string[] {
  return (answer.section('Snapshot') ?? '').split('\n').slice(1, -1);
}

/** The whole page: the snapshot and everything behind its cursors. */
async function readAll(call: Call): Promise<{ readonly lines: readonly string[]; readonly calls: number }> {
  const lines: string[] = [];
  const cursors: (string | undefined)[] = [undefined];
  let calls = 0;
  for (const cursor of cursors) {
    const answer = await call('browser_snapshot', cursor === undefined ? {} : { cursor });
    expect(answer.isError, answer.text).toBe(false);
    calls++;
    for (const line of linesIn(answer)) {
      const next = /^\s*- … .*cursor="([^"]+)"$/.exec(line)?.[1];
      if (next === undefined) lines.push(line);
      else cursors.push(next);
    }
  }
  return { lines, calls };
}

test('[C5-11] following the cursors reads every row of a table of 3,000 exactly once', async ({ site, call }) => {
  await open(site, call, tablePage(3000));
  const { lines, calls } = await readAll(call);
  const orders = lines.flatMap((line) => /#(\d{5})/.exec(line)?.[1] ?? []);
  expect(orders).toEqual(Array.from({ length: 3000 }, (_, index) => String(10_000 + index)));
  expect(calls).toBeLessThan(40);
});

test('[C5-11] following the cursors reads every product of a grid of 200 exactly once', async ({ site, call }) => {
  await open(site, call, gridPage(200));
  const { lines, calls } = await readAll(call);
  const saves = lines.flatMap((line) => /link "Product (\d+)" .* button "Save …"/.exec(line)?.[1] ?? []);
  expect(saves).toEqual(Array.from({ length: 200 }, (_, index) => String(index)));
  expect(calls).toBeLessThan(12);
});

test('[C5-11] the smallest budget leads through the whole page too', async ({ site, call }) => {
  await open(site, call, tablePage(60));
  const orders = new Set<string>();
  const cursors: (string | undefined)[] = [undefined];
  for (const cursor of cursors) {
    const { text } = await call('browser_snapshot', { maxTokens: 200, ...(cursor === undefined ? {} : { cursor }) });
    for (const [, order = ''] of text.matchAll(/#(\d{5})/g)) orders.add(order);
    for (const [, next] of text.matchAll(/cursor="([^"]+)"/g)) if (!cursors.includes(next)) cursors.push(next);
  }
  expect(orders.size).toBe(60);
});

test('a cursor of a removed part is an error that says so', async ({ site, call }) => {
  await open(site, call, `<ul>${'<li><button>Go</button> now</li>'.repeat(300)}</ul>`);
  const cursor = /cursor="([^"]+)"/.exec((await call('browser_snapshot')).text)?.[1] ?? '';
  await call('browser_evaluate', { function: '() => document.querySelector("ul").remove()' });
  expect((await call('browser_snapshot', { cursor })).section('Error')).toBe(
    `[STALE_CURSOR] The cursor "${cursor}" is stale: the page has changed since it was shown.\n` +
      'Call again without cursor, and use a cursor from that answer.',
  );
  expect((await call('browser_snapshot', { cursor: 'anything' })).kind).toBe('STALE_CURSOR');
});

test('the ref of a container shows its full content', async ({ site, call }) => {
  const items = Array.from({ length: 40 }, (_, index) => `<li><button>Do ${index}</button> it</li>`).join('');
  await open(site, call, `<ul>${items}</ul><dialog open aria-label="Sure"><p>Really?</p><button>Yes</button></dialog>`);
  const all = await call('browser_snapshot', { allRefs: true });
  const part = linesIn(await call('browser_snapshot', { ref: refOf(all.text, 'dialog', 'Sure') }));
  expect(part.join('\n').replaceAll(/\[ref=e\d+\]/g, '[ref]')).toMatchInlineSnapshot(`
    "- dialog "Sure" [ref] [offscreen from here on]:
      - paragraph: Really?
      - button "Yes" [ref]"
  `);
});

test('allRefs gives every element a ref, which then works', async ({ site, call }) => {
  await open(site, call, '<main><h1 onmouseenter="this.dataset.seen = 1">Title</h1><ul><li>One</li></ul></main>');
  expect((await call('browser_snapshot')).section('Snapshot')).not.toContain('[ref=');
  const all = await call('browser_snapshot', { allRefs: true });
  const ref = refOf(all.text, 'heading', 'Title');
  expect((await call('browser_hover', { ref })).isError).toBe(false);
  expect(await evaluate(call, 'document.querySelector("h1").dataset.seen')).toBe('1');
});

test('depth omits levels below the top one and says how much', async ({ site, call }) => {
  const page = '<main><nav aria-label="A"><a href="/x">X</a> <button>B</button></nav><p>Text</p></main>';
  await open(site, call, page);
  expect(linesIn(await call('browser_snapshot', { depth: 1 })).join('\n')).toMatchInlineSnapshot(`
    "- main:
      - navigation "A": (2 things in it)
      - paragraph: Text"
  `);
  const whole = linesIn(await call('browser_snapshot'));
  for (const depth of [0, 2]) expect(linesIn(await call('browser_snapshot', { depth }))).toEqual(whole);
  // Without one element around all, the page itself is the top level.
  await open(site, call, `<h1>Title</h1>${page}`);
  expect(linesIn(await call('browser_snapshot', { depth: 1 })).join('\n')).toMatchInlineSnapshot(`
    "- heading "Title" [level=1]
    - main: (2 things in it)"
  `);
});

test('[C5-4] elements outside the viewport are marked, and the viewport option omits them', async ({ site, call }) => {
  await open(
    site,
    call,
    `<button>Here</button><div style="height: 3000px"></div><button>Below</button><p>Deep words</p><button>Last</button>`,
  );
  const whole = linesIn(await call('browser_snapshot')).join('\n');
  expect(whole).toMatch(/- button "Below" \[ref=e\d+\] \[offscreen from here on\]/);
  const visible = linesIn(await call('browser_snapshot', { viewport: true })).join('\n');
  expect(visible).toMatch(/^- button "Here" \[ref=e\d+\]$/);
  await call('browser_evaluate', { function: '() => scrollTo(0, 3000)' });
  const later = linesIn(await call('browser_snapshot', { viewport: true })).join('\n');
  expect(later).not.toContain('"Here"');
  expect(later).toContain('Deep words');
  expect(later).toContain('"Last"');
});

test('[C5-4] elements scrolled out of a container are marked, and scrolling the container shows them', async ({
  site,
  call,
}) => {
  const rows = Array.from({ length: 20 }, (_, i) => `<li style="height: 40px"><button>Row ${i}</button></li>`);
  await open(
    site,
    call,
    `<div id="box" style="height: 90px; overflow: auto"><ul style="margin: 0">${rows.join('')}</ul><b style="position: fixed; top: 300px"><button>Fixed</button></b></div>
     <div style="height: 20px; overflow: hidden"><button style="position: absolute; top: 200px">Free</button></div><button>After</button>`,
  );
  const names = async (): Promise<readonly string[]> => {
    const seen = await call('browser_snapshot', { viewport: true });
    return [...seen.text.matchAll(/button "([^"]+)"/g)].map(([, name = '']) => name);
  };
  expect(await names()).toEqual(['Row 0', 'Row 1', 'Row 2', 'Fixed', 'Free', 'After']);
  const whole = await call('browser_snapshot', { search: 'Row 7' });
  expect(whole.text).toMatch(/button "Row 7" \[ref=e\d+\] \[offscreen\]/);
  await call('browser_evaluate', { function: '() => box.scrollTo(0, 400)' });
  expect(await names()).toEqual(['Row 10', 'Row 11', 'Row 12', 'Fixed', 'Free', 'After']);
});

test('areas of an image map are links and are clicked at their position', async ({ site, call }) => {
  const svg = "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='200' height='100'/>";
  const { text } = await open(
    site,
    call,
    `<img usemap="#m" width="200" height="100" alt="Map" src="${svg}"><map name="m"><area shape="rect" coords="0,0,100,100" href="/west" alt="West">
     <area shape="circle" coords="150,50,40" href="/east" alt="East"><area shape="poly" coords="0,0,5,0,0,5" nohref alt="None"></map>`,
  );
  expect(
    linesIn(await call('browser_snapshot'))
      .join('\n')
      .replaceAll(/ref=e\d+/g, 'ref'),
  ).toBe('- img "Map"\n- link "West" [ref]\n- link "East" [ref]');
  site.set('/east', '<title>East</title><p>Text</p>');
  const answer = await call('browser_click', { ref: refOf(text, 'link', 'East') });
  expect(answer.page).toContain('- Page Title: East');
});

test('[C5-4] invisible text is not shown', async ({ site, call }) => {
  await open(
    site,
    call,
    `<p>Seen</p><p style="opacity: 0">one</p><p style="font-size: 0">two</p><p style="color: #fff">three</p>
     <p style="position: absolute; left: -9999px">four</p><p style="display: none">five</p><p style="opacity: 0.01">six</p>
     <p style="font-size: 1px">seven</p><p style="color: #fdfdfd">eight</p><p style="color: #ccc">Faint</p><p style="opacity: 0.2">Pale</p>`,
  );
  expect(linesIn(await call('browser_snapshot'))).toEqual([
    '- paragraph: Seen',
    '- paragraph: Faint',
    '- paragraph: Pale',
  ]);
});

test('interactiveOnly shows only interactive elements', async ({ site, call }) => {
  await open(site, call, '<h1>Title</h1><p>Words <a href="/x">link</a> more</p><ul><li><button>Go</button></li></ul>');
  const lines = linesIn(await call('browser_snapshot', { interactiveOnly: true }));
  expect(lines.filter((line) => !/\[ref=/.test(line) && !/\/url/.test(line))).toEqual([]);
  expect(lines.join('\n')).toMatch(/"link"[\s\S]*"Go"/);
});

test('search shows and counts matching lines, including folded ones', async ({ site, call }) => {
  await open(site, call, tablePage(3000));
  const one = await call('browser_snapshot', { search: '#12345' });
  expect(one.section('Result')).toBe('1 line contains "#12345".');
  const ref = refOf(
    linesIn(one)
      .join('\n')
      .replaceAll(/^.*(link "Edit")/gm, '- $1'),
    'link',
    'Edit',
  );
  const clicked = await call('browser_click', { ref });
  expect(clicked.page).toContain('/orders/12345/edit');
  await call('browser_navigate', { url: site.url('/') });
  const many = await call('browser_snapshot', { search: 'customer 5' });
  expect(many.section('Result')).toMatch(/^\d{3} lines contain "customer 5"\.$/);
  expect((await call('browser_snapshot', { search: 'zebra' })).section('Result')).toBe('0 lines contain "zebra".');
});

test('filename writes the whole page without folding', async ({ site, server, call }) => {
  await open(site, call, tablePage(300));
  await call('browser_snapshot', { filename: 'all.yml' });
  const text = await readFile(join(server.folder, '.playwright-mcp/all.yml'), 'utf8');
  expect(text.match(/#10\d{3}/g)).toHaveLength(300);
  expect(text).not.toContain('…');
});

test('boxes adds the position of each element', async ({ site, call }) => {
  await open(site, call, '<style>body { margin: 0 }</style><button style="width: 50px; height: 20px">A</button>');
  expect(linesIn(await call('browser_snapshot', { boxes: true }))).toEqual(['- button "A" [ref=e1] [box=0,0,50,20]']);
});

test('[R-27] frames of the same and of another origin are read, clicked and typed into by their refs', async ({
  site,
  call,
}) => {
  const inner = (name: string): string =>
    `<title>${name}</title><label>${name} field <input></label><button onclick="this.textContent = 'Clicked ${name}'">Press ${name}</button>`;
  site.set('/same', inner('same'));
  site.set('/other', inner('other'));
  site.set('/nested', `<iframe title="Nested" src="/other"></iframe>`);
  const other = site.url('').replace('127.0.0.1', 'localhost');
  await open(
    site,
    call,
    `<button>Outside</button><iframe title="Same" src="/same"></iframe><iframe title="Other" src="${other}/other"></iframe>
     <iframe title="Holder" src="${other}/nested"></iframe>`,
  );
  const whole = await call('browser_snapshot');
  expect(linesIn(whole).join('\n')).toMatchInlineSnapshot(`
    "- button "Outside" [ref=e1]
    - iframe "Same" [ref=e2]:
      - textbox "same field" [ref=f1e1]
      - button "Press same" [ref=f1e2]
    - iframe "Other" [ref=e3]:
      - textbox "other field" [ref=f2e1]
      - button "Press other" [ref=f2e2]
    - iframe "Holder" [ref=e4]:
      - iframe "Nested" [ref=f3e1]:
        - textbox "other field" [ref=f4e1]
        - button "Press other" [ref=f4e2]"
  `);
  for (const name of ['same', 'other']) {
    const field = refOf(whole.text, 'textbox', `${name} field`);
    expect((await call('browser_type', { ref: field, text: `Words for ${name}` })).section('Snapshot')).toBeUndefined();
    expect((await call('browser_snapshot')).text).toContain(
      `- textbox "${name} field" [active] [ref=${field}]: Words for ${name}`,
    );
    const press = refOf(whole.text, 'button', `Press ${name}`);
    const clicked = await call('browser_click', { ref: press });
    expect(clicked.section('Snapshot')).toContain(`~ - button "Clicked ${name}" [active] [ref=${press}]`);
  }
  const nested = refOf(whole.text.split('"Holder"')[1] ?? '', 'button', 'Press other');
  expect((await call('browser_click', { ref: nested })).section('Snapshot')).toContain(
    `~ - button "Clicked other" [active] [ref=${nested}]`,
  );
});

test('open shadow roots can be read and acted on; closed ones and canvases say how to view them', async ({
  site,
  call,
}) => {
  await open(site, call, shadowPage());
  const shadows = await call('browser_snapshot');
  const field = refOf(shadows.text, 'textbox', 'Deep field');
  await call('browser_type', { ref: field, text: 'deep' });
  expect((await call('browser_snapshot')).section('Snapshot')).toContain(': deep');
  expect(refOf(shadows.text, 'button', 'Slotted button')).toMatch(/^e\d+$/);
  expect(shadows.text).toMatch(/- generic \[ref=e\d+\].*\(closed component my-closed; screenshot this ref to see it\)/);
  expect(shadows.text).not.toContain('Unreachable');
  await open(site, call, picturePage());
  const pictures = await call('browser_snapshot');
  expect(pictures.text).toMatch(/- canvas "Chart" \[ref=e\d+\].*\(canvas; screenshot this ref to see it\)/);
  const canvas = refOf(pictures.text, 'canvas', 'Chart');
  const shot = await call('browser_take_screenshot', { ref: canvas });
  expect(shot.isError, shot.text).toBe(false);
});

test('[C5-3] text typed into a password field is in no snapshot, diff or file', async ({ site, server, call }) => {
  const { text: shown } = await open(
    site,
    call,
    `<label>Password <input type="password" oninput="o.textContent = this.value.length + ' characters'"></label><output id="o"></output>
     <iframe title="Pay" srcdoc="<input aria-label=Card autocomplete=cc-number value=4111111111111111>"></iframe>`,
  );
  const ref = refOf(shown, 'textbox', 'Password');
  const typed = await call('browser_type', { ref, text: 'hunter2-secret' });
  const whole = await call('browser_snapshot', { allRefs: true });
  const found = await call('browser_snapshot', { search: 'hunter2' });
  await call('browser_snapshot', { filename: 'secret.yml' });
  const file = await readFile(join(server.folder, '.playwright-mcp/secret.yml'), 'utf8');
  expect(typed.section('Snapshot')).toContain('14 characters');
  for (const text of [shown, typed.text, whole.text, found.text.replace('contain "hunter2"', ''), file]) {
    expect(text).not.toMatch(/hunter2|4111/);
  }
});

test('an empty page is reported as empty', async ({ site, call }) => {
  await open(site, call, '<title>Nothing</title>');
  expect((await call('browser_snapshot')).section('Result')).toBe('The page is empty.');
});

test.for(['document.open()', 'document.documentElement.remove()'])(
  'a page emptied by %s is reported as empty and can be filled again',
  async (script, { site, call }) => {
    await open(site, call, `<button onclick="${script}">Wipe</button>`);
    const wiped = await call('browser_click', { ref: 'button' });
    expect(wiped.isError, wiped.text).toBe(false);
    expect((await call('browser_snapshot')).section('Result')).toBe('The page is empty.');
    await call('browser_evaluate', { function: '() => { document.write("<p>Again</p>"); document.close() }' });
    expect((await call('browser_snapshot')).section('Snapshot')).toContain('- paragraph: Again');
  },
);

test('a check box that is hidden behind its label is shown with its state, and toggled by its ref', async ({
  site,
  call,
}) => {
  const shown = await open(
    site,
    call,
    `<style>input { display: none }</style><label><input type="checkbox" onchange="o.textContent = 'now ' + this.checked"> News</label><p id="o"></p>`,
  );
  const ref = refOf(shown.text, 'checkbox', 'News');
  const clicked = await call('browser_click', { ref });
  expect(clicked.section('Snapshot')).toContain('checkbox "News" [checked]');
  expect(clicked.section('Snapshot')).toContain('now true');
  const code = clicked.section('Ran Playwright code') ?? '';
  expect(code).not.toContain('getByRole');
});

test('[S2-27] a drop target without a role is dropped on by its ref', async ({ site, call }) => {
  const shown = await open(
    site,
    call,
    `<div draggable="true">Item A</div><div style="height:60px" ondragover="event.preventDefault()" ondrop="o.textContent = 'dropped'"></div><p id="o"></p>`,
  );
  const [startRef = '', endRef = ''] = [...shown.text.matchAll(/generic \[ref=(e\d+)\]/g)].map(([, ref]) => ref);
  const dragged = await call('browser_drag', { startRef, startElement: 'Item A', endRef, endElement: 'the column' });
  expect(dragged.section('Snapshot'), dragged.text).toContain('dropped');
});
