import type { BrowserContext } from 'playwright-core';

/**
 * The id of a context, which is the same for every client of a browser. Playwright has no public name for it; its
 * version is pinned, and without the id a context is not kept.
 */
export function contextId(context: BrowserContext): string | undefined {
  const id: unknown = Reflect.get(context, '_guid');
  return typeof id === 'string' ? id : undefined;
}
