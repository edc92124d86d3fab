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
