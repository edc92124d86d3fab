import { expect, test } from 'vitest';
import { createJsonLogger } from './json-log.ts';

function logged(level: 'debug' | 'info' | 'warn' | 'error'): {
  lines: string[];
  log: ReturnType<typeof createJsonLogger>;
} {
  const lines: string[] = [];
  return { lines, log: createJsonLogger({ level, write: (line) => void lines.push(line), now: () => new Date(0) }) };
}

test('[S1-132] an entry is one line of JSON with time, level, message and fields', () => {
  const { lines, log } = logged('info');
  log.info('a\nb', { text: 'c\nd', missing: undefined });
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/^\{[^\n]*\}\n$/);
  const entry: unknown = JSON.parse(lines[0] ?? '');
  expect(entry).toEqual({ level: 'info', time: '1970-01-01T00:00:00.000Z', message: 'a\nb', text: 'c\nd' });
});

test('[S1-131] entries below the level are not written', () => {
  const { lines, log } = logged('warn');
  for (const level of ['debug', 'info', 'warn', 'error'] as const) log[level](level);
  expect(lines.map((line) => /"level":"(\w+)"/.exec(line)?.[1])).toEqual(['warn', 'error']);
});

test('an error is shown with its stack, and a long text is cut', () => {
  const { lines, log } = logged('info');
  log.error('failed', { error: new Error('reason'), text: 'x'.repeat(5000) });
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    error: expect.stringMatching(/^Error: reason\n +at /),
    text: 'x'.repeat(2000),
  });
});
