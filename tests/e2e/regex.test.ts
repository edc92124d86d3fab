import { data, evaluate, expect, open, test, testWith } from '../fixtures.ts';

/** A backtracking engine needs 2^200 steps for this. */
const hostile = '(a+)+$';
const text = `${'a'.repeat(200)}!`;

const testDesign = testWith(['--toolset=design']);

test('browser_find answers a regex with nested quantifiers', async ({ site, call }) => {
  await open(site, call, `<p>${text}</p><p>aaa</p>`);
  const answer = await call('browser_find', { regex: hostile });
  expect(answer.isError, answer.text).toBe(false);
  expect(answer.text).toContain(`1 line contains /${hostile}/.`);
});

test('browser_network_requests answers a filter with nested quantifiers', async ({ site, call }) => {
  await open(site, call, '<p>Text</p>');
  await evaluate(call, `fetch('/${text}').then(() => fetch('/aaa')).then(() => 1)`);
  const answer = await call('browser_network_requests', { filter: `/${hostile}/` });
  const paths = [...(answer.section('Result') ?? '').matchAll(/http:\/\/[^/]+(\S*)/g)].map(([, path]) => path);
  expect(paths).toEqual(['/aaa']);
});

testDesign('get_request_log answers a filter with nested quantifiers', async ({ site, callRaw }) => {
  site.set('/', `<script>fetch('/${text}').then(() => fetch('/aaa')).then(() => { document.title = 'done' })</script>`);
  await callRaw('navigate', { url: site.url('/') });
  await expect
    .poll(async () => data(await callRaw('get_request_log', { filter: `/${hostile}/` }))['requests'])
    .toEqual([expect.objectContaining({ url: site.url('/aaa') })]);
});

testDesign.for([
  ['a regex', `/${hostile}/`, '/aaa'],
  ['a pattern with *', `**/${'*a'.repeat(40)}b`, `/${'a'.repeat(60)}b`],
] as const)('mock_response matches %s with nested repetition', async ([, url, mocked], { site, callRaw }) => {
  site.set('/', '<p>Text</p>');
  for (const path of [`/${text}`, mocked]) site.set(path, (_request, response) => void response.end('server'));
  await callRaw('mock_response', { url, response: { body: 'mock' } });
  await callRaw('navigate', { url: site.url('/') });
  const script = `Promise.all(${JSON.stringify([`/${text}`, mocked])}.map((path) => fetch(path).then((got) => got.text())))`;
  expect(data(await callRaw('evaluate', { script }))).toEqual({ result: ['server', 'mock'] });
});

test.for([
  [String.raw`(a)\1`, 'back reference'],
  [String.raw`(?<x>a)\k<x>`, 'back reference'],
  ['a(?=b)', 'lookahead'],
  ['a(?!b)', 'lookahead'],
  ['(?<=a)b', 'lookbehind'],
  ['a'.repeat(1001), '1000 characters'],
  ['(?:a{500}b){500}', 'repeat'],
  [String.raw`(\w{900})`.repeat(9), 'too large'],
] as const)('a regex is refused with its reason (%#)', async ([regex, reason], { site, call }) => {
  await open(site, call, '<p>ab</p>');
  for (const answer of [
    await call('browser_find', { regex }),
    await call('browser_network_requests', { filter: `/${regex}/` }),
  ]) {
    expect(answer.kind, answer.text).toBe('BAD_FORMAT');
    expect(answer.section('Error')).toContain(reason);
  }
});

test.for([
  'text=/(a+)+$/',
  'p >> text=/^(?:a|aa)*$/i',
  'role=paragraph[name=/(a{1,9}){9}b/]',
  'css=:text-matches("(a+)+$")',
  "p:text-matches('(a+){2,}$', 'i')",
  String.raw`p:Text-Matches("(a+)\2b $")`,
  'xpath=//p >> text=/(a+)+$/',
])('the selector %s does not block the page', async (selector, { site, call }) => {
  await open(site, call, `<p>${text}</p>`);
  for (const answer of [await call('browser_find', { selector }), await call('browser_click', { ref: selector })]) {
    expect(answer.kind, answer.text).toBe('INVALID_SELECTOR');
    expect(answer.text).toContain('repeats a group');
  }
  expect(await evaluate(call, '1 + 1')).toBe('2');
});

test.for([
  'text=/^a+b?$/',
  'p:text-matches("^a+$")',
  String.raw`text=/^(a|b)a[)+]*a\)?\w+$/`,
  'a[href="(x)+"], p:first-of-type',
])('the selector %s finds its element', async (selector, { site, call }) => {
  await open(site, call, '<p>aaa</p><p>other</p>');
  expect((await call('browser_find', { selector })).structured).toMatchObject({ data: { count: 1 } });
});
