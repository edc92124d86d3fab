import type { Page } from 'playwright-core';
import { checkedUrl } from '../../policy/urls.ts';
import { addressOf } from '../navigation/main-frame.ts';
import { readTabStorage } from './session-storage.ts';
import type { TabStorage } from './session-storage.ts';
import { collectStorage } from './storage-state.ts';
import type { StorageState } from './storage-state.ts';
import type { TabList } from '../tab-list.ts';

/** Everything needed to restore a session in another browser. */
export interface Checkpoint {
  readonly state: StorageState;
  readonly tabs: readonly SavedTab[];
  /** Index of the current tab. */
  readonly active: number;
}

export interface SavedTab {
  readonly url: string;
  readonly storage: readonly TabStorage[];
}

/** Takes a checkpoint: cookies, storage and open tabs. */
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
  return { url: openable(addressOf(page)), storage: isStuck ? [] : ((await readTabStorage(page)) ?? []) };
}

/** Internal pages of the browser are not reopened. */
function openable(url: string): string {
  try {
    return checkedUrl(url);
  } catch {
    return 'about:blank';
  }
}
