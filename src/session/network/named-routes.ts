import type { BrowserContext, Route } from 'playwright-core';

/** A route that a caller set up: an answer of its own, or other request headers. */
export interface NamedRoute {
  /** A glob, as Playwright reads it. */
  readonly pattern: string;
  readonly status?: number;
  readonly body?: string;
  readonly contentType?: string;
  readonly addHeaders?: Readonly<Record<string, string>>;
  readonly removeHeaders?: readonly string[];
}

/** The routes of a session, in the order in which they were added. Later ones win. They survive the browser. */
export class NamedRoutes {
  readonly #routes: { readonly named: NamedRoute; readonly handler: (route: Route) => Promise<void> }[] = [];
  #context: BrowserContext | undefined;

  get all(): readonly NamedRoute[] {
    return this.#routes.map(({ named }) => named);
  }

  /** From now on they are about this context. */
  async attach(context: BrowserContext): Promise<void> {
    this.#context = context;
    for (const { named, handler } of this.#routes) await context.route(named.pattern, handler);
  }

  /** Removes them from a context that outlives its session. */
  async detach(): Promise<void> {
    const context = this.#context;
    this.#context = undefined;
    for (const { named, handler } of this.#routes) await context?.unroute(named.pattern, handler);
  }

  async add(named: NamedRoute): Promise<void> {
    const handler = async (route: Route): Promise<void> => answer(route, named);
    await this.#context?.route(named.pattern, handler);
    this.#routes.push({ named, handler });
  }

  /** Removes those with a pattern, or all; returns how many. */
  async remove(pattern?: string): Promise<number> {
    const removed = this.#routes.filter(({ named }) => pattern === undefined || named.pattern === pattern);
    for (const each of removed) {
      await this.#context?.unroute(each.named.pattern, each.handler);
      this.#routes.splice(this.#routes.indexOf(each), 1);
    }
    return removed.length;
  }
}

async function answer(
  route: Route,
  { status, body, contentType, addHeaders, removeHeaders }: NamedRoute,
): Promise<void> {
  if (body !== undefined || status !== undefined) {
    const options = {
      status: status ?? 200,
      ...(body === undefined ? {} : { body }),
      ...(contentType === undefined ? {} : { contentType }),
      ...(addHeaders === undefined ? {} : { headers: { ...addHeaders } }),
    };
    // The page may be closed by now.
    await route.fulfill(options).catch(() => undefined);
    return;
  }
  const headers = { ...route.request().headers() };
  for (const [name, value] of Object.entries(addHeaders ?? {})) headers[name.toLowerCase()] = value;
  for (const name of removeHeaders ?? []) delete headers[name.toLowerCase()];
  await route.fallback({ headers }).catch(() => undefined);
}
