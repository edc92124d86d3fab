import { expect, test } from 'vitest';
import { DomainPolicy } from './domains.ts';

const none = { allowedOrigins: [], blockedOrigins: [] };
const notAllowed = (option: string): string => `the operator of this server has not allowed its domain (${option})`;

test('without rules everything is reachable', () => {
  const policy = new DomainPolicy(none);
  expect(policy.isOpen).toBe(true);
  expect(policy.verdictOn('http://anywhere.test/')).toBeUndefined();
});

test.each([
  ['*.example.com', 'http://example.com/', true],
  ['*.example.com', 'https://a.b.example.com:8443/', true],
  ['*.example.com', 'http://badexample.com/', false],
  ['*.example.com', 'http://example.com.evil.test/', false],
  ['example.com', 'http://EXAMPLE.com./', true],
  ['example.com', 'http://www.example.com/', false],
  ['.example.com', 'http://www.example.com/', true],
  ['localhost:3000', 'http://localhost:3000/', true],
  ['localhost:3000', 'http://localhost:3001/', false],
  ['127.0.0.1', 'http://2130706433/', true],
  ['[::1]', 'http://[::1]:8080/', true],
  ['*', 'http://anywhere.test/', true],
])('[R-20] the domain %s and %s', (domain, url, isAllowed) => {
  const policy = new DomainPolicy({ ...none, allowedDomains: [domain] });
  expect(policy.verdictOn(url)).toBe(isAllowed ? undefined : notAllowed('--allowed-domains'));
});

test.each([
  ['https://example.com', 'https://example.com/', true],
  ['https://example.com', 'wss://example.com/', true],
  ['https://example.com', 'http://example.com/', false],
  ['https://*.example.com:*', 'https://a.example.com:444/', true],
  ['http://localhost:8080', 'http://localhost:8080/x', true],
  ['example.com', 'http://example.com:99/', true],
])('[R-20] the origin %s and %s', (origin, url, isAllowed) => {
  const policy = new DomainPolicy({ ...none, allowedOrigins: [origin] });
  expect(policy.verdictOn(url)).toBe(isAllowed ? undefined : notAllowed('--allowed-origins'));
});

test('[R-20] domains and origins are combined, and a block wins over an allow', () => {
  const policy = new DomainPolicy({
    allowedDomains: ['*.shop.test'],
    blockedDomains: ['ads.shop.test'],
    allowedOrigins: ['https://cdn.test'],
    blockedOrigins: ['https://pay.shop.test:444'],
  });
  const isFree = (url: string): boolean => policy.verdictOn(url) === undefined;
  expect(
    ['http://shop.test/', 'https://www.shop.test/', 'https://cdn.test/', 'https://pay.shop.test/'].every(isFree),
  ).toBe(true);
  expect(['http://ads.shop.test/', 'https://pay.shop.test:444/', 'http://cdn.test/'].some(isFree)).toBe(false);
  expect(policy.verdictOn('http://ads.shop.test/')).toBe(
    'the operator of this server has blocked ads.shop.test (--blocked-domains)',
  );
  expect(policy.verdictOn('data:text/html,x')).toBeUndefined();
});
