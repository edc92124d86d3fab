import { FakeClock } from '../fake-clock.ts';
import { expect, startApp, test } from '../fixtures.ts';

/** Below the half minute after which the browser collects garbage by itself. */
const flags = ['--browser-arg=--js-flags=--no-memory-reducer'];

/** Notifies the site when an unreferenced object is collected. */
const litter = `() => {
  globalThis.registry = new FinalizationRegistry(() => fetch('/freed'));
  registry.register({}, undefined);
}`;

test('an idle session collects the garbage of its page', async ({ site }) => {
  site.set('/', '<title>Page</title>');
  const freed = new Promise<void>((resolve) => {
    site.set('/freed', (_request, response) => {
      response.end();
      resolve();
    });
  });
  const clock = new FakeClock();
  await using server = await startApp(flags, { clock });
  await using driver = await server.drive();
  await driver.call('browser_navigate', { url: site.url('/') });
  await driver.call('browser_evaluate', { function: litter });
  const before = clock.pending;
  clock.pass(2000);
  await freed;
  await driver.call('browser_evaluate', { function: '() => 1' });
  expect(clock.pending).toBe(before - 1);
});

test('a session without a rest collects the garbage of its page after ten documents', async ({ site }) => {
  site.set('/', '<title>Page</title>');
  const freed = new Promise<void>((resolve) => {
    site.set('/freed', (_request, response) => {
      response.end();
      resolve();
    });
  });
  await using server = await startApp(flags, { clock: new FakeClock() });
  await using driver = await server.drive();
  for (let count = 1; count < 10; count++) await driver.call('browser_navigate', { url: site.url('/') });
  site.set('/', `<title>Page</title><script>(${litter})()</script>`);
  await driver.call('browser_navigate', { url: site.url('/') });
  await freed;
});

test('a page with a large heap is skipped until other pages followed it', async ({ site }) => {
  site.set('/', '<title>Page</title>');
  site.set('/large', '<title>Page</title><script>globalThis.held = new Array(28e6).fill(0)</script>');
  const clock = new FakeClock();
  await using server = await startApp(flags, { clock });
  await using driver = await server.drive();
  const timersAfterRest = async (): Promise<number> => {
    clock.pass(2000);
    await driver.call('browser_evaluate', { function: '() => 1' });
    return clock.pending;
  };
  await driver.call('browser_navigate', { url: site.url('/large') });
  const waiting = clock.pending;
  expect(await timersAfterRest()).toBe(waiting);
  await driver.call('browser_navigate', { url: site.url('/') });
  expect(await timersAfterRest()).toBe(waiting - 1);
});

test('the heap of the server is collected after two seconds without a call', async ({ site }) => {
  site.set('/', '<title>Page</title>');
  const clock = new FakeClock();
  const reported: string[] = [];
  const heap = { used: () => void reported.push('used'), collect: async () => void reported.push('collect') };
  await using server = await startApp([], { clock, heap });
  await using driver = await server.drive();
  const use = async (sessionId: string): Promise<unknown> =>
    driver.callRaw('browser_navigate', { url: site.url('/'), sessionId });
  for (const name of ['one', 'two']) await driver.call('create_session', { name });
  reported.length = 0;
  await use('one');
  clock.pass(1999);
  await use('two');
  clock.pass(1999);
  expect(reported).toEqual(['used', 'used']);
  clock.pass(1);
  expect(reported).toEqual(['used', 'used', 'collect']);
});

test('a call postpones garbage collection until its session is idle again', async ({ site }) => {
  site.set('/', '<title>Page</title>');
  const clock = new FakeClock();
  await using server = await startApp([], { clock });
  await using driver = await server.drive();
  for (let index = 0; index < 4; index += 1) await driver.call('browser_navigate', { url: site.url('/') });
  const before = clock.pending;
  clock.pass(1999);
  await driver.call('browser_evaluate', { function: '() => 1' });
  clock.pass(1999);
  expect(clock.pending).toBe(before);
  clock.pass(1);
  expect(clock.pending).toBe(before - 1);
});
