import { boxOf, closestOf, containsNode, matchesSelector, queryAll, shadowRootOf, shownParentOf } from './dom.ts';

/** In pixels, from the corners of the viewport. */
const edge = 3;

/** Modal dialogs, which make the rest of the page inert. The live collection avoids a search of large pages. */
export function modalsIn(document: Document): readonly Element[] {
  const dialogs = Document.prototype.getElementsByTagName.call(document, 'dialog');
  return [...dialogs].filter((dialog) => matchesSelector(dialog, ':modal'));
}

/** A dialog is open that is modal, or says so. */
export function hasModal(document: Document): boolean {
  if (modalsIn(document).length > 0) return true;
  return [...queryAll(document, '[aria-modal="true"]')].some((dialog) =>
    dialog.checkVisibility({ opacityProperty: true, visibilityProperty: true }),
  );
}

/**
 * Dialogs of libraries that block the page. Some do not say that they are modal: their library hides the rest of the page
 * from assistive technology instead.
 */
export function blockersIn(document: Document): readonly Element[] {
  const dialogs = [...queryAll(document, '[aria-modal="true"],[role="dialog"],[role="alertdialog"]')];
  return dialogs.filter(
    (dialog) =>
      dialog.checkVisibility({ visibilityProperty: true }) &&
      closestOf(dialog, '[inert],[aria-hidden=true]') === null &&
      isBlocking(dialog),
  );
}

/** The element does not contain the dialog, but its parent does: libraries hide such elements while the dialog is open. */
export function isBeside(element: Element, dialog: Element): boolean {
  const parent = shownParentOf(element);
  return parent !== null && containsNode(parent, dialog) && !containsNode(element, dialog);
}

/** Nothing outside of the dialog can be reached: it is modal, or its backdrop covers the viewport. */
export function isBlocking(dialog: Element): boolean {
  if (matchesSelector(dialog, ':modal')) return true;
  const [right, bottom] = [window.innerWidth - edge, window.innerHeight - edge];
  const corners = [
    [edge, edge],
    [right, edge],
    [edge, bottom],
    [right, bottom],
  ] as const;
  return corners.every(([x, y]) => {
    const top = hitTest(document, x, y);
    return top !== null && (containsNode(dialog, top) || isBackdrop(top, dialog));
  });
}

/** The dialog is in front at its centre. */
export function isInFront(dialog: Element): boolean {
  const { left, top, width, height } = boxOf(dialog);
  const hit = hitTest(document, left + width / 2, top + height / 2);
  return hit !== null && containsNode(dialog, hit);
}

/** A box over the whole viewport that is empty, but for the dialog. */
function isBackdrop(element: Element, dialog: Element): boolean {
  const { left, top, right, bottom } = boxOf(element);
  const covers = left <= 0 && top <= 0 && right >= window.innerWidth && bottom >= window.innerHeight;
  const { position } = getComputedStyle(element);
  if (!covers || (position !== 'fixed' && position !== 'absolute')) return false;
  return element.firstElementChild === null || containsNode(element, dialog);
}

function hitTest(document: Document, x: number, y: number): Element | null {
  let top = Document.prototype.elementFromPoint.call(document, x, y);
  for (let root = top && shadowRootOf(top); root !== null;) {
    const inner = root.elementFromPoint(x, y);
    if (inner === null || inner === top) return top;
    top = inner;
    root = shadowRootOf(inner);
  }
  return top;
}
