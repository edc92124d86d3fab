import type * as Playwright from 'playwright-core';
import { leanRequire } from './lean-require.ts';

export type PlaywrightModule = typeof Playwright;

/** Imports Playwright when it is first needed, once, and prepares it. */
export class PlaywrightLoader {
  readonly #prepare: (playwright: PlaywrightModule) => Promise<void>;
  #loading: Promise<PlaywrightModule> | undefined;

  constructor(prepare: (playwright: PlaywrightModule) => Promise<void>) {
    this.#prepare = prepare;
  }

  async load(): Promise<PlaywrightModule> {
    this.#loading ??= (async () => {
      // Required, not imported: it is CommonJS, and an import would first read all of it for the names it exports.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      const playwright = leanRequire('playwright-core', import.meta.url) as PlaywrightModule;
      await this.#prepare(playwright);
      return playwright;
    })();
    try {
      return await this.#loading;
    } catch (error) {
      // What kept it from loading may be put right before the next call.
      this.#loading = undefined;
      throw error;
    }
  }
}
