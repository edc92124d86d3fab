/** A rectangle that a user drew on the page, in CSS pixels of the viewport, and its note. */
export interface Annotation {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly text: string;
}

export interface Annotating {
  /** Resolves when the user is done; undefined if the user cancels. */
  readonly done: Promise<readonly Annotation[] | undefined>;
  readonly remove: () => void;
}

/** Lets a user draw rectangles with notes over the page. Runs in the page; the text of the function is sent there. */
export function annotatePage(): Annotating {
  const host = document.createElement('div');
  host.style.cssText = 'all: initial; position: fixed; inset: 0; z-index: 2147483647';
  const root = host.attachShadow({ mode: 'closed' });
  const layer = document.createElement('div');
  layer.style.cssText = 'position: absolute; inset: 0; cursor: crosshair; font: 14px sans-serif';
  const bar = document.createElement('div');
  bar.style.cssText = 'position: absolute; top: 8px; right: 8px; background: white; border: 1px solid; padding: 4px';
  root.append(layer, bar);
  const drawn: { readonly box: HTMLElement; readonly note: HTMLInputElement }[] = [];

  const draw = (down: PointerEvent): void => {
    if (down.target !== layer) return;
    const box = document.createElement('div');
    box.style.cssText = 'position: absolute; border: 2px solid red; box-sizing: border-box';
    const note = document.createElement('input');
    note.placeholder = 'Note';
    note.style.cssText = 'position: absolute; top: 100%; left: 0';
    const place = (event: PointerEvent): void => {
      const [left, top] = [Math.min(down.clientX, event.clientX), Math.min(down.clientY, event.clientY)];
      box.style.left = `${left}px`;
      box.style.top = `${top}px`;
      box.style.width = `${Math.abs(event.clientX - down.clientX)}px`;
      box.style.height = `${Math.abs(event.clientY - down.clientY)}px`;
    };
    place(down);
    layer.append(box);
    const end = (event: PointerEvent): void => {
      place(event);
      layer.removeEventListener('pointermove', place);
      layer.removeEventListener('pointerup', end);
      box.append(note);
      note.focus();
      drawn.push({ box, note });
    };
    layer.addEventListener('pointermove', place);
    layer.addEventListener('pointerup', end);
  };
  layer.addEventListener('pointerdown', draw);
  const done = new Promise<readonly Annotation[] | undefined>((resolve) => {
    const button = (label: string, result: () => readonly Annotation[] | undefined): void => {
      const made = document.createElement('button');
      made.textContent = label;
      made.addEventListener('click', () => resolve(result()));
      bar.append(made);
    };
    button('Done', () =>
      drawn.map(({ box, note }) => {
        const { x, y, width, height } = box.getBoundingClientRect();
        return { x, y, width, height, text: note.value };
      }),
    );
    button('Cancel', () => undefined);
  });
  document.documentElement.append(host);
  return { done, remove: () => host.remove() };
}
