import { FakeClock } from '../fake-clock.ts';
import { expect, startApp, test } from '../fixtures.ts';

/** The browser's own time for it comes too, half a minute later; here it does not. */
const flags = ['--browser-arg=--js-flags=--no-memory-reducer'];

/** Tells the site when something that nothing refers to is freed. */
const litter = `() => {
  globalThis.registry = new FinalizationRegistry(() => fetch('/freed'));
  registry.register({}, undefined);
}`;

test('a session that rests after several pages has their memory freed', async ({ site }) => {
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
  const open = async (): Promise<number> => {
    expect((await driver.call('browser_navigate', { url: site.url('/') })).isError).toBe(false);
    return clock.pending;
  };
  const first = await open();
  expect([await open(), await open()]).toEqual([first, first]);
  expect(await open()).toBe(first + 1);
  await driver.call('browser_evaluate', { function: litter });
  clock.pass(2000);
  await freed;
  expect(await open()).toBe(first);
});

test('a call puts the freeing off until its session rests again', async ({ site }) => {
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
