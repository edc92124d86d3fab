import type { BrowserContext, FileChooser, Page } from 'playwright-core';
import { checkedUrl } from '../../policy/urls.ts';
import { settlesWithin } from '../../util/signals.ts';
import { act } from '../act/act.ts';
import { copySelection, pasteText } from '../act/clipboard.ts';
import type { Session } from '../session.ts';
import type { Tab } from '../tab.ts';
import { lastInputMs } from '../timing.ts';
import { Popups } from './popups.ts';
import type { HandInput, HandResult, Modifier, MouseButton, PointerInput } from './inputs.ts';

const modifierKeys = ['Alt', 'Control', 'Meta', 'Shift'] as const;

interface Job {
  input: HandInput;
  readonly settle: (result: HandResult) => void;
}

export interface HandDeps {
  readonly navigationMs: number;
  readonly popupsChanged: () => void;
}

const dropped: HandResult = { isDone: false };
/** Further inputs are dropped: a page that does not respond must not collect them. */
const mostWaiting = 500;

/** A person's input to the pages of a session, one after the other. */
export class Hands {
  readonly popups: Popups;
  readonly #session: Session;
  readonly #deps: HandDeps;
  #jobs: Job[] = [];
  #running: Promise<void> | undefined;
  #isOpen = false;
  /** An answer to a dialog cannot wait for the input that opened it. */
  #interrupt: () => void = () => undefined;
  readonly #buttons = new Set<MouseButton>();
  readonly #keys = new Set<string>();
  readonly #modifiers = new Set<Modifier>();
  /** The page of the pressed buttons and keys. */
  #page: Page | undefined;
  /** The release that belongs to a press which opened a popup of the dashboard. */
  #swallowed: MouseButton | undefined;
  #listening: Disposable | undefined;
  #ending = new AbortController();

  constructor(session: Session, deps: HandDeps) {
    this.#session = session;
    this.#deps = deps;
    this.popups = new Popups(() => session.tabs, deps.popupsChanged);
  }

  /** Inputs are accepted from here on. */
  begin(): void {
    this.#isOpen = true;
    this.#ending = new AbortController();
    this.#listen(this.#session.current?.page.context());
  }

