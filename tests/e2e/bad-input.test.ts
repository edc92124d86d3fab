import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { allTools } from '../../src/tools/all.ts';
import type { ToolName } from '../../src/tools/all.ts';
import { casesOf } from '../extent.ts';
import { answerOf, expect, refOf, testWith } from '../fixtures.ts';
import type { Answer, Call, Site, TestApp } from '../fixtures.ts';
import { elementTools, requiredArguments, toolArguments } from './tool-arguments.ts';

const test = testWith(['--toolset=all', '--server-code', '--max-sessions=1000']);

/** One of each kind: with an element, without, with nested arguments, without any, with plain sentences, with data. */
const sample: ReadonlySet<ToolName> = new Set([
  'browser_click',
  'browser_type',
  'browser_evaluate',
  'browser_fill_form',
  'browser_tabs',
  'browser_take_screenshot',
  'browser_context_create',
  'browser_launch',
  'browser_quit',
  'find_element',
  'set_cookies',
  'wait_for_load',
]);

const names = casesOf(
  allTools.map((tool) => tool.name),
  (name) => sample.has(name),
);
const takingElements = casesOf<(typeof elementTools)[number]>(elementTools, (name) => sample.has(name));

/** The tools with arguments, each with possible mistakes. */
const takingArguments = names.flatMap((name) => {
  const row = toolArguments[name];
  return 'misspelt' in row ? [[name, row.wrongTyped, row.misspelt] as const] : [];
});

async function openPage(site: Site, call: Call): Promise<string> {
  site.set(
    '/',
    '<title>Page</title><button id="go" ondragover="event.preventDefault()">Go</button><button>Twice</button><input id="name"><p>Words</p>' +
      '<select id="list"><option>One</option></select><input type="checkbox" id="box"><input type="file"><table><tr><td>1</td></tr></table>',
  );
  return (await call('browser_navigate', { url: site.url('/') })).text;
}

/** Preparation that some tools need. */
async function prepare(name: ToolName, server: TestApp, call: Call): Promise<void> {
  if (name === 'browser_navigate_forward') await call('browser_navigate_back');
  if (name === 'browser_file_upload') await writeFile(join(server.folder, 'upload.txt'), 'x');
  if (name === 'browser_stop_tracing') await call('browser_start_tracing', {});
  if (name === 'browser_stop_recording') await call('browser_start_recording', {});
  if (name === 'browser_stop_video') await call('browser_start_video', {});
  if (name === 'browser_context_close' || name === 'close_session')
    await call('browser_context_create', { name: 'spare' });
}

/** The error of tools that need what the machine may lack: a window, a dashboard, a paused script, FFmpeg. */
const refusals: Partial<Record<ToolName, string>> = {
  browser_annotate: 'FORBIDDEN',
  browser_handoff: 'NO_DASHBOARD',
  browser_resume: 'NOT_PAUSED',
  browser_start_video: 'FFMPEG_MISSING',
  browser_stop_video: 'NO_VIDEO',
};

/** Whether the tool succeeded; false if the machine lacks what it needs. */
function hasSucceeded(name: ToolName, answer: Answer): boolean {
  const refusal = refusals[name];
  if (answer.isError && refusal !== undefined) {
    expect(answer.kind, answer.text).toBe(refusal);
    return false;
  }
  expect(answer.isError, answer.text).toBe(false);
  return true;
}

/** Some tools answer with plain sentences. */
function errorText(answer: Answer): string {
  return answer.section('Error') ?? answer.text;
}

/** An error with code and hint, as text and as data. */
function expectCoded(answer: Answer, kind: string, because: string): void {
  expect(answer.isError, because).toBe(true);
  expect(errorText(answer), because).toMatch(/^(?:\[[A-Z_]+\] .+\n[A-Z].+|Error [a-z ]+: .+\nHint: [A-Z].+)$/s);
  expect(answer.kind, because).toBe(kind);
  expect(answer.structured, because).toMatchObject({
    success: false,
    errorCode: expect.stringMatching(/^[A-Z_]+$/),
    error: {
      code: expect.stringMatching(/^[A-Z_]+$/),
      retryable: expect.any(Boolean),
      suggestion: expect.stringMatching(/^[A-Z]/),
    },
  });
}

test.for(names)(
  '[S0-07] %s works with good arguments, so that the tests below prove something',
  async (name, { site, server, call, callRaw }) => {
    await openPage(site, call);
    await call('browser_navigate', { url: site.url('/?again') });
    await prepare(name, server, call);
    hasSucceeded(name, await callRaw(name, toolArguments[name].good));
  },
);

