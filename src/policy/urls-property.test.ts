import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyText } from '../../tests/any-text.ts';
import { firstSeed } from '../../tests/extent.ts';
import { addressIn, numberOf, spellingsOf } from '../../tests/address-spellings.ts';
import { ToolError } from '../errors.ts';
import { isPrivate } from './addresses.ts';
import { checkedUrl } from './urls.ts';

const options = { numRuns: 500, seed: firstSeed };
const refusals = ['URL_BLOCKED', 'SCHEME_BLOCKED', 'INVALID_URL'];

/** The URL that would be opened, or the kind of the error. */
function verdict(url: string, base?: string, opensFiles = false): string {
  try {
    return checkedUrl(url, base, opensFiles);
  } catch (error) {
    if (error instanceof ToolError) return error.code;
    throw error;
  }
}

const denied = spellingsOf(
  fc.oneof(
    addressIn(numberOf('169.254.0.0'), 16),
    fc.constant(numberOf('100.100.100.200')),
    fc.constant(numberOf('169.254.169.254')),
  ),
);

test('no spelling of an address that is always denied is opened', () => {
  fc.assert(
    fc.property(denied, ({ url }) => {
      expect(verdict(url)).toBe('URL_BLOCKED');
    }),
    options,
  );
});

test('no spelling of a public address is refused', () => {
  fc.assert(
    fc.property(spellingsOf(addressIn(numberOf('203.0.113.0'), 24)), ({ url }) => {
      expect(refusals).not.toContain(verdict(url));
    }),
    options,
  );
});

test('no spelling of a private address is taken for a public one', () => {
  const networks = [
    addressIn(numberOf('10.0.0.0'), 8),
    addressIn(numberOf('172.16.0.0'), 12),
    addressIn(numberOf('192.168.0.0'), 16),
    addressIn(numberOf('127.0.0.0'), 8),
  ];
  fc.assert(
    fc.property(spellingsOf(fc.oneof(...networks)), ({ url }) => {
      expect(isPrivate(new URL(verdict(url)).hostname.replaceAll(/^\[|\]$|\.$/g, ''))).toBe(true);
    }),
    options,
  );
});

const wrapper = fc.constantFrom(
  'view-source:',
  'VIEW-source:',
  'blob:',
  'filesystem:',
  'jar:',
  'feed:',
  'vi\tew-source:',
  'javascript:location=',
);

test('a URL inside another scheme is not opened', () => {
  fc.assert(
    fc.property(
      fc.array(wrapper, { minLength: 1, maxLength: 3 }),
      denied,
      fc.boolean(),
      (wrappers, { url }, opensFiles) => {
        expect(refusals).toContain(verdict(`${wrappers.join('')}${url.trim()}`, 'http://127.0.0.1/', opensFiles));
      },
    ),
    options,
  );
});

test('any text gives a URL of an openable scheme or an error', () => {
  const text = fc.oneof(
    anyText(60),
    fc.string({ unit: fc.constantFrom(...'ahtpfile:/\\@.#?[]%0 \t\n-'.split('')), maxLength: 30 }),
  );
  fc.assert(
    fc.property(text, fc.option(fc.constant('https://example.com/a/b'), { nil: undefined }), (given, base) => {
      const shown = verdict(given, base);
      if (!refusals.includes(shown)) expect(shown).toMatch(/^(?:https?:|data:|about:blank$)/);
    }),
    { ...options, numRuns: 1000 },
  );
});
