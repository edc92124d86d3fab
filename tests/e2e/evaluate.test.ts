import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { evaluate, expect, open, refOf, test } from '../fixtures.ts';

test('[S2-65, S2-70, R-9] a function runs in the page; a string result is shown as is', async ({ site, call }) => {
  await open(site, call, '<title>The title</title><p>Text</p>');
  const answer = await call('browser_evaluate', { function: '() => document.title' });
  expect(answer.text).toBe(
    '### Result\nThe title\n### Ran Playwright code\n```js\nawait page.evaluate(() => document.title);\n```',
  );
  expect(answer.structured).toEqual({ success: true, data: { result: 'The title' } });
});

test('[S2-66, S2-67, S2-68, S2-69] a function runs on the element of a ref; an object is returned as JSON', async ({
  site,
  call,
}) => {
  site.set('/', '<button id="go">Press</button>');
  const ref = refOf((await call('browser_navigate', { url: site.url('/') })).text, 'button', 'Press');
  const text = await call('browser_evaluate', { ref, function: '(el) => el.textContent' });
  expect(text.section('Result')).toBe('Press');
  const object = await call('browser_evaluate', { ref, function: '(el) => ({ tag: el.tagName, id: el.id })' });
  expect(object.section('Result')).toBe('{"tag":"BUTTON","id":"go"}');
  expect(object.structured).toEqual({ success: true, data: { result: { tag: 'BUTTON', id: 'go' } } });
});

test('[S2-71] null is shown as null', async ({ site, call }) => {
  await open(site, call, '<p>Text</p>');
  const answer = await call('browser_evaluate', { selector: 'p', function: '(el) => el.getAttribute("missing")' });
  expect(answer.section('Result')).toBe('null');
  expect(answer.structured).toEqual({ success: true, data: { result: null } });
});

test('[R-34] script, expression and code are aliases; args are passed to the function', async ({ callRaw }) => {
  for (const name of ['script', 'expression', 'code']) {
    const answer = await callRaw('browser_evaluate', { [name]: '(a, b) => a + b', args: [1, 2] });
    expect(answer.section('Result'), name).toBe('3');
  }
});

test('expressions, statements and async functions run, and results of every type are shown', async ({ call }) => {
  for (const [source, result] of [
    ['1 + 1', '2'],
    ['const a = 2; return a * 3;', '6'],
    ['async () => { await null; return "later" }', 'later'],
    ['function () { return [1, "2"] }', '[1,"2"]'],
    ['() => {}', 'undefined'],
    ['() => 10n ** 20n', '"100000000000000000000n"'],
    ['() => NaN', '"NaN"'],
    ['() => document.body', 'ref: <Node>'],
    ['() => new Date(0)', '"1970-01-01T00:00:00.000Z"'],
    ['() => ({ error: new TypeError("bad"), pattern: /x/g })', '{"error":"TypeError: bad","pattern":"/x/g"}'],
    ['() => new Map([["a", new Set([1, { b: 2 }])]])', '{"a":[1,{"b":2}]}'],
    ['() => [new Map([[1, "one"]]), new Map()]', '[[[1,"one"]],{}]'],
    [
      '() => ({ query: new URLSearchParams("a=1&b=2"), twice: new URLSearchParams("a=1&a=2") })',
      '{"query":{"a":"1","b":"2"},"twice":[["a","1"],["a","2"]]}',
    ],
    ['() => { const all = new Set(); return all.add(all) }', '<ref *1> [ [Circular *1] ]'],
    ['() => new Uint8Array([1, 2])', '[1,2]'],
  ] as const) {
    const answer = await call('browser_evaluate', { function: source });
    expect(answer.section('Result'), source).toBe(result);
    expect(answer.isError, source).toBe(false);
  }
});

test.for([
  ['document.title', '() => (document.title)'],
  ['return 5', 'async () => { return 5 }'],
  ['x => x', 'x => x'],
  ['async (a, b) => 1', 'async (a, b) => 1'],
  ['function () { return 1 }', 'function () { return 1 }'],
] as const)('the generated code of %s passes a function', async ([source, code], { call }) => {
  const answer = await call('browser_evaluate', { function: source });
  expect(answer.section('Ran Playwright code')).toBe(`\`\`\`js\nawait page.evaluate(${code});\n\`\`\``);
});

test('an empty script is an error', async ({ call }) => {
  expect((await call('browser_evaluate', { function: ' ' })).section('Error')?.split('\n')[0]).toBe(
    '[INVALID_ARGUMENT] Argument "function" is empty.',
  );
});

test('a cyclic result is shown without hanging', async ({ call }) => {
  const answer = await call('browser_evaluate', {
    function: '() => { const a = { name: "a" }; a.self = a; return a }',
  });
  expect(answer.isError).toBe(false);
  expect(answer.section('Result')).toContain('Circular');
});

