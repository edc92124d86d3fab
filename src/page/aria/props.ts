import { attr } from '../dom/dom.ts';
import type { Item } from '../walk/items.ts';
import type { Links } from '../walk/links.ts';
import type { Named, Names } from './names.ts';
import { actionRoles } from './role-tables.ts';
import { suggestionsOf } from '../content/select-options.ts';
import { tidy } from '../walk/text.ts';

/** Properties beside the name: the target of a link, the purpose of a field. */
export function propsOf(element: Element, role: string, named: Named, links: Links, names: Names): Item['props'] {
  const { name, from } = named;
  const props: (readonly [string, string])[] = [];
  if (role === 'link') {
    const href = attr(element, 'href') ?? attr(element, 'xlink:href');
    const url = href === null ? undefined : links.short(href);
    if (url !== undefined) props.push(['/url', url]);
  }
  if (role === 'textbox' || role === 'searchbox' || role === 'combobox' || role === 'spinbutton') {
    const hint = from === 'hint' ? '' : tidy(attr(element, 'placeholder') ?? '');
    if (hint !== '' && hint !== name) props.push(['/placeholder', hint]);
  }
  if (role === 'combobox') {
    const suggestions = suggestionsOf(element);
    if (suggestions !== '') props.push(['/suggestions', suggestions]);
  }
  if (actionRoles.has(role) && attr(element, 'aria-describedby') !== null) {
    const description = names.describe(element, name);
    if (description !== '') props.push(['/description', description]);
  }
  return props;
}
