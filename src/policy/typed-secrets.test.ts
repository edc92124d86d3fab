import { expect, test } from 'vitest';
import { redactParameters } from './typed-secrets.ts';

const secrets = ['hun ter"2&', 'ab)c', 'ü-pass', '12'];

test.each([
  ['http://a/?p=hun+ter%222%26', 'http://a/?p=[REDACTED]'],
  ['http://a/?p=hun%20ter%222%26&x=1', 'http://a/?p=[REDACTED]&x=1'],
  ['[Title](http://a/?x=1&p=ab)c) t1', '[Title](http://a/?x=1&p=[REDACTED]) t1'],
  ["goto('http://a/?p=%C3%BC-pass');", "goto('http://a/?p=[REDACTED]');"],
  ['http://a/#token=%C3%BC-pass.', 'http://a/#token=[REDACTED].'],
  ['http://a/?p=hun+te… (8 more characters)', 'http://a/?p=[REDACTED]… (8 more characters)'],
])('[C5-3] %s is shown as %s', (text, shown) => {
  expect(redactParameters(text, secrets)).toBe(shown);
});

test.each([
  'http://a/?page=12',
  'http://a/?p=hun+ter',
  'http://a/?p=%E0%A4%A&q=',
  'The text ab)c is not in a URL.',
  'http://a/?q=other… (8 more characters)',
])('%s is unchanged', (text) => {
  expect(redactParameters(text, secrets)).toBe(text);
});
