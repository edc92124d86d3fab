import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import type { CallTool, ToolAnswer } from '../server-client.ts';
import type { HostilePage } from '../../tests/site/hostile-zoo.ts';

export interface TimedCall {
  readonly tool: string;
  readonly ms: number;
  /** The time-out of the call itself. */
  readonly limitMs: number;
  readonly answer: ToolAnswer;
}

export interface Visit {
  readonly page: string;
  readonly calls: readonly TimedCall[];
  /** Whether the tab could leave the page for a harmless one. */
  readonly hasLeft: boolean;
}

/** Serves a hostile page at `/`, its routes, and a harmless page at `/next`. */
export async function serveHostile(page: HostilePage): Promise<{ readonly url: string } & AsyncDisposable> {
  const answers: Readonly<Record<string, string | RequestListener>> = {
    '/': page.html,
    '/next': '<!doctype html><title>Next</title><h1>Next page</h1>',
    ...page.routes,
  };
  const server = createServer((request, response) => {
    const answer = answers[(request.url ?? '/').replace(/\?.*$/, '')];
    if (typeof answer === 'function') {
      answer(request, response);
      return;
    }
    response.statusCode = answer === undefined ? 404 : 200;
    response.setHeader('content-type', 'text/html; charset=utf-8').end(answer ?? 'Not found');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const navigationMs = 5000;
const actionMs = 3000;

/** Opens a hostile page, reads it, acts on it, and leaves it. */
export async function visit(page: HostilePage, call: CallTool): Promise<Visit> {
  await using site = await serveHostile(page);
  const calls: TimedCall[] = [];
  const timed = async (tool: string, args: Readonly<Record<string, unknown>>, limitMs: number): Promise<ToolAnswer> => {
    const started = performance.now();
    const answer = await call(tool, args);
    calls.push({ tool, ms: Math.round(performance.now() - started), limitMs, answer });
    return answer;
  };
  await timed('browser_navigate', { url: `${site.url}/`, timeout: navigationMs }, navigationMs);
  await timed('browser_snapshot', {}, actionMs);
  await timed('browser_click', { selector: '#go', timeout: actionMs }, actionMs);
  await timed('browser_console_messages', {}, actionMs);
  await timed('browser_take_screenshot', { timeout: actionMs }, actionMs);
  const left = await timed('browser_navigate', { url: `${site.url}/next`, timeout: navigationMs }, navigationMs);
  const shown = await timed('browser_snapshot', {}, actionMs);
  await timed('browser_tabs', { action: 'list' }, actionMs);
  return { page: page.name, calls, hasLeft: !left.isError && shown.text.includes('Next page') };
}
