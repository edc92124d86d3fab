import { describe, expect, test } from 'vitest';
import { ToolError } from '../errors.ts';
import { isDeniedHost } from './denied-hosts.ts';
import { checkedUrl } from './urls.ts';

/** The URL that would be opened, or the kind of the error. */
function verdict(url: string): string {
  try {
    return checkedUrl(url);
  } catch (error) {
    if (error instanceof ToolError) return error.code;
    throw error;
  }
}

describe('schemes', () => {
  test.each([
    'file:///etc/passwd',
    'FILE:///etc/passwd',
    ' file:///etc/passwd',
    'fi\tle:///etc/passwd',
    'file:/etc/passwd',
    'file:x',
    'file://localhost/etc/passwd',
    'file://host/share',
    'view-source:file:///etc/passwd',
    'view-source:view-source:http://127.0.0.1/',
    'VIEW-SOURCE:http://127.0.0.1/',
    'chrome://settings',
    'chrome://version',
    'chrome://crash',
    'chrome://kill',
    'chrome://inducebrowsercrashforrealz',
    'edge://settings',
    'about:config',
    'about:srcdoc',
    'devtools://devtools/bundled/inspector.html',
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java\nscript:alert(1)',
    '\u0000javascript:alert(1)',
    'blob:https://denied.example/0-1',
    'blob:null/0-1',
    'filesystem:http://127.0.0.1/temporary/x',
    'ftp://127.0.0.1/',
    'ws://127.0.0.1/',
    'wss://127.0.0.1/',
    'mailto:a@b.example',
    'tel:+123',
    'intent://scan/#Intent;scheme=zxing;end',
    'chrome-extension://abc/page.html',
    'jar:http://127.0.0.1/x.jar!/y',
  ])('%j is never opened', (url) => {
    expect(['SCHEME_BLOCKED', 'INVALID_URL']).toContain(verdict(url));
  });

  test.each(['http://127.0.0.1:1/x', 'https://127.0.0.1/', 'data:text/html,<h1>x</h1>', 'about:blank'])(
    '%s is opened',
    (url) => {
      expect(verdict(url)).toBe(url);
    },
  );
});

test.each([
  '',
  '   ',
  'http://',
  'http:///',
  'http://a b/',
  '//evil.example/x',
  String.raw`\\evil.example\x`,
  'http://[::1',
  'http://127.0.0.1:99999/',
  'http://%zz/',
  `http://127.0.0.1/${'x'.repeat(3_000_000)}`,
  'no spaces here please',
  '\u0000',
])('%.40j is not a URL', (url) => {
  expect(verdict(url)).toBe('INVALID_URL');
});

test('a long URL is not repeated whole in the error', () => {
  try {
    checkedUrl(`http://${'x'.repeat(3_000_000)}/`);
    expect.unreachable();
  } catch (error) {
    expect(String(error).length).toBeLessThan(500);
  }
});

test.each(['2130706433', '0x7f000001', '0177.0.0.1', '127.1', '127.0.0.1', '１２７.０.０.１'])(
  'http://%s/ is 127.0.0.1',
  (host) => {
    expect(verdict(`http://${host}/`)).toBe('http://127.0.0.1/');
  },
);

test.each([
  'http://169.254.169.254/latest/meta-data/',
  'http://2852039166/',
  'http://0xa9fea9fe/',
  'http://0251.0376.0251.0376/',
  'http://169.254.43518/',
  'http://１６９.254.169.254/',
  'http://169.254.169.254./',
  'http://169.254.0.1/',
  'http://[::ffff:169.254.169.254]/',
  'http://[::ffff:a9fe:a9fe]/',
  'http://[::169.254.169.254]/',
  'http://[64:ff9b::169.254.169.254]/',
  'http://[fe80::1]/',
  'http://[fd00:ec2::254]/',
  'http://metadata.google.internal/',
  'http://METADATA.google.internal./',
  'http://100.100.100.200/',
  'http://[::ffff:100.100.100.200]/',
  'https://user:pass@169.254.169.254/',
  '169.254.169.254:80/latest',
])('%s is denied in every spelling', (url) => {
  expect(verdict(url)).toBe('URL_BLOCKED');
});

test.each([
  '127.0.0.1',
  '10.0.0.1',
  '169.253.0.1',
  'example.com',
  '[::1]',
  '[fd00::1]',
  'notmetadata.google.internal.example',
])('the host %s is not one that is always denied', (host) => {
  expect(isDeniedHost(host)).toBe(false);
});

test.each([
  ['localhost:3000/x', 'http://localhost:3000/x'],
  ['127.0.0.1', 'http://127.0.0.1/'],
  ['[::1]:8080', 'http://[::1]:8080/'],
  ['app.localhost', 'http://app.localhost/'],
  ['example.com/path?q=1', 'https://example.com/path?q=1'],
  ['example.com:8443/x', 'http://example.com:8443/x'],
  ['  https://example.com  ', 'https://example.com/'],
])('%s is completed to %s', (given, url) => {
  expect(verdict(given)).toBe(url);
});
