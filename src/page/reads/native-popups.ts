// These functions are serialized into the page, so they use no closures and no imports.

/** A field whose popup the browser draws in a window of its own, which no screencast shows. */
export interface NativeField {
  readonly kind: 'select' | 'date' | 'time' | 'datetime-local' | 'month' | 'week' | 'color';
  readonly label: string;
  readonly value: string;
  readonly isMultiple: boolean;
  /** Limits of a date or a time. */
  readonly min: string;
  readonly max: string;
  readonly step: string;
  readonly options: readonly NativeOption[];
}

export interface NativeOption {
  readonly label: string;
  readonly group: string;
  readonly isDisabled: boolean;
  readonly isSelected: boolean;
}

/** The element at a point of the viewport, also in shadow roots; in the document of a frame, by its own viewport. */
export function elementAt({ x, y }: { readonly x: number; readonly y: number }): Element | null {
  let found = document.elementFromPoint(x, y);
  while (found?.shadowRoot) {
    const inner = found.shadowRoot.elementFromPoint(x, y);
    if (inner === null || inner === found) break;
    found = inner;
  }
  // A click on an option of a list box is one on the list.
  return found?.closest('select') ?? found;
}

/** The focused element, also in shadow roots. */
export function focusedElement(): Element | null {
  let active = document.activeElement;
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
  return active;
}

/** Whether the element at a point may have a native popup, or is a frame that may contain one. */
export function mayHavePopup({ x, y }: { readonly x: number; readonly y: number }): boolean {
  let found = document.elementFromPoint(x, y);
  while (found?.shadowRoot) {
    const inner = found.shadowRoot.elementFromPoint(x, y);
    if (inner === null || inner === found) break;
    found = inner;
  }
  if (found?.closest('select, iframe, frame, object, embed')) return true;
  return found instanceof HTMLInputElement && /^(?:date|time|datetime-local|month|week|color)$/.test(found.type);
}

/** Undefined for an element without a native popup, and for one that is disabled. */
export function readNativeField(element: Element): NativeField | undefined {
  const mostOptions = 2000;
  const longest = 200;
  const short = (text: string): string => text.replaceAll(/\s+/g, ' ').trim().slice(0, longest);
  if (element.matches(':disabled')) return undefined;
  const isSelect = element instanceof HTMLSelectElement;
  if (!isSelect && !(element instanceof HTMLInputElement)) return undefined;
  const kinds = ['date', 'time', 'datetime-local', 'month', 'week', 'color'] as const;
  const kind = isSelect ? 'select' : kinds.find((each) => each === element.type);
  if (kind === undefined || (!isSelect && element.readOnly && kind !== 'color')) return undefined;
  // A label can contain its field, whose options are no part of the name.
  const textIn = (label: Node): string => {
    if (label instanceof HTMLSelectElement || label instanceof HTMLDataListElement) return '';
    if (label instanceof Text) return label.data;
    return [...label.childNodes].map(textIn).join('');
  };
  const labels = [...(element.labels ?? [])].map(textIn).join(' ');
  const options = isSelect ? [...element.options].slice(0, mostOptions) : [];
  return {
    kind,
    label: short(element.getAttribute('aria-label') ?? (short(labels) === '' ? element.name : labels)),
    value: isSelect ? '' : element.value,
    isMultiple: isSelect && element.multiple,
    min: isSelect ? '' : element.min.slice(0, longest),
    max: isSelect ? '' : element.max.slice(0, longest),
    step: isSelect ? '' : element.step.slice(0, longest),
    options: options.map((option) => ({
      label: short(option.label),
      group: option.parentElement instanceof HTMLOptGroupElement ? short(option.parentElement.label) : '',
      isDisabled: option.matches(':disabled'),
      isSelected: option.selected,
    })),
  };
}

/** Where a frame begins inside the viewport of its parent. */
export function frameOrigin(frame: Element): { readonly x: number; readonly y: number } {
  const { left, top } = frame.getBoundingClientRect();
  return { x: left + frame.clientLeft, y: top + frame.clientTop };
}
