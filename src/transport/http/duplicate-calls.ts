import { createHash } from 'node:crypto';
import { isJSONRPCRequest } from '@modelcontextprotocol/server';

/** Several clients of a key may open sessions at once, and count their requests from the same number. */
const opensSession: unknown = 'create_session';

/**
 * Recognizes a tool call that is sent again while it runs, as proxies and clients do after a broken connection. A
 * stateless request names no client: a duplicate is a call of the same key with the same id and the same content.
 */
export class DuplicateCalls {
  readonly #running = new Set<string>();

  /** Undefined for a duplicate. Otherwise the call runs until this is disposed of. */
  begin(key: string | undefined, body: unknown): Disposable | undefined {
    if (!isJSONRPCRequest(body) || body.method !== 'tools/call' || body.params?.['name'] === opensSession) {
      return { [Symbol.dispose]: () => undefined };
    }
    const call = createHash('sha256')
      .update(JSON.stringify([key, body]))
      .digest('base64');
    if (this.#running.has(call)) return undefined;
    this.#running.add(call);
    return { [Symbol.dispose]: () => void this.#running.delete(call) };
  }
}
