import { evaluate, expect, open, testWith } from '../fixtures.ts';

const test = testWith(['--caps=devtools,config', '--cdp-header=Authorization: Bearer xyz', '--api-key=sesame-open']);

test('an element is highlighted until the highlight is hidden', async ({ site, call }) => {
  await open(site, call, '<title>Home</title><button>Go</button>');
  const shown = await call('browser_highlight', { ref: 'button', style: 'outline: 2px dashed red' });
  expect(shown.section('Result')).toBe('Highlighted button.');
  expect(await evaluate(call, "document.querySelectorAll('x-pw-glass').length")).toBe('1');
  expect((await call('browser_hide_highlight', { ref: 'button' })).section('Result')).toBe(
    'Removed the highlight of button.',
  );
  expect((await call('browser_hide_highlight')).section('Result')).toBe('Removed all highlights.');
  expect((await call('browser_highlight', { ref: 'e999' })).kind).toBe('REF_NOT_FOUND');
});

test('what a user does is recorded as code', async ({ site, call }) => {
  await open(site, call, '<title>Home</title><button>Go</button>');
  expect((await call('browser_stop_recording', {})).kind).toBe('NO_RECORDING');
  expect((await call('browser_start_recording', {})).section('Result')).toContain('Recording started');
  expect((await call('browser_start_recording', {})).kind).toBe('RECORDING_IN_PROGRESS');
  // The recorder sees the input of the mouse tool as that of a user.
  await call('browser_click', { ref: 'button' });
  const stopped = await call('browser_stop_recording', {});
  expect(stopped.section('Result')).toContain("await page.getByRole('button', { name: 'Go' }).click();");
});

test('actions and chapters are shown in the page', async ({ site, call }) => {
  await open(site, call, '<title>Home</title><button>Go</button>');
  expect((await call('browser_video_show_actions', { duration: 10, position: 'top' })).section('Result')).toBe(
    'Actions are shown in the page.',
  );
  expect(
    (await call('browser_video_chapter', { title: 'One', description: 'First', duration: 10 })).section('Result'),
  ).toBe('Added the chapter "One".');
  expect((await call('browser_video_hide_actions', {})).section('Result')).toBe(
    'Actions are no longer shown in the page.',
  );
});

test('a video that was not started cannot be stopped', async ({ call }) => {
  expect((await call('browser_stop_video', {})).kind).toBe('NO_VIDEO');
});

test('nothing can be resumed unless a script is paused', async ({ call }) => {
  const answer = await call('browser_resume', { step: true });
  expect(answer.kind).toBe('NOT_PAUSED');
  expect((await call('browser_resume', { location: 'file.ts:x' })).isError).toBe(true);
});

test('the page of a headless browser cannot be annotated', async ({ site, call }) => {
  await open(site, call, '<title>Home</title>');
  expect((await call('browser_annotate', {})).kind).toBe('FORBIDDEN');
});

test('the configuration is shown without its secrets', async ({ call }) => {
  const answer = await call('browser_get_config', {});
  const config: unknown = JSON.parse(answer.section('Result') ?? '');
  expect(config).toMatchObject({
    capabilities: ['devtools', 'config'],
    apiKey: '[REDACTED]',
    browser: { headless: true, cdpHeaders: { Authorization: '[REDACTED]' } },
  });
  expect(answer.text).not.toMatch(/xyz|sesame/);
});
