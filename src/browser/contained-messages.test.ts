import { expect, test } from 'vitest';
import { containMessages } from './contained-messages.ts';
import { loadPlaywright } from './playwright.ts';

test('a message about an object that is gone does not throw, and the request that it answers fails', async () => {
  const playwright = loadPlaywright();
  const reported: string[] = [];
  containMessages(playwright, (error) => reported.push(error instanceof Error ? error.message : ''));
  // Playwright's own, whose types are not public.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const { _connection: connection } = playwright.chromium as unknown as {
    readonly _connection: { dispatch(message: object): void; readonly _callbacks: Map<number, object> };
  };
  const params = { type: 'BrowserContext', guid: 'browser-context@2', initializer: {} };
  const { _callbacks: requests } = connection;
  connection.dispatch({ guid: 'browser@1', method: '__create__', params });
  const answer = new Promise((resolve, reject) => {
    requests.set(987_654, { resolve, reject, type: 'Browser', method: 'newContext' });
  });
  connection.dispatch({ id: 987_654, result: { context: { guid: 'browser-context@2' } } });
  await expect(answer).rejects.toThrow('Target page, context or browser has been closed');
  expect(reported).toEqual([
    'Cannot find parent object browser@1 to create browser-context@2',
    'Object with guid browser-context@2 was not bound in the connection',
  ]);
});
