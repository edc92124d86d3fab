const event = Buffer.from('{"method":"Runtime.consoleAPICalled"');
/** The console of pages is wrapped (src/page/main-world/console.ts). Scripts of the server have no URL. */
const stackStart = Buffer.from('"stackTrace":{"callFrames":[{"functionName":"apply",');
const beforeFrame = stackStart.indexOf('[') + 1;
const ownFrame = /^\{"functionName":"apply","scriptId":"\d+","url":"","lineNumber":\d+,"columnNumber":\d+\},?/;
const longestFrame = 160;
const separator = Buffer.alloc(1);

/**
 * A console message without the frame of our wrapper, and with a separator: its first frame is its location. Undefined if
 * it has no such frame. Texts of the page do not match, because their quotes are escaped.
 */
export function withoutOwnFrame(message: Buffer): Buffer | undefined {
  if (!message.subarray(0, event.length).equals(event)) return undefined;
  const at = message.lastIndexOf(stackStart);
  if (at === -1) return undefined;
  const start = at + beforeFrame;
  const frame = ownFrame.exec(message.toString('latin1', start, start + longestFrame))?.[0];
  if (frame === undefined) return undefined;
  return Buffer.concat([message.subarray(0, start), message.subarray(start + frame.length), separator]);
}
