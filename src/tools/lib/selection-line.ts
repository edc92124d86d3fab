import { selectionOf } from '../../session/act/selection.ts';
import type { Selection } from '../../session/act/selection.ts';
import type { Tab } from '../../session/tab.ts';
import { cut, pageText } from '../../util/text.ts';

const longestShown = 200;

/** The selection or the caret, as answers show it. */
export async function readSelectionLine(tab: Tab): Promise<string | undefined> {
  if (tab.modals.length > 0 || tab.crashed || tab.page.isClosed()) return undefined;
  return selectionLine(await selectionOf(tab.page).catch(() => undefined));
}

function selectionLine(selection: Selection | undefined): string | undefined {
  if (selection === undefined) return undefined;
  const { text, around, formats } = selection;
  const quoted = (shown: string): string => JSON.stringify(pageText(shown.replaceAll(/\s+/g, ' ')));
  const how = formats.length === 0 ? '' : ` (${formats.join(', ')})`;
  if (text !== '') return `Selection: ${quoted(cut(text, longestShown))}${how}`;
  return around === undefined ? undefined : `Caret: between ${quoted(around[0])} and ${quoted(around[1])}${how}`;
}
