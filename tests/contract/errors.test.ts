import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { ToolError, errorCatalogue, isRetryable, withToolNames } from '../../src/errors.ts';
import type { ErrorCode } from '../../src/errors.ts';

const src = fileURLToPath(new URL('../../src', import.meta.url));

/** The public codes of an error: session-style name, tool-result name, retryable. */
function codesOf(error: ToolError): readonly unknown[] {
  return [error.view.errorCode, error.view.code, error.view.retryable];
}

function hintOf(kind: ErrorCode): string {
  return withToolNames(errorCatalogue[kind].hints, (tool) => tool);
}

describe('the two vocabularies', () => {
  test.each([
    [
      'the limit of sessions is reached',
      new ToolError('MAX_SESSIONS_REACHED', { limit: 10 }),
      'MAX_SESSIONS_REACHED',
      'RESOURCE_EXHAUSTED',
      true,
    ],
    [
      'a session is unknown',
      new ToolError('SESSION_NOT_FOUND', { session: 's' }),
      'SESSION_NOT_FOUND',
      'SESSION_NOT_FOUND',
      false,
    ],
    [
      'a session has expired',
      new ToolError('SESSION_EXPIRED', { session: 's' }),
      'SESSION_EXPIRED',
      'SESSION_NOT_FOUND',
      false,
    ],
    [
      'a navigation failed',
      new ToolError('NAVIGATION_FAILED', { url: 'u', reason: 'r' }),
      'NAVIGATION_FAILED',
      'NAVIGATION_FAILED',
      false,
    ],
    ['another request failed', new ToolError('NETWORK_ERROR', { reason: 'r' }), 'NETWORK_ERROR', 'NETWORK_ERROR', true],
    [
      'a navigation timed out',
      new ToolError('NAVIGATION_TIMEOUT', { url: 'u', timeout: 1 }),
      'NAVIGATION_FAILED',
      'TIMEOUT',
      true,
    ],
    [
      'a URL is malformed',
      new ToolError('INVALID_URL', { url: 'u', reason: 'r' }),
      'NAVIGATION_FAILED',
      'INVALID_URL',
      false,
    ],
    [
      'an element is not there',
      new ToolError('ELEMENT_NOT_FOUND', { selector: 's' }),
      'ELEMENT_NOT_FOUND',
      'ELEMENT_NOT_FOUND',
      false,
    ],
    [
      'an element cannot be clicked',
      new ToolError('ELEMENT_NOT_CLICKABLE', { target: 't', reason: 'r' }),
      'ELEMENT_NOT_CLICKABLE',
      'ELEMENT_NOT_INTERACTIVE',
      false,
    ],
    [
      'an element cannot be edited',
      new ToolError('ELEMENT_NOT_EDITABLE', { target: 't', reason: 'r' }),
      'ELEMENT_NOT_EDITABLE',
      'ELEMENT_NOT_INTERACTIVE',
      false,
    ],
    [
      'a selector cannot be parsed',
      new ToolError('INVALID_SELECTOR', { selector: 's', reason: 'r' }),
      'INVALID_SELECTOR',
      'INVALID_SELECTOR',
      false,
    ],
    [
      'an argument is missing',
      new ToolError('MISSING_PARAMETER', { problems: [], accepted: [] }),
      'MISSING_PARAMETER',
      'MISSING_PARAMETER',
      false,
    ],
    ['something else timed out', new ToolError('TIMEOUT', { what: 'w', ms: 1 }), 'TIMEOUT', 'TIMEOUT', true],
    [
      'the browser has crashed',
      new ToolError('BROWSER_CRASHED', { reason: 'r' }),
      'BROWSER_CRASHED',
      'BROWSER_CRASHED',
      true,
    ],
    [
      'resources are exhausted',
      new ToolError('SESSION_BUSY', { waiting: 1 }),
      'RESOURCE_EXHAUSTED',
      'RESOURCE_EXHAUSTED',
      true,
    ],
    ['a URL is blocked', new ToolError('URL_BLOCKED', { url: 'u', rule: 'r' }), 'FORBIDDEN', 'FORBIDDEN', false],
    ['a file is denied', new ToolError('PATH_DENIED', { path: 'p', reason: 'r' }), 'FORBIDDEN', 'FORBIDDEN', false],
    ['anything else', new ToolError('INTERNAL_ERROR', { reason: 'r' }), 'INTERNAL_ERROR', 'INTERNAL_ERROR', false],
  ])('when %s', (_, error, ...expected) => {
    expect(codesOf(error)).toEqual(expected);
  });

  test('[S1-97] exactly four codes are retryable', () => {
    const codes = new Set(Object.values(errorCatalogue).map(({ code }) => code));
    expect([...codes].filter(isRetryable).sort()).toEqual([
      'BROWSER_CRASHED',
      'NETWORK_ERROR',
      'RESOURCE_EXHAUSTED',
      'TIMEOUT',
    ]);
  });
});

describe('the next step', () => {
  test.each([
    [
      '[S1-98] ELEMENT_NOT_FOUND',
      'ELEMENT_NOT_FOUND',
      'Verify the selector using browser devtools. The element may be loaded dynamically - try using wait_for_selector first.',
    ],
    ['[S1-99] TIMEOUT', 'TIMEOUT', 'Increase the timeout parameter or check if the page is loading slowly.'],
    [
      '[S1-100] INVALID_SELECTOR',
      'INVALID_SELECTOR',
      'Check selector syntax. CSS selectors should not start with //, XPath should start with //',
    ],
    ['[S1-101] SESSION_NOT_FOUND', 'SESSION_NOT_FOUND', 'Create a new session with create_session tool.'],
    [
      '[S1-102] BROWSER_CRASHED',
      'BROWSER_CRASHED',
      'Browser crashed unexpectedly. This may indicate a memory issue or problematic page content.',
    ],
    ['[S1-103] INTERNAL_ERROR', 'INTERNAL_ERROR', 'Please try again or contact support if the issue persists.'],
  ] as const)('of %s is the specified text', (_, kind, text) => {
    expect(hintOf(kind)).toBe(text);
  });

  test('[S1-104] is never absent, whatever tools are offered', () => {
    const odd = Object.entries(errorCatalogue).filter(
      ([, { hints }]) =>
        !hints.every((hint) => /^[A-Z].{10,}[./]$/s.test(hint)) || /\{[a-z_]+\}/.test(hints.at(-1) ?? ''),
    );
    expect(odd.map(([kind]) => kind)).toEqual([]);
  });
});

test('[S1-96] a navigation time-out has the specified message', () => {
  const { code, message, details, retryable, hint } = new ToolError('NAVIGATION_TIMEOUT', {
    url: 'https://example.com/',
    timeout: 30_000,
  }).view;
  expect({ code, message, details, retryable, hint }).toEqual({
    code: 'TIMEOUT',
    message: 'Navigation timed out after 30000ms',
    details: { url: 'https://example.com/', timeout: 30_000 },
    retryable: true,
    hint: 'Increase timeout or check if the website is responsive.',
  });
});

test('every error of the catalogue is raised in src/', () => {
  const sources = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !/^(?:errors\.ts|docs[/\\])/.test(file))
    .map((file) => readFileSync(join(src, file), 'utf8'))
    .join('\n');
  const unused = Object.keys(errorCatalogue).filter((kind) => !sources.includes(`'${kind}'`));
  expect(unused).toEqual([]);
});
