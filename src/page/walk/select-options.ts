import { blankItem } from './items.ts';
import type { Piece } from './items.ts';
import { isDisabled, statesOf } from '../aria/states.ts';
import { tidy } from './text.ts';

const mostOptions = 12;

/** The options of a list, or how many there are. */
export function choicesOf(select: HTMLSelectElement): readonly Piece[] {
  const { options } = select;
  if (options.length > mostOptions) {
    const chosen = [...select.selectedOptions].map((option) => tidy(option.label)).join(', ');
    const text = `${chosen === '' ? 'nothing chosen' : chosen} (${options.length} options)`;
    return [{ kind: 'text', text, breaks: true }];
  }
  return [...options]
    .filter((option) => !option.hidden)
    .map((option) => {
      const states = statesOf(option, 'option', null, isDisabled(option, 'option', false));
      return { ...blankItem(option, 'option', true), name: tidy(option.label), states };
    });
}
