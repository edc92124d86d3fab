import { expect, open, testWith } from '../fixtures.ts';

const test = testWith(['--image-responses=only']);

test('[R-8] only: the image comes without text', async ({ site, call }) => {
  await open(site, call, '<h1>Picture</h1>');
  expect((await call('browser_take_screenshot')).content.map((item) => item.type)).toEqual(['image']);
});

test('[R-8] only: an answer without an image, and an error, keep their text', async ({ call }) => {
  expect((await call('browser_evaluate', { function: '() => 1' })).section('Result')).toBe('1');
  expect((await call('browser_take_screenshot', { ref: 'e1' })).kind).toBe('REF_NOT_FOUND');
});
