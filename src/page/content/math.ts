import { attr, eachShownChild, isElement, nodeTypeOf, tagOf, TEXT } from '../dom/dom.ts';

/** A formula on one line: its alternative text, or a linear form such as `x^2`. */
export function formulaText(element: Element): string {
  return (attr(element, 'alttext') ?? linear(element)).replaceAll(/\s+/g, ' ').trim();
}

function linear(element: Element): string {
  const parts: string[] = [];
  eachShownChild(element, (child) => {
    if (nodeTypeOf(child) === TEXT) parts.push((child.nodeValue ?? '').trim());
    else if (isElement(child) && tagOf(child) !== 'annotation') parts.push(linear(child));
  });
  const [first = '', second = '', third = ''] = parts.filter((part) => part !== '');
  switch (tagOf(element)) {
    case 'msup':
      return `${first}^${grouped(second)}`;
    case 'msub':
      return `${first}_${grouped(second)}`;
    case 'msubsup':
      return `${first}_${grouped(second)}^${grouped(third)}`;
    case 'mfrac':
      return `${grouped(first)}/${grouped(second)}`;
    case 'msqrt':
      // With brackets also around one letter: what follows is not under the root.
      return `√(${parts.join('')})`;
    case 'mroot':
      return `${grouped(first)}^(1/${second})`;
    case 'munder':
      return `${first}_${grouped(second)} `;
    case 'mover':
      return `${first}^${grouped(second)} `;
    case 'munderover':
      return `${first}_${grouped(second)}^${grouped(third)} `;
    case 'mtr':
      return parts.join(' ');
    case 'mtable':
      return parts.join('; ');
    case 'mphantom':
      return '';
    case 'mspace':
      return ' ';
    default:
      return parts.join('');
  }
}

function grouped(text: string): string {
  return /^.$/su.test(text) ? text : `(${text})`;
}