  /** Drops what waits, finishes the running input, and releases buttons and keys. */
  async end(): Promise<void> {
    this.#isOpen = false;
    for (const { settle } of this.#jobs.splice(0)) settle(dropped);
    this.#ending.abort();
    this.#interrupt();
    await settlesWithin(Promise.resolve(this.#running), lastInputMs);
    await settlesWithin(this.#releaseAll(), lastInputMs);
    this.#listening?.[Symbol.dispose]();
    this.#listening = undefined;
    this.popups.forget();
  }

  /** Resolves when the input has been given to the page. */
  async put(input: HandInput): Promise<HandResult> {
    if (!this.#isOpen || this.#jobs.length >= mostWaiting) return dropped;
    // A dialog blocks the page, and with it the input that opened it.
    if (input.kind === 'answer') return { isDone: await this.popups.answer(input.popup, input) };
    if (this.#merge(input)) return { isDone: true };
    return new Promise((settle) => {
      this.#jobs.push({ input, settle });
      this.#running ??= this.#run();
    });
  }

  /** A move replaces the one before it; turns of the wheel are added up; a press does not wait for moves. */
  #merge(input: HandInput): boolean {
    const last = this.#jobs.at(-1);
    if (input.kind === 'down' && this.#buttons.size === 0)
      this.#jobs = this.#jobs.filter(({ input: { kind }, settle }) => {
        if (kind === 'move') settle({ isDone: true });
        return kind !== 'move';
      });
    if (last === undefined) return false;
    if (input.kind === 'move' && last.input.kind === 'move') {
      last.input = input;
      return true;
    }
    if (input.kind !== 'wheel' || last.input.kind !== 'wheel') return false;
    last.input = { ...input, dx: input.dx + last.input.dx, dy: input.dy + last.input.dy };
    return true;
  }

  async #run(): Promise<void> {
    for (let job = this.#jobs.shift(); job !== undefined; job = this.#jobs.shift()) {
      const interrupted = new Promise<HandResult>((resolve) => {
        this.#interrupt = () => resolve({ isDone: true });
      });
      const done = this.#give(job.input).catch(() => dropped);
      job.settle(await Promise.race([done, interrupted]));
    }
    this.#running = undefined;
  }

  async #give(input: HandInput): Promise<HandResult> {
    if (input.kind === 'navigate') return this.#navigate(input.url);
    if (input.kind === 'tab') {
      this.#session.select(this.#session.tab(input.tab));
      this.#deps.popupsChanged();
      return { isDone: true };
    }
    const tab = this.#session.current;
    if (tab === undefined) return dropped;
    this.#listen(tab.page.context());
    if (this.#page !== tab.page) await this.#releaseAll();
    this.#page = tab.page;
    if (input.kind === 'copy' || input.kind === 'cut')
      return { isDone: true, text: await copySelection(tab.page, input.kind === 'cut' ? 'x' : 'c') };
    if (input.kind === 'go') await this.#go(tab.page, input.to);
    else if (input.kind === 'text') await tab.page.keyboard.insertText(input.text);
    else if (input.kind === 'paste') await pasteText(tab.page, input.text);
    else if ('key' in input) await this.#key(tab, input);
    else if ('x' in input) await this.#point(tab, input);
    return { isDone: true };
  }

  async #point(tab: Tab, input: PointerInput): Promise<void> {
    const { mouse } = tab.page;
    await this.#hold(tab.page, input.modifiers);
    if (input.kind === 'up' && this.#swallowed === input.button) {
      this.#swallowed = undefined;
      return;
    }
    await mouse.move(input.x, input.y);
    if (input.kind === 'wheel') await mouse.wheel(input.dx, input.dy);
    if (input.kind === 'down') {
      this.popups.closeField();
      const isPlain = input.button === 'left' && input.modifiers.length === 0;
      if (isPlain && (await this.popups.openAt(tab, input))) {
        this.#swallowed = input.button;
        return;
      }
      this.#buttons.add(input.button);
      await mouse.down({ button: input.button, clickCount: input.clicks });
    }
    if (input.kind === 'up' && this.#buttons.delete(input.button))
      await mouse.up({ button: input.button, clickCount: input.clicks });
  }

  async #key(tab: Tab, { kind, key, modifiers }: Extract<HandInput, { key: string }>): Promise<void> {
    const { keyboard } = tab.page;
    await this.#hold(tab.page, modifiers);
    if (modifierKeys.some((name) => name === key)) return;
    if (kind === 'keyup') {
      if (this.#keys.delete(key)) await keyboard.up(key);
      return;
    }
    if (!this.#keys.has(key) && (await this.popups.openFocused(tab, key, modifiers.includes('Alt')))) return;
    try {
      await keyboard.down(key);
      this.#keys.add(key);
    } catch (error) {
      // A character that no key of the layout has.
      if (Array.from(key).length !== 1) throw error;
      await keyboard.insertText(key);
    }
  }

  /** Presses and releases modifier keys, so that they are as the person holds them. */
  async #hold({ keyboard }: Page, wanted: readonly Modifier[]): Promise<void> {
    for (const name of modifierKeys) {
      if (wanted.includes(name) === this.#modifiers.has(name)) continue;
      if (this.#modifiers.delete(name)) await keyboard.up(name);
      else {
        this.#modifiers.add(name);
        await keyboard.down(name);
      }
    }
  }

  async #releaseAll(): Promise<void> {
    const page = this.#page;
    const [buttons, keys] = [[...this.#buttons], [...this.#keys, ...this.#modifiers]];
    this.#buttons.clear();
    this.#keys.clear();
    this.#modifiers.clear();
    this.#swallowed = undefined;
    this.#page = undefined;
    if (page === undefined || page.isClosed()) return;
    // The page may go away meanwhile.
    for (const button of buttons) await page.mouse.up({ button }).catch(() => undefined);
    for (const key of keys) await page.keyboard.up(key).catch(() => undefined);
  }

  /** Through the same checks as a navigation of the agent. */
  async #navigate(given: string): Promise<HandResult> {
    const url = checkedUrl(given, this.#session.baseUrl);
    const { signal } = this.#ending;
    const tab = await this.#session.activeTab(signal, { replacesPage: true });
    this.#listen(tab.page.context());
    const timeoutMs = this.#deps.navigationMs;
    await act(
      this.#session,
      tab,
      async (_before, { activity }) => {
        await tab.open(url, { activity, signal, timeoutMs, waitUntil: 'commit' });
      },
      { signal, failure: { what: 'The navigation', url, timeoutMs }, loadMs: 0, takesSnapshot: false },
    );
    return { isDone: true };
  }

  async #go(page: Page, to: 'back' | 'forward' | 'reload'): Promise<void> {
    const how = { timeout: this.#deps.navigationMs, waitUntil: 'commit' } as const;
    if (to === 'back') await page.goBack(how);
    else if (to === 'forward') await page.goForward(how);
    else await page.reload(how);
  }

  /** Dialogs, file choosers and new tabs, which an input may open. */
  #listen(context: BrowserContext | undefined): void {
    if (this.#listening !== undefined || context === undefined) return;
    const onDialog = (): void => {
      this.#interrupt();
      this.#deps.popupsChanged();
    };
    const onChooser = (chooser: FileChooser): void => {
      const tab = this.#session.tabOf(chooser.page());
      if (tab !== undefined) void this.popups.choose(tab);
    };
    const onPage = (page: Page): void => {
      page.on('filechooser', onChooser).on('dialogclosed', this.#deps.popupsChanged);
      const tab = this.#session.tabOf(page);
      if (tab === undefined) return;
      tab.opener = this.#session.current;
      this.#session.follow(tab);
      this.#deps.popupsChanged();
    };
    const known = context.pages();
    for (const page of known) page.on('filechooser', onChooser).on('dialogclosed', this.#deps.popupsChanged);
    context.on('dialog', onDialog).on('page', onPage);
    this.#listening = {
      [Symbol.dispose]: () => {
        context.off('dialog', onDialog).off('page', onPage);
        for (const page of context.pages())
          page.off('filechooser', onChooser).off('dialogclosed', this.#deps.popupsChanged);
      },
    };
  }
}