test.for(requiredArguments)('[R-33, R-10] %s without %s names it', async ([name, key, sentence], { callRaw }) => {
  const { [key]: _missing, ...rest } = toolArguments[name].good;
  const answer = await callRaw(name, rest);
  expectCoded(answer, 'MISSING_PARAMETER', name);
  expect(answer.section('Error')).toMatch(
    /^\[MISSING_PARAMETER\] .* Accepted arguments: .*\.\nCorrect the arguments and call again\.$/,
  );
  expect(answer.section('Error')).toContain(sentence);
});

test.for(takingArguments)(
  '[R-33] %s whose argument %s has the wrong type names it',
  async ([name, key], { callRaw }) => {
    const answer = await callRaw(name, { ...toolArguments[name].good, [key]: { not: 'this' } });
    expectCoded(answer, 'INVALID_ARGUMENT', name);
    expect(errorText(answer)).toMatch(
      new RegExp(`Argument "${key}" must be (an?|one of) .*, not (an object|\\{"not":"this"\\})\\.`),
    );
  },
);

test.for(takingArguments)(
  '[R-33] %s with a misspelt argument names the nearest one',
  async ([name, , [given, meant]], { callRaw }) => {
    const answer = await callRaw(name, { ...toolArguments[name].good, [given]: 'x' });
    expectCoded(answer, 'INVALID_ARGUMENT', name);
    expect(errorText(answer)).toContain(`Unknown argument "${given}": did you mean "${meant}"?`);
  },
);

test.for(names)(
  '[R-33] %s ignores an argument it does not know, and says so',
  async (name, { site, server, call, callRaw }) => {
    await openPage(site, call);
    await call('browser_navigate', { url: site.url('/?again') });
    await prepare(name, server, call);
    const answer = await callRaw(name, { ...toolArguments[name].good, zzzzzzzzzz: 1 });
    if (!hasSucceeded(name, answer)) return;
    expect(answer.text.replaceAll('\\"', '"')).toContain('Ignored the unknown argument "zzzzzzzzzz". Accepted: ');
  },
);

test.for(names)('[R-33] %s with arguments that are not an object says so', async (name, { server }) => {
  for (const args of ['text', 7, true, ['list']]) {
    const answer = answerOf(await server.app.call({ name, args, driver: 'careless' }));
    expectCoded(answer, 'INVALID_ARGUMENT', name);
    expect(errorText(answer)).toMatch(
      /^[^:\n]* The arguments must be an object\.\n|: The arguments must be an object\.\n/,
    );
  }
});

