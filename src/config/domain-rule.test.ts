import { expect, test } from 'vitest';
import { load } from '../../tests/memory-config.ts';
import { parseDomainRule } from './domain-rule.ts';

test.each([
  ['127.0.0.0/8', { host: '127.0.0.0', prefix: 8, port: undefined }],
  ['[fd00::]/8', { host: 'fd00::', prefix: 8, port: undefined }],
  ['[::1]:8080', { host: '::1', prefix: 128, port: '8080' }],
  ['*.Example.com', { host: '*.example.com', port: undefined }],
  ['https://example.com/', { host: 'example.com', port: '443' }],
  ['http://localhost:*', { host: 'localhost', port: undefined }],
  ['bücher.example', { host: 'xn--bcher-kva.example', port: undefined }],
  ['*', { host: '*', port: undefined }],
])('the rule %s is parsed', (text, rule) => {
  expect(parseDomainRule(text)).toEqual({ text, ...rule });
});

test.each([
  ['127.0.0.*', 'write 127.0.0.0/24'],
  ['10.*', 'write 10.0.0.0/8'],
  ['127.2', 'write 127.0.0.2'],
  ['0x7f.1', 'write 127.0.0.1'],
  ['*host', 'write *.host'],
  ['*shop.example', 'write *.shop.example'],
  ['a.*.example', 'a wildcard stands for the first labels of a name only, as in *.example.com'],
  ['a.example b.example', 'write each rule as a separate item of the list'],
  ['a.example;b.example', 'write each rule as a separate item of the list'],
  ['*.', 'write the host alone, such as *.example.com'],
  ['.', 'write the host alone, such as *.example.com'],
  ['https://user@example.com', 'write the host alone, such as *.example.com'],
  ['%31', 'write the host alone, such as *.example.com'],
  ['10.0.0.0/40', 'write a network as 10.0.0.0/8'],
  ['example.com/8', 'write a network as 10.0.0.0/8'],
  ['https://example.com/path', 'write a domain (*.example.com), an origin (https://example.com) or an address'],
])('the rule %j, which matches nothing, stops the start', (text, hint) => {
  const args = [`--blocked-domains=${text}`];
  expect(() => load({ args })).toThrow(`--blocked-domains: ${JSON.stringify(text)} is not a rule: ${hint}.`);
});

test('origins in one item, separated by a comma, stop the start', () => {
  const args = ['--allowed-origins=https://a.example,https://b.example'];
  expect(() => load({ args })).toThrow('write each rule as a separate item of the list');
});
