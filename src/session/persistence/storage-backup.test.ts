import { EventEmitter } from 'node:events';
import type { BrowserContext } from 'playwright-core';
import { expect, test, vi } from 'vitest';
import type { Tab } from '../tab.ts';
import { StorageBackup } from './storage-backup.ts';

test('until pages are read, the copy is what the context started with', () => {
  // Only its events are used here.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const context = new EventEmitter() as unknown as BrowserContext;
  const cookie = { name: 'sid', value: '1', domain: '127.0.0.1', path: '/', expires: -1 };
  const cookies = [{ ...cookie, httpOnly: false, secure: false, sameSite: 'Lax' as const }];
  const origins = [{ origin: 'http://127.0.0.1', localStorage: [{ name: 'theme', value: 'dark' }] }];
  using backup = new StorageBackup(context, () => [], { cookies, origins });
  expect(backup.state).toEqual({ cookies, origins });
});

/** A tab whose storage is read when the test says so. */
function slowTab(url = 'http://a.test/'): { readonly tab: Tab; readonly reads: ((value: string) => void)[] } {
  const reads: ((value: string) => void)[] = [];
  const readInPage = async (): Promise<unknown> =>
    new Promise((resolve) => {
      reads.push((value) =>
        resolve({ origin: 'http://a.test', cookie: '', local: [{ name: 'count', value }], session: [] }),
      );
    });
  return { tab: tabThat(readInPage, url), reads };
}

function tabThat(readInPage: () => Promise<unknown>, url = 'http://a.test/'): Tab {
  const page = { isClosed: () => false, url: () => url };
  const parts = { crashed: false, isHung: false, modals: [], page, cdp: { current: {} } };
  // Only these parts are used here.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return { ...parts, readInPage } as unknown as Tab;
}

function backupOf(tab: Tab): StorageBackup {
  const events = Object.assign(new EventEmitter(), { cookies: async () => [] });
  // As above.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return new StorageBackup(events as unknown as BrowserContext, () => [tab], undefined);
}

test('a save waits for a read that took the change before', async () => {
  const { tab, reads } = slowTab();
  using backup = backupOf(tab);
  backup.changed(tab);
  backup.schedule();
  await vi.waitUntil(() => reads.length === 1, { timeout: 20_000 });
  const saved = backup.save();
  reads[0]?.('1');
  await vi.waitUntil(() => reads.length === 2, { timeout: 20_000 });
  expect(backup.state.origins).toEqual([{ origin: 'http://a.test', localStorage: [{ name: 'count', value: '1' }] }]);
  reads[1]?.('1');
  expect(await saved).toBe(true);
});

test('a save fails if the browser is lost before the copy is made', async () => {
  const { tab, reads } = slowTab();
  const backup = backupOf(tab);
  backup.changed(tab);
  const saved = backup.save();
  await vi.waitUntil(() => reads.length === 1, { timeout: 20_000 });
  backup[Symbol.dispose]();
  reads[0]?.('1');
  expect(await saved).toBe(false);
});

test('a read that fails at once is repeated without blocking the event loop', async () => {
  let [reads, isReplaced] = [0, false];
  const readInPage = async (): Promise<unknown> => {
    reads += 1;
    if (!isReplaced) throw new Error('The document is being replaced.');
    return { origin: 'http://a.test', cookie: '', local: [{ name: 'count', value: '1' }], session: [] };
  };
  const replaced = tabThat(readInPage);
  using backup = backupOf(replaced);
  backup.changed(replaced);
  const saved = backup.save();
  setImmediate(() => {
    isReplaced = true;
  });
  expect(await saved).toBe(true);
  expect(reads).toBe(2);
  expect(backup.state.origins).toEqual([{ origin: 'http://a.test', localStorage: [{ name: 'count', value: '1' }] }]);
});

test('the error page of the browser is not read', async () => {
  const { tab, reads } = slowTab('chrome-error://chromewebdata/');
  using backup = backupOf(tab);
  backup.changed(tab);
  expect(await backup.save()).toBe(true);
  expect(reads).toEqual([]);
});

test('a page that crashes during a call before its storage was read is named; one that had crashed before is not', async () => {
  const parts = {
    isHung: false,
    modals: [],
    page: { isClosed: () => false, url: () => 'http://a.test/' },
    cdp: { current: {} },
  };
  let isCrashed = false;
  // As above.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const tab = Object.defineProperty({ ...parts }, 'crashed', { get: () => isCrashed }) as unknown as Tab;
  using backup = backupOf(tab);
  backup.begin();
  backup.changed(tab);
  isCrashed = true;
  expect(await backup.save()).toBe(true);
  expect(backup.crashed).toBe(tab);
  backup.begin();
  expect(backup.crashed).toBeUndefined();
});
