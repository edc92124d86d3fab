import { bodyOf, eachShownChild, isElement, nodeTypeOf, queryAll, shownParentOf, textOf, TEXT } from '../dom/dom.ts';
import { blankItem } from '../walk/items.ts';
import type { Piece } from '../walk/items.ts';
import { linesIn, mostText } from './listing.ts';
import { isCollapsed } from '../dom/visibility.ts';
import type { Styles } from '../dom/styles.ts';

/**
 * Chromium's XML viewer, line by line with its indentation; undefined for other documents. A page can imitate it, so that
 * invisible text is left out here too.
 */
export function xmlIn(document: Document, root: Element, styles: Styles): readonly Piece[] | undefined {
  if (root !== bodyOf(document) || !document.contentType.endsWith('xml')) return undefined;
  const [tree] = queryAll(document, 'body > #webkit-xml-viewer-source-xml ~ .pretty-print');
  if (tree === undefined) return undefined;
  const seen = new Map<Element, boolean>();
  const isSeen = (element: Element): boolean => {
    const known = seen.get(element);
    if (known !== undefined) return known;
    const style = styles.of(element);
    const parent = shownParentOf(element);
    const isOwn = !style.isHidden && !styles.isUnreadable(element) && !isCollapsed(element, style);
    const is = isOwn && (parent === null || isSeen(parent));
    seen.set(element, is);
    return is;
  };
  const listing = blankItem(tree, 'text', true);
  let left = mostText;
  for (const line of tree.querySelectorAll('.line')) {
    const text = textIn(line, isSeen);
    const indent = '  '.repeat(depthOf(line, tree));
    for (const part of linesIn(text))
      listing.children.push({ kind: 'text', text: indent + part, breaks: true, isLine: true });
    left -= text.length;
    if (left < 0)
      return [listing, { kind: 'text', text: '(the rest of this long document was not read)', breaks: true }];
  }
  return [listing];
}

function textIn(element: Element, isSeen: (element: Element) => boolean): string {
  let text = '';
  if (!isSeen(element)) return text;
  eachShownChild(element, (child) => {
    if (isElement(child)) text += textIn(child, isSeen);
    else if (nodeTypeOf(child) === TEXT) text += textOf(child) ?? '';
  });
  return text;
}

/** The nesting depth of a line. */
function depthOf(line: Element, tree: Element): number {
  let depth = 0;
  for (let at = line.parentElement; at !== null && at !== tree; at = at.parentElement)
    if (at.classList.contains('opened')) depth++;
  return depth;
}
