import type { PlaywrightModule } from './playwright.ts';

/** The parts of Playwright's connection that are used here; its version is pinned. */
interface Connection {
  dispatch(message: Message): void;
  readonly _callbacks: ReadonlyMap<number, { reject(error: Error): void }>;
}

interface Message {
  readonly id?: number;
}

/** Several servers in one process share Playwright. */
const contained = new WeakSet<Connection>();

/**
 * Keeps a message that Playwright's client cannot handle from ending the server. Its two halves exchange messages in this
 * process; if a browser dies while a context is made, the client has forgotten the browser and throws. The request that the
 * message answers fails instead.
 */
export function containMessages(playwright: PlaywrightModule, report: (error: unknown) => void): void {
  const connection: unknown = Reflect.get(playwright.chromium, '_connection');
  if (!isConnection(connection)) throw new Error('this version of Playwright has no connection');
  if (contained.has(connection)) return;
  contained.add(connection);
  const { _callbacks: requests } = connection;
  const dispatch = connection.dispatch.bind(connection);
  connection.dispatch = (message) => {
    // Playwright forgets the request before it reads the answer.
    const request = message.id === undefined ? undefined : requests.get(message.id);
    try {
      dispatch(message);
    } catch (error) {
      request?.reject(new Error('Target page, context or browser has been closed', { cause: error }));
      report(error);
    }
  };
}

function isConnection(value: unknown): value is Connection {
  return value instanceof Object && 'dispatch' in value && Reflect.get(value, '_callbacks') instanceof Map;
}
