import { expect, open, testWith } from '../fixtures.ts';
import type { Call } from '../fixtures.ts';

const test = testWith(['--toolset=playwright']);

async function matching(call: Call): Promise<unknown> {
  const queries = [
    '(prefers-color-scheme: dark)',
    '(prefers-reduced-motion: reduce)',
    '(forced-colors: active)',
    '(prefers-contrast: more)',
    'print',
  ];
  const source = `() => ${JSON.stringify(queries)}.filter((query) => matchMedia(query).matches)`;
  return JSON.parse((await call('browser_evaluate', { function: source })).section('Result') ?? '');
}

test('media features are emulated until reset with null', async ({ site, call }) => {
  await open(site, call, '<title>Media</title><p>Text</p>');
  expect(await matching(call)).toEqual([]);
  const on = await call('browser_emulate_media', {
    colorScheme: 'dark',
    reducedMotion: 'reduce',
    forcedColors: 'active',
    contrast: 'more',
    media: 'print',
  });
  expect(on.isError).toBe(false);
  expect(await matching(call)).toEqual([
    '(prefers-color-scheme: dark)',
    '(prefers-reduced-motion: reduce)',
    '(forced-colors: active)',
    '(prefers-contrast: more)',
    'print',
  ]);
  const off = await call('browser_emulate_media', {
    colorScheme: null,
    forcedColors: null,
    contrast: null,
    media: null,
  });
  expect(off.section('Result')?.split('\n')[0]).toBe(
    'Emulating {"colorScheme":null,"forcedColors":null,"contrast":null,"media":null}.',
  );
  expect(await matching(call)).toEqual(['(prefers-reduced-motion: reduce)']);
});

test('content hidden by a media query is not in the snapshot', async ({ site, call }) => {
  await open(
    site,
    call,
    '<title>Media</title><style>@media print { #here { display: none } }</style><p id="here">Screen</p><p>Always</p>',
  );
  await call('browser_emulate_media', { media: 'print' });
  const { text } = await call('browser_snapshot');
  expect(text).toContain('- paragraph: Always');
  expect(text).not.toContain('Screen');
});

test('[R-33] an invalid choice is an error that lists the valid ones', async ({ callRaw }) => {
  const answer = await callRaw('browser_emulate_media', { colorScheme: 'sepia' });
  expect(answer.section('Error')).toContain(
    'Argument "colorScheme" must be one of light, dark, no-preference, not "sepia".',
  );
});

test.for([
  { forcedColors: 'active' },
  { colorScheme: 'dark' },
  { forcedColors: 'active', colorScheme: 'dark' },
] as const)('text stays in the snapshot with %j', async (media, { site, call }) => {
  await open(
    site,
    call,
    '<title>Media</title><meta name="color-scheme" content="light dark"><h1>Title</h1><p>Words</p>',
  );
  await call('browser_emulate_media', media);
  expect((await call('browser_snapshot')).section('Snapshot')).toBe(
    '```yaml\n- heading "Title" [level=1]\n- paragraph: Words\n```',
  );
});
