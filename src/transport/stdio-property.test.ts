import { PassThrough } from 'node:stream';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyText } from '../../tests/any-text.ts';
import { firstSeed } from '../../tests/extent.ts';
import { StdioTransport } from './stdio.ts';

const options = { numRuns: 300, seed: firstSeed };
const ping = '{"jsonrpc":"2.0","id":"last","method":"ping"}';

interface Heard {
  readonly delivered: readonly JSONRPCMessage[];
  readonly written: readonly string[];
  readonly errors: readonly Error[];
}

/** What the transport does with chunks of input. */
async function heard(chunks: readonly Uint8Array[]): Promise<Heard> {
  const input = new PassThrough();
  const delivered: JSONRPCMessage[] = [];
  const written: string[] = [];
  const errors: Error[] = [];
  const transport = new StdioTransport({ input, write: (chunk) => void written.push(chunk) });
  transport.onmessage = (message) => void delivered.push(message);
  transport.onerror = (error) => void errors.push(error);
  const closed = new Promise<void>((resolve) => (transport.onclose = resolve));
  await transport.start();
  for (const chunk of chunks) input.write(chunk);
  input.end();
  await closed;
  return { delivered, written, errors };
}

/** Every answer is one line with an error of JSON-RPC, and the next message is delivered. */
function expectSound({ delivered, written, errors }: Heard): void {
  expect(errors).toEqual([]);
  expect(delivered.at(-1)).toMatchObject({ id: 'last', method: 'ping' });
  for (const message of delivered) expect(message.jsonrpc).toBe('2.0');
  for (const chunk of written) {
    expect(chunk).toMatch(/^[^\n]+\n$/);
    const answer: unknown = JSON.parse(chunk);
    expect(answer).toEqual({
      jsonrpc: '2.0',
      id: expect.toSatisfy((id) => id === null || ['string', 'number'].includes(typeof id)),
      error: { code: expect.toSatisfy((code) => code === -32_700 || code === -32_600), message: expect.any(String) },
    });
  }
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const end = bytesOf(`\n${ping}\n`);

test('random bytes are answered with errors or not at all', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 6 }), async (chunks) => {
      expectSound(await heard([...chunks, end]));
    }),
    options,
  );
});

const json = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom<unknown>(null, true, 0, -1, 1e308, '', '__proto__', 'ping', '2.0'),
    anyText(8),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('__proto__', 'constructor', 'toString', 'id', 'method', '_meta', 'x'), tie('value'), {
      maxKeys: 3,
    }),
  ),
})).value;

/** Messages with one or more fields of a wrong kind. */
const message = fc
  .record(
    {
      jsonrpc: fc.oneof({ weight: 4, arbitrary: fc.constant<unknown>('2.0') }, json),
      id: fc.oneof(fc.nat(), json),
      method: fc.oneof(fc.constant<unknown>('tools/call'), fc.constant('notifications/cancelled'), json),
      params: json,
      result: json,
      error: json,
    },
    { requiredKeys: [] },
  )
  .map((fields) => JSON.stringify(fields));

/** A text with a part removed, repeated or replaced. */
const broken = fc.tuple(message, fc.nat(), fc.nat({ max: 10 }), anyText(3)).map(([text, at, length, other]) => {
  const start = at % (text.length + 1);
  return `${text.slice(0, start)}${other.replaceAll('\n', '')}${text.slice(start + length)}`;
});

test('malformed messages are answered with errors or not at all, however they are cut', async () => {
  const line = fc.oneof(
    message,
    broken,
    json.map((value) => JSON.stringify(value)),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 5 }), fc.integer({ min: 1, max: 30 }), async (lines, size) => {
      const bytes = bytesOf(lines.join('\n'));
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
        bytes.subarray(at * size, (at + 1) * size),
      );
      expectSound(await heard([...chunks, end]));
    }),
    options,
  );
});

test.each([
  ['arrays', '['.repeat(200_000)],
  ['closed arrays', `${'['.repeat(5000)}${']'.repeat(5000)}`],
  ['objects', '{"a":'.repeat(200_000)],
  ['parameters', `{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":${'['.repeat(5000)}${']'.repeat(5000)}}}`],
])('deep nesting of %s does not overflow', async (_, text) => {
  expectSound(await heard([bytesOf(text), end]));
});
