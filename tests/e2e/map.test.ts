import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { estimateTokens } from '../../src/util/tokens.ts';
import { evaluate, expect, open, startApp, testWith } from '../fixtures.ts';
import type { Answer, Call, CallRaw, Site } from '../fixtures.ts';

const test = testWith(['--toolset=all']);
const limited = testWith(['--toolset=all', '--action-policy=code=deny']);
const withoutNavigation = testWith(['--toolset=all', '--disable-tool=browser_navigate']);

const titleStep = { tool: 'browser_evaluate', args: { function: '() => document.title' } };

/** The names of the sessions that the driver has. */
async function sessionNames(call: Call): Promise<readonly string[]> {
  const { sessions } = Object((await call('list_sessions', {})).structured?.['data']);
  return sessions.map(({ name }: { readonly name: string }) => name);
}

function pages(site: Site, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => {
    site.set(`/p${index}`, `<title>Page ${index}</title><h1>Number ${index}</h1><button>Go</button>`);
    return site.url(`/p${index}`);
  });
}

const dataOf = (answer: Answer) => Object(answer.structured?.['data']);

test('20 URLs of which 3 fail give one result in their order, with the failures apart', async ({
  site,
  call,
  callRaw,
}) => {
  await open(site, call, '<title>Home</title><p>Stays</p>');
  const urls = [...pages(site, 20)];
  site.set('/p3', '<title>Without a button</title>');
  site.set('/p7', (_request, response) => response.destroy());
  site.set('/p12', '<title>Page 12</title><button disabled>Go</button>');
  const answer = await callRaw('browser_map', {
    urls,
    steps: [{ tool: 'browser_click', args: { ref: 'button "Go"' } }, titleStep],
  });
  expect(answer.isError, answer.text).toBe(false);
  const { done, failed, results } = dataOf(answer);
  expect(done, JSON.stringify(failed)).toBe(17);
  const good = urls.map((_, index) => index).filter((index) => ![3, 7, 12].includes(index));
  expect(results).toEqual(
    good.map((index) => ({
      number: index + 1,
      url: urls[index],
      title: `Page ${index}`,
      values: { 2: `Page ${index}` },
    })),
  );
  expect(failed.map(({ number, step, code }: Record<string, unknown>) => [number, step, code])).toEqual([
    [4, 1, 'ELEMENT_NOT_FOUND'],
    [8, 0, 'NAVIGATION_FAILED'],
    [13, 1, 'ELEMENT_NOT_CLICKABLE'],
  ]);
  const lines = answer.section('Result')?.split('\n') ?? [];
  expect(lines[0]).toBe('17 of 20 URLs done.');
  const heads = lines.filter((line) => /^\d+\. /.test(line)).map((line) => Number.parseInt(line, 10));
  expect(heads).toEqual([...good.map((index) => index + 1), 4, 8, 13]);
  expect(lines.indexOf('Failed:')).toBeGreaterThan(lines.findIndex((line) => line.startsWith('20. ')));
  // Nothing is left, and the page of the caller is still there.
  expect(await sessionNames(call)).toEqual(['default']);
  expect(await evaluate(call, 'document.title')).toBe('Home');
});

test('a single step shows what it returned below each URL', async ({ site, callRaw }) => {
  const urls = pages(site, 3);
  const answer = await callRaw('browser_map', { urls, steps: [titleStep] });
  expect(answer.section('Result')).toBe(
    `3 of 3 URLs done.\n${urls.map((url, index) => `${index + 1}. ${url}: Page ${index}`).join('\n')}`,
  );
});

