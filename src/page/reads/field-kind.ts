// This function is serialized into the page, so it uses no closures and no imports.

/** The kinds of fields, by how they are filled. */
export interface FieldKind {
  readonly tag: string;
  readonly type: string;
  readonly role: string;
  readonly isMultiple: boolean;
  readonly isEditable: boolean;
  readonly isDisabled: boolean;
  /** The limit of its text, in characters. */
  readonly maxLength?: number;
  /** Its value must not be shown. */
  readonly isSecret: boolean;
}

/** A switch is a checkbox; a button for a list is a combobox. `secretFields` is the selector of that name. */
export function kindOfField(element: Element, secretFields: string): FieldKind {
  const tag = element.tagName.toLowerCase();
  const given = (element.getAttribute('role') ?? '').toLowerCase();
  const pops =
    /^(?:listbox|true)$/.test(element.getAttribute('aria-haspopup') ?? '') && given === '' && tag === 'button';
  const role = pops ? 'combobox' : given;
  const type = tag === 'input' ? element.getAttribute('type')?.toLowerCase() : undefined;
  const boxes = new Map([
    ['checkbox', 'checkbox'],
    ['switch', 'checkbox'],
    ['radio', 'radio'],
  ]);
  const isText = element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;
  return {
    ...(isText && element.maxLength >= 0 ? { maxLength: element.maxLength } : {}),
    tag,
    type: type ?? boxes.get(role) ?? '',
    role,
    isMultiple: element.hasAttribute('multiple'),
    isDisabled: element.matches(':disabled'),
    isSecret: element.matches(secretFields),
    isEditable: /^(?:input|textarea)$/.test(tag)
      ? !element.matches('[readonly]')
      : element instanceof HTMLElement && element.isContentEditable,
  };
}
