import { expect, test } from 'vitest';
import { withoutLogins } from './url-logins.ts';

test.each([
  ['http://ada:pass@127.0.0.1:80/x', 'http://[REDACTED]@127.0.0.1:80/x'],
  ["await page.goto('https://ada:p%40ss@shop.test/');", "await page.goto('https://[REDACTED]@shop.test/');"],
  ['socks5://ada:p@ss@host:1080', 'socks5://[REDACTED]@host:1080'],
  ['https://token@git.test/a.git and wss://a:b@c/', 'https://[REDACTED]@git.test/a.git and wss://[REDACTED]@c/'],
  ['- /url: //bob:pass@host:9', '- /url: //[REDACTED]@host:9'],
  [String.raw`{"url":"http:\/\/ada:pass@host\/"}`, String.raw`{"url":"http:\/\/[REDACTED]@host\/"}`],
])('%s is shown as %s', (text, shown) => {
  expect(withoutLogins(text)).toBe(shown);
});

test.each([
  'ada@shop.test',
  'https://shop.test/@ada',
  'https://shop.test/?q=a@b',
  'mailto:ada@shop.test',
  'a://b @c',
  '// see ada@shop.test',
])('%s is unchanged', (text) => {
  expect(withoutLogins(text)).toBe(text);
});
