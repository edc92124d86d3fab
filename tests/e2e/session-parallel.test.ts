import type { ServerResponse } from 'node:http';
import { isLongRun } from '../extent.ts';
import { expect, testWith } from '../fixtures.ts';
import type { CallRaw, Site } from '../fixtures.ts';

/** Sixteen parallel sessions are slow on two cores. */
const test = testWith(['--max-sessions=100', '--timeout-action=60000']);

function pages(site: Site): void {
  for (const name of ['a', 'b']) {
    site.set(
      `/${name}`,
      `<title>${name.toUpperCase()}</title><button onclick="document.title += '!'">Go</button><a href="/b" target="_blank">Away</a>`,
    );
  }
}

async function titleIn(callRaw: CallRaw, where: object): Promise<string | undefined> {
  return (await callRaw('browser_evaluate', { function: '() => document.title', ...where })).section('Result');
}

test('[C5-9] a call can name a tab by id or index, and the current tab stays', async ({ call, callRaw, site }) => {
  pages(site);
  await call('browser_navigate', { url: site.url('/a') });
  await call('browser_tabs', { action: 'new', url: site.url('/b') });
  const clicked = await callRaw('browser_click', { selector: 'button', tab: 't1' });
  expect(clicked.page).toBe(`- Tab: t1\n- Page URL: ${site.url('/a')}\n- Page Title: A!`);
  expect(clicked.section('Open tabs')).toBe(
    `- 0: [A!](${site.url('/a')}) t1\n- 1: (current) [B](${site.url('/b')}) t2`,
  );
  for (const tab of ['t1', 0, '0']) expect(await titleIn(callRaw, { tab })).toBe('A!');
  expect(await titleIn(callRaw, {})).toBe('B');
  expect((await callRaw('browser_snapshot', { tab: 't9' })).section('Error')).toBe(
    '[TAB_NOT_FOUND] There is no tab t9; 2 tabs are open.\nList the tabs with browser_tabs.',
  );
  await callRaw('browser_close', { tab: 't1' });
  expect((await call('browser_tabs', { action: 'list' })).section('Result')).toBe(
    `- 0: (current) [B](${site.url('/b')}) t2`,
  );
});

test('tabs opened by a named tab stay in the background', async ({ call, callRaw, site }) => {
  pages(site);
  await call('browser_navigate', { url: site.url('/a') });
  await call('browser_tabs', { action: 'new', url: site.url('/a') });
  const answer = await callRaw('browser_click', { selector: 'a', tab: 't1' });
  expect(answer.section('Result')).toContain(`Opened tab 2 (t3), in the background: ${site.url('/b')}`);
  expect((await call('browser_tabs', { action: 'list' })).text).toContain('1: (current)');
});

test('[C5-9] answers name their session and tab only if there are several', async ({ call, callRaw, site }) => {
  pages(site);
  const alone = await call('browser_navigate', { url: site.url('/a') });
  expect(alone.page).toBe(`- Page URL: ${site.url('/a')}\n- Page Title: A`);
  await callRaw('create_session', { name: 'other' });
  const there = await callRaw('browser_navigate', { url: site.url('/b'), sessionId: 'other' });
  expect(there.page).toBe(`- Session: other\n- Page URL: ${site.url('/b')}\n- Page Title: B`);
  const script = { function: '() => 1', sessionId: 'other' };
  expect((await callRaw('browser_evaluate', script)).section('Page')).toBe('- Session: other');
  expect((await callRaw('browser_click', { ref: 'e99', sessionId: 'other', tab: 't1' })).section('Page')).toBe(
    '- Session: other\n- Tab: t1',
  );
  expect((await call('browser_snapshot')).page).toContain('- Session: default\n');
});