test('filename saves the result', async ({ server, call }) => {
  const answer = await call('browser_evaluate', { function: '() => ({ a: 1 })', filename: 'result.json' });
  expect(answer.section('Result')).toBe('Result written to .playwright-mcp/result.json');
  expect(await readFile(join(server.folder, '.playwright-mcp/result.json'), 'utf8')).toBe('{"a":1}');
});

test('a script that throws is an error with its message', async ({ call }) => {
  const answer = await call('browser_evaluate', { function: '() => { throw new TypeError("no such thing") }' });
  expect(answer.text).toBe(
    '### Error\n[EVALUATION_FAILED] The script threw: TypeError: no such thing\n' +
      'Correct the function. It runs in the page, as "() => { … }", or "(element) => { … }" when a ref is given.',
  );
});

test.for([
  ['a syntax error', '() => {', 'EVALUATION_FAILED'],
  ['a getter that throws', '() => ({ get a() { throw new Error("trap") } })', undefined],
  ['a thrown string', '() => { throw "plain" }', 'EVALUATION_FAILED'],
  ['a rejected promise', '() => Promise.reject(new Error("late"))', 'EVALUATION_FAILED'],
  ['a proxy that throws', '() => new Proxy({}, { ownKeys() { throw new Error("trap") } })', undefined],
  ['a symbol', '() => Symbol("s")', undefined],
  ['a function', '() => () => 1', undefined],
] as const)('%s is answered, and the next call works', async ([, source, kind], { call }) => {
  const answer = await call('browser_evaluate', { function: source });
  if (kind !== undefined) expect(answer.kind).toBe(kind);
  expect(answer.text).toMatch(/^### (Result|Error)\n/);
  expect((await call('browser_evaluate', { function: '() => 1' })).section('Result')).toBe('1');
});

test('[R-10] a script that never returns is terminated, and the page is usable again', async ({ site, call }) => {
  await open(site, call, '<title>Alive</title><button onclick="document.title = \'clicked\'">Go</button>');
  const answer = await call('browser_evaluate', { function: '() => { while (true) {} }', timeout: 500 });
  expect(answer.text).toBe(
    '### Error\n[TIMEOUT] The script did not finish within 500ms.\n' +
      'The call may have had an effect: look at the page before you repeat it.\n' +
      'Increase the timeout parameter or check if the page is loading slowly.',
  );
  const click = await call('browser_click', { selector: 'button' });
  expect(click.page).toBe(`- Page URL: ${site.url('/')}\n- Page Title: clicked`);
});

test('a promise that never settles times out', async ({ call }) => {
  const answer = await call('browser_evaluate', { function: '() => new Promise(() => {})', timeout: 300 });
  expect(answer.kind).toBe('TIMEOUT');
  expect((await call('browser_evaluate', { function: '() => 1' })).section('Result')).toBe('1');
});

test('[S2-75] a dialog that the script opens is reported instead of a result', async ({ call }) => {
  const answer = await call('browser_evaluate', { function: '() => { alert("hi"); return 5 }' });
  expect(answer.section('Modal state')).toBe(
    '- [an alert dialog with the message "hi"]: answer it with browser_handle_dialog',
  );
  expect(answer.section('Result')).toBe('It opened an alert dialog with the message "hi".');
  expect(answer.structured).toBeUndefined();
  expect((await call('browser_handle_dialog', { accept: true })).isError).toBe(false);
  expect((await call('browser_evaluate', { function: '() => 1' })).section('Result')).toBe('1');
});

test('a navigation started by a script is waited for', async ({ site, call }) => {
  site.set('/', '<title>One</title><p>Text</p>');
  site.set('/two', '<title>Two</title><p>Text</p>');
  await call('browser_navigate', { url: site.url('/') });
  const answer = await call('browser_evaluate', { function: '() => { location.href = "/two" }' });
  expect(answer.section('Result')).toContain(`Navigated to ${site.url('/two')}`);
  expect((await call('browser_evaluate', { function: '() => document.title' })).section('Result')).toBe('Two');
});

test('a script whose document is replaced has no result', async ({ site, call }) => {
  site.set('/', '<title>One</title><p>Text</p>');
  site.set('/two', '<title>Two</title><p>Text</p>');
  await call('browser_navigate', { url: site.url('/') });
  const answer = await call('browser_evaluate', {
    function: 'async () => { location.href = "/two"; await new Promise(() => {}) }',
  });
  expect(answer.section('Result')).toBe(`Navigated to ${site.url('/two')}`);
});

test('an error thrown by a script is not mistaken for a browser failure', async ({ call }) => {
  for (const text of ['Target page, context or browser has been closed', 'Page crashed', 'Timeout 30000ms exceeded.']) {
    const answer = await call('browser_evaluate', { function: `() => { throw new Error(${JSON.stringify(text)}) }` });
    expect(answer.structured).toMatchObject({
      message: `The script threw: ${text}`,
      error: { kind: 'EVALUATION_FAILED' },
    });
  }
});

test('a script that closes its tab is reported', async ({ site, call }) => {
  site.set('/', '<title>One</title><p>Text</p>');
  site.set('/two', '<title>Two</title><p>Text</p>');
  await call('browser_navigate', { url: site.url('/') });
  await call('browser_evaluate', { function: '() => { open("/two") }' });
  const answer = await call('browser_evaluate', { function: '() => { close() }' });
  expect(answer.text).toContain('The tab closed itself.');
  expect((await call('browser_evaluate', { function: '() => document.title' })).section('Result')).toBe('One');
});

test("a page's content security policy does not stop the script", async ({ site, call }) => {
  site.set('/', (_request, response) =>
    response
      .setHeader('content-security-policy', "default-src 'none'")
      .setHeader('content-type', 'text/html')
      .end('<title>Strict</title><p>Text</p>'),
  );
  await call('browser_navigate', { url: site.url('/') });
  expect((await call('browser_evaluate', { function: '() => document.title' })).section('Result')).toBe('Strict');
});

test('a maxTokens above the limit is reported, also if the result is cut', async ({ callRaw }) => {
  const long = { function: '() => "word ".repeat(30000)' };
  const answer = await callRaw('browser_evaluate', { ...long, maxTokens: 50_000 });
  const [, cut, note] = answer.section('Result')?.split('\n') ?? [];
  expect(cut).toMatch(/^… cut here: \d+ more characters\. /);
  expect(note).toBe('maxTokens is at most 20000; that limit was used.');
  expect((await callRaw('browser_evaluate', { ...long, maxTokens: 20_000 })).text).not.toContain('at most');
});

test('[S1-30] statements give the value of the last expression', async ({ site, call }) => {
  site.set('/', '<title>Page</title><a href="#1">One</a><a href="#2">Two</a>');
  await call('browser_navigate', { url: site.url('/') });
  for (const [script, value] of [
    ["document.querySelectorAll('a').length;", '2'],
    ['await Promise.resolve(4)', '4'],
    ['let x = 3; x * 2', '6'],
    ['const all = document.links;\nall\n  .length;', '2'],
  ] as const) {
    expect((await call('browser_evaluate', { function: script })).section('Result'), script).toBe(value);
  }
});

test.for(["'A'.repeat(5e8)", "({ parts: Array.from({ length: 100 }, (_, part) => part + 'A'.repeat(1e6)) })"])(
  'a result above the limit is refused in the page: %s',
  async (expression, { site, call }) => {
    await open(site, call, '<title>Home</title><p>Text</p>');
    const answer = await call('browser_evaluate', { function: `() => ${expression}` });
    expect(answer.kind, answer.text.slice(0, 500)).toBe('EVALUATION_FAILED');
    expect(answer.text).toContain('The result has more than 30000000 characters.');
  },
);

test('a long script is not repeated in the answer', async ({ site, call }) => {
  await open(site, call, '');
  const script = `() => { let sum = 0;\n${'  sum += 1;\n'.repeat(100)}  return sum; }`;
  const answer = await call('browser_evaluate', { function: script });
  expect(answer.section('Result')).toBe('100');
  expect(answer.text.split('\n')).toHaveLength(6);
  expect(answer.text.length).toBeLessThan(280);
});

test.for([
  [
    'a variable of an outer function',
    '() => { let sum = 0; [1, 2].forEach((each) => { sum += each }); return sum }',
    '3',
  ],
  ['a getter with a side effect', '() => { hits = 0; return [counted.value, hits].join() }', '5,1'],
  ['a function of the page with a side effect', '() => [count(), count()].join()', '1,2'],
  [
    'a caught side effect',
    "() => { try { document.title = 'New' } catch { return 'caught' } return document.title }",
    'New',
  ],
  ['a date', '() => new Date(0)', '"1970-01-01T00:00:00.000Z"'],
  ['a map', '() => new Map([["a", 1]])', '{"a":1}'],
  ['an element', '() => document.body', 'ref: <Node>'],
  ['a value that contains itself', '() => { const list = []; list.push(list); return list.length }', '1'],
  ['undefined', '() => undefined', 'undefined'],
  ['not a number', '() => [NaN, 1]', '["NaN",1]'],
] as const)('a script with %s runs once and has its usual result', async ([, script, result], { site, call }) => {
  await open(
    site,
    call,
    `<title>Old</title><script>n = 0; hits = 0; count = () => (n += 1);
counted = { get value() { hits += 1; return 5 } }</script>`,
  );
  expect((await call('browser_evaluate', { function: script })).section('Result')).toBe(result);
});

test('a URL that a script reads is shown without a password that the page has set', async ({ site, call }) => {
  await open(site, call, '<input type="password">');
  await evaluate(call, "{ document.querySelector('input').value = 'correct-horse-9' }");
  const url = "`https://example.com/?p=${document.querySelector('input').value}`";
  expect(await evaluate(call, url)).toBe('https://example.com/?p=[REDACTED]');
});
