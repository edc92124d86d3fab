import type { Page } from 'playwright-core';
import { checkedUrl } from '../../policy/urls.ts';
import { addressOf } from '../navigation/main-frame.ts';
import { readTabStorage } from './session-storage.ts';
import type { TabStorage } from './session-storage.ts';
import { collectStorage } from './storage-state.ts';
import type { StorageState } from './storage-state.ts';
import type { TabList } from '../tab-list.ts';

/** All that is needed to bring a session back in another browser. */
export interface Checkpoint {
  readonly state: StorageState;
  readonly tabs: readonly SavedTab[];
  /** Which of the tabs is the current one. */
  readonly active: number;
}

export interface SavedTab {
  readonly url: string;
  readonly storage: readonly TabStorage[];
}

/** Cookies and storage, and what is open. */
export async function takeCheckpoint(
  context: Parameters<typeof collectStorage>[0],
  tabs: TabList,
): Promise<Checkpoint> {
  const state = await collectStorage(context, tabs.all, { indexedDB: true });
  const saved = await Promise.all(tabs.all.map((tab) => saveTab(tab.page, tab.crashed || tab.modals.length > 0)));
  const active = tabs.selected === undefined ? -1 : tabs.all.indexOf(tabs.selected);
  return { state, tabs: saved, active: Math.max(0, active) };
}

async function saveTab(page: Page, isStuck: boolean): Promise<SavedTab> {
  return { url: openable(addressOf(page)), storage: isStuck ? [] : await readTabStorage(page) };
}

/** Pages of the browser's own are not opened again. */
function openable(url: string): string {
  try {
    return checkedUrl(url);
  } catch {
    return 'about:blank';
  }
}
