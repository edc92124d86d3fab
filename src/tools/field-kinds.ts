export const fieldTypes = ['textbox', 'checkbox', 'radio', 'combobox', 'slider', 'date', 'file'] as const;
export type FieldType = (typeof fieldTypes)[number];

/** What an element is, as far as filling it goes. */
export interface FieldKind {
  readonly tag: string;
  readonly type: string;
  readonly role: string;
  readonly isMultiple: boolean;
  readonly isEditable: boolean;
  readonly isDisabled: boolean;
}

export function typeOf(kind: FieldKind): FieldType {
  const { tag, type, role } = kind;
  if (tag === 'select' || isList(kind)) return 'combobox';
  if (type === 'checkbox') return 'checkbox';
  if (type === 'radio' || tag === 'fieldset' || role === 'radiogroup' || role === 'group') return 'radio';
  if (type === 'file') return 'file';
  return role === 'slider' ? 'slider' : 'textbox';
}

export function isList({ role }: FieldKind): boolean {
  return role === 'combobox' || role === 'listbox';
}

/** Runs in the page. A switch is a checkbox; a button for a list is a combobox. */
export function kindOfField(element: Element): FieldKind {
  const tag = element.tagName.toLowerCase();
  const given = (element.getAttribute('role') ?? '').toLowerCase();
  const pops =
    /^(?:listbox|true)$/.test(element.getAttribute('aria-haspopup') ?? '') && given === '' && tag === 'button';
  const role = pops ? 'combobox' : given;
  const type = tag === 'input' ? element.getAttribute('type')?.toLowerCase() : undefined;
  const boxes: Readonly<Record<string, string>> = { checkbox: 'checkbox', switch: 'checkbox', radio: 'radio' };
  return {
    tag,
    type: type ?? boxes[role] ?? '',
    role,
    isMultiple: element.hasAttribute('multiple'),
    isDisabled: element.matches(':disabled'),
    isEditable: tag === 'input' || tag === 'textarea' || (element instanceof HTMLElement && element.isContentEditable),
  };
}
