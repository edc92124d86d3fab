/** What Playwright's client writes before its messages when its own tools called it. */
const prefix = 'browserBackend.callTool: ';

/**
 * The error of a call to Playwright, with the name that its client gives to calls of its own tools. Our code is among the
 * callers, so the client finds another name, or none.
 */
export function withApiName(error: unknown): unknown {
  if (!(error instanceof Error) || !isOfClient(error) || error.message.startsWith(prefix)) return error;
  error.message = `${prefix}${error.message.replace(/^(?:async )?(?:object\.)?handle: /, '')}`;
  return error;
}

/** The error of a call to Playwright without the name of the call. */
export function withoutApiName(error: unknown): unknown {
  if (error instanceof Error && isOfClient(error)) error.message = error.message.replace(/^\w+\.\w+: /, '');
  return error;
}

/** The client replaces the stack of its errors by one that starts with the message, without the name of the class. */
function isOfClient({ stack = '', message }: Error): boolean {
  return stack === '' || stack.startsWith(message);
}
