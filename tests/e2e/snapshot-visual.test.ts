import { evaluate, expect, open, refOf, test } from '../fixtures.ts';
import { embeddedPage, modalPage, textCasePage } from '../site/visual-pages.ts';

test('documents in object and embed elements are read, and their buttons can be clicked', async ({ site, call }) => {
  site.set('/inside-object', '<p>Inside the object</p><button onclick="this.textContent = \'Voted\'">Vote</button>');
  site.set('/inside-embed', '<p>Inside the embed</p>');
  await open(site, call, embeddedPage());
  const { text } = await call('browser_snapshot');
  expect(text.replaceAll(/\[ref=(f?)\w*?e\d+\]/g, '[ref]')).toContain(
    [
      '- paragraph: Above',
      '- iframe [ref]:',
      '  - paragraph: Inside the object',
      '  - button "Vote" [ref]',
      '- iframe [ref]:',
      '  - paragraph: Inside the embed',
      '- text: No picture. link "Download it" [ref]',
      '- paragraph: Below',
    ].join('\n'),
  );
  const clicked = await call('browser_click', { ref: refOf(text, 'button', 'Vote') });
  expect(clicked.isError, clicked.text).toBe(false);
  expect(
    await evaluate(call, 'document.querySelector("object").contentDocument.querySelector("button").textContent'),
  ).toBe('Voted');
});

test('closing a modal dialog reports the dialog as gone, not the page behind it as new', async ({ site, call }) => {
  await open(
    site,
    call,
    modalPage().replace('<button>Keep', '<button onclick="this.closest(\'dialog\').close()">Keep'),
  );
  const { text } = await call('browser_snapshot');
  expect(text.indexOf('dialog "Delete order"')).toBeLessThan(text.indexOf('[out of reach from here on]'));
  expect(text.indexOf('[out of reach from here on]')).toBeLessThan(text.indexOf('heading "Orders"'));
  const closed = await call('browser_click', { ref: refOf(text, 'button', 'Keep') });
  expect(closed.text).not.toMatch(/^\+.*(?:Orders|Imprint)/m);
  const after = await call('browser_snapshot');
  expect(after.text).not.toMatch(/dialog|out of reach/);
  const added = await call('browser_click', { ref: refOf(after.text, 'button', 'New order') });
  expect(added.isError, added.text).toBe(false);
});

test.for([
  ['aria-hidden', 'aria-modal="true"'],
  ['aria-hidden', ''],
  ['inert', 'aria-modal="true"'],
] as const)(
  'a dialog whose library sets %s on the rest of the page comes first, and the rest is out of reach, not removed: %s',
  async ([attribute, modal], { site, call }) => {
    await open(
      site,
      call,
      `<style>.backdrop { position: fixed; inset: 0; background: #0008 } [role=dialog] { position: fixed; top: 99px; left: 99px; background: #fff }</style>
      <main><h1>Orders</h1><p>Two orders.</p><button onclick="toggle(true)">Delete all</button></main>
      <footer><a href="/imprint">Imprint</a></footer>
      <div id="portal" hidden><div class="backdrop"></div>
      <div role="dialog" aria-label="Delete orders" ${modal}><p>Are you sure?</p><button onclick="toggle(false)">Keep</button></div></div>
      <script>
      function toggle(isOpen) {
        portal.hidden = !isOpen;
        for (const part of document.querySelectorAll('main, footer'))
          isOpen ? part.setAttribute('${attribute}', 'true') : part.removeAttribute('${attribute}');
      }
      </script>`,
    );
    const opened = await call('browser_click', { selector: 'main button' });
    expect(opened.text).toMatch(/^\+ - dialog "Delete orders"/m);
    expect(opened.text).not.toMatch(/^- (?!Page)/m);
    const { text } = await call('browser_snapshot');
    expect(text.replaceAll(/ \[(?:ref=\w+|active)\]/g, '')).toContain(
      [
        '- dialog "Delete orders" [modal]:',
        '  - paragraph: Are you sure?',
        '  - button "Keep"',
        '- generic [out of reach from here on]',
        '- main:',
        '  - heading "Orders" [level=1]',
        '  - paragraph: Two orders.',
        '  - button "Delete all"',
        '- contentinfo:',
        '  - link "Imprint"',
      ].join('\n'),
    );
    const closed = await call('browser_click', { ref: refOf(text, 'button', 'Keep') });
    expect(closed.text).not.toMatch(/^[+~]/m);
    expect((await call('browser_snapshot')).text).not.toMatch(/dialog|out of reach/);
  },
);

test('code for a button in capitals uses the name that Playwright compares', async ({ site, call }) => {
  await open(site, call, textCasePage().replace('</body>', '<button class="upper">Buy now and here</button></body>'));
  const { text } = await call('browser_snapshot');
  const clicked = await call('browser_click', { ref: refOf(text, 'button', 'BUY NOW') });
  expect(clicked.text).toContain("getByRole('button', { name: 'Buy now', exact: true })");
});
