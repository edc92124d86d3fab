import type { Modal } from './dialogs.ts';
import type { Session } from '../session.ts';
import type { Tab } from '../tab.ts';

/** A dialog in another tab that holds up this one as well: windows that open each other share a process. */
export async function modalElsewhere(
  session: Session,
  tab: Tab,
): Promise<{ readonly tab: Tab; readonly modal: Modal } | undefined> {
  const holder = session.tabs.find((other) => other !== tab && other.modals.length > 0);
  const modal = holder?.modals[0];
  if (holder === undefined || modal === undefined || (await tab.answers())) return undefined;
  return { tab: holder, modal };
}
