import { expect, test } from 'vitest';
import { AddressSet } from './addresses.ts';

const set = new AddressSet([
  ['127.0.0.2', 32],
  ['10.0.0.0', 8],
  ['fe80::', 10],
]);

test.each([
  '127.0.0.2',
  '::ffff:127.0.0.2',
  '::ffff:7f00:2',
  '::127.0.0.2',
  '64:ff9b::7f00:2',
  '::ffff:0:127.0.0.2',
  '2002:7f00:2::1',
  '10.255.1.1',
  '2002:a01:101::',
  'fe80::1',
  'fe80::1%eth0',
])('%s is in the set, also as an IPv6 address that embeds the IPv4 address', (address) => {
  expect(set.has(address)).toBe(true);
});

test.each(['127.0.0.3', '::ffff:127.0.0.3', '11.0.0.1', '::1', '2002:b00:101::', 'fd00::1', 'localhost', ''])(
  '%s is not in the set',
  (address) => {
    expect(set.has(address)).toBe(false);
  },
);
