import { expect, open, test } from '../fixtures.ts';
import type { Site } from '../fixtures.ts';

const stopped = 'The page kept reloading itself; navigation was stopped.';

const loops = [
  ['by a script', '<title>Loop</title><h1>Again</h1><script>location.reload()</script>'],
  [
    'by a script once it has loaded',
    '<title>Loop</title><h1>Again</h1><script>onload = () => location.reload()</script>',
  ],
  ['by a meta refresh', '<meta http-equiv="refresh" content="0"><title>Loop</title><h1>Again</h1>'],
  ['between two pages', '<title>Loop</title><h1>Again</h1><script>location.href = "/back"</script>'],
  [
    'with changing URLs',
    '<title>Loop</title><h1>Again</h1><script>location.href = "?" + (Number(location.search.slice(1)) + 1)</script>',
  ],
] as const;

function serve(site: Site, loop: string): void {
  site.set('/loop', loop);
  site.set('/back', '<title>Loop</title><h1>Again</h1><script>location.href = "/loop"</script>');
  site.set('/calm', '<title>Calm</title><h1>Rest</h1>');
}

test.for(loops)('a page in a reload loop, %s, is shown, reported and can be left', async ([, loop], { site, call }) => {
  serve(site, loop);
  const answer = await call('browser_navigate', { url: site.url('/loop') });
  expect(answer.isError, answer.text).toBe(false);
  expect(answer.section('Result')).toContain(stopped);
  expect(answer.section('Snapshot')).toContain('heading "Again"');
  // The loop does not go on.
  expect((await call('browser_snapshot')).section('Snapshot')).toBe(answer.section('Snapshot'));
  const left = await call('browser_navigate', { url: site.url('/calm') });
  expect(left.section('Result')).toBe(`Successfully navigated to ${site.url('/calm')}\nTitle: Calm`);
});

test('a click that leads to a page in a reload loop is answered with that page', async ({ site, call }) => {
  serve(site, loops[0][1]);
  await open(site, call, '<a href="/loop">Go</a>');
  const answer = await call('browser_click', { selector: 'a' });
  expect(answer.section('Result')).toBe(`Successfully clicked element: a\n${stopped}`);
  expect(answer.section('Snapshot')).toContain('heading "Again"');
});

test('a tab that opens with a page in a reload loop is shown', async ({ site, call }) => {
  serve(site, loops[2][1]);
  await open(site, call, '<a href="/loop" target="_blank">Go</a>');
  const answer = await call('browser_click', { selector: 'a' });
  expect(answer.section('Result')).toContain('Opened tab 1');
  expect(answer.section('Snapshot')).toContain('heading "Again"');
});

/** Opens a page that starts a reload loop while no call is under way. */
async function openLater(site: Site, call: Parameters<typeof open>[1], loop: string): Promise<void> {
  serve(site, loop);
  let start = (): void => undefined;
  site.set('/start', (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': wait\n\n');
    start = () => void response.write('data: now\n\n');
  });
  let loaded = 0;
  const hasBegun = new Promise<void>((resolve) => {
    site.set('/loop', (_request, response) => {
      if (++loaded === 10) resolve();
      response.setHeader('content-type', 'text/html').end(loop);
    });
  });
  await open(site, call, `<script>new EventSource('/start').onmessage = () => { location = '/loop' }</script>`);
  start();
  await hasBegun;
}

test.for(loops.slice(0, 4))(
  'a page that starts a reload loop later, %s, can be left at once',
  async ([, loop], { site, call }) => {
    await openLater(site, call, loop);
    const left = await call('browser_navigate', { url: site.url('/calm') });
    expect(left.section('Result')).toBe(`Successfully navigated to ${site.url('/calm')}\nTitle: Calm`);
    expect(left.section('Snapshot')).toContain('heading "Rest"');
  },
);

test('a page that starts a reload loop later can be read', async ({ site, call }) => {
  await openLater(site, call, loops[0][1]);
  const shown = await call('browser_snapshot');
  expect(shown.section('Snapshot')).toContain('heading "Again"');
});

test.for([
  ['scripts', (next: string) => `<script>location.href = '${next}'</script>`],
  ['meta elements', (next: string) => `<meta http-equiv="refresh" content="0; url=${next}">`],
] as const)('ten redirects by %s are followed to the end', async ([, lead], { site, call }) => {
  for (let hop = 0; hop < 10; hop++) site.set(`/hop${hop}`, `${lead(`/hop${hop + 1}`)}<p>Hop</p>`);
  site.set('/hop10', '<title>End</title><h1>Arrived</h1>');
  const answer = await call('browser_navigate', { url: site.url('/hop0') });
  expect(answer.section('Result')).toBe(
    `Successfully navigated to ${site.url('/hop0')}\nTitle: End\nRedirected to ${site.url('/hop10')}`,
  );
  expect(answer.section('Snapshot')).toContain('heading "Arrived"');
});
