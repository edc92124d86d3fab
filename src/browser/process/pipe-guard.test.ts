import { expect, test } from 'vitest';
import { PipeGuard } from './pipe-guard.ts';

const megabyte = 1024 * 1024;

/** What a guard forwards of these chunks, as messages, and why it failed. */
function guarded(chunks: Iterable<Buffer | string>): { readonly messages: unknown[]; readonly failure?: string } {
  const parts: Buffer[] = [];
  let failure: string | undefined;
  const guard = new PipeGuard({
    forward: (chunk) => void parts.push(chunk),
    fail: (reason) => {
      failure = reason;
    },
  });
  for (const chunk of chunks) guard.accept(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
  const texts = Buffer.concat(parts).toString().split('\0');
  expect(texts.pop()).toBe('');
  const messages = texts.map((text): unknown => JSON.parse(text));
  return failure === undefined ? { messages } : { messages, failure };
}

/** A message with a filler of this size, in chunks as a pipe delivers them. */
function* sized(before: string, bytes: number, after: string, filler = 'A'): Generator<Buffer> {
  const chunk = Buffer.alloc(64 * 1024, filler);
  yield Buffer.from(before);
  for (let sent = 0; sent < bytes; sent += chunk.length) yield chunk;
  yield Buffer.from(`${after}\0`);
}

const next = '{"id":2,"result":{}}\0';

test('forwards the chunk itself if it holds complete messages', () => {
  const forwarded: Buffer[] = [];
  const guard = new PipeGuard({ forward: (chunk) => void forwarded.push(chunk), fail: expect.unreachable });
  const chunk = Buffer.from('{"id":1}\0{"id":2}\0');
  guard.accept(chunk);
  expect(forwarded).toHaveLength(1);
  expect(forwarded[0]?.buffer).toBe(chunk.buffer);
  expect(forwarded[0]?.length).toBe(chunk.length);
});

test('forwards messages unchanged, wherever the chunks are split', () => {
  const messages = [{ id: 1, result: { text: 'a"\\\u2026é' } }, { method: 'Page.x', params: {} }, { id: 2 }];
  const bytes = Buffer.from(messages.map((message) => `${JSON.stringify(message)}\0`).join(''));
  for (let first = 0; first <= bytes.length; first++) {
    for (let second = first; second <= bytes.length; second++) {
      const chunks = [bytes.subarray(0, first), bytes.subarray(first, second), bytes.subarray(second)];
      expect(guarded(chunks.filter(({ length }) => length > 0))).toEqual({ messages });
    }
  }
});

test('cuts the strings of a console message that is too long for a string of V8', () => {
  const before = '{"method":"Runtime.consoleAPICalled","params":{"type":"log","args":[{"type":"string","value":"';
  const after = '"}],"executionContextId":3,"timestamp":5},"sessionId":"AB"}';
  const { messages } = guarded([...sized(before, 520 * megabyte, after), next]);
  expect(messages).toEqual([
    {
      method: 'Runtime.consoleAPICalled',
      params: {
        type: 'log',
        args: [{ type: 'string', value: `${'A'.repeat(16 * 1024)}…` }],
        executionContextId: 3,
        timestamp: 5,
      },
      sessionId: 'AB',
    },
    { id: 2, result: {} },
  ]);
});

test.for(['\\"', '\\\\', '\\u00e9', 'é', '😀', 'x\\u0000'])('cuts a long string of %s to valid JSON', (filler) => {
  for (const shift of ['', 'a', 'ab', 'abc', 'abcd', 'abcde']) {
    const text = Buffer.from(
      `{"method":"Page.javascriptDialogOpening","params":{"message":"${shift}${filler.repeat((6 * megabyte) / filler.length)}","type":"alert"},"sessionId":"AB"}\0`,
    );
    const chunks: Buffer[] = [];
    for (let at = 0; at < text.length; at += 65_537) chunks.push(text.subarray(at, at + 65_537));
    const { messages } = guarded(chunks);
    expect(messages).toMatchObject([
      { params: { message: expect.stringMatching(/^[^�]*…$/), type: 'alert' }, sessionId: 'AB' },
    ]);
  }
});

test('replaces a console message with too many arguments', () => {
  const before = '{"method":"Runtime.consoleAPICalled","params":{"type":"log","args":[{"type":"string","value":"';
  const after = '"}],"executionContextId":3,"timestamp":5.5},"sessionId":"AB"}';
  const { messages } = guarded([...sized(before, 3 * megabyte, after, '"},{"type":"string","value":"A'), next]);
  expect(messages).toMatchObject([
    {
      method: 'Runtime.consoleAPICalled',
      params: { args: [{ value: 'A console message of 3 MB was dropped.' }], executionContextId: 3, timestamp: 5.5 },
      sessionId: 'AB',
    },
    { id: 2 },
  ]);
});

test('forwards a large result unchanged and answers a larger one with an error', () => {
  const [before, after] = ['{"id":7,"result":{"data":"', '"},"sessionId":"AB"}'];
  const { messages: large } = guarded(sized(before, 20 * megabyte, after));
  expect(large).toEqual([{ id: 7, result: { data: 'A'.repeat(20 * megabyte) }, sessionId: 'AB' }]);
  const { messages: larger } = guarded([...sized(before, 101 * megabyte, after), next]);
  expect(larger).toEqual([
    { id: 7, error: { code: -32_000, message: 'The result has 101 MB; the limit is 100 MB.' }, sessionId: 'AB' },
    { id: 2, result: {} },
  ]);
});

test.for([
  ['text', ['garbage\0']],
  ['text between messages', [`${next}garbage\0${next}`]],
  ['text in two chunks', ['gar', 'bage\0']],
  ['an empty message', ['\0']],
  ['an empty message after a split one', ['{', '\0']],
] as const)('fails at %s and forwards nothing after it', ([, chunks]) => {
  expect(guarded([...chunks, next])).toEqual({ messages: [], failure: 'it sent an invalid message' });
});

test('fails at an unknown message above the limit', () => {
  const { failure } = guarded(sized('{"data":"', 101 * megabyte, '"}'));
  expect(failure).toBe('it sent a message of 101 MB');
});
