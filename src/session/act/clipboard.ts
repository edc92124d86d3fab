import type { Browser, BrowserContext, Frame, Page } from 'playwright-core';
import { forgetWritten, noteCopied, readCopied, readWritten, writeClipboard } from '../../page/reads/clipboard.ts';
import type { Clip, Written } from '../../page/reads/clipboard.ts';
import { settlesWithin } from '../../util/signals.ts';

/**
 * A browser process has one clipboard for all its contexts. This is the context whose content it has for certain; null if
 * another one has acted since.
 */
const owners = new WeakMap<Browser, BrowserContext | null>();
/** What each context has copied last, except for what scripts have written since: their pages know that. */
const copied = new WeakMap<BrowserContext, Clip>();
/** A page with an open dialog does not answer. */
const answerLimitMs = 500;

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
    if (!isOwn) await page.evaluate(writeClipboard, await lastClip(context));
    if (browser !== null) owners.set(browser, context);
    await press();
    return;
  }
  await copyBy(page, press);
}

/** What the key copies. */
async function copyBy(page: Page, press: () => Promise<unknown>): Promise<Clip | undefined> {
  const context = page.context();
  const browser = context.browser();
  const frames = page.frames();
  await Promise.all(frames.map(async (frame) => frame.evaluate(noteCopied).catch(() => undefined)));
  await press();
  const clips = await Promise.all(frames.map(async (frame) => frame.evaluate(readCopied).catch(() => undefined)));
  const clip = clips.find((each) => each !== undefined);
  if (clip === undefined) return undefined;
  copied.set(context, clip);
  if (browser !== null) owners.set(browser, context);
  await inAllFrames(context, async (frame) => frame.evaluate(forgetWritten));
  return clip;
}

/** Copies or cuts the selection; its text. */
export async function copySelection(page: Page, key: 'c' | 'x'): Promise<string> {
  const clip = await copyBy(page, async () => page.keyboard.press(`ControlOrMeta+${key}`));
  return clip?.['text/plain'] ?? '';
}

/** Pastes a text of a person. What the clipboard had before is put back: the text may be a password. */
export async function pasteText(page: Page, text: string): Promise<void> {
  const context = page.context();
  const browser = context.browser();
  const before = await lastClip(context);
  if (!(await page.evaluate(writeClipboard, { 'text/plain': text }))) {
    await page.keyboard.insertText(text);
    return;
  }
  try {
    await page.keyboard.press('ControlOrMeta+v');
  } finally {
    await page.evaluate(writeClipboard, before);
    if (browser !== null) owners.set(browser, context);
  }
}

async function lastClip(context: BrowserContext): Promise<Clip> {
  const written: Written[] = [];
  await inAllFrames(context, async (frame) => {
    const found = await frame.evaluate(readWritten);
    if (found !== undefined) written.push(found);
  });
  const [newest] = written.sort((one, other) => other.at - one.at);
  return newest?.clip ?? copied.get(context) ?? { 'text/plain': '' };
}

async function inAllFrames(context: BrowserContext, ask: (frame: Frame) => Promise<void>): Promise<void> {
  const frames = context.pages().flatMap((page) => page.frames());
  const answers = frames.map(async (frame) => ask(frame).catch(() => undefined));
  await settlesWithin(Promise.all(answers), answerLimitMs);
}
