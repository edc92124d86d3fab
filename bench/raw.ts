import { chromium } from 'playwright-core';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { quietArgs } from './browser.ts';
import { endTree } from './cleanup.ts';
import type { Element } from './pages.ts';
import { processTree } from './proc.ts';
import type { Answer, Driver } from './servers.ts';

const nothing: Answer = { text: '', files: [] };

async function openPage(executablePath: string) {
  const before = new Set(processTree(process.pid).map(({ pid }) => pid));
  // Playwright's signal handlers would end the process before our cleanup.
  const signals = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false };
  const browser = await chromium.launch({
    ...signals,
    executablePath,
    headless: true,
    chromiumSandbox: false,
    args: [...quietArgs],
  });
  try {
    // Playwright does not expose the browser's pid: take the first new child process.
    const added = processTree(process.pid).find(({ pid }) => !before.has(pid));
    const page = await (await browser.newContext()).newPage();
    return { browser, page, roots: added ? [added.pid] : [] };
  } catch (error: unknown) {
    await browser.close();
    throw error;
  }
}

/** The same work with playwright-core alone: no server, no protocol, no settling. */
export class RawDriver implements Driver {
  readonly name: 'raw' | 'cdp' = 'raw';
  readonly roots: readonly number[];
  readonly #browser: Browser;
  readonly #page: Page;

  protected constructor(browser: Browser, page: Page, roots: readonly number[]) {
    this.#browser = browser;
    this.#page = page;
    this.roots = roots;
  }

  static async open(executablePath: string): Promise<RawDriver> {
    const { browser, page, roots } = await openPage(executablePath);
    return new RawDriver(browser, page, roots);
  }

  get browserVersion(): string {
    return this.#browser.version();
  }

  /** Opens another context with a page; returns a function that closes it. */
  async openContext(url?: string): Promise<() => Promise<void>> {
    const context = await this.#browser.newContext();
    const page = await context.newPage();
    if (url !== undefined) await page.goto(url);
    return () => context.close();
  }

  async navigate(url: string): Promise<Answer> {
    await this.#page.goto(url);
    return nothing;
  }

  async snapshot(): Promise<Answer> {
    return { text: await this.#page.ariaSnapshot({ mode: 'ai' }), files: [] };
  }

  find({ css }: Element): Promise<string> {
    return Promise.resolve(css);
  }

  async click(target: string): Promise<Answer> {
    await this.#page.click(target);
    return nothing;
  }

  async type(target: string, text: string, submit: boolean): Promise<Answer> {
    await this.#page.fill(target, text);
    if (submit) await this.#page.press(target, 'Enter');
    return nothing;
  }

  async press(key: string): Promise<Answer> {
    await this.#page.keyboard.press(key);
    return nothing;
  }

  async hover(target: string): Promise<Answer> {
    await this.#page.hover(target);
    return nothing;
  }

  async select(target: string, value: string): Promise<Answer> {
    await this.#page.selectOption(target, value);
    return nothing;
  }

  async check(target: string, isOn: boolean): Promise<Answer> {
    await this.#page.setChecked(target, isOn);
    return nothing;
  }

  async drag(from: string, to: string): Promise<Answer> {
    await this.#page.dragAndDrop(from, to);
    return nothing;
  }

  async evaluate(source: string): Promise<Answer> {
    const value: unknown = await this.#page.evaluate(`(${source})()`);
    return { text: JSON.stringify(value), files: [] };
  }

  async screenshot(): Promise<Answer> {
    await this.#page.screenshot({ type: 'png', scale: 'css' });
    return nothing;
  }

  async tabs(): Promise<Answer> {
    const titles = await Promise.all(
      this.#page
        .context()
        .pages()
        .map((page) => page.title()),
    );
    return { text: titles.join('\n'), files: [] };
  }

  ping(): Promise<Answer> {
    return Promise.resolve(nothing);
  }

  async clickAndExpect(target: string, text: string): Promise<Answer> {
    await this.#page.click(target);
    await this.#page.getByText(text, { exact: true }).waitFor();
    return nothing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await endTree(this.roots[0], () => this.#browser.close());
  }
}

/** Single messages to the browser: what remains without Playwright's preparations. */
export class CdpDriver extends RawDriver {
  override readonly name = 'cdp';
  readonly groups: ReadonlySet<string> = new Set(['evaluate', 'screenshot', 'tabs']);
  readonly #session: CDPSession;

  private constructor(browser: Browser, page: Page, roots: readonly number[], session: CDPSession) {
    super(browser, page, roots);
    this.#session = session;
  }

  static override async open(executablePath: string): Promise<CdpDriver> {
    const { browser, page, roots } = await openPage(executablePath);
    return new CdpDriver(browser, page, roots, await page.context().newCDPSession(page));
  }

  override async evaluate(source: string): Promise<Answer> {
    const how = { expression: `(${source})()`, returnByValue: true };
    const { result } = await this.#session.send('Runtime.evaluate', how);
    return { text: JSON.stringify(result.value), files: [] };
  }

  override async screenshot(): Promise<Answer> {
    await this.#session.send('Page.captureScreenshot', { format: 'png' });
    return nothing;
  }

  override async tabs(): Promise<Answer> {
    const { targetInfos } = await this.#session.send('Target.getTargets');
    return { text: targetInfos.map(({ title }) => title).join('\n'), files: [] };
  }
}
