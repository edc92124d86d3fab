// These functions are serialized into the page, so they use no closures and no imports.

export interface ElementFacts {
  readonly tagName: string;
  readonly text: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly visible: boolean;
  readonly enabled: boolean;
  readonly boundingBox?: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
}

/** Describes elements, without the values of secret fields. */
export function readElements(
  elements: readonly Element[],
  { most, secret }: { readonly most: number; readonly secret: string },
): ElementFacts[] {
  return elements.slice(0, most).map((element) => {
    const text = element instanceof HTMLElement ? element.innerText : (element.textContent ?? '');
    const isSecret = element.matches(secret);
    const attributes = [...element.attributes].map(({ name, value }) => {
      return [name, isSecret && name === 'value' ? '[REDACTED]' : value.slice(0, 500)];
    });
    const { x, y, width, height } = element.getBoundingClientRect();
    const hasBox = width > 0 && height > 0;
    return {
      tagName: element.tagName.toLowerCase(),
      text: text.trim().slice(0, 500),
      attributes: Object.fromEntries(attributes),
      visible: hasBox && getComputedStyle(element).visibility === 'visible',
      enabled: !element.matches(':disabled') && element.closest('[aria-disabled=true]') === null,
      ...(hasBox ? { boundingBox: { x, y, width, height } } : {}),
    };
  });
}

/** Visible texts of elements. */
export function readTexts(elements: readonly Element[]): string[] {
  return elements.map((element) =>
    (element instanceof HTMLElement ? element.innerText : (element.textContent ?? '')).trim(),
  );
}

/** An attribute as written; `resolved` is the absolute URL of a link or image. */
export function readAttribute(
  element: Element,
  { name, secret }: { readonly name: string; readonly secret: string },
): { readonly value: string | null; readonly resolved?: string } {
  const value = element.getAttribute(name);
  if (value !== null && name.toLowerCase() === 'value' && element.matches(secret)) return { value: '[REDACTED]' };
  const property: unknown = /^(?:href|src|action)$/i.test(name) ? Reflect.get(element, name.toLowerCase()) : undefined;
  return typeof property === 'string' && property !== value ? { value, resolved: property } : { value };
}

export interface FieldValue {
  readonly value: string;
  /** All selected options of a multi-select. */
  readonly values?: readonly string[];
  readonly checked?: boolean;
}

/** The value of a field; null for other elements. */
export function readValue(element: Element, secret: string): FieldValue | null {
  if (element.matches(secret)) return { value: '[REDACTED]' };
  if (element instanceof HTMLSelectElement) {
    const values = [...element.selectedOptions].map((option) => option.value);
    return { value: element.value, ...(element.multiple ? { values } : {}) };
  }
  if (element instanceof HTMLInputElement) {
    const isBox = element.type === 'checkbox' || element.type === 'radio';
    return { value: element.value, ...(isBox ? { checked: element.checked } : {}) };
  }
  if (element instanceof HTMLTextAreaElement) return { value: element.value };
  return element instanceof HTMLElement && element.isContentEditable ? { value: element.innerText } : null;
}
