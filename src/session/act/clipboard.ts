import type { Browser, BrowserContext, Page } from 'playwright-core';
import { noteCopied, readCopied, writeClipboard } from '../../page/reads/clipboard.ts';
import type { Clip } from '../../page/reads/clipboard.ts';

/**
 * A browser process has one clipboard for all its contexts. This is the context whose content it has for certain; null if
 * another one has acted since.
 */
const owners = new WeakMap<Browser, BrowserContext | null>();
/** What each context has copied last. */
const copied = new WeakMap<BrowserContext, Clip>();

/** An action may copy something, also without a key. */
export function noteClipboardUser(page: Page): void {
  const context = page.context();
  const browser = context.browser();
  if (browser === null) return;
  const owner = owners.get(browser);
  if (owner !== context) owners.set(browser, owner === undefined ? context : null);
}

type ClipboardKey = 'copy' | 'paste';

/** Whether a combination copies, cuts or pastes. */
export function clipboardKey(key: string): ClipboardKey | undefined {
  if (
    /^(?:Control|Meta|ControlOrMeta)\+(?:Shift\+)?[cx]$/i.test(key) ||
    /^(?:Control\+Insert|Shift\+Delete)$/.test(key)
  )
    return 'copy';
  return /^(?:Control|Meta|ControlOrMeta)\+(?:Shift\+)?v$/i.test(key) || key === 'Shift+Insert' ? 'paste' : undefined;
}

/** Presses a clipboard key, with the clipboard of the page's own session. */
export async function pressClipboardKey(page: Page, kind: ClipboardKey, press: () => Promise<unknown>): Promise<void> {
  const context = page.context();
  const browser = context.browser();
  if (kind === 'paste') {
    const isOwn = browser === null || owners.get(browser) === context;
    if (!isOwn) await page.evaluate(writeClipboard, copied.get(context) ?? { 'text/plain': '' });
    if (browser !== null) owners.set(browser, context);
    await press();
    return;
  }
  const frames = page.frames();
  await Promise.all(frames.map(async (frame) => frame.evaluate(noteCopied).catch(() => undefined)));
  await press();
  const clips = await Promise.all(frames.map(async (frame) => frame.evaluate(readCopied).catch(() => undefined)));
  const clip = clips.find((each) => each !== undefined);
  if (clip === undefined) return;
  copied.set(context, clip);
  if (browser !== null) owners.set(browser, context);
}