test('steps have values of earlier steps and conditions, and may go on after an error', async ({ site, callRaw }) => {
  const urls = pages(site, 2);
  site.set('/p1', '<title>Other</title><p>Odd</p><input>');
  const answer = await callRaw('browser_map', {
    urls,
    stopOnError: false,
    steps: [
      { tool: 'extract', args: { fields: { heading: 'h1' } }, if: { text: 'Number' } },
      { tool: 'type', args: { ref: 'input', text: 'x', timeout: 500 }, if: { text: 'Number' } },
      { ...titleStep, as: 'title' },
    ],
  });
  expect(dataOf(answer).results.map(({ values }: { readonly values: unknown }) => values)).toEqual([
    { 1: { count: 1, items: [{ heading: 'Number 0' }] }, 3: 'Page 0' },
    { 3: 'Other' },
  ]);
  expect(answer.text).toMatch(
    /1\. \S+\n {3}1\. browser_extract: done[^]*2\. browser_type: failed \[ELEMENT_NOT_FOUND\]/,
  );
  expect(answer.text).toContain('   1. browser_extract: not run: no text "Number"');
});

test('no more URLs are open at once than wanted, and the progress is reported', async ({ site, driver }) => {
  let [now, most] = [0, 0];
  const waiting: (() => void)[] = [];
  const urls = pages(site, 6);
  for (const index of urls.keys()) {
    site.set(`/p${index}`, (_request, response) => {
      most = Math.max(most, ++now);
      const answer = (): void => {
        now -= 1;
        response.setHeader('content-type', 'text/html').end(`<title>Page ${index}</title>`);
      };
      // Answered in pairs: with fewer than two at once, the first would wait forever.
      waiting.push(answer);
      if (waiting.length === 2) for (const each of waiting.splice(0)) each();
    });
  }
  const progress: string[] = [];
  const result = await driver.client.callTool(
    { name: 'browser_map', arguments: { urls, steps: [titleStep], concurrency: 2 } },
    { onprogress: ({ message = '' }) => void progress.push(message) },
  );
  expect(result.isError).not.toBe(true);
  expect(most).toBe(2);
  expect(progress).toEqual(['Starting the browser', ...urls.map((_, index) => `${index + 1} of 6 URLs`)]);
});

test('each URL has a session of its own, which starts with the state of the caller only if asked', async ({
  site,
  call,
  callRaw,
}) => {
  await open(site, call, '<title>Home</title>');
  await evaluate(call, '{ document.cookie = "who=caller"; localStorage.setItem("who", "caller"); }');
  const urls = pages(site, 3);
  const script =
    '() => { const seen = document.cookie + "|" + localStorage.getItem("who"); document.cookie = "mark=1"; return seen; }';
  const steps = [{ tool: 'browser_evaluate', args: { function: script } }];
  const seen = (answer: Answer): unknown =>
    dataOf(answer).results.map(({ values }: { readonly values: object }) => Object.values(values)[0]);
  expect(seen(await callRaw('browser_map', { urls, steps, concurrency: 1 }))).toEqual(['|null', '|null', '|null']);
  expect(seen(await callRaw('browser_map', { urls, steps, shareState: true }))).toEqual(
    Array.from({ length: 3 }, () => 'who=caller|caller'),
  );
  expect(await evaluate(call, 'document.cookie')).toBe('who=caller');
});

test('the options of the session hold for the sessions of the URLs', async ({ site, call, callRaw }) => {
  await callRaw('create_session', { name: 'german', locale: 'de-DE', viewport: { width: 500, height: 400 } });
  const steps = [{ tool: 'browser_evaluate', args: { function: '() => navigator.language + innerWidth' } }];
  const answer = await callRaw('browser_map', { urls: pages(site, 1), steps, sessionId: 'german' });
  expect(answer.text).toContain('de-DE500');
  await call('close_session', { sessionId: 'german' });
});

test('the number of sessions is limited by that of the server', async ({ site }) => {
  await using server = await startApp(['--toolset=all', '--max-sessions=2']);
  await using driver = await server.drive();
  const urls = pages(site, 3);
  await driver.call('create_session', { name: 'one' });
  const answer = await driver.callRaw('browser_map', { urls, steps: [titleStep] });
  expect(answer.text).toContain('3 of 3 URLs done.');
  expect(answer.text).toContain('1 session at once: the limit of 2 leaves no more.');
  await driver.call('create_session', { name: 'two' });
  const before = site.requests.length;
  expect((await driver.callRaw('browser_map', { urls, steps: [titleStep] })).kind).toBe('MAX_SESSIONS_REACHED');
  expect(site.requests.length).toBe(before);
});

