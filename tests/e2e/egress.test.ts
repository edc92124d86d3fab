import { expect, startApp, test } from '../fixtures.ts';
import { casesOf } from '../extent.ts';
import { cidrOf, openSinks, tryAll } from '../egress/sinks.ts';
import type { Side, Sinks } from '../egress/sinks.ts';
import { ways } from '../egress/ways.ts';
import type { Way } from '../egress/ways.ts';

/** Ways that a headless Chromium never uses: they are tried, but prove nothing. */
const unused = new Set([
  'favicon',
  'manifest',
  'dns-prefetch',
  'preconnect',
  'preconnect header',
  'attribution source',
  'Reporting API',
]);
const sample = new Set([
  'image',
  'redirect chain',
  'font',
  'WebSocket',
  'service worker',
  'WebRTC TURN over TCP',
  'CSP report',
  'popup',
]);
const tried = casesOf(ways, ({ name }) => sample.has(name));
const usable = tried.filter(({ name }) => !unused.has(name));
const namesOf = (some: readonly Way[]): readonly string[] => some.map(({ name }) => name).toSorted();
const limit = { timeout: 30_000, interval: 100 };

async function tryFrom(sinks: Sinks, flags: readonly string[], sides: readonly Side[]): Promise<void> {
  await using server = await startApp(flags);
  await using driver = await server.drive();
  for (const side of sides) {
    await tryAll(sinks, tried, side, async (url) => driver.call('browser_navigate', { url }));
    // Each way is known to have run when it has reached an allowed host.
    const expected = side === 'denied' ? [] : usable.filter((way) => flags.length === 0 || way.isOffWithRules !== true);
    await expect
      .poll(() => sinks.reached(side).filter((name) => !unused.has(name)), limit)
      .toEqual(expect.arrayContaining([...namesOf(expected)]));
  }
}

test('without rules every way reaches its host', async () => {
  await using sinks = await openSinks();
  await tryFrom(sinks, [], ['allowed']);
  expect(sinks.reached('allowed').filter((name) => !unused.has(name))).toEqual(namesOf(usable));
});

test.for([
  ['an allowlist', [`--allowed-domains=127.0.0.1,${cidrOf('allowed')}`]],
  ['a blocklist', [`--blocked-domains=${cidrOf('denied')}`]],
] as const)('[R-20] with %s no way reaches a denied host', async ([, flags]) => {
  await using sinks = await openSinks();
  await tryFrom(sinks, flags, ['denied', 'allowed']);
  expect(sinks.reached('denied')).toEqual([]);
});
