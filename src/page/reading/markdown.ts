import TurndownService from 'turndown';

/** The attribute of a copied link that holds the ref of the live one. */
export const refAttribute = 'data-pagehelm-ref';

/** Lines that begin with three number signs are headings of answers, so headings of this level and below are one deeper. */
const marks = ['#', '##', '####', '#####', '######', '######'];

/** A tree as markdown. Links carry refs instead of URLs: `[text](ref=e12)`. */
export function toMarkdown(root: Element): string {
  const service = new TurndownService({ headingStyle: 'atx', codeBlockStyle: 'fenced', bulletListMarker: '-' });
  service.addRule('heading', {
    filter: ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'],
    replacement: (content, node) => {
      const text = oneLine(content);
      return text === '' ? '' : `\n\n${marks[Number(node.nodeName.slice(1)) - 1]} ${text}\n\n`;
    },
  });
  service.addRule('link', {
    filter: (node) => node.nodeName === 'A' && node.hasAttribute('href'),
    replacement: (content, node) => {
      const text = oneLine(content);
      const ref = attributeOf(node, refAttribute);
      if (text === '') return '';
      return ref === '' ? text : `[${text}](ref=${ref})`;
    },
  });
  service.addRule('image', {
    filter: 'img',
    replacement: (_content, node) => {
      const text = oneLine(attributeOf(node, 'alt'));
      return text === '' ? '' : `![${service.escape(text)}]`;
    },
  });
  service.addRule('code', { filter: 'pre', replacement: (_content, node) => codeBlock(node) });
  service.addRule('strike', {
    filter: ['del', 's'],
    replacement: (content) => (content === '' ? '' : `~~${content}~~`),
  });
  service.addRule('table', { filter: isDataTable, replacement: (_content, node) => table(node, service) });
  return service
    .turndown(elementOf(root))
    .replaceAll(/[ \t]+$/gm, '')
    .trim();
}

/** Turndown takes elements of any document. */
function elementOf(root: Element): HTMLElement {
  if (root instanceof HTMLElement) return root;
  throw new Error('the content is no element of HTML');
}

function attributeOf(node: Node, name: string): string {
  return node instanceof Element ? (node.getAttribute(name) ?? '') : '';
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

function codeBlock(node: Node): string {
  const text = (node.textContent ?? '').replace(/\n$/, '');
  const code = node instanceof Element ? (node.querySelector('code') ?? node) : node;
  const language = /\b(?:language|lang|highlight-source)-([\w+#-]+)/.exec(attributeOf(code, 'class'))?.[1] ?? '';
  // A longer fence than any inside, but shorter than the one around the answer.
  const inner = text.replaceAll(/`{4,}/g, '```');
  const fence = inner.includes('```') ? '~~~' : '```';
  return `\n\n${fence}${language}\n${inner.replaceAll(/^(?=\s{0,3}###(?:\s|$))/gm, '\\')}\n${fence}\n\n`;
}

/** Tables for layout are read cell by cell. */
function isDataTable(node: Node): boolean {
  if (!(node instanceof HTMLTableElement)) return false;
  const isLayout = node.getAttribute('role') === 'presentation' || node.querySelector('table') !== null;
  return !isLayout && [...node.rows].some(({ cells }) => cells.length > 1);
}

function table(node: Node, service: TurndownService): string {
  if (!(node instanceof HTMLTableElement)) return '';
  const rows = [...node.rows].map(({ cells }) =>
    [...cells].flatMap((cell) => {
      const text = oneLine(service.turndown(cell)).replaceAll('|', String.raw`\|`);
      return [text, ...Array.from({ length: Math.min(cell.colSpan, 50) - 1 }, () => '')];
    }),
  );
  const width = Math.max(...rows.map((row) => row.length));
  const line = (row: readonly string[]): string =>
    `| ${Array.from({ length: width }, (_, index) => row[index] ?? '').join(' | ')} |`;
  const [head = [], ...body] = rows;
  const caption = oneLine(node.caption?.textContent ?? '');
  const lines = [line(head), `|${' --- |'.repeat(width)}`, ...body.map(line)];
  return `\n\n${caption === '' ? '' : `${service.escape(caption)}\n\n`}${lines.join('\n')}\n\n`;
}
