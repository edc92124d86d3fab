import { build } from 'esbuild';
import { chromium } from 'playwright-core';
import type { Browser, Page } from 'playwright-core';
import { findBrowser } from '../../src/browser/find/discover.ts';
import type { WalkOptions, WalkResult } from '../../src/page/walk/items.ts';

/** The walk as one script, as in the page agent. */
export async function walkScript(): Promise<string> {
  const result = await build({
    entryPoints: [new URL('../../src/page/walk/walk.ts', import.meta.url).pathname],
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'helmWalk',
    platform: 'browser',
    target: 'es2022',
  });
  return result.outputFiles[0]?.text ?? '';
}

export async function launch(): Promise<Browser> {
  const found = await findBrowser({ type: 'chromium', headless: true });
  if (found === undefined) throw new Error('no browser');
  const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync'];
  return chromium.launch({
    executablePath: found.executablePath,
    args: ['--no-sandbox', ...quiet, ...(found.args ?? [])],
  });
}

/** A walker that observes mutations, as the agent's does. */
const watch = `
  globalThis.observer?.disconnect();
  globalThis.observer = new MutationObserver((records) => walker.note(records));
  globalThis.observe = (root) =>
    observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
  globalThis.walker = helmWalk.createWalker(document, observe);
  observe(document);
  0`;

/** A page with a walker in it. */
export class Seen {
  readonly page: Page;
  readonly #script: string;

  /** Opens a separate browser, which is closed with it. */
  static async open(): Promise<Seen> {
    const browser = await launch();
    return new Seen(await browser.newPage(), await walkScript());
  }

  constructor(page: Page, script: string) {
    this.page = page;
    this.#script = script;
  }

  async show(html: string): Promise<void> {
    await this.page.setContent(html);
    await this.page.evaluate(`${this.#script};${watch}`);
  }

  async walk(options: WalkOptions = {}, selector?: string, since?: string): Promise<WalkResult> {
    const root = selector === undefined ? 'undefined' : `document.querySelector(${JSON.stringify(selector)})`;
    return this.page.evaluate(`walker.walk(${root}, ${JSON.stringify(options)}, ${JSON.stringify(since)})`);
  }

  async lines(html: string, options: WalkOptions = {}): Promise<string> {
    await this.show(html);
    return (await this.walk(options)).lines.join('\n');
  }

  async close(): Promise<void> {
    await this.page.context().browser()?.close();
  }

  /** The new ref, or 'none' or 'several'. */
  async heal(ref: string): Promise<string> {
    return this.page.evaluate(`(() => { const it = walker.heal(${JSON.stringify(ref)}); return it.ref ?? it; })()`);
  }
}

/** Lines without offscreen marks, which depend on the fonts of the machine. */
export function steady(lines: readonly string[]): string {
  return `${lines.join('\n').replaceAll(/ \[offscreen[^\]]*\]/g, '')}\n`;
}