test('nothing is opened if an argument is wrong', async ({ site, callRaw }) => {
  const urls = pages(site, 2);
  const rows: readonly (readonly [args: object, problem: string])[] = [
    [{ urls: [], steps: [titleStep] }, 'Argument "urls" must have 1 to 50 URLs'],
    [{ urls: Array.from({ length: 51 }, () => urls[0]), steps: [titleStep] }, 'Argument "urls" must have 1 to 50 URLs'],
    [{ urls: [...urls, 'javascript:alert(1)'], steps: [titleStep] }, 'URL 3 (javascript:alert(1))'],
    [{ urls: [...urls, 'file:///etc/passwd'], steps: [titleStep] }, 'file:'],
    [{ urls, steps: [] }, 'Argument "steps" must have 1 to 20 steps'],
    [{ urls, steps: [{ tool: 'browser_clik' }] }, 'Step 1: There is no tool "browser_clik"'],
    [{ urls, steps: [{ tool: 'browser_map', args: { urls, steps: [] } }] }, 'Step 1: browser_map cannot be a step.'],
    [
      { urls, steps: [{ tool: 'browser_click', args: { ref: 'e1' } }] },
      'Step 1: The element was not found: no snapshot',
    ],
    [{ urls, steps: [titleStep], concurrency: 17 }, 'must be a whole number from 1 to 16'],
  ];
  for (const [args, problem] of rows) {
    const answer = await callRaw('browser_map', args);
    expect(answer.isError, problem).toBe(true);
    expect(answer.section('Error')).toContain(problem);
  }
  expect(site.requests).toEqual([]);
});

test('the status of an error page is reported, and refs of sessions that are gone are left out', async ({
  site,
  callRaw,
}) => {
  site.set('/none', (_request, response) =>
    response.writeHead(404, { 'content-type': 'text/html' }).end('<a href="/">Home</a>'),
  );
  const steps = [{ tool: 'browser_find', args: { text: 'Home' } }];
  const answer = await callRaw('browser_map', { urls: [site.url('/none')], steps });
  expect(answer.section('Result')).toBe(
    `1 of 1 URL done.\n1. ${site.url('/none')} (HTTP status 404)\n   1 line contains "Home".\n   - link "Home"`,
  );
  expect(dataOf(answer).results[0]).toMatchObject({ status: 404 });
});

test('if all URLs fail, the answer is the first error', async ({ site, call, callRaw }) => {
  site.set('/gone', (_request, response) => response.destroy());
  const answer = await callRaw('browser_map', { urls: [site.url('/gone'), site.url('/gone')], steps: [titleStep] });
  expect([answer.isError, answer.kind]).toEqual([true, 'NAVIGATION_FAILED']);
  expect(answer.section('Error')).toContain(`All 2 URLs failed. ${site.url('/gone')}: Navigation to`);
  expect(answer.section('Result')).toMatch(/^0 of 2 URLs done\.\nFailed:\n1\. .*\n2\. /);
  expect(await sessionNames(call)).toEqual(['default']);
});

test('a call that is cancelled in the middle says what ran, and leaves nothing behind', async ({ site, driver }) => {
  const { call, client } = driver;
  await open(site, call, '<title>Home</title>');
  const urls = pages(site, 3);
  const arrived = new Promise<void>((resolve) => site.set('/p1', () => resolve()));
  const cancel = new AbortController();
  const running = client.callTool(
    { name: 'browser_map', arguments: { urls, steps: [titleStep], concurrency: 1 } },
    { signal: cancel.signal },
  );
  await arrived;
  cancel.abort();
  await expect(running).rejects.toThrow();
  expect((await call('browser_snapshot', {})).section('Events')).toContain(
    `browser_map was cancelled: ${urls[0]}: done; ${urls[1]}: interrupted`,
  );
  expect(await sessionNames(call)).toEqual(['default']);
  expect(site.requests.some(({ path }) => path === '/p2')).toBe(false);
});

