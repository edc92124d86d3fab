import { expect, test } from 'vitest';
import { functionSource } from './script-source.ts';

/** Runs a script as a page would. */
async function valueOf(script: string, ...args: readonly unknown[]): Promise<unknown> {
  // oxlint-disable-next-line no-new-func, typescript/no-implied-eval
  const run: unknown = new Function(`return (${functionSource(script)})`)();
  return typeof run === 'function' ? run(...args) : undefined;
}

test.each([
  ['1 + 1', 2],
  ['1 + 1;', 2],
  ['() => 3;', 3],
  ['(a) => a;\n', 'given'],
  ['await Promise.resolve(4)', 4],
  ['await Promise.resolve(4);', 4],
  ['let x = 3; x * 2', 6],
  ['let x = 3; x * 2;', 6],
  ['const a = 1\nconst b = 2\na\n  + b', 3],
  ['const o = { n: 1 };\no\n  .n', 1],
  ['function f() { return 5 } f()', 5],
  ['const s = "a;b"; s', 'a;b'],
  ['const s = `a\n// b`', undefined],
  ['`a\n// b`', 'a\n// b'],
  ['7;\n// done', 7],
  ['const x = 1; return x', 1],
  ['if (args.length > 5) return 1; 2', 2],
  ['for (let i = 0; i < 3; i++) {}', undefined],
  ['let n = 0; for (const i of [1, 2]) { n += i; } n', 3],
  ['args[0]', 'given'],
  ['const y = await Promise.resolve(2); ({ y })', { y: 2 }],
] as const)('%j gives %j, as in a console', async (script, value) => {
  expect(await valueOf(script, 'given')).toEqual(value);
});

test.each(['let x =', '1 +', 'return return', ')('])('%j is reported as a syntax error', (script) => {
  expect(() => functionSource(script)).toThrow(/^The script threw: SyntaxError: /);
});
