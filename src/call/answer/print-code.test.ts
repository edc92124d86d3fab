import { expect, test } from 'vitest';
import { Code, Script, Variable, pageCode } from '../../util/code.ts';
import { codeLanguages, printCode } from './print-code.ts';

const button = pageCode.call('getByRole', 'button', { name: 'Say "hi"', exact: true });

const cases: readonly (readonly [string, Code, readonly string[]])[] = [
  [
    'a navigation',
    pageCode.call('goto', "http://a/it's"),
    [
      "await page.goto('http://a/it\\'s');",
      'page.goto("http://a/it\'s")',
      'page.navigate("http://a/it\'s");',
      'await page.GotoAsync("http://a/it\'s");',
    ],
  ],
  [
    'a click with options, on an element by its role',
    button.call('click', { button: 'right', modifiers: ['Shift', 'ControlOrMeta'], clickCount: undefined }),
    [
      `await page.getByRole('button', { name: 'Say "hi"', exact: true }).click({ button: 'right', modifiers: ['Shift', 'ControlOrMeta'] });`,
      String.raw`page.get_by_role("button", name="Say \"hi\"", exact=True).click(button="right", modifiers=["Shift", "ControlOrMeta"])`,
      String.raw`page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Say \"hi\"").setExact(true)).click(new Locator.ClickOptions().setButton(MouseButton.RIGHT).setModifiers(Arrays.asList(KeyboardModifier.SHIFT, KeyboardModifier.CONTROL_OR_META)));`,
      String.raw`await page.GetByRole(AriaRole.Button, new() { Name = "Say \"hi\"", Exact = true }).ClickAsync(new() { Button = MouseButton.Right, Modifiers = new[] { KeyboardModifier.Shift, KeyboardModifier.ControlOrMeta } });`,
    ],
  ],
  [
    'a double click without options',
    pageCode.call('locator', '#a').call('dblclick', {}),
    [
      "await page.locator('#a').dblclick();",
      'page.locator("#a").dblclick()',
      'page.locator("#a").dblclick();',
      'await page.Locator("#a").DblClickAsync();',
    ],
  ],
  [
    'a secret, which is read from the environment',
    pageCode.call('getByLabel', 'Password').call('fill', new Variable('PASSWORD')),
    [
      "await page.getByLabel('Password').fill(process.env['PASSWORD']);",
      'page.get_by_label("Password").fill(os.environ["PASSWORD"])',
      'page.getByLabel("Password").fill(System.getenv("PASSWORD"));',
      'await page.GetByLabel("Password").FillAsync(Environment.GetEnvironmentVariable("PASSWORD"));',
    ],
  ],
  [
    'a choice of several options',
    pageCode.call('locator', 'select').call('selectOption', ['a', 'b']),
    [
      "await page.locator('select').selectOption(['a', 'b']);",
      'page.locator("select").select_option(["a", "b"])',
      'page.locator("select").selectOption(new String[] {"a", "b"});',
      'await page.Locator("select").SelectOptionAsync(new[] { "a", "b" });',
    ],
  ],
  [
    'a script',
    pageCode.call('evaluate', new Script('() => document.title')),
    [
      'await page.evaluate(() => document.title);',
      'page.evaluate("() => document.title")',
      'page.evaluate("() => document.title");',
      'await page.EvaluateAsync("() => document.title");',
    ],
  ],
  [
    'files',
    new Code([{ name: 'fileChooser' }]).call('setFiles', ['a.txt', 'b.txt']),
    [
      "await fileChooser.setFiles(['a.txt', 'b.txt']);",
      'fileChooser.set_files(["a.txt", "b.txt"])',
      'fileChooser.setFiles(new Path[] {Paths.get("a.txt"), Paths.get("b.txt")});',
      'await fileChooser.SetFilesAsync(new[] { "a.txt", "b.txt" });',
    ],
  ],
  [
    'files for the chooser that a click opens',
    pageCode.call('waitForFileChooser', pageCode.call('locator', '#a').call('click')).call('setFiles', ['a.txt']),
    [
      "await Promise.all([page.waitForEvent('filechooser').then((chooser) => chooser.setFiles(['a.txt'])), page.locator('#a').click()]);",
      'with page.expect_file_chooser() as opened: page.locator("#a").click(); opened.value.set_files(["a.txt"])',
      'page.waitForFileChooser(() -> page.locator("#a").click()).setFiles(new Path[] {Paths.get("a.txt")});',
      'await (await page.RunAndWaitForFileChooserAsync(() => page.Locator("#a").ClickAsync())).SetFilesAsync(new[] { "a.txt" });',
    ],
  ],
  [
    'a screenshot of the page',
    pageCode.call('screenshot', { path: 'a.png', fullPage: true }),
    [
      "await page.screenshot({ path: 'a.png', fullPage: true });",
      'page.screenshot(path="a.png", full_page=True)',
      'page.screenshot(new Page.ScreenshotOptions().setPath(Paths.get("a.png")).setFullPage(true));',
      'await page.ScreenshotAsync(new() { Path = "a.png", FullPage = true });',
    ],
  ],
  [
    'the size of the page',
    pageCode.call('setViewportSize', { width: 800, height: 600 }),
    [
      'await page.setViewportSize({ width: 800, height: 600 });',
      'page.set_viewport_size({"width": 800, "height": 600})',
      'page.setViewportSize(800, 600);',
      'await page.SetViewportSizeAsync(800, 600);',
    ],
  ],
  [
    'the mouse',
    pageCode.get('mouse').call('click', 1, 2.5, { button: 'middle' }),
    [
      "await page.mouse.click(1, 2.5, { button: 'middle' });",
      'page.mouse.click(1, 2.5, button="middle")',
      'page.mouse().click(1, 2.5, new Mouse.ClickOptions().setButton(MouseButton.MIDDLE));',
      'await page.Mouse.ClickAsync(1, 2.5, new() { Button = MouseButton.Middle });',
    ],
  ],
  [
    'a wait for the first of many',
    pageCode.call('getByText', 'Done').call('first').call('waitFor', { state: 'hidden' }),
    [
      "await page.getByText('Done').first().waitFor({ state: 'hidden' });",
      'page.get_by_text("Done").first.wait_for(state="hidden")',
      'page.getByText("Done").first().waitFor(new Locator.WaitForOptions().setState(WaitForSelectorState.HIDDEN));',
      'await page.GetByText("Done").First.WaitForAsync(new() { State = WaitForSelectorState.Hidden });',
    ],
  ],
  [
    'an element as an argument',
    pageCode.call('locator', '#a').call('dragTo', pageCode.call('getByTestId', 'b')),
    [
      "await page.locator('#a').dragTo(page.getByTestId('b'));",
      'page.locator("#a").drag_to(page.get_by_test_id("b"))',
      'page.locator("#a").dragTo(page.getByTestId("b"));',
      'await page.Locator("#a").DragToAsync(page.GetByTestId("b"));',
    ],
  ],
  [
    'values of an enumeration, and null',
    pageCode.call('emulateMedia', { colorScheme: 'no-preference', media: null }),
    [
      "await page.emulateMedia({ colorScheme: 'no-preference', media: null });",
      'page.emulate_media(color_scheme="no-preference", media=None)',
      'page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(ColorScheme.NO_PREFERENCE).setMedia(null));',
      'await page.EmulateMediaAsync(new() { ColorScheme = ColorScheme.NoPreference, Media = null });',
    ],
  ],
];

test.each(cases)('%s, in every language', (_name, code, lines) => {
  expect(codeLanguages.map((language) => printCode(code, language))).toEqual(lines);
});
