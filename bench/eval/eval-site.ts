import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { z } from 'zod';
import { libraries } from './task.ts';
import type { EvalTask, Outcome } from './task.ts';

const outcomeTimeoutMs = 5000;
const outcomeSchema = z.record(z.string(), z.unknown());

const style = `body{font:15px/1.5 sans-serif;margin:24px;color:#222}button,input,select,textarea{font:inherit}
table{border-collapse:collapse}td,th{padding:4px 10px;border:1px solid #ccc;text-align:left}`;

/**
 * Serves the pages of the tasks on loopback, and receives their state. A page posts its state when it is left, so no
 * request of the suite delays an answer.
 */
export class EvalSite implements AsyncDisposable {
  readonly #server: Server;
  readonly #tasks: ReadonlyMap<string, EvalTask>;
  readonly #root: string;
  readonly #outcomes = new Map<string, Outcome>();
  readonly #waiting = new Map<string, () => void>();
  #origin = '';

  private constructor(tasks: readonly EvalTask[], root: string) {
    this.#tasks = new Map(tasks.map((task) => [task.id, task]));
    this.#root = root;
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  /** `root` is the folder with node_modules. */
  static async open(tasks: readonly EvalTask[], root: string): Promise<EvalSite> {
    const site = new EvalSite(tasks, root);
    await new Promise<void>((resolve, reject) => {
      site.#server.once('error', reject);
      site.#server.listen(0, '127.0.0.1', resolve);
    });
    const address = site.#server.address();
    if (address === null || typeof address === 'string') throw new Error('The page server has no port');
    site.#origin = `http://127.0.0.1:${address.port}`;
    return site;
  }

  /** The URL of a task's page; `run` identifies its state. */
  url(task: EvalTask, run: string): string {
    return `${this.#origin}/${run}/${task.id}/`;
  }

  /** An empty page. Opening it leaves the page of a task. */
  get blank(): string {
    return `${this.#origin}/blank`;
  }

  /** The state that the page of a run posted; undefined if it posts none within a few seconds. */
  async outcome(run: string): Promise<Outcome | undefined> {
    if (!this.#outcomes.has(run)) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, outcomeTimeoutMs);
        this.#waiting.set(run, () => {
          clearTimeout(timer);
          resolve();
        });
      });
      this.#waiting.delete(run);
    }
    return this.#outcomes.get(run);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => void this.#server.close(() => resolve()));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1');
    const [first = '', second = '', ...rest] = pathname.slice(1).split('/');
    if (request.method === 'POST' && first === 'outcome') {
      await this.#receive(second, request);
      response.writeHead(204).end();
      return;
    }
    const body =
      first === 'blank' ? '<!doctype html><title>Blank</title>' : this.#document(first, second, rest.join('/'));
    const type = first === 'libraries' ? 'text/javascript' : 'text/html';
    response.writeHead(body === undefined ? 404 : 200, {
      'content-type': `${type}; charset=utf-8`,
      'cache-control': 'no-store',
    });
    response.end(body ?? 'Not found');
  }

  async #receive(run: string, request: IncomingMessage): Promise<void> {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const posted = outcomeSchema.parse(JSON.parse(body));
    this.#outcomes.set(run, { ...this.#outcomes.get(run), ...posted });
    this.#waiting.get(run)?.();
  }

  #document(run: string, id: string, path: string): string | undefined {
    if (run === 'libraries') {
      const file = Object.entries(libraries).find(([name]) => name === id)?.[1];
      return file === undefined ? undefined : readFileSync(join(this.#root, 'node_modules', file), 'utf8');
    }
    const task = this.#tasks.get(id);
    if (task === undefined) return undefined;
    return path === '' ? pageOf(task, run) : task.documents?.[path];
  }
}

function pageOf(task: EvalTask, run: string): string {
  const scripts = (task.libraries ?? []).map((name) => `<script src="/libraries/${name}"></script>`).join('');
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${task.id}</title>
<style>${style}${task.style ?? ''}</style>${scripts}
<script>
var outcome = () => ({});
addEventListener('pagehide', () => void navigator.sendBeacon('/outcome/${run}', JSON.stringify(outcome())));
</script></head><body>${task.body}</body></html>`;
}
