import { expect, test } from 'vitest';
import { splitCalls } from './calls.ts';

test.each([
  ['a tool and its arguments', 'navigate --url x', [['navigate', '--url', 'x']], []],
  ['several calls', 'navigate --url x then snapshot', [['navigate', '--url', 'x'], ['snapshot']], []],
  [
    'options of the server behind the arguments',
    'navigate --url x --headless',
    [['navigate', '--url', 'x']],
    ['--headless'],
  ],
  ['options of the server in front', '--headless navigate --url x', [['navigate', '--url', 'x']], ['--headless']],
  [
    'an option with a value in front',
    '--user-agent me navigate --url x',
    [['navigate', '--url', 'x']],
    ['--user-agent', 'me'],
  ],
  ['a misspelled argument', 'navigate --ur x', [['navigate', '--ur', 'x']], []],
  ['a JSON object', 'navigate {"url":"x"}', [['navigate', '{"url":"x"}']], []],
  ['an argument that is also an option', 'type --ref e1 --text x', [['type', '--ref', 'e1', '--text', 'x']], []],
])('%s', (_, words, calls, options) => {
  expect(splitCalls(words.split(' '))).toEqual({ calls, options });
});
