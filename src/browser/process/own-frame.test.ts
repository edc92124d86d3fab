import { expect, test } from 'vitest';
import { withoutOwnFrame } from './own-frame.ts';

const frame = (name: string, url: string): object => ({
  functionName: name,
  scriptId: '3',
  url,
  lineNumber: 0,
  columnNumber: 80,
});

function message(method: string, text: string, callFrames: readonly object[]): Buffer {
  const params = { type: 'log', args: [{ type: 'string', value: text }], stackTrace: { callFrames } };
  return Buffer.from(JSON.stringify({ method, params, sessionId: 'AB' }));
}

const page = frame('onclick', 'https://example.test/');

test('the frame of the wrapper is removed from a console message', () => {
  const changed = withoutOwnFrame(message('Runtime.consoleAPICalled', 'é', [frame('apply', ''), page]));
  expect(changed).toEqual(Buffer.concat([message('Runtime.consoleAPICalled', 'é', [page]), Buffer.alloc(1)]));
  const only = withoutOwnFrame(message('Runtime.consoleAPICalled', 'x', [frame('apply', '')]));
  expect(only).toEqual(Buffer.concat([message('Runtime.consoleAPICalled', 'x', []), Buffer.alloc(1)]));
});

test('other frames and other events are not changed', () => {
  expect(withoutOwnFrame(message('Runtime.consoleAPICalled', 'x', [page, frame('apply', '')]))).toBeUndefined();
  const named = frame('apply', 'https://example.test/');
  expect(withoutOwnFrame(message('Runtime.consoleAPICalled', 'x', [named, page]))).toBeUndefined();
  expect(withoutOwnFrame(message('Runtime.exceptionThrown', 'x', [frame('apply', ''), page]))).toBeUndefined();
});

test('a text that looks like a frame is not changed', () => {
  const text = JSON.stringify({ stackTrace: { callFrames: [frame('apply', '')] } });
  expect(withoutOwnFrame(message('Runtime.consoleAPICalled', text, [page]))).toBeUndefined();
});
