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
  return { state, tabs: saved, active: activeIndex(tabs) };
}

/** The open tabs, without cookies and storage. */
export function openTabs(tabs: TabList): Checkpoint {
  const saved = tabs.all.map(({ page }) => ({ url: openable(addressOf(page)), storage: [] }));
  return { state: { cookies: [], origins: [] }, tabs: saved, active: activeIndex(tabs) };
}

function activeIndex({ all, selected }: TabList): number {
  return selected === undefined ? 0 : Math.max(0, all.indexOf(selected));
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
