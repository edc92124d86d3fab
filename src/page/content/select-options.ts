import { blankItem } from '../walk/items.ts';
import type { Item, Piece } from '../walk/items.ts';
import { attr } from '../dom/dom.ts';
import { isDisabled, statesOf } from '../aria/states.ts';
import { tidy } from '../walk/text.ts';

/** A select with more options shows their number; a snapshot of the select alone shows all. */
export const mostOptions = 12;

/** The options of a list, or their number. */
export function choicesOf(select: HTMLSelectElement, isWhole: boolean): readonly Piece[] {
  const { options } = select;
  if (options.length > mostOptions && !isWhole) {
    const chosen = [...select.selectedOptions].map((option) => tidy(option.label)).join(', ');
    const text = `${chosen === '' ? 'nothing chosen' : chosen} (${options.length} options)`;
    return [{ kind: 'text', text, breaks: true }];
  }
  return [...select.children].flatMap((child): readonly Piece[] => {
    if (child instanceof HTMLOptionElement) return optionOf(child);
    if (!(child instanceof HTMLOptGroupElement) || child.hidden) return [];
    const children = [...child.children].flatMap((option) =>
      option instanceof HTMLOptionElement ? optionOf(option) : [],
    );
    return [{ ...blankItem(child, 'group', true), name: tidy(child.label), children }];
  });
}

function optionOf(option: HTMLOptionElement): Item[] {
  if (option.hidden) return [];
  const states = statesOf(option, 'option', null, isDisabled(option, 'option', false));
  const name = tidy(attr(option, 'aria-label') ?? '') || tidy(option.label);
  return [{ ...blankItem(option, 'option', true), name, states }];
}

/** The suggestions of a field's datalist. */
export function suggestionsOf(field: Element): string {
  const list = field instanceof HTMLInputElement ? field.list : null;
  const options = [...(list?.options ?? [])].map((option) => tidy(option.label || option.value));
  const more = options.length > mostOptions ? ` (${options.length} options)` : '';
  return options.length === 0 ? '' : `${options.slice(0, mostOptions).join(', ')}${more}`;
}
