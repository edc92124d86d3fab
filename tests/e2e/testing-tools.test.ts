import { expect, open, refOf, testWith } from '../fixtures.ts';

const page = `<title>Shop</title><h1>Fruit</h1><button>Buy</button><button>Buy</button><ul aria-label="Fruit"><li>Apple</li><li>Pear</li></ul>
<label>Name <input value="Ada"></label><label><input type="checkbox"> Agree</label><p hidden>Secret text</p>
<iframe srcdoc="<button>Inside</button>"></iframe>`;

const test = testWith(['--caps=testing']);

test('elements and texts are verified, also in frames', async ({ site, call }) => {
  await open(site, call, page);
  const element = await call('browser_verify_element_visible', { role: 'heading', accessibleName: 'Fruit' });
  expect(element.section('Result')).toBe('Verified: it is visible.');
  expect(element.section('Ran Playwright code')).toContain(
    "await expect(page.getByRole('heading', { name: 'Fruit' })).toBeVisible();",
  );
  const inside = await call('browser_verify_element_visible', { role: 'button', accessibleName: 'Inside' });
  expect(inside.section('Ran Playwright code')).toContain(
    "await expect(page.locator('iframe').contentFrame().getByRole('button', { name: 'Inside' })).toBeVisible();",
  );
  const twice = await call('browser_verify_element_visible', { role: 'button', accessibleName: 'Buy' });
  expect(twice.section('Ran Playwright code')).toContain('.first()).toBeVisible();');
  expect((await call('browser_verify_text_visible', { text: 'Apple' })).section('Ran Playwright code')).toContain(
    "await expect(page.getByText('Apple')).toBeVisible();",
  );
  const hidden = await call('browser_verify_text_visible', { text: 'Secret text' });
  expect(hidden.kind).toBe('VERIFICATION_FAILED');
  const none = await call('browser_verify_element_visible', { role: 'link', accessibleName: 'Fruit' });
  expect(none.text).toContain('no visible element has the role "link" and the name "Fruit"');
});

test('a list and values are verified', async ({ site, call }) => {
  const opened = await open(site, call, page);
  const list = { ref: 'ul', items: ['Apple', 'Pear'] };
  expect((await call('browser_verify_list_visible', list)).section('Ran Playwright code')).toContain(
    'toMatchAriaSnapshot(',
  );
  expect((await call('browser_verify_list_visible', { ref: 'ul', items: ['Fig'] })).text).toContain('no item "Fig"');
  const name = refOf(opened.text, 'textbox', 'Name');
  const value = await call('browser_verify_value', { type: 'textbox', ref: name, value: 'Ada' });
  expect(value.section('Ran Playwright code')).toContain(
    "await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Ada');",
  );
  const wrong = await call('browser_verify_value', { type: 'textbox', ref: name, value: 'Bob' });
  expect(wrong.text).toContain('the value is "Ada", not "Bob"');
  const box = await call('browser_verify_value', { type: 'checkbox', ref: '[type=checkbox]', value: 'false' });
  expect(box.section('Ran Playwright code')).toContain('.toBeChecked({ checked: false });');
  const isOn = await call('browser_verify_value', { type: 'checkbox', ref: '[type=checkbox]', value: 'true' });
  expect(isOn.kind).toBe('VERIFICATION_FAILED');
});

test('a locator is generated for a ref and for a selector', async ({ site, call }) => {
  const opened = await open(site, call, page);
  const ref = refOf(opened.text, 'textbox', 'Name');
  expect((await call('browser_generate_locator', { ref })).section('Result')).toContain(
    "getByRole('textbox', { name: 'Name' })",
  );
  expect((await call('browser_generate_locator', { ref: 'h1' })).section('Result')).toContain('Fruit');
  expect((await call('browser_generate_locator', { ref: '#none' })).kind).toBe('ELEMENT_NOT_FOUND');
  expect((await call('browser_generate_locator', { ref: 'button' })).kind).toBe('AMBIGUOUS_SELECTOR');
});

const languages = [
  {
    testIn: testWith(['--caps=testing', '--codegen=python']),
    visible: 'expect(page.get_by_text("Apple")).to_be_visible()',
    unchecked: 'to_be_checked(checked=False)',
  },
  {
    testIn: testWith(['--caps=testing', '--codegen=java']),
    visible: 'assertThat(page.getByText("Apple")).isVisible();',
    unchecked: 'isChecked(new LocatorAssertions.IsCheckedOptions().setChecked(false));',
  },
  {
    testIn: testWith(['--caps=testing', '--codegen=csharp']),
    visible: 'await Expect(page.GetByText("Apple")).ToBeVisibleAsync();',
    unchecked: 'ToBeCheckedAsync(new() { Checked = false });',
  },
];

for (const { testIn, visible, unchecked } of languages) {
  testIn(`assertions are written as ${visible}`, async ({ site, call }) => {
    await open(site, call, page);
    const text = await call('browser_verify_text_visible', { text: 'Apple' });
    expect(text.section('Ran Playwright code')).toContain(visible);
    const box = await call('browser_verify_value', { type: 'checkbox', ref: '[type=checkbox]', value: 'false' });
    expect(box.section('Ran Playwright code')).toContain(unchecked);
  });
}
