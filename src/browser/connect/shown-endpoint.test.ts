import { expect, test } from 'vitest';
import { shownEndpoint, withoutCredentials } from './shown-endpoint.ts';

test.each([
  ['http://localhost:9222', 'http://localhost:9222'],
  ['ws://127.0.0.1:9222/devtools/browser/0a1b', 'ws://127.0.0.1:9222'],
  ['wss://user:secret@browsers.test/path?token=abc#x', 'wss://browsers.test'],
  ['nonsense', 'an address that is none'],
])('%s is shown as %s', (endpoint, shown) => {
  expect(shownEndpoint(endpoint)).toBe(shown);
});

test('a message has no credentials, in whichever address or answer they are', () => {
  const endpoint = 'http://me:pass%20word@a.test:3000/key-in-path?token=tok-123456&launch={"args":["a,b"]}';
  const message = [
    `Unexpected status 401 when connecting to http://a.test:3000/key-in-path/json/version/?token=tok-123456.`,
    `WebSocket error: wss://other.test/tok-123456 401 Unauthorized "Bad or missing authentication: tok-123456"`,
    `login pass word, pass%20word, path key-in-path`,
  ].join(' ');
  expect(withoutCredentials(message, endpoint)).toBe(
    'Unexpected status 401 when connecting to http://a.test:3000 ' +
      'WebSocket error: wss://other.test 401 Unauthorized "Bad or missing authentication: [REDACTED]" ' +
      'login [REDACTED], [REDACTED], path [REDACTED]',
  );
});

test('words that every address has are no credentials', () => {
  const message = 'the browser does not speak devtools, try chromium';
  expect(withoutCredentials(message, 'ws://a.test/devtools/browser/chromium?timeout=1000')).toBe(message);
});
