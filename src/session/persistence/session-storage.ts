import type { Frame, Page } from 'playwright-core';
import { settlesWithin } from '../../util/signals.ts';
import { storageLimitMs } from '../timing.ts';

/** Session storage of one tab for one origin; it is not part of a context's storage state. */
export interface TabStorage {
  readonly origin: string;
  readonly sessionStorage: readonly { readonly name: string; readonly value: string }[];
}

/** Reads the session storage of a tab by origin; frames that do not answer are skipped. Undefined if the page does not. */
export async function readTabStorage(page: Page): Promise<readonly TabStorage[] | undefined> {
  const found = new Map<string, TabStorage>();
  const answered = new Set<Frame>();
  const read = async (frame: Frame): Promise<void> => {
    const items = await frame.evaluate(`(() => {
      try { return { origin, items: Object.entries(sessionStorage).map(([name, value]) => ({ name, value })) } }
      catch { return undefined }
    })()`);
    answered.add(frame);
    const { origin, items: sessionStorage } = isRead(items) ? items : { origin: '', items: [] };
    if (sessionStorage.length > 0 && !found.has(origin)) found.set(origin, { origin, sessionStorage });
  };
  await settlesWithin(Promise.allSettled(page.frames().map(read)), storageLimitMs);
  return answered.has(page.mainFrame()) ? [...found.values()] : undefined;
}

/** Restores session storage: once per origin, on the first navigation to it. Values that the page has set win. */
export async function seedTabStorage(page: Page, storage: readonly TabStorage[]): Promise<void> {
  for (const { origin, sessionStorage } of storage) {
    const seed = await page.addInitScript({ content: seedScript(origin, sessionStorage) });
    const onNavigated = (frame: Frame): void => {
      if (originOf(frame.url()) !== origin) return;
      page.off('framenavigated', onNavigated);
      // A page that logged out must not be logged in again by a reload.
      seed.dispose().catch(() => undefined);
    };
    page.on('framenavigated', onNavigated);
  }
}

function seedScript(origin: string, items: TabStorage['sessionStorage']): string {
  const data = JSON.stringify(items).replaceAll('<', '\\u003c');
  return `(() => {
    if (origin !== ${JSON.stringify(origin)}) return;
    try { for (const { name, value } of ${data}) if (sessionStorage.getItem(name) === null) sessionStorage.setItem(name, value) }
    catch {}
  })()`;
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : '';
}

interface Read {
  readonly origin: string;
  readonly items: TabStorage['sessionStorage'];
}

/** The result comes from the page, so it is validated. */
function isRead(value: unknown): value is Read {
  if (typeof value !== 'object' || value === null || !('origin' in value) || !('items' in value)) return false;
  const { origin, items } = value;
  const isItem = (item: unknown): boolean =>
    typeof item === 'object' &&
    item !== null &&
    'name' in item &&
    'value' in item &&
    typeof item.name === 'string' &&
    typeof item.value === 'string';
  return typeof origin === 'string' && origin !== 'null' && Array.isArray(items) && items.every(isItem);
}
