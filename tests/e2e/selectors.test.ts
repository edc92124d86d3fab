import { expect, open, refOf, slowly, test } from '../fixtures.ts';

const page = `<button id="save-draft">Save draft</button><button>Publish now</button>
  <input name="email" aria-label="Mail address"><a href="/terms">Terms</a>`;

test('a selector without a match fails at once on a page at rest, with similar elements', async ({ site, call }) => {
  await open(site, call, page);
  // The timeout of an action is 5 s: the wait for one would exceed the limit of this test.
  const answer = await call('browser_click', { selector: '#saveDraftButton' });
  expect(answer.kind).toBe('ELEMENT_NOT_FOUND');
  expect(answer.text).toMatch(/matching selector "#saveDraftButton"\. Similar elements:\s- button "Save draft" \[ref=/);
  expect(answer.text).not.toContain('Terms');
  const [ref = ''] = /(?<=button "Save draft" \[ref=)e\d+/.exec(answer.text) ?? [];
  expect((await call('browser_click', { ref })).isError).toBe(false);
});

test('similar elements are found by their attributes and by their names', async ({ site, call }) => {
  await open(site, call, page);
  const byName = await call('browser_type', { selector: 'input[name=email-address]', text: 'x' });
  expect(byName.text).toContain('- textbox "Mail address" [ref=');
  const byText = await call('browser_hover', { selector: 'text=Published' });
  expect(byText.text).toContain('- button "Publish now" [ref=');
  const drawn = await call('browser_snapshot', { target: '#terms-of-use' });
  expect(drawn.text).toContain('- link "Terms" [ref=');
  const none = await call('browser_click', { selector: '#qqq' });
  expect(none.text).toContain('No element found matching selector "#qqq"\n');
});

test('an element that a request adds is waited for', async ({ site, call }) => {
  site.set('/slow', slowly(700, 'ok'));
  await open(
    site,
    call,
    `<button onclick="document.title = 'wrong'">Other</button><script>
      fetch('/slow').then(() => document.body.insertAdjacentHTML('beforeend', '<button id="late" onclick="document.title = 1">Late</button>'));
    </script>`,
  );
  const answer = await call('browser_click', { selector: '#late' });
  expect(answer.section('Page'), answer.text).toContain('Page Title: 1');
});

test('a selector with several matches lists the visible ones with refs', async ({ site, call }) => {
  await open(
    site,
    call,
    `<ul>${['Ann', 'Bob', 'Cid'].map((name) => `<li>${name} <button onclick="document.title = '${name}'" aria-label="Edit ${name}">Edit</button></li>`).join('')}</ul>
    <button hidden>Hidden</button>`,
  );
  const answer = await call('browser_click', { selector: 'button' });
  expect(answer.kind).toBe('AMBIGUOUS_SELECTOR');
  expect(answer.text).toMatch(/matches 4 elements\. Visible:\s- button "Edit Ann" \[ref=/);
  expect(answer.text).not.toContain('Hidden');
  const [ref = ''] = /(?<=button "Edit Bob" \[ref=)e\d+/.exec(answer.text) ?? [];
  expect((await call('browser_click', { ref })).section('Page')).toContain('Page Title: Bob');
});

test('matches without a ref are named by their text', async ({ site, call }) => {
  const { text } = await open(site, call, '<p>One</p><p>Two [ref=e1]</p><button>Go</button>');
  const answer = await call('browser_evaluate', { selector: 'p', function: '(element) => element.textContent' });
  expect(answer.kind).toBe('AMBIGUOUS_SELECTOR');
  expect(answer.text).toMatch(/- generic "One" \[ref=e\d+\]\n- generic "Two .{1,4}ref=e1\]" \[ref=e\d+\]/);
  expect(answer.text).not.toContain(` [ref=${refOf(text, 'button', 'Go')}]`);
});

test('a point outside of the element is rejected at once', async ({ site, call }) => {
  const { text } = await open(site, call, '<button style="width:100px;height:40px">Go</button>');
  const answer = await call('browser_click', { ref: refOf(text, 'button', 'Go'), x: 150, y: 10 });
  expect(answer.kind).toBe('INVALID_ARGUMENT');
  expect(answer.text).toContain('The point 150,10 is outside of the element, which has 100 x 40 pixels.');
});
