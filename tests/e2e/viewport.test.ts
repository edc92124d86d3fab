import { evaluate, expect, open, test } from '../fixtures.ts';

test('[S2-80] the viewport gets the requested size', async ({ site, call }) => {
  await open(
    site,
    call,
    `<title>Size</title><p id="size"></p><script>onresize = () => { size.textContent = innerWidth + ' by ' + innerHeight }</script>`,
  );
  const answer = await call('browser_resize', { width: 1920, height: 1080 });
  expect(answer.section('Result')).toBe('The viewport is 1920x1080 now.');
  expect(answer.section('Snapshot')).toContain('1920 by 1080');
  expect(await evaluate(call, '[innerWidth, innerHeight]')).toMatch(/1920,\s*1080/);
});

test.for([
  [0, 10],
  [10, -1],
  [10.5, 10],
  [20_000, 10],
] as const)('[R-33] a viewport of %d by %d is rejected', async ([width, height], { call }) => {
  expect((await call('browser_resize', { width, height })).section('Error')).toMatch(
    /^\[INVALID_ARGUMENT\] Argument "(?:width|height)" must be a whole number from 1 to 10000, not [-\d.]+\. /,
  );
});
