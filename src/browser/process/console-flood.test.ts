import { expect, test } from 'vitest';
import { ConsoleFlood } from './console-flood.ts';

const line = (session: string, text = 'x'): Buffer =>
  Buffer.from(
    `{"method":"Runtime.consoleAPICalled","params":{"type":"log","args":[{"type":"string","value":"${text}"}],"executionContextId":3,"timestamp":5.5},"sessionId":"${session}"}`,
  );

/** How many of these messages are kept, dropped and replaced. */
function judgeAll(flood: ConsoleFlood, session: string, count: number): Record<string, number> {
  const counts: Record<string, number> = {};
  for (let i = 0; i < count; i++) {
    const verdict = flood.judge(line(session));
    const key = typeof verdict === 'string' ? verdict : 'replaced';
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}

test('keeps a burst of messages and reports once that further ones are dropped', () => {
  const flood = new ConsoleFlood(() => 0);
  expect(judgeAll(flood, 'A', 10_000)).toEqual({ keep: 2000, replaced: 1, drop: 7999 });
});

test('limits each page by itself and refills with time', () => {
  let now = 0;
  const flood = new ConsoleFlood(() => now);
  judgeAll(flood, 'A', 5000);
  expect(judgeAll(flood, 'B', 10)).toEqual({ keep: 10 });
  now = 500;
  expect(judgeAll(flood, 'A', 10)).toEqual({ drop: 10 });
  now = 1000;
  expect(judgeAll(flood, 'A', 1000)).toEqual({ keep: 300, replaced: 1, drop: 699 });
});

test('the report is a valid console message of the same page', () => {
  const flood = new ConsoleFlood(() => 0);
  judgeAll(flood, 'A', 2000);
  const report = flood.judge(line('A'));
  expect(JSON.parse(report.toString().slice(0, -1))).toMatchObject({
    method: 'Runtime.consoleAPICalled',
    params: { type: 'warning', executionContextId: 3, timestamp: 5.5 },
    sessionId: 'A',
  });
});

test('drops console messages of further sessions of a target, and never other messages', () => {
  const flood = new ConsoleFlood(() => 0);
  const attach = (session: string): Buffer =>
    Buffer.from(
      `{"method":"Target.attachedToTarget","params":{"sessionId":"${session}","targetInfo":{"targetId":"T","type":"page"}}}`,
    );
  for (const session of ['A', 'B']) expect(flood.judge(attach(session))).toBe('keep');
  expect(flood.judge(line('A'))).toBe('keep');
  expect(flood.judge(line('B'))).toBe('drop');
  const request = Buffer.from('{"method":"Network.requestWillBeSent","params":{},"sessionId":"A"}');
  for (let i = 0; i < 5000; i++) expect(flood.judge(request)).toBe('keep');
});
