import type * as Playwright from 'playwright-core';

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
      const playwright = await import('playwright-core');
      await this.#prepare(playwright);
      return playwright;
    })();
    return this.#loading;
  }
}
