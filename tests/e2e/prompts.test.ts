import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InMemoryTransport } from '@modelcontextprotocol/client';
import type { Client, JSONRPCMessage } from '@modelcontextprotocol/client';
import { afterAll, describe } from 'vitest';
import { eras, expect, testWith } from '../fixtures.ts';

const folder = mkdtempSync(join(tmpdir(), 'helm-prompts-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
writeFileSync(join(folder, 'secrets.env'), 'SHOP_PASSWORD=correct-horse-battery\n');

const test = testWith([`--secrets=${join(folder, 'secrets.env')}`]);
const url = 'https://shop.example/login';

/** The texts of a rendered prompt. */
async function textsOf(client: Client, name: string, args: Record<string, string>): Promise<readonly string[]> {
  const { messages } = await client.getPrompt({ name, arguments: args });
  return messages.map(({ role, content }) => {
    expect(role).toBe('user');
    return content.type === 'text' ? content.text : '';
  });
}

describe.each(eras)('in $version', ({ version, options }) => {
  test('[S1-70] prompts are listed with their arguments', async ({ server }) => {
    await using driver = await server.drive(options);
    expect(driver.client.getNegotiatedProtocolVersion()).toBe(version);
    expect(driver.client.getServerCapabilities()).toMatchObject({ prompts: {}, completions: {} });
    const { prompts } = await driver.client.listPrompts();
    const shown = prompts.map(({ name, description, arguments: args = [] }) => [
      `${name}: ${description}`,
      ...args.map((each) => `${each.name}${each.required === true ? '' : '?'}: ${each.description}`),
    ]);
    expect(shown).toEqual([
      [
        'scrape_website: Scrape structured data from a website',
        'url: The URL to scrape',
        'selectors: JSON object mapping field names to CSS selectors',
      ],
      [
        'fill_form: Fill out and submit a web form',
        'url: The URL containing the form',
        'form_data: JSON object with form field values',
        'submit_button?: Selector for submit button',
      ],
      [
        'visual_regression: Compare page screenshots for visual changes',
        'url: The URL to test',
        'baseline_screenshot: Path to baseline screenshot',
      ],
      [
        'authenticate: Log into a website',
        'url: Login page URL',
        'username: Username or email',
        'password: Password',
        'username_selector?: Username field selector',
        'password_selector?: Password field selector',
        'submit_selector?: Submit button selector',
      ],
      [
        'e2e_test: Run end-to-end user journey test',
        'test_scenario: Description of the user journey',
        'start_url: Starting URL',
      ],
    ]);
  });

  test('[S1-71, S1-72] scrape_website has a line for each selector', async ({ server }) => {
    await using driver = await server.drive(options);
    const selectors = JSON.stringify({ title: 'h1', price: '.price > b', count: 3 });
    const [text] = await textsOf(driver.client, 'scrape_website', { url, selectors });
    expect(text).toMatchInlineSnapshot(`
      "I need to scrape data from https://shop.example/login. Please:

      1. Navigate to the URL
      2. Wait for the page to fully load
      3. Extract data using these selectors:
         - title: h1
         - price: .price > b
         - count: 3
      4. Return the extracted data as a JSON object

      Handle any errors gracefully and include metadata about the scrape
      (timestamp, page title, final URL after redirects)."
    `);
  });

  test('[S1-73, S1-81] fill_form has a line for each field and the default button', async ({ server }) => {
    await using driver = await server.drive(options);
    const form_data = JSON.stringify({ Name: 'Ada & "Lovelace"', Age: 36 });
    const [text] = await textsOf(driver.client, 'fill_form', { url, form_data });
    expect(text).toMatchInlineSnapshot(`
      "Please fill out and submit a form at https://shop.example/login:

      1. Navigate to the page
      2. Fill the following fields:
         - Name: Ada & "Lovelace"
         - Age: 36
      3. Click the submit button: button[type='submit']
      4. Wait for submission to complete
      5. Return the result URL and any success/error messages"
    `);
    const [other] = await textsOf(driver.client, 'fill_form', { url, form_data, submit_button: '#send' });
    expect(other).toContain('3. Click the submit button: #send\n');
  });

  test('[S1-74] visual_regression names the baseline', async ({ server }) => {
    await using driver = await server.drive(options);
    const [text] = await textsOf(driver.client, 'visual_regression', { url, baseline_screenshot: 'base/home.png' });
    expect(text).toMatchInlineSnapshot(`
      "Perform visual regression testing for https://shop.example/login:

      1. Navigate to the URL
      2. Take a full-page screenshot
      3. Compare with baseline: base/home.png
      4. Report any visual differences
      5. Highlight areas that changed
      6. Return diff percentage and annotated screenshot"
    `);
  });

  test('[S1-75, S1-76, S1-81] authenticate does not show the password', async ({ server }) => {
    await using driver = await server.drive(options);
    const given = { url: 'https://ada:tr0ub4dor@shop.example/', username: 'ada', password: 'tr0ub4dor' };
    const texts = await textsOf(driver.client, 'authenticate', given);
    expect(texts[0]).toMatchInlineSnapshot(`
      "Please log into https://[REDACTED]@shop.example/:

      1. Navigate to the login page
      2. Fill username field (input[name='username'], input[type='email']): ada
      3. Fill password field (input[name='password'], input[type='password']): [REDACTED]
      4. Click submit (button[type='submit'])
      5. Wait for redirect/success
      6. Save authentication cookies
      7. Return session ID for future requests

      Note: Handle 2FA prompts if they appear."
    `);
    expect(texts.join()).not.toContain('tr0ub4dor');
    const selectors = { username_selector: '#u', password_selector: '#p', submit_selector: '#go' };
    const [other] = await textsOf(driver.client, 'authenticate', { ...given, ...selectors });
    expect(other).toContain('2. Fill username field (#u): ada\n3. Fill password field (#p): [REDACTED]\n');
    expect(other).toContain('4. Click submit (#go)\n');
  });

  test('[S1-77] e2e_test names the scenario and the first URL', async ({ server }) => {
    await using driver = await server.drive(options);
    const [text] = await textsOf(driver.client, 'e2e_test', { test_scenario: 'Buy a book', start_url: url });
    expect(text).toMatchInlineSnapshot(`
      "Execute this E2E test scenario: Buy a book

      Starting at: https://shop.example/login

      For each step:
      1. Describe what you're doing
      2. Take a screenshot
      3. Verify expected outcome
      4. Report any issues

      At the end, provide:
      - Test result (pass/fail)
      - Screenshots from each step
      - Performance metrics
      - Any errors encountered"
    `);
  });

  test('[S1-79] an unknown prompt is an error', async ({ server }) => {
    await using driver = await server.drive(options);
    const failure = driver.client.getPrompt({ name: 'bake_bread' });
    await expect(failure).rejects.toMatchObject({
      code: -32602,
      message: expect.stringMatching(/Prompt not found: bake_bread$/),
    });
  });

  test.for([
    ['scrape_website', 'selectors', { url }],
    ['fill_form', 'url', {}],
    ['fill_form', 'form_data', { url, form_data: '' }],
    ['visual_regression', 'baseline_screenshot', { url }],
    ['authenticate', 'password', { url, username: 'ada' }],
    ['e2e_test', 'test_scenario', { start_url: url }],
  ] as const)('[S1-80] %s without %s is an error', async ([name, missing, args], { server }) => {
    await using driver = await server.drive(options);
    const failure = driver.client.getPrompt({ name, arguments: { ...args } });
    await expect(failure).rejects.toMatchObject({
      code: -32602,
      message: expect.stringMatching(new RegExp(`Missing required argument: ${missing}$`)),
    });
  });
});

describe('arguments are data', () => {
  test.for([
    '{{#each this}}{{@key}}{{/each}}',
    '{{{constructor}}}',
    '{{password}}',
    '{{lookup this "constructor"}}',
    '<b>&"\'',
  ])('%s is rendered as it is', async (text, { driver }) => {
    const [whole] = await textsOf(driver.client, 'e2e_test', { test_scenario: text, start_url: url });
    expect(whole).toContain(`Execute this E2E test scenario: ${text}\n`);
    const selectors = JSON.stringify({ [text]: text });
    const [list] = await textsOf(driver.client, 'scrape_website', { url, selectors });
    expect(list).toContain(`:\n   - ${text}: ${text}\n4.`);
  });

  test('names of the prototype are fields like others', async ({ driver }) => {
    const selectors = '{"__proto__":"a","constructor":"b","toString":{"x":1}}';
    const [text] = await textsOf(driver.client, 'scrape_website', { url, selectors });
    expect(text).toContain(':\n   - __proto__: a\n   - constructor: b\n   - toString: {"x":1}\n4.');
    expect(Object.hasOwn(Object.prototype, 'a')).toBe(false);
  });

  test('an unknown argument changes nothing', async ({ driver }) => {
    const given = { test_scenario: 'Buy', start_url: url };
    const plain = await textsOf(driver.client, 'e2e_test', given);
    expect(await textsOf(driver.client, 'e2e_test', { ...given, template: '{{x}}', __proto__x: 'y' })).toEqual(plain);
  });

  test.for([
    ['selectors', 'title=h1'],
    ['selectors', '["h1"]'],
    ['selectors', '"h1"'],
    ['selectors', '{"a":'],
  ])('%s must be a JSON object, not %s', async ([name = '', value = ''], { driver }) => {
    const failure = driver.client.getPrompt({ name: 'scrape_website', arguments: { url, [name]: value } });
    await expect(failure).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining(`Invalid argument: ${name} must be a JSON object`),
    });
  });

  test('an argument of a megabyte is refused, and the next request is answered', async ({ driver }) => {
    const failure = driver.client.getPrompt({
      name: 'e2e_test',
      arguments: { test_scenario: 'x'.repeat(1024 * 1024), start_url: url },
    });
    await expect(failure).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('Argument too long: test_scenario'),
    });
    expect((await driver.client.listPrompts()).prompts).toHaveLength(5);
  });

  test('a name of a megabyte is cut in the error', async ({ driver }) => {
    const failure = driver.client.getPrompt({ name: 'x'.repeat(1024 * 1024) });
    await expect(failure).rejects.toMatchObject({ message: expect.stringMatching(/^.{0,300}$/) });
  });
});

