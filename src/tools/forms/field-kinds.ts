import type { FieldKind } from '../../page/reads/field-kind.ts';

export const fieldTypes = ['textbox', 'checkbox', 'radio', 'combobox', 'slider', 'date', 'file'] as const;
export type FieldType = (typeof fieldTypes)[number];

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