test.for(names)('%s answers hostile keys, and no prototype is polluted', async (name, { callRaw }) => {
  const hostile: unknown = JSON.parse(
    '{"__proto__": {"polluted": true}, "constructor": {"prototype": {"polluted": true}}, "toString": 1}',
  );
  const answer = await callRaw(name, hostile);
  expect(answer.text).toMatch(/^(?:### |Error |Browser |\{"success":)/);
  expect(Reflect.get({}, 'polluted')).toBeUndefined();
});

test.for(takingElements)('[R-3] %s takes its element by every name', async (name, { site, call, callRaw }) => {
  const ref = refOf(await openPage(site, call), 'textbox');
  const { ref: selector, ...rest } = toolArguments[name].good;
  const given = typeof selector === 'string' ? selector : '#go';
  for (const element of [
    { ref: given },
    { target: given },
    { selector: given },
    { selector: given, selectorType: 'css', options: {} },
    { selector: `xpath=//*[@id=${JSON.stringify(given.slice(1))}]`, element: 'In words' },
  ]) {
    const answer = await callRaw(name, { ...rest, ...element });
    expect(answer.isError, `${JSON.stringify(element)}: ${answer.text}`).toBe(false);
  }
  const twice = await callRaw(name, { ...rest, ref, selector: given });
  expectCoded(twice, 'INVALID_ARGUMENT', name);
  expect(errorText(twice)).toContain('Accepted arguments: ref, target or selector.');
});

test.for(takingElements)('[S2-119] %s with a ref that was never shown', async (name, { site, call, callRaw }) => {
  await openPage(site, call);
  for (const ref of ['e99999999', 'e1a2b3', 'f9e9', 'c0p0f0e99999999', 'default:e99999999']) {
    expectCoded(await callRaw(name, { ...toolArguments[name].good, ref }), 'REF_NOT_FOUND', ref);
  }
});

test.for(takingElements)('[S2-120] %s with a ref whose element is gone', async (name, { site, call, callRaw }) => {
  const ref = refOf(await openPage(site, call), 'button', 'Go');
  await call('browser_evaluate', { function: '() => document.querySelector("#go").remove()' });
  expectCoded(await callRaw(name, { ...toolArguments[name].good, ref }), 'STALE_REF', name);
  expect((await call('browser_snapshot')).isError).toBe(false);
});

test.for(takingElements)('[R-28] %s with a selector that cannot be parsed', async (name, { site, call, callRaw }) => {
  await openPage(site, call);
  const { ref: _ref, ...rest } = toolArguments[name].good;
  for (const selector of [
    '###',
    '',
    '   ',
    'x'.repeat(1_000_000),
    'no-such-engine=x',
    '//[',
    'xpath=//[',
    'button:no-such-pseudo(',
    'internal:role=[',
  ]) {
    const answer = await callRaw(name, { ...rest, selector });
    expectCoded(answer, 'INVALID_SELECTOR', selector.slice(0, 40));
    expect(answer.text.length).toBeLessThan(2000);
  }
  expect((await call('browser_snapshot')).isError).toBe(false);
});

test.for(takingElements)(
  '[R-28] %s with a selector that matches more than one element',
  async (name, { site, call, callRaw }) => {
    await openPage(site, call);
    const { ref: _ref, ...rest } = toolArguments[name].good;
    const answer = await callRaw(name, { ...rest, selector: 'button' });
    expectCoded(answer, 'AMBIGUOUS_SELECTOR', name);
    expect(errorText(answer)).toContain('The selector "button" matches 2 elements.');
  },
);

test.for(['browser_click', 'browser_hover', 'browser_type'] as const)(
  '[R-28] %s with a selector that matches nothing',
  async (name, { site, call, callRaw }) => {
    await openPage(site, call);
    const { ref: _ref, ...rest } = toolArguments[name].good;
    const answer = await callRaw(name, { ...rest, selector: '#nothing', timeout: 300 });
    expectCoded(answer, 'ELEMENT_NOT_FOUND', name);
    expect(errorText(answer)).toContain('No element found matching selector "#nothing"');
  },
);

test('a ref cannot inject an internal selector engine', async ({ site, call }) => {
  await openPage(site, call);
  for (const target of ['aria-ref=e1', 'helm=state']) {
    const answer = await call('browser_click', { target, timeout: 500 });
    expect(answer.isError, target).toBe(true);
    expect(answer.kind, target).not.toBe('INTERNAL_ERROR');
  }
});

test.for([
  ['file:///etc/passwd', 'SCHEME_BLOCKED'],
  ['view-source:file:///etc/passwd', 'SCHEME_BLOCKED'],
  ['chrome://crash', 'SCHEME_BLOCKED'],
  ['javascript:alert(1)', 'SCHEME_BLOCKED'],
  ['blob:null/x', 'SCHEME_BLOCKED'],
  ['ftp://127.0.0.1/', 'SCHEME_BLOCKED'],
  ['http://169.254.169.254/', 'URL_BLOCKED'],
  ['', 'INVALID_URL'],
  ['http://', 'INVALID_URL'],
  ['//evil', 'INVALID_URL'],
] as const)('%s is not opened by browser_navigate or browser_tabs: %s', async ([url, kind], { site, call }) => {
  await openPage(site, call);
  const navigated = await call('browser_navigate', { url });
  expectCoded(navigated, kind, url);
  expectCoded(await call('browser_tabs', { action: 'new', url }), kind, url);
  const after = await call('browser_snapshot');
  expect(after.page).toBe(`- Page URL: ${site.url('/')}\n- Page Title: Page`);
  expect(after.section('Open tabs')).toBeUndefined();
});

test('a rejected URL error says which URLs are allowed', async ({ call }) => {
  expect((await call('browser_navigate', { url: 'file:///etc/passwd' })).text).toBe(
    '### Error\n[SCHEME_BLOCKED] "file:///etc/passwd" was not opened: file: URLs are not allowed.\n' +
      'Open an http, https, data or about:blank URL.',
  );
});

test('[R-34] numbers and booleans as strings, and a single item for a list, are coerced', async ({
  site,
  call,
  callRaw,
}) => {
  await openPage(site, call);
  expect((await callRaw('browser_wait_for', { time: '0.01' })).section('Result')).toContain('Waited 0.01 seconds.');
  expect((await callRaw('browser_click', { ref: '#go', doubleClick: 'true' })).text).toContain('.dblclick()');
  expect((await callRaw('browser_click', { ref: '#go', modifiers: 'Shift' })).text).toContain("modifiers: ['Shift']");
  expect((await callRaw('browser_click', { ref: '#go', modifiers: '["Shift","Alt"]' })).text).toContain(
    "['Shift', 'Alt']",
  );
  expect((await callRaw('browser_type', { ref: '#name', text: 42 })).section('Result')).toContain('Text: 42');
  expect((await callRaw('browser_click', { ref: '#go', button: null })).isError).toBe(false);
});
