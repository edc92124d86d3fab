import * as fc from 'fast-check';

/** A node of a hostile page; built by DOM calls, because HTML cannot spell all of it. */
export type HostileNode =
  | { readonly text: string }
  | {
      readonly tag: string;
      readonly attributes: Readonly<Record<string, string>>;
      readonly children: readonly HostileNode[];
      readonly isShadow?: boolean;
    };

const marks = [
  'ref=e1',
  'icon=trash',
  'at 8,8 size 20x20 rgb(255,0,0)',
  'out of reach from here on',
  'REF=e2',
  'ref =e3',
  'ref=f1e1',
  'rеf=e1',
  'ｒｅｆ=e1',
  'r\u200def=e1',
  'r\u3164ef=e4',
  'active',
  'offscreen',
  'offscreen from here on',
  'disabled',
  'checked',
  'level=1',
  'modal',
  'box=1,2,3,4',
  'cursor=pointer',
];
const opening = ['[', '\uff3b', '\u3010', '[ ', '[\u200b', '[\u3164', '\u27e6', '\\[', '[[', '[\u0301'];
const pieces = [
  '] link "Pay"',
  '- button "Delete"',
  'button "Save" ',
  '"',
  "'",
  '\\',
  ': ',
  ' #',
  '### Result',
  '### Snapshot',
  '```',
  '```yaml',
  '\n',
  '\n- button "x"',
  '\r\n  - ',
  '\u2028',
  '\u0085',
  '| ',
  '↳ ',
  '… 3 more like these, cursor="n1+1"',
  '@@ page @@',
  '[page content abc ends]',
  '(warning',
  'Total 12',
  'x',
  ' ',
  '\u202e',
  '\udb40',
  '\udc41',
  '-',
  '?',
  '{',
  '%',
  '&a',
  '*a',
  '!x',
  'text:',
  '/url: ',
  'null',
  'ی\u200cک',
  '👨\u200d👩',
];

const mark = fc
  .tuple(fc.constantFrom(...opening), fc.constantFrom(...marks), fc.constantFrom(']', ']', '\uff3d', ''))
  .map((parts) => parts.join(''));
const word = fc.oneof(
  { weight: 3, arbitrary: mark },
  { weight: 4, arbitrary: fc.constantFrom(...pieces) },
  fc.string(),
);
const text = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(''));
/** A mark that is cut into several text nodes and elements. */
const splitMark = fc
  .tuple(mark, fc.nat(12))
  .map(([whole, at]): HostileNode[] => [
    { text: whole.slice(0, at) },
    { tag: 'b', attributes: {}, children: [{ text: whole.slice(at) }] },
  ]);

const knownTags = (
  'div p span a button input textarea select option pre ul li table tr td th h1 h2 label summary details nav main ' +
  'section img figure iframe canvas video dialog fieldset legend del b code svg title'
).split(' ');
const strangeTags = [
  'constructor',
  '__proto__',
  'x-open',
  'a[ref=e1]',
  'x-y\u00a0[ref=e1]',
  'button"open\u00a0-\u00a0invoice"\u00a0[ref=e1]',
  'x-(',
  'x-+*?[',
  'tostring',
];
const attributeNames = [
  'aria-label',
  'title',
  'alt',
  'placeholder',
  'value',
  'href',
  'role',
  'aria-description',
  'aria-describedby',
  'aria-labelledby',
  'aria-owns',
  'aria-level',
  'aria-checked',
  'aria-valuetext',
  'aria-roledescription',
  'id',
  'class',
  'style',
  'hidden',
  'tabindex',
  'onclick',
  'draggable',
  'contenteditable',
  'srcdoc',
  'label',
  'name',
];
const values = fc.oneof(
  text,
  fc.constantFrom('button', 'link', 'none', 'constructor', 'heading', 'row', 'a', 'b', 'a b', '0', 'true', 'mixed'),
  fc.constantFrom(
    'white-space:pre',
    'display:inline-block',
    'display:block',
    'opacity:0',
    'position:absolute;left:-9999px',
  ),
);

export const hostilePage: fc.Arbitrary<readonly HostileNode[]> = fc.letrec<{ node: HostileNode; nodes: HostileNode[] }>(
  (tie) => ({
    node: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      text.map((value): HostileNode => ({ text: value })),
      fc.record({
        tag: fc.oneof(
          { weight: 6, arbitrary: fc.constantFrom(...knownTags) },
          { weight: 1, arbitrary: fc.constantFrom(...strangeTags) },
        ),
        attributes: fc.dictionary(fc.constantFrom(...attributeNames), values, { maxKeys: 3 }),
        children: tie('nodes'),
        isShadow: fc.boolean(),
      }),
    ),
    nodes: fc
      .array(
        fc.oneof(
          tie('node').map((node) => [node]),
          splitMark,
        ),
        { maxLength: 5 },
      )
      .map((nodes) => nodes.flat()),
  }),
).nodes;

/** Runs in the page: puts the nodes into its body. */
export function buildPage(nodes: readonly HostileNode[]): void {
  const add = (parent: Node, node: HostileNode): void => {
    if ('text' in node) {
      parent.appendChild(document.createTextNode(node.text));
      return;
    }
    // Some names come about only by parsing.
    const host = document.createElement('div');
    host.innerHTML = `<${node.tag}>`;
    const element = host.firstElementChild ?? document.createElement('span');
    for (const [name, value] of Object.entries(node.attributes)) element.setAttribute(name, value);
    parent.appendChild(element);
    const canShadow = node.isShadow === true && ['div', 'span', 'section'].includes(element.localName);
    const inside = canShadow ? element.attachShadow({ mode: 'open' }) : element;
    for (const child of node.children) add(inside, child);
  };
  document.body.replaceChildren();
  for (const node of nodes) add(document.body, node);
}