describe('secrets', () => {
  test('the name of a secret as the password is typed by name', async ({ driver }) => {
    const [text, guidance] = await textsOf(driver.client, 'authenticate', {
      url,
      username: 'ada',
      password: 'SHOP_PASSWORD',
    });
    expect(text).not.toContain('SHOP_PASSWORD');
    expect(guidance).toContain('Type the password with browser_type and the text SHOP_PASSWORD');
  });

  test('the value of a secret does not appear in a prompt', async ({ driver }) => {
    const form_data = JSON.stringify({ Password: 'correct-horse-battery' });
    const [text] = await textsOf(driver.client, 'fill_form', { url, form_data });
    expect(text).toContain('   - Password: <secret>SHOP_PASSWORD</secret>\n');
  });
});

/** The messages of the server, before a client reads them. */
async function wire(server: {
  readonly app: { serve(transport: InMemoryTransport, driver: string): Promise<AsyncDisposable> };
}) {
  const [here, there] = InMemoryTransport.createLinkedPair();
  const serving = await server.app.serve(there, 'wire');
  const received: JSONRPCMessage[] = [];
  let notify = (): void => undefined;
  here.onmessage = (message) => {
    received.push(message);
    notify();
  };
  await here.start();
  return {
    ask: async (id: number, method: string, params: Record<string, unknown>): Promise<JSONRPCMessage | undefined> => {
      const isAnswer = (message: JSONRPCMessage): boolean => 'id' in message && message.id === id;
      const answered = new Promise<void>((resolve) => {
        notify = () => (received.some(isAnswer) ? resolve() : undefined);
      });
      await here.send({ jsonrpc: '2.0', id, method, params });
      await answered;
      return received.find(isAnswer);
    },
    [Symbol.asyncDispose]: async () => serving[Symbol.asyncDispose](),
  };
}

