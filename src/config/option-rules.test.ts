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
      '--storage-state has no effect on the default session, which uses its profile (browser.userDataDir); it applies to other sessions.',
    ],
  ],
  [
    '--cdp-endpoint http://localhost:9222 --user-data-dir p --proxy-server a:1 --headless',
    ['--user-data-dir has no effect on a running browser.', '--proxy-server has no effect on a running browser.'],
  ],
  [
    '--cdp-endpoint http://localhost:9222 --endpoint ws://a --device Pixel --init-script a.js --mobile=false',
    [
      '--device has no effect on the default session, which uses the running browser as it is (unless --isolated is given); it applies to other sessions.',
      '--endpoint has no effect because browser.cdpEndpoint is used.',
    ],
  ],
  ['--cdp-endpoint http://localhost:9222 --device Pixel --isolated', []],
  ['--endpoint ws://a --device Pixel --storage-state s.json', []],
  ['--proxy-bypass a.example', ['--proxy-bypass has no effect without browser.proxy.server.']],
  ['--cdp-header a:b', ['--cdp-header has no effect without browser.cdpEndpoint.']],
] as const)('%s: an option without effect is a warning', ([argv, warnings]) => {
  expect(load({ argv, files: { 'a.js': '' } }).warnings).toEqual(warnings);
});
