import type { InlineSnapshot } from '../../page/protocol.ts';
import type { ShownView } from '../../view/diff.ts';
import type { PageState } from '../agent/page-agents.ts';

/** The last view of a tab that an answer showed, with the page state it was taken at. */
export interface Shown {
  readonly document: string;
  readonly documents: string;
  readonly changes: number;
  readonly scene: string;
  /** Number of actions before it. */
  readonly actions: number;
  readonly view: ShownView;
}

export function shownNow(view: ShownView, state: PageState | undefined, actions: number): Shown {
  const { mainDocument: document = '', documents = '', changes = -1, scene = '' } = state ?? {};
  return { document, documents, changes, scene, actions, view };
}

/** Whether the page cannot have changed since: no mutation, no motion, no action. */
export function isAsShown(shown: Shown | undefined, state: PageState | undefined, actions: number): boolean {
  if (shown === undefined || state === undefined || shown.actions !== actions) return false;
  return shown.documents === state.documents && shown.changes === state.changes && shown.scene === state.scene;
}

/** The state in which a page of one document needs no new snapshot. */
export function momentOf(shown: Shown | undefined, actions: number): Pick<InlineSnapshot, 'unless'> {
  if (shown === undefined || shown.actions !== actions) return {};
  const { document, changes, scene } = shown;
  return { unless: { document, changes, scene } };
}
