import { expect, test } from 'vitest';
import { load } from '../../tests/memory-config.ts';

test.for([
  [
    '--isolated --user-data-dir p',
    ['--user-data-dir has no effect with browser.isolated, which keeps the profile in memory.'],
  ],
  [
    '--storage-state s.json --user-data-dir p',
    [
      '--storage-state has no effect on the default session, which has what is in its profile (browser.userDataDir); other sessions have it.',
    ],
  ],
  [
    '--cdp-endpoint http://localhost:9222 --user-data-dir p --proxy-server a:1 --headless',
    [
      '--user-data-dir has no effect on a browser that runs already.',
      '--proxy-server has no effect on a browser that runs already.',
    ],
  ],
  [
    '--cdp-endpoint http://localhost:9222 --endpoint ws://a --device Pixel --init-script a.js --mobile=false',
    [
      '--device has no effect on the default session, which uses the running browser as it is unless --isolated is given; other sessions have it.',
      '--endpoint has no effect beside browser.cdpEndpoint, which is used.',
    ],
  ],
  ['--cdp-endpoint http://localhost:9222 --device Pixel --isolated', []],
  ['--endpoint ws://a --device Pixel --storage-state s.json', []],
  ['--cdp-header a:b', ['--cdp-header has no effect without browser.cdpEndpoint.']],
] as const)('%s: an option that another one leaves without effect earns one too', ([argv, warnings]) => {
  expect(load({ argv, files: { 'a.js': '' } }).warnings).toEqual(warnings);
});
