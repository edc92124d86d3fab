import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';

/** CDP sessions by browser: a permission ends with the session that granted it. */
const sessions = new WeakMap<Browser, Promise<CDPSession>>();
const allowed = new WeakSet<BrowserContext>();

/**
 * Lets the pages of a context write to the clipboard, as a browser with a window does after a click. Playwright's
 * `grantPermissions` would deny all others.
 */
export function allowCopying(context: BrowserContext): void {
  const allow = (page: Page): void => void allowBy(page, context);
  context.on('page', allow);
  for (const page of context.pages()) allow(page);
}

/** A page of the context is needed to learn the id that the browser has given the context. */
async function allowBy(page: Page, context: BrowserContext): Promise<void> {
  const browser = context.browser();
  if (browser === null || allowed.has(context)) return;
  allowed.add(context);
  try {
    const opening = sessions.get(browser) ?? browser.newBrowserCDPSession();
    sessions.set(browser, opening);
    const [whole, own] = await Promise.all([opening, context.newCDPSession(page)]);
    const { browserContextId } = (await own.send('Target.getTargetInfo')).targetInfo;
    await own.detach();
    await whole.send('Browser.setPermission', {
      permission: { name: 'clipboard-write' },
      setting: 'granted',
      ...(browserContextId === undefined ? {} : { browserContextId }),
    });
  } catch {
    // The page closed, which leaves it to the next one, or the browser has no CDP.
    allowed.delete(context);
  }
}
