import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, testWith } from '../fixtures.ts';

const test = testWith(['--image-responses=omit', '--output-dir=out']);

test('[S2-50, S2-51, R-8] omit: the screenshot is saved in the output directory and only confirmed', async ({
  server,
  call,
}) => {
  const answer = await call('browser_take_screenshot');
  expect(answer.content).toEqual([{ type: 'text', text: '### Result\nTook a screenshot of the viewport.' }]);
  expect((await readdir(join(server.folder, 'out'))).filter((name) => /^page-.*\.png$/.test(name))).toHaveLength(1);
});
