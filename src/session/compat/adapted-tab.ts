import type { ToolsTab } from '../../browser/playwright-tools.ts';
import type { Tab } from '../tab.ts';
import { settledAction } from './settled-action.ts';
import type { RunningCall } from './settled-action.ts';

/** Gives a tab of Playwright's tools our waiting after an action, and the numbers of @playwright/mcp. */
export function adaptTab(shown: ToolsTab, tab: Tab, call: () => RunningCall): void {
  shown.waitForCompletion = async (action) => {
    await shown.waitForInitialized();
    await settledAction(tab, action, call());
  };
  // Newer versions count on across navigations.
  const requests = shown.requests.bind(shown);
  shown.requests = async (all) => {
    const entries = await requests(all);
    return all === true ? entries : entries.map(({ request }, position) => ({ index: position + 1, request }));
  };
  shown.request = async (index) => (await shown.requests()).find((entry) => entry.index === index)?.request;
  const count = shown.consoleMessageCount.bind(shown);
  shown.consoleMessageCount = async () => count();
}
