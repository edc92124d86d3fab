import { describe, expect, test } from 'vitest';
import { formatUri, longestUri, parseUri } from './resource-uri.ts';

describe('a resource URI', () => {
  test.each([
    ['playwright:///session/abc123', 'session', ['abc123']],
    ['playwright:///page/abc123/page-1', 'page', ['abc123', 'page-1']],
    ['playwright:///element/abc123/page-1/element-5', 'element', ['abc123', 'page-1', 'element-5']],
    [
      'playwright:///screenshot/abc123/page-1/2025-11-27T10:30:00Z',
      'screenshot',
      ['abc123', 'page-1', '2025-11-27T10:30:00Z'],
    ],
    ['playwright:///screenshot/a/t1/2025-11-27T10%3A30%3A00Z', 'screenshot', ['a', 't1', '2025-11-27T10:30:00Z']],
    ['playwright:///network-log/a/t1', 'network-log', ['a', 't1']],
  ])('[S1-53] is read: %s', (uri, kind, path) => {
    expect(parseUri(uri)).toEqual({ kind, path, query: new Map() });
  });

  test('is written and read with the same meaning', () => {
    const uri = formatUri('element', ['default', 't1'], { selector: 'a[href="?x#y"] > b' });
    expect(parseUri(uri)).toEqual({
      kind: 'element',
      path: ['default', 't1'],
      query: new Map([['selector', 'a[href="?x#y"] > b']]),
    });
    expect(formatUri('pdf', ['a', 't1', '2025-11-27T10:30:00.000Z'])).toBe(
      'playwright:///pdf/a/t1/2025-11-27T10:30:00.000Z',
    );
  });

  test.each([
    '',
    'playwright://',
    'playwright:///',
    'playwright:///page',
    'playwright:///page/',
    'playwright:///page//t1',
    'playwright:///page/a/',
    'playwright:///../etc/passwd',
    'playwright:///page/../../etc',
    'playwright:///..%2f..',
    'playwright:///page/..%2f..%2fetc%2fpasswd',
    'playwright:///page/%2e%2e/t1',
    'playwright:///page/%00/t1',
    'playwright:///page/%zz/t1',
    'playwright:///page/a/b/c/d',
    'playwright:///page/a/t1#x',
    'playwright:///page/a?x=1?y=2',
    'playwright:///page/a?x=1&x=2',
    'playwright:///PAGE/a',
    'playwright://host/page/a',
    'PLAYWRIGHT:///page/a',
    'file:///etc/passwd',
    `playwright:///page/${'a'.repeat(longestUri)}`,
    `playwright:///page/${'a'.repeat(200)}`,
    `playwright:///page/a?selector=${'a'.repeat(1024 * 1024)}`,
  ])('is refused: %.60s', (uri) => {
    expect(parseUri(uri)).toBeUndefined();
  });
});
