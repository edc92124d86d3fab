import type { Glance } from '../../page/protocol.ts';
import type { ShownView } from '../../view/diff.ts';
import type { PageState } from '../agent/page-agents.ts';

/** What the model was last shown of a tab, and when on the page's own clock. */
export interface Shown {
  readonly document: string;
  readonly documents: string;
  readonly changes: number;
  readonly scene: string;
  /** How many actions there had been. */
  readonly actions: number;
  readonly view: ShownView;
}

export function shownNow(view: ShownView, state: PageState | undefined, actions: number): Shown {
  const { mainDocument: document = '', documents = '', changes = -1, scene = '' } = state ?? {};
  return { document, documents, changes, scene, actions, view };
}

/** Whether the page cannot have changed since: no mutation, no motion, and nobody touched it. */
export function isAsShown(shown: Shown | undefined, state: PageState | undefined, actions: number): boolean {
  if (shown === undefined || state === undefined || shown.actions !== actions) return false;
  return shown.documents === state.documents && shown.changes === state.changes && shown.scene === state.scene;
}

/** What a page of one document must still be at for that. */
export function momentOf(shown: Shown | undefined, actions: number): Pick<Glance, 'unless'> {
  if (shown === undefined || shown.actions !== actions) return {};
  const { document, changes, scene } = shown;
  return { unless: { document, changes, scene } };
}
