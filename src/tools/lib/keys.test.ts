import { expect, test } from 'vitest';
import { areKeys, isCharacter, keyNamed } from './keys.ts';

test.each([
  ['Enter', 'Enter'],
  ['enter', 'Enter'],
  ['Return', 'Enter'],
  ['Esc', 'Escape'],
  ['Ctrl+A', 'Control+A'],
  ['ctrl + shift + k', 'Control+Shift+k'],
  ['Control+ ', 'Control+ '],
  ['cmd+Up', 'Meta+ArrowUp'],
  ['+', '+'],
  ['Control++', 'Control++'],
  ['Control+', 'Control+'],
  ['a', 'a'],
  [' ', ' '],
  ['Entre', 'Entre'],
  ['f5', 'F5'],
  ['', ''],
])('%j is the key %j', (given, key) => {
  expect(keyNamed(given)).toBe(key);
});

test.each([
  ['ä', true],
  ['日', true],
  ['👩‍👧', true],
  ['ab', false],
  ['', false],
  ['\u0007', false],
])('%j is one character: %j', (given, expected) => {
  expect(isCharacter(given)).toBe(expected);
});

test.each([
  ['Enter', true],
  ['Control+Shift+a', true],
  ['Control++', true],
  ['NumpadEnter', true],
  ['ä', true],
  ['Entre', false],
  ['Control+Entre', false],
  ['Control+', false],
  ['', false],
])('%j can be pressed: %j', (given, expected) => {
  expect(areKeys(keyNamed(given))).toBe(expected);
});
