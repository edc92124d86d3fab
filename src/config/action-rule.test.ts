import { expect, test } from 'vitest';
import { parseActionRule } from './action-rule.ts';
import { loadConfig } from './load.ts';

test('a rule names effects, an origin and a decision', () => {
  expect(parseActionRule('input,code@https://bank.example=ask')).toMatchObject({
    effects: ['input', 'code'],
    on: { host: 'bank.example', port: '443' },
    decision: 'ask',
  });
  expect(parseActionRule('*=deny')).toMatchObject({ effects: ['*'], decision: 'deny' });
});

test.each(['input', 'input=maybe', 'clicks=deny', 'input@=deny', 'input@*bank=deny', 'input@a b=ask'])(
  'the rule %j stops the start',
  (rule) => {
    expect(() => loadConfig({ argv: [`--action-policy=${rule};read=allow`], env: {}, cwd: '/' })).toThrow(
      '--action-policy',
    );
  },
);
