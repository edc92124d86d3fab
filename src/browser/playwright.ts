import { createRequire } from 'node:module';
import type * as Playwright from 'playwright-core';
import type { PlaywrightTools } from './playwright-tools.ts';

export type PlaywrightModule = typeof Playwright;

/**
 * Loads Playwright. Only this file does: it is required rather than imported because it is CommonJS, and
 * an import first parses all of it for the names it exports, which costs 13 MB of memory and 200 ms of CPU time.
 */
export function loadPlaywright(): PlaywrightModule {
  const require = createRequire(import.meta.url);
  // `require` is untyped; the types are those of the same package.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return require('playwright-core') as PlaywrightModule;
}

/**
 * Loads the tools that playwright-core contains, which are those of @playwright/mcp. The package exports the file but has
 * no types for it; its version is pinned, and the tests compare every answer with the published server.
 */
export function loadPlaywrightTools(): PlaywrightTools {
  const require = createRequire(import.meta.url);
  // `require` is untyped.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const { tools } = require('playwright-core/lib/coreBundle') as { readonly tools: PlaywrightTools };
  return tools;
}

/** Loads Playwright on first use, once, and prepares it. */
export class PlaywrightLoader {
  readonly #prepare: (playwright: PlaywrightModule) => Promise<void>;
  #loading: Promise<PlaywrightModule> | undefined;

  constructor(prepare: (playwright: PlaywrightModule) => Promise<void>) {
    this.#prepare = prepare;
  }

  async load(): Promise<PlaywrightModule> {
    this.#loading ??= (async () => {
      const playwright = loadPlaywright();
      await this.#prepare(playwright);
      return playwright;
    })();
    try {
      return await this.#loading;
    } catch (error) {
      // The cause may be fixed before the next call, so a failed load is not cached.
      this.#loading = undefined;
      throw error;
    }
  }
}
