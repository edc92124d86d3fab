// These functions are serialized into the page, so they use no closures and no imports.

/** The text of an element, with the nodes that it is from. It stays in the page. */
export interface TextContent {
  readonly root: Element;
  readonly content: string;
  /** Empty for a field. */
  readonly parts: readonly { readonly node: Text; readonly from: number }[];
}

/** Part of a text; a caret if it is empty. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

export function readTextContent(root: Element): TextContent {
  if (root instanceof HTMLInputElement || root instanceof HTMLTextAreaElement)
    return { root, content: root.value, parts: [] };
  const parts: { readonly node: Text; readonly from: number }[] = [];
  let content = '';
  let block: Element | null = null;
  const add = (node: Text, parent: Element): void => {
    if (!parent.checkVisibility()) return;
    let around: Element | null = parent;
    while (around !== null && around !== root && getComputedStyle(around).display === 'inline')
      around = around.parentElement;
    // Words of two blocks do not run together.
    if (content !== '' && around !== block) content += '\n';
    block = around;
    parts.push({ node, from: content.length });
    content += node.data;
  };
  /** In the order in which they are shown: shadow roots in place of the children of their host. */
  const visit = (parent: Element): void => {
    const assigned = parent instanceof HTMLSlotElement ? parent.assignedNodes() : [];
    const nodes = assigned.length > 0 ? assigned : (parent.shadowRoot ?? parent).childNodes;
    for (const node of nodes) {
      if (node instanceof Text) add(node, parent);
      else if (node instanceof Element) visit(node);
    }
  };
  visit(root);
  return { root, content, parts };
}

/** Fields for numbers and addresses have no selection range; a search in a password field would reveal its value. */
export function selectsOnlyWhole({ root }: TextContent): boolean {
  return root instanceof HTMLInputElement && (root.selectionStart === null || root.type === 'password');
}

/** Focuses the field or editor of a text, and selects a part of it. */
export function applySelection({ root, content, parts }: TextContent, { start, end }: TextRange): void {
  if (root instanceof HTMLInputElement || root instanceof HTMLTextAreaElement) {
    root.focus();
    if (start === 0 && end === content.length) root.select();
    else root.setSelectionRange(start, end);
    return;
  }
  const range = document.createRange();
  range.selectNodeContents(root);
  const first = parts.findLast(({ from, node }) => from <= start && (start === end || start < from + node.length));
  const last = parts.findLast(({ from }) => from < end) ?? first;
  if (first !== undefined) range.setStart(first.node, Math.min(first.node.length, start - first.from));
  if (last !== undefined) range.setEnd(last.node, Math.min(last.node.length, end - last.from));
  const holder = range.startContainer instanceof Element ? range.startContainer : range.startContainer.parentElement;
  let host = holder;
  while (host instanceof HTMLElement && host.parentElement?.isContentEditable === true) host = host.parentElement;
  if (host instanceof HTMLElement && host.isContentEditable) host.focus({ preventScroll: true });
  const { top, bottom } = range.getBoundingClientRect();
  if (top < 0 || bottom > innerHeight) holder?.scrollIntoView({ block: 'center', behavior: 'instant' });
  const selection = document.getSelection();
  selection?.removeAllRanges();
  // A range in a shadow root cannot be added.
  selection?.setBaseAndExtent(range.startContainer, range.startOffset, range.endContainer, range.endOffset);
}

export interface SelectionEnds {
  readonly start: { readonly x: number; readonly y: number };
  readonly end: { readonly x: number; readonly y: number };
}

/**
 * Where a mouse presses and releases for the same selection, from the top left corner of the element; undefined where the
 * press would do something else. Clears the selection: a press on selected text drags it.
 */
export function takeSelectionEnds({ root, parts }: TextContent): SelectionEnds | undefined {
  const selection = document.getSelection();
  if (parts.length === 0 || selection === null || selection.isCollapsed) return undefined;
  const boxes = [...selection.getRangeAt(0).getClientRects()].filter(({ width, height }) => width > 0 && height > 0);
  const [top, bottom] = [boxes[0], boxes.at(-1)];
  if (top === undefined || bottom === undefined) return undefined;
  const [start, end] = [
    { x: top.left, y: top.top + top.height / 2 },
    { x: bottom.right, y: bottom.top + bottom.height / 2 },
  ];
  const isText = (x: number, y: number): boolean => {
    const hit = document.elementFromPoint(x, y);
    if (hit === null || !root.contains(hit)) return false;
    if (hit.closest('a[href],button,[draggable=true],img,[role=button]') !== null) return false;
    const { userSelect, cursor } = getComputedStyle(hit);
    return userSelect !== 'none' && cursor !== 'pointer';
  };
  if (!isText(start.x + 1, start.y) || !isText(end.x - 1, end.y)) return undefined;
  selection.removeAllRanges();
  const { left, top: above } = root.getBoundingClientRect();
  return { start: { x: start.x - left, y: start.y - above }, end: { x: end.x - left, y: end.y - above } };
}

