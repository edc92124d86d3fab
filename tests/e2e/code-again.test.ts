import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, open, test } from '../fixtures.ts';
import type { Answer } from '../fixtures.ts';
import { launch } from '../page/harness.ts';

function codeOf(answer: Answer): string {
  return /```js\n([\s\S]*?)\n```/.exec(answer.text)?.[1] ?? '';
}

async function runCode(page: Page, code: string): Promise<unknown> {
  // Runs the generated code as a user would.
  // oxlint-disable-next-line typescript/no-implied-eval, no-new-func
  const run: unknown = new Function('page', `return (async () => { return ${code} })()`)(page);
  return await run;
}

/** Every clickable element writes its id to the URL. */
const note = (id: string): string => `onclick="parent.location.hash='${id}'" data-id="${id}"`;
const html = `<h1>Twins</h1>
  <button ${note('one')}>Add</button><button ${note('two')}>Add</button><button ${note('more')}>Add more</button>
  <a href="#nameless" ${note('nameless')}><svg width="20" height="20"></svg></a>
  <div style="cursor:pointer" ${note('guess')}>Looks clickable</div>
  <div id="named" style="cursor:pointer" ${note('by-id')}>Looks clickable</div>
  <button ${note('quote')}>It's "new"</button>
  <x-box></x-box>
  <iframe title="a" src="/frame?a"></iframe><iframe title="b" src="/frame?b"></iframe>
  <script>document.querySelector('x-box').attachShadow({ mode: 'open' }).innerHTML =
    \`<p><i tabindex="0" style="display:block;width:9px;height:9px" ${note('shadow')}></i></p>\`;</script>`;

test('the generated code clicks the same element in a browser without refs', async ({ site, call }) => {
  site.set('/', html);
  site.set(
    '/frame',
    `<button ${note('framed')}>In a frame</button><script>
    document.querySelector('button').onclick = () => { parent.location.hash = 'framed' + location.search.slice(1) }</script>`,
  );
  await using browser = await launch();
  const page = await browser.newPage();
  const again = async (code: string): Promise<string> => {
    await page.goto(site.url('/'));
    await runCode(page, code);
    return new URL(page.url()).hash;
  };
  const shown = await call('browser_navigate', { url: site.url('/') });
  const refs = [...shown.text.matchAll(/\[ref=((?:f\d+)?e\d+)\]/g)].map(([, ref = '']) => ref);
  const clicked: string[] = [];
  for (const ref of refs) {
    const answer = await call('browser_click', { ref });
    if (answer.isError) continue;
    // The URL is shown only if the click changed it.
    const url = /Page URL: (.*)/.exec(answer.text)?.[1];
    if (url === undefined) continue;
    const { hash } = new URL(url);
    if (hash === '' || clicked.includes(hash)) continue;
    clicked.push(hash);
    const code = codeOf(answer);
    expect(code, hash).not.toContain('getByRef');
    expect(await again(code), code).toBe(hash);
  }
  expect(clicked.toSorted()).toEqual(
    ['one', 'two', 'more', 'nameless', 'guess', 'by-id', 'quote', 'shadow', 'frameda', 'framedb']
      .map((id) => `#${id}`)
      .toSorted(),
  );
});

test('the generated code of uploads and scripts with arguments works too', async ({ site, server, call, callRaw }) => {
  await writeFile(join(server.folder, 'a.txt'), 'one');
  const show = `onchange="parent.document.title += this.id + this.files[0].name"`;
  site.set('/in', `<input type="file" id="inner" ${show}>`);
  await open(
    site,
    call,
    `<title></title><button onclick="const field = document.createElement('input'); field.type = 'file';
      field.onchange = () => { document.title += field.files[0].name }; field.click()">Attach</button>
     <iframe src="/in"></iframe>`,
  );
  await using browser = await launch();
  const page = await browser.newPage();
  for (const [args, title] of [
    [{ selector: 'button' }, 'a.txt'],
    [{}, 'innera.txt'],
  ] as const) {
    const code = codeOf(await call('browser_file_upload', { paths: ['a.txt'], ...args }));
    await page.goto(site.url('/'));
    await runCode(page, code);
    expect(await page.title(), code).toBe(title);
  }
  for (const args of [
    { function: '(a, b) => a + b.c', args: [1, { c: 2 }] },
    { function: '(element, a) => element.tagName + a', args: ["it's"], selector: 'button' },
    { function: 'args[0] * 2', args: [4] },
    { function: 'const [element, a] = args; return element.tagName + a', args: ['x'], selector: 'button' },
  ]) {
    const answer = await callRaw('browser_evaluate', args);
    expect(String(await runCode(page, codeOf(answer))), codeOf(answer)).toBe(answer.section('Result'));
  }
});

test('the code of a re-rendered element names its place among similar ones', async ({ site, call }) => {
  const { text } = await open(
    site,
    call,
    `<ul id="list"></ul><script>
      const render = () => { list.innerHTML = ['Ann', 'Bob'].map((name) => '<li>' + name + ' <button onclick="document.title = \\'' + name + '\\'; render()">Edit</button></li>').join('') };
      render();
    </script>`,
  );
  const [, second = ''] = [...text.matchAll(/button "Edit" \[ref=(e\d+)\]/g)].map(([, ref]) => ref);
  await call('browser_evaluate', { function: '() => render()' });
  const answer = await call('browser_click', { ref: second });
  expect(answer.section('Page')).toContain('Page Title: Bob');
  expect(codeOf(answer)).toContain("getByRole('button', { name: 'Edit', exact: true }).nth(1)");
});
