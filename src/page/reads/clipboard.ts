// These functions are serialized into the page, so they use no closures and no imports.

/** Data by its type. */
export type Clip = Readonly<Record<string, string>>;

/** Notes what the next copy or cut event of the page puts on the clipboard. */
export function noteCopied(): void {
  const key = Symbol.for('pagehelm-copied');
  const note = (event: Event): void => {
    if (!(event instanceof ClipboardEvent)) return;
    const data = event.clipboardData;
    const own = Object.fromEntries([...(data?.types ?? [])].map((type) => [type, data?.getData(type) ?? '']));
    const active = document.activeElement;
    const isField = active instanceof HTMLInputElement || active instanceof HTMLTextAreaElement;
    const text = isField
      ? active.value.slice(active.selectionStart ?? 0, active.selectionEnd ?? 0)
      : String(document.getSelection() ?? '');
    const holder = document.createElement('div');
    const selection = document.getSelection();
    if (!isField && selection !== null && selection.rangeCount > 0)
      holder.append(selection.getRangeAt(0).cloneContents());
    const html = holder.innerHTML === '' ? {} : { 'text/html': holder.innerHTML };
    Reflect.set(globalThis, key, event.defaultPrevented ? own : { 'text/plain': text, ...html });
  };
  for (const type of ['copy', 'cut']) addEventListener(type, note, { once: true });
}

export function readCopied(): Clip | undefined {
  const key = Symbol.for('pagehelm-copied');
  const clip: Clip | undefined = Reflect.get(globalThis, key);
  Reflect.deleteProperty(globalThis, key);
  return clip;
}

/** What a script of the page wrote to the clipboard last, and when. */
export interface Written {
  readonly clip: Clip;
  readonly at: number;
}

/** What the scripts of the page have written to the clipboard since `forgetWritten`. */
export function readWritten(): Written | undefined {
  const written: Written | undefined = Reflect.get(globalThis, Symbol.for('pagehelm-written'));
  return written;
}

export function forgetWritten(): void {
  Reflect.deleteProperty(globalThis, Symbol.for('pagehelm-written'));
}

/**
 * Puts data on the clipboard of the browser, unnoticed by the listeners of the page's elements. False where nothing can be
 * copied, as in a password field.
 */
export function writeClipboard(clip: Clip): boolean {
  let isWritten = false;
  const allow = (event: Event): void => event.preventDefault();
  const write = (event: ClipboardEvent): void => {
    event.preventDefault();
    event.stopImmediatePropagation();
    for (const [type, data] of Object.entries(clip)) event.clipboardData?.setData(type, data);
    isWritten = true;
  };
  addEventListener('beforecopy', allow, true);
  addEventListener('copy', write, true);
  // The only way that works without a permission.
  // oxlint-disable-next-line typescript/no-deprecated
  document.execCommand('copy');
  removeEventListener('beforecopy', allow, true);
  removeEventListener('copy', write, true);
  return isWritten;
}
