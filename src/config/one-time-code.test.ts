import { expect, test } from 'vitest';
import { codeAt, readCodeSource } from './one-time-code.ts';

/** The keys of RFC 6238, in base32. */
const keys = {
  SHA1: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
  SHA256: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZA====',
  SHA512: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNA=',
} as const;

test.each([
  ['SHA1', 59, '94287082'],
  ['SHA256', 59, '46119246'],
  ['SHA512', 59, '90693936'],
  ['SHA1', 1_111_111_109, '07081804'],
  ['SHA256', 1_111_111_111, '67062674'],
  ['SHA512', 20_000_000_000, '47863826'],
] as const)('%s at %i seconds gives the code of RFC 6238', (algorithm, seconds, code) => {
  const source = readCodeSource(
    `otpauth://totp/Shop:ada?secret=${encodeURIComponent(keys[algorithm])}&algorithm=${algorithm}&digits=8`,
  );
  expect('problem' in source ? source : codeAt(source, seconds * 1000)).toBe(code);
});

test('six digits, 30 seconds and SHA1 are the defaults', () => {
  const source = readCodeSource(`otpauth://totp/x?secret=${keys.SHA1.toLowerCase()}`);
  expect('problem' in source ? source : codeAt(source, 59_999)).toBe('287082');
});

test.each([
  ['otpauth://hotp/x?secret=GEZDGNBV', 'must begin with otpauth://totp/'],
  ['otpauth://totp/x', 'needs a secret in base32'],
  ['otpauth://totp/x?secret=01', 'needs a secret in base32'],
  ['otpauth://totp/x?secret=GEZDGNBV&algorithm=MD5', 'has an unknown algorithm; SHA1, SHA256 and SHA512 are known'],
  ['otpauth://totp/x?secret=GEZDGNBV&digits=3', 'may have 6 to 10 digits'],
  ['otpauth://totp/x?secret=GEZDGNBV&period=0', 'has no valid period'],
])('%s is refused', (value, problem) => {
  expect(readCodeSource(value)).toEqual({ problem });
});
