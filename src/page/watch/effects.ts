import type { Effects } from '../protocol.ts';

/** Smaller moves are those of a pressed button. */
const leastMove = 3;
/** Reading more pixels takes too long. */
const mostPixels = 500_000;

/** The target of the first input of an action, as it was then. */
interface Recorded {
  readonly target: Element;
  readonly box: DOMRect;
  /** Scroll positions of the target's ancestors. */
  readonly scrolls: ReadonlyMap<Element, readonly [number, number]>;
  readonly pixels: Uint32Array | undefined;
}

/**
 * Compares the target of an action's first input before and after: a snapshot shows no positions and no pixels. The
 * returned function reads the effects of the action; with `begin`, it starts a new action.
 */
export function watchEffects(): (begin: boolean) => { readonly effects?: Effects } {
  let recorded: Recorded | undefined;
  let isOpen = false;
  const record = (event: Event): void => {
    const [target] = event.composedPath();
    if (!isOpen || !event.isTrusted || !(target instanceof Element)) return;
    isOpen = false;
    recorded = recordOf(target);
  };
  for (const type of ['mousedown', 'keydown', 'wheel'])
    window.addEventListener(type, record, { capture: true, passive: true });
  return (begin) => {
    if (begin) {
      recorded = undefined;
      isOpen = true;
    }
    const effects = recorded?.target.isConnected === true ? effectsOn(recorded) : undefined;
    return effects === undefined ? {} : { effects };
  };
}

function recordOf(target: Element): Recorded {
  const scrolls = new Map<Element, readonly [number, number]>();
  for (let at: Element | null = target; at !== null; at = parentOf(at)) scrolls.set(at, [at.scrollLeft, at.scrollTop]);
  return { target, box: target.getBoundingClientRect(), scrolls, pixels: pixelsOf(target) };
}

function parentOf(element: Element): Element | null {
  const root = element.getRootNode();
  return element.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
}

function effectsOn({ target, box, scrolls, pixels }: Recorded): Effects | undefined {
  const scrolled = [...scrolls].find(([element, [x, y]]) => element.scrollLeft !== x || element.scrollTop !== y);
  if (scrolled !== undefined) return { scrolled: positionOf(...scrolled) };
  const now = target.getBoundingClientRect();
  const [x, y] = [Math.round(now.x - box.x), Math.round(now.y - box.y)];
  const isShown = now.width > 0 && now.height > 0 && target !== document.body && target !== document.documentElement;
  if (isShown && Math.max(Math.abs(x), Math.abs(y)) >= leastMove) return { moved: [x, y] };
  const drawn = pixels === undefined ? undefined : pixelsOf(target);
  return drawn !== undefined && differ(drawn, pixels ?? drawn) ? { isDrawn: true } : undefined;
}

/** How far the box is scrolled, in percent, along the axis that changed. */
function positionOf(element: Element, [, y]: readonly [number, number]): number {
  const { scrollLeft, scrollTop, scrollWidth, scrollHeight, clientWidth, clientHeight } = element;
  const [at, most] =
    scrollTop === y ? [Math.abs(scrollLeft), scrollWidth - clientWidth] : [scrollTop, scrollHeight - clientHeight];
  return Math.min(100, Math.round((100 * at) / Math.max(1, most)));
}

/** The pixels of a canvas, read from a copy: reading the canvas itself can make the browser draw it in software. */
function pixelsOf(element: Element): Uint32Array | undefined {
  if (!(element instanceof HTMLCanvasElement)) return undefined;
  const { width, height } = element;
  if (width * height === 0 || width * height > mostPixels) return undefined;
  try {
    const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
    context?.drawImage(element, 0, 0);
    const data = context?.getImageData(0, 0, width, height).data;
    return data && new Uint32Array(data.buffer);
  } catch {
    // An image of another origin makes the canvas unreadable.
    return undefined;
  }
}

function differ(a: Uint32Array, b: Uint32Array): boolean {
  return a.length !== b.length || a.some((value, index) => value !== b[index]);
}