export interface ReadSelection {
  /** The selected text; empty for a caret. */
  readonly text: string;
  /** The text on both sides of the caret. */
  readonly around?: readonly [string, string];
}

/** The selection or the caret; undefined if there is none, or in a field whose value is secret. */
export function readSelection(secretFields: string): ReadSelection | undefined {
  const near = 20;
  let active = document.activeElement;
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
  if (active instanceof HTMLInputElement || active instanceof HTMLTextAreaElement) {
    const { value, selectionStart: start, selectionEnd: end } = active;
    if (start === null || end === null || active.matches(secretFields)) return undefined;
    const text = value.slice(start, end);
    return { text, around: [value.slice(Math.max(0, start - near), start), value.slice(end, end + near)] };
  }
  const selection = document.getSelection();
  if (selection === null || selection.rangeCount === 0) return undefined;
  const range = selection.getRangeAt(0);
  const { startContainer: container, startOffset } = range;
  const element = container instanceof Element ? container : container.parentElement;
  const isEditor = element instanceof HTMLElement && element.isContentEditable;
  const text = selection.toString();
  // A selection in a shadow root has its range at the host.
  if (range.collapsed && !isEditor) return text === '' ? undefined : { text };
  if (!range.collapsed || !(container instanceof Text)) return { text };
  const around = [
    container.data.slice(Math.max(0, startOffset - near), startOffset),
    container.data.slice(startOffset, startOffset + near),
  ] as const;
  return { text, around };
}

/** The formats of the selected text, or at the caret, in an editor. What only a part of it has is `partly` so. */
export function readFormats(): readonly string[] {
  const mostTexts = 100;
  const selection = document.getSelection();
  if (selection === null || selection.rangeCount === 0) return [];
  const range = selection.getRangeAt(0);
  const formatsOf = (node: Node): readonly string[] | undefined => {
    const element = node instanceof Element ? node : node.parentElement;
    if (!(element instanceof HTMLElement) || !element.isContentEditable) return undefined;
    let host: Element = element;
    let lines = '';
    for (; host.parentElement?.isContentEditable === true; host = host.parentElement)
      lines += getComputedStyle(host).textDecorationLine;
    const [style, plain] = [getComputedStyle(element), getComputedStyle(host)];
    const block = element.closest('h1,h2,h3,h4,h5,h6,code,pre,blockquote,li,a');
    const all: readonly (readonly [string, boolean])[] = [
      ['bold', Number(style.fontWeight) >= 600],
      ['italic', style.fontStyle !== 'normal'],
      ['underline', lines.includes('underline')],
      ['strikethrough', lines.includes('line-through')],
      [style.fontSize, style.fontSize !== plain.fontSize],
      [style.color, style.color !== plain.color],
      [block?.localName ?? '', block !== null && block !== host && host.contains(block)],
    ];
    return all.flatMap(([format, has]) => (has ? [format] : []));
  };
  const { startContainer, startOffset, endContainer, endOffset } = range;
  const texts: Node[] = [];
  const walker = document.createTreeWalker(range.commonAncestorContainer, NodeFilter.SHOW_TEXT);
  // A walker does not return its root.
  for (
    let node: Node | null = walker.root instanceof Text ? walker.root : walker.nextNode();
    node !== null && texts.length < mostTexts;
    node = walker.nextNode()
  ) {
    // A range that begins at the end of a text, or ends at the beginning of one, selects nothing of it.
    const isTouched =
      (node === startContainer && startOffset === (node.nodeValue ?? '').length) ||
      (node === endContainer && endOffset === 0);
    if (range.intersectsNode(node) && !isTouched && (node.nodeValue ?? '').trim() !== '') texts.push(node);
  }
  const found = (range.collapsed || texts.length === 0 ? [startContainer] : texts).flatMap((node) => {
    const formats = formatsOf(node);
    return formats === undefined ? [] : [formats];
  });
  const every = [...new Set(found.flat())];
  return every.map((format) => (found.every((formats) => formats.includes(format)) ? format : `partly ${format}`));
}

export function readActiveElement(): Element {
  return document.activeElement ?? document.documentElement;
}