test('calls in one session run in order', async ({ callRaw, site }) => {
  pages(site);
  const first = callRaw('browser_navigate', { url: site.url('/a') });
  const titles = [
    titleIn(callRaw, {}),
    callRaw('browser_navigate', { url: site.url('/b') }).then(() => 'navigated'),
    titleIn(callRaw, {}),
    callRaw('browser_click', { selector: 'button' }).then(() => 'clicked'),
    titleIn(callRaw, {}),
  ];
  await first;
  expect(await Promise.all(titles)).toEqual(['A', 'navigated', 'B', 'clicked', 'B!']);
});

test('[C5-9] a slow page does not block other sessions', async ({ callRaw, site }) => {
  pages(site);
  let slow: ServerResponse | undefined;
  const asked = new Promise<void>((resolve) => {
    site.set('/slow', (_request, response) => {
      slow = response;
      resolve();
    });
  });
  await callRaw('create_session', { name: 'slow' });
  let isDone = false;
  const waiting = callRaw('browser_navigate', { url: site.url('/slow'), sessionId: 'slow' }).then((answer) => {
    isDone = true;
    return answer;
  });
  await asked;
  await callRaw('create_session', { name: 'quick' });
  for (const sessionId of ['quick', 'default']) {
    await callRaw('browser_navigate', { url: site.url('/a'), sessionId });
    await callRaw('browser_click', { selector: 'button', sessionId });
    expect(await titleIn(callRaw, { sessionId })).toBe('A!');
  }
  expect(isDone).toBe(false);
  slow?.setHeader('content-type', 'text/html').end('<title>Slow</title>');
  expect((await waiting).text).toContain('Title: Slow');
});

test('[C5-9] an endless script does not block other sessions', async ({ callRaw, site }) => {
  pages(site);
  await callRaw('create_session', { name: 'stuck' });
  await callRaw('browser_navigate', { url: site.url('/a'), sessionId: 'stuck' });
  let isDone = false;
  const stop = callRaw('browser_evaluate', {
    function: '() => { navigator.sendBeacon("/stuck"); for (;;); }',
    sessionId: 'stuck',
  }).then(() => {
    isDone = true;
  });
  await expect.poll(() => site.requests.map(({ path }) => path)).toContain('/stuck');
  await callRaw('browser_navigate', { url: site.url('/b') });
  await callRaw('browser_click', { selector: 'button' });
  expect(await titleIn(callRaw, {})).toBe('B!');
  expect(isDone).toBe(false);
  expect((await callRaw('close_session', { sessionId: 'stuck' })).isError).toBe(false);
  await stop;
});

test('[C5-9] sixteen parallel sessions are isolated', async ({ callRaw, site }) => {
  site.set(
    '/',
    `<title>Page</title><button>Step</button><p></p><script>
      const who = location.search.slice(1);
      localStorage.who ??= who; sessionStorage.who ??= who; document.cookie ||= 'who=' + who;
      const seen = () => [who, localStorage.who, sessionStorage.who, document.cookie.slice(4)].join();
      document.querySelector('button').onclick = () => { document.querySelector('p').textContent = 'I am ' + seen() };
    </script>`,
  );
  const steps: readonly (readonly [string, object])[] = [
    ['browser_click', { selector: 'button' }],
    ...Array.from({ length: 9 }, () => ['browser_evaluate', { function: '() => "I am " + seen()' }] as const),
  ];
  const run = async (sessionId: string): Promise<void> => {
    await callRaw('create_session', { name: sessionId });
    const own = Array(4).fill(sessionId).join();
    for (let round = 0; round < (isLongRun ? 5 : 1); round++) {
      await callRaw('browser_navigate', { url: site.url(`/?${sessionId}`), sessionId });
      for (const [tool, args] of steps.slice(0, -1)) {
        const { text } = await callRaw(tool, { ...args, sessionId });
        expect(text).toContain(`I am ${own}`);
        expect(text).toContain(`- Session: ${sessionId}`);
      }
    }
  };
  await Promise.all(Array.from({ length: 16 }, async (_, index) => run(`w${index}`)));
}, 180_000);
