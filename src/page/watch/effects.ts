import type { Effects } from '../protocol.ts';
import { readsLikeInstructions, tidy } from '../walk/text.ts';

/** Smaller moves are those of a pressed button. */
const leastMove = 3;
/** Reading more pixels takes too long. */
const mostPixels = 500_000;
const mostCanvases = 3;
const mostShifts = 20;
const longestText = 60;

/** The target of the first input of an action, as it was then. */
interface Recorded {
  readonly target: Element;
  readonly box: DOMRect;
  /** Scroll positions of the target's ancestors. */
  readonly scrolls: ReadonlyMap<Element, readonly [number, number]>;
  readonly pixels: ReadonlyMap<HTMLCanvasElement, Uint32Array>;
  readonly selected: string;
}

/**
 * Compares the target of an action's first input before and after: a snapshot shows no positions and no pixels. The
 * returned function reads the effects of the action; with `begin`, it starts a new action.
 */
export function watchEffects(): (begin: boolean) => { readonly effects?: Effects } {
  let recorded: Recorded | undefined;
  let isOpen = false;
  const canvases = document.getElementsByTagName('canvas');
  const elsewhere = watchElsewhere();
  const record = (event: Event): void => {
    const [target] = event.composedPath();
    if (!isOpen || !event.isTrusted || !(target instanceof Element)) return;
    isOpen = false;
    recorded = recordOf(target, canvases);
    elsewhere.begin();
  };
  for (const type of ['mousedown', 'keydown', 'wheel'])
    window.addEventListener(type, record, { capture: true, passive: true });
  return (begin) => {
    if (begin) {
      recorded = undefined;
      isOpen = true;
    }
    const effects = recorded && (effectsOn(recorded) ?? elsewhere.read(recorded));
    return effects === undefined ? {} : { effects };
  };
}

function recordOf(target: Element, canvases: Iterable<HTMLCanvasElement>): Recorded {
  const scrolls = new Map<Element, readonly [number, number]>();
  for (let at: Element | null = target; at !== null; at = parentOf(at)) scrolls.set(at, [at.scrollLeft, at.scrollTop]);
  const box = target.getBoundingClientRect();
  return { target, box, scrolls, pixels: pixelsIn(target, canvases), selected: selectedText() };
}

/** The pixels of the target, and of the first canvases in view. */
function pixelsIn(target: Element, canvases: Iterable<HTMLCanvasElement>): ReadonlyMap<HTMLCanvasElement, Uint32Array> {
  const pixels = new Map<HTMLCanvasElement, Uint32Array>();
  const all = target instanceof HTMLCanvasElement ? [target, ...canvases] : [...canvases];
  let left = mostPixels;
  for (const canvas of new Set(all)) {
    left -= canvas.width * canvas.height;
    const { bottom, top } = canvas.getBoundingClientRect();
    if (left < 0 || pixels.size >= mostCanvases) break;
    const own = bottom > 0 && top < innerHeight ? pixelsOf(canvas) : undefined;
    if (own !== undefined) pixels.set(canvas, own);
  }
  return pixels;
}

function selectedText(): string {
  return String(document.getSelection() ?? '').slice(0, longestText);
}

interface Elsewhere {
  readonly begin: () => void;
  readonly read: (recorded: Recorded) => Effects | undefined;
}

/** Boxes that scroll and elements that the layout moves: the browser reports both. */
function watchElsewhere(): Elsewhere {
  let scrolled: Element | undefined;
  let shifts: PerformanceEntry[] = [];
  let begunAt = 0;
  const note = (entries: readonly PerformanceEntry[]): void => {
    shifts = [...shifts, ...entries].slice(-mostShifts);
  };
  const observer = new PerformanceObserver((list) => note(list.getEntries()));
  if (PerformanceObserver.supportedEntryTypes.includes('layout-shift')) observer.observe({ type: 'layout-shift' });
  const scroll = ({ target }: Event): void => {
    if (target instanceof Element && target !== document.scrollingElement) scrolled = target;
  };
  document.addEventListener('scroll', scroll, { capture: true, passive: true });
  return {
    begin: () => {
      scrolled = undefined;
      shifts = [];
      begunAt = performance.now();
    },
    read: ({ target, scrolls, selected }) => {
      note(observer.takeRecords());
      // Boxes around the target are scrolled to bring it into view.
      if (scrolled?.isConnected === true && !scrolls.has(scrolled)) return { scrolled: positionNow(scrolled) };
      const now = selectedText();
      if (now !== selected && now !== '') return { selected: now };
      const [shift] = shifts.filter(({ startTime }) => startTime >= begunAt).flatMap(shiftsIn);
      if (shift === undefined || target.contains(shift.node)) return undefined;
      return { shifted: { text: shift.text, by: shift.by } };
    },
  };
}

interface Shift {
  readonly node: Element;
  readonly text: string;
  readonly by: readonly [number, number];
}

/** The elements with text that an entry of the layout reports. Its type is not in the library of TypeScript. */
function shiftsIn(entry: PerformanceEntry): readonly Shift[] {
  const sources: unknown = Reflect.get(entry, 'sources');
  if (!Array.isArray(sources)) return [];
  return sources.flatMap((source: unknown): readonly Shift[] => {
    if (typeof source !== 'object' || source === null) return [];
    const [node, from, to] = ['node', 'previousRect', 'currentRect'].map((key): unknown => Reflect.get(source, key));
    if (!(node instanceof Element) || !(from instanceof DOMRectReadOnly) || !(to instanceof DOMRectReadOnly)) return [];
    const by = [Math.round(to.x - from.x), Math.round(to.y - from.y)] as const;
    const text = node instanceof HTMLElement ? tidy(node.innerText).slice(0, longestText) : '';
    const isMove = Math.max(Math.abs(by[0]), Math.abs(by[1])) >= leastMove && from.width > 0 && to.width > 0;
    return isMove && text !== '' && !readsLikeInstructions(text) ? [{ node, text, by }] : [];
  });
}

function positionNow(element: Element): number {
  const isTall = element.scrollHeight > element.clientHeight;
  return positionOf(element, [0, isTall ? Number.NaN : element.scrollTop]);
}

function parentOf(element: Element): Element | null {
  const root = element.getRootNode();
  return element.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
}

function effectsOn({ target, box, scrolls, pixels }: Recorded): Effects | undefined {
  for (const [canvas, before] of pixels) {
    const drawn = canvas.isConnected ? pixelsOf(canvas) : undefined;
    if (drawn !== undefined && differ(drawn, before)) return { isDrawn: true };
  }
  if (!target.isConnected) return undefined;
  const scrolled = [...scrolls].find(([element, [x, y]]) => element.scrollLeft !== x || element.scrollTop !== y);
  if (scrolled !== undefined) return { scrolled: positionOf(...scrolled) };
  const now = target.getBoundingClientRect();
  const [x, y] = [Math.round(now.x - box.x), Math.round(now.y - box.y)];
  const isShown = now.width > 0 && now.height > 0 && target !== document.body && target !== document.documentElement;
  return isShown && Math.max(Math.abs(x), Math.abs(y)) >= leastMove ? { moved: [x, y] } : undefined;
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