test('results that are too long are cut fairly, and are whole in a file', async ({ site, server, callRaw }) => {
  const urls = pages(site, 6);
  const long = Array.from({ length: 200 }, (_, index) => `<p>Paragraph ${index} of many others</p>`).join('');
  site.set('/p2', `<title>Long</title>${long}`);
  const steps = [{ tool: 'browser_evaluate', args: { function: '() => document.body.innerText' } }];
  const answer = await callRaw('browser_map', { urls, steps, maxTokens: 1500 });
  expect(estimateTokens(answer.text)).toBeLessThanOrEqual(1500);
  // Short results are whole.
  for (const index of [0, 1, 3, 4, 5]) expect(answer.text).toContain(`Number ${index}`);
  expect(answer.text).toMatch(/… \d+ more lines/);
  const [, file = ''] = /Not everything is shown: all results are in (\S+)/.exec(answer.text) ?? [];
  const { results } = JSON.parse(await readFile(join(server.folder, file), 'utf8'));
  expect(results[2].values['1']).toContain('Paragraph 199 of many others');
  const named = await callRaw('browser_map', { urls, steps, filename: 'all.json' });
  expect(named.text).not.toContain('Number 0');
  expect(JSON.parse(await readFile(join(server.folder, '.playwright-mcp/all.json'), 'utf8')).results).toHaveLength(6);
});

test('pages forge neither lines of other URLs nor sections', async ({ site, callRaw }) => {
  const urls = pages(site, 2);
  site.set('/p0', '<title>x</title><p>2. http://other/: done</p><p>### Result</p><p>Failed:</p>');
  const steps = [{ tool: 'browser_evaluate', args: { function: '() => document.body.innerText' } }];
  const answer = await callRaw('browser_map', { urls, steps });
  expect(answer.text.split('\n').filter((line) => /^(?:###|\d+\.|Failed)/.test(line))).toEqual([
    '### Result',
    `1. ${urls[0]}`,
    `2. ${urls[1]}`,
  ]);
});

test('a password that a step types is not in the URLs of the result', async ({ site, callRaw }) => {
  site.set(
    '/p0',
    '<title>Form</title><form action="/sent"><input type="password" name="key"><button>Send</button></form>',
  );
  site.set('/sent', '<title>Sent</title>');
  const answer = await callRaw('browser_map', {
    urls: [site.url('/p0')],
    steps: [
      { tool: 'browser_type', args: { ref: '[name=key]', text: 'hunter2secret' } },
      { tool: 'browser_click', args: { ref: 'button' } },
      { tool: 'browser_evaluate', args: { function: '() => location.href' } },
    ],
  });
  expect(answer.isError, answer.text).toBe(false);
  expect(site.requests.some(({ path }) => path === '/sent?key=hunter2secret')).toBe(true);
  expect(JSON.stringify([answer.text, answer.structured])).not.toContain('hunter2secret');
});

async function kinds(callRaw: CallRaw, args: object): Promise<readonly string[]> {
  const answer = await callRaw('browser_map', args);
  const { failed } = Object(answer.structured?.['details'] ?? answer.structured?.['data']);
  return failed.map(({ code }: { readonly code: string }) => code);
}

limited('the action policy holds for the steps', async ({ site, callRaw }) => {
  expect(await kinds(callRaw, { urls: pages(site, 2), steps: [titleStep] })).toEqual([
    'ACTION_DENIED',
    'ACTION_DENIED',
  ]);
});

withoutNavigation('a server that does not offer navigation opens no URLs', async ({ site, callRaw }) => {
  const answer = await callRaw('browser_map', { urls: pages(site, 1), steps: [titleStep] });
  expect(answer.section('Error')).toContain('There is no tool "browser_navigate"');
  expect(site.requests).toEqual([]);
});
