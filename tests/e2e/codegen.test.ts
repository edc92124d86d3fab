import { expect, open, test, testWith } from '../fixtures.ts';
import type { Call, Site } from '../fixtures.ts';

/** The code of three actions. */
async function codes(site: Site, call: Call): Promise<readonly (string | undefined)[]> {
  const opened = await open(site, call, '<title>Page</title><label>Name <input></label><button>Send</button>');
  const typed = await call('browser_type', { selector: 'Name', selectorType: 'label', text: 'Ada "A" L' });
  const clicked = await call('browser_click', { selector: 'button', button: 'right' });
  return [opened, typed, clicked].map((answer) =>
    answer.section('Ran Playwright code')?.replace(site.url('/'), 'SITE'),
  );
}

testWith(['--codegen=typescript'])('--codegen typescript', async ({ site, call }) => {
  expect(await codes(site, call)).toEqual([
    "```js\nawait page.goto('SITE');\n```",
    "```js\nawait page.getByLabel('Name').fill('Ada \"A\" L');\n```",
    "```js\nawait page.locator('button').click({ button: 'right' });\n```",
  ]);
});

test('the code of a click has its options', async ({ site, call }) => {
  await open(site, call, '<button>Send</button>');
  const clicked = await call('browser_click', { selector: 'button', force: true, options: { delay: 5 } });
  expect(clicked.section('Ran Playwright code')).toContain('.click({ force: true, delay: 5 });');
});

testWith(['--codegen=python'])('--codegen python', async ({ site, call }) => {
  expect(await codes(site, call)).toEqual([
    '```python\npage.goto("SITE")\n```',
    '```python\npage.get_by_label("Name").fill("Ada \\"A\\" L")\n```',
    '```python\npage.locator("button").click(button="right")\n```',
  ]);
});

testWith(['--codegen=java'])('--codegen java', async ({ site, call }) => {
  expect(await codes(site, call)).toEqual([
    '```java\npage.navigate("SITE");\n```',
    '```java\npage.getByLabel("Name").fill("Ada \\"A\\" L");\n```',
    '```java\npage.locator("button").click(new Locator.ClickOptions().setButton(MouseButton.RIGHT));\n```',
  ]);
});

testWith(['--codegen=csharp'])('--codegen csharp', async ({ site, call }) => {
  expect(await codes(site, call)).toEqual([
    '```csharp\nawait page.GotoAsync("SITE");\n```',
    '```csharp\nawait page.GetByLabel("Name").FillAsync("Ada \\"A\\" L");\n```',
    '```csharp\nawait page.Locator("button").ClickAsync(new() { Button = MouseButton.Right });\n```',
  ]);
});

testWith(['--codegen=none'])('--codegen none omits the section', async ({ site, call }) => {
  expect(await codes(site, call)).toEqual([undefined, undefined, undefined]);
});

const unnamed = `<title>-</title><input id="one"><input type="checkbox"><input type="checkbox">
<div data-testid="card" tabindex="0" style="width: 9px; height: 9px"></div><button data-testid="save">Save</button>
<button data-testid="twice">A</button><button data-testid="twice">B</button>
<div aria-hidden="true"><button>Hidden from roles</button></div><iframe src="/frame"></iframe>`;

/** The code that finds each element of the page: what stands before the action. */
async function locators(site: Site, call: Call): Promise<readonly string[]> {
  site.set('/frame', '<input>');
  site.set('/', unnamed);
  const shown = await call('browser_navigate', { url: site.url('/') });
  const refs = [...shown.text.matchAll(/\[ref=((?:f\d+)?e\d+)\]/g)].map(([, ref = '']) => ref);
  const code: string[] = [];
  for (const ref of refs) {
    const answer = await call('browser_hover', { ref });
    code.push(/await page\.(.*)\.hover\(\)/.exec(answer.text)?.[1] ?? answer.text);
  }
  return code;
}

test('code finds elements by test id, by role and name, by role alone, or by a path', async ({ site, call }) => {
  expect(await locators(site, call)).toEqual([
    "getByRole('textbox')",
    "locator('input:nth-of-type(2)')",
    "locator('input:nth-of-type(3)')",
    "getByTestId('card')",
    "getByTestId('save')",
    "getByRole('button', { name: 'A', exact: true })",
    "getByRole('button', { name: 'B' })",
    "locator('div:nth-of-type(2) > button')",
    "locator('iframe')",
    "locator('iframe').contentFrame().getByRole('textbox')",
  ]);
});

testWith(['--test-id-attribute=id'])('code uses the configured attribute for test ids', async ({ site, call }) => {
  expect((await locators(site, call))[0]).toBe("getByTestId('one')");
});

testWith(['--snapshot-format=playwright', '--codegen=python'])(
  'code for the refs of Playwright’s snapshots is that of its locators',
  async ({ site, call }) => {
    site.set('/frame', '<button>It\'s "in"</button>');
    const { text } = await open(
      site,
      call,
      '<input><button data-testid="save">Save</button><iframe src="/frame"></iframe>',
    );
    const codeOf = async (line: RegExp): Promise<string | undefined> => {
      const answer = await call('browser_click', { ref: line.exec(text)?.[1] ?? '' });
      return answer.section('Ran Playwright code');
    };
    expect(await codeOf(/textbox \[ref=(\w+)\]/)).toBe('```python\npage.get_by_role("textbox").click()\n```');
    expect(await codeOf(/button "Save" \[ref=(\w+)\]/)).toBe('```python\npage.get_by_test_id("save").click()\n```');
    expect(await codeOf(/(f\d+e\d+)/)).toContain(
      'page.locator("iframe").content_frame.get_by_role("button", name="It\'s',
    );
  },
);

testWith(['--caps=vision'])(
  'the code of screenshots and clicks has scale, delay and keys as given',
  async ({ site, call }) => {
    await open(site, call, '<button>Go</button>');
    const codeOf = async (name: Parameters<Call>[0], args: object): Promise<string> => (await call(name, args)).text;
    expect(await codeOf('browser_take_screenshot', { scale: 'device' })).toContain("scale: 'device' });");
    expect(await codeOf('browser_take_screenshot', {})).toContain("scale: 'css' });");
    expect(await codeOf('browser_mouse_click_xy', { x: 5, y: 6, delay: 7 })).toContain('click(5, 6, { delay: 7 });');
    expect(await codeOf('browser_click', { target: 'button', modifiers: ['ControlOrMeta'] })).toContain(
      "click({ modifiers: ['ControlOrMeta'] });",
    );
    expect(await codeOf('browser_press_key', { key: 'ControlOrMeta+a' })).toContain("press('ControlOrMeta+a');");
  },
);
