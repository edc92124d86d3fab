import { loadConfig } from '../../src/config/load.ts';
import { expect, test, testWith } from '../fixtures.ts';

const testTwoCalls = testWith(['--max-calls=2']);
const testFull = testWith(['--min-free-memory=100000000']);

testTwoCalls('calls beyond the limit of the server are refused, and work later', async ({ site, call }) => {
  site.set('/', '<title>Home</title>');
  await call('browser_navigate', { url: site.url('/') });
  const answers = await Promise.all([1, 2, 3].map(async () => call('browser_evaluate', { function: '() => 1' })));
  expect(answers.map(({ kind }) => kind)).toEqual([undefined, undefined, 'SERVER_BUSY']);
  expect(answers[2]?.structured).toMatchObject({ effect: 'none', error: { retryable: true } });
  expect(answers[2]?.section('Error')).toBe(
    '[SERVER_BUSY] The server cannot take this call now: it already has 2 calls (--max-calls).\n' +
      'Wait for running calls, or close sessions that are no longer needed, then call again.',
  );
  expect((await call('browser_evaluate', { function: '() => 1' })).isError).toBe(false);
});

testFull('a machine without free memory takes no new session, but the default one works', async ({ site, call }) => {
  site.set('/', '<title>Home</title>');
  expect((await call('browser_navigate', { url: site.url('/') })).isError).toBe(false);
  const refused = await call('create_session', {});
  expect(refused.kind).toBe('SERVER_BUSY');
  expect(refused.text).toMatch(/\d+ MB of memory are available, and 100000000 must be \(--min-free-memory\)/);
});

test('limits that cannot be met stop the start', () => {
  const load = (argv: readonly string[]) => () => loadConfig({ argv: [...argv], env: {}, cwd: '/' });
  expect(load(['--max-calls=0'])).toThrow('--max-calls');
  expect(load(['--max-cpu-pressure=101'])).toThrow('--max-cpu-pressure');
});