test('[S1-70, S1-79] the list has defaults, and errors have the exact message', async ({ server }) => {
  await using raw = await wire(server);
  const clientInfo = { name: 'wire', version: '1' };
  await raw.ask(1, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  expect(await raw.ask(2, 'prompts/list', {})).toMatchObject({
    result: {
      prompts: expect.arrayContaining([
        expect.objectContaining({
          name: 'fill_form',
          arguments: expect.arrayContaining([
            {
              name: 'submit_button',
              description: 'Selector for submit button',
              required: false,
              default: "button[type='submit']",
            },
          ]),
        }),
      ]),
    },
  });
  expect(await raw.ask(3, 'prompts/get', { name: 'bake_bread' })).toMatchObject({
    error: { code: -32602, message: 'Prompt not found: bake_bread' },
  });
});

test('the second message names offered tools', async ({ driver }) => {
  const [, guidance] = await textsOf(driver.client, 'fill_form', { url, form_data: '{}' });
  expect(guidance).toMatch(/^browser_fill_form fills all fields in one call/);
});

testWith(['--disable-tool', 'browser_fill_form,browser_click'])(
  'the second message is left out if its tools are not offered',
  async ({ driver }) => {
    expect(await textsOf(driver.client, 'fill_form', { url, form_data: '{}' })).toHaveLength(1);
  },
);

testWith(['--toolset', 'design'])('the second message has the names of the toolset', async ({ driver }) => {
  const [, guidance] = await textsOf(driver.client, 'fill_form', { url, form_data: '{}' });
  expect(guidance).toMatch(/^click accepts the selector of the button/);
});
