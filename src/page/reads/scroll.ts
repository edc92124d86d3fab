// These functions are serialized into the page, so they use no closures and no imports.

export interface ScrollPosition {
  /** Identifies a scroll position. */
  readonly at: string;
  /** A little less than the viewport, so that steps overlap. */
  readonly window: number;
  /** There is a scroll box; a map or a canvas may take the wheel without one. */
  readonly scrolls: boolean;
}

interface PagePosition extends ScrollPosition {
  /** Where to turn the wheel. */
  readonly x: number;
  readonly y: number;
}

/**
 * What the wheel scrolls without an element: the page, or the largest scroll box of a page that does not scroll. The
 * point is not over another scroll box, which would take the wheel.
 */
export function readPagePosition(): PagePosition {
  const scrolls = (box: Element): boolean => {
    const { overflowX, overflowY } = getComputedStyle(box);
    return (
      (box.scrollHeight > box.clientHeight && /auto|scroll/.test(overflowY)) ||
      (box.scrollWidth > box.clientWidth && /auto|scroll/.test(overflowX))
    );
  };
  const root = document.scrollingElement ?? document.documentElement;
  const scrollerAt = (x: number, y: number): Element | undefined => {
    let at = document.elementFromPoint(x, y);
    while (at !== null && at !== document.body && at !== document.documentElement && !scrolls(at))
      at = at.parentElement;
    return at === null || at === document.body || at === document.documentElement ? undefined : at;
  };
  const parts = [0.5, 0.25, 0.75, 0.1, 0.9];
  const points = parts.flatMap((down) => parts.map((right) => ({ x: innerWidth * right, y: innerHeight * down })));
  const hits = points.map((point) => ({ point, box: scrollerAt(point.x, point.y) }));
  const isFixed = [document.documentElement, document.body].some(
    (each) => getComputedStyle(each).overflowY === 'hidden',
  );
  const isPage = !isFixed && (root.scrollHeight > root.clientHeight || root.scrollWidth > root.clientWidth);
  const area = (box: Element): number => box.clientWidth * box.clientHeight;
  const boxes = hits.flatMap(({ box }) => (box === undefined ? [] : [box]));
  const main = isPage ? undefined : boxes.toSorted((a, b) => area(b) - area(a))[0];
  const point = hits.find(({ box }) => box === main)?.point ?? { x: innerWidth / 2, y: innerHeight / 2 };
  const moving = main ?? root;
  const at = main === undefined ? `${scrollX} ${scrollY}` : `${moving.scrollLeft} ${moving.scrollTop}`;
  return { at, window: Math.round((main?.clientHeight ?? innerHeight) * 0.9), ...point, scrolls: true };
}

export function readPageOffset(): { readonly x: number; readonly y: number } {
  return { x: scrollX, y: scrollY };
}

/** The wheel scrolls the element, or its closest ancestor that scrolls. */
export function readScrollerPosition(element: Element): ScrollPosition {
  const scrolls = (each: Element): boolean => {
    const { overflowX, overflowY } = getComputedStyle(each);
    return (
      (each.scrollHeight > each.clientHeight && /auto|scroll/.test(overflowY)) ||
      (each.scrollWidth > each.clientWidth && /auto|scroll/.test(overflowX))
    );
  };
  const root = document.scrollingElement ?? document.documentElement;
  let scroller: Element | null = element;
  while (scroller !== null && scroller !== document.body && scroller !== root && !scrolls(scroller)) {
    const parent: Node | null = scroller.assignedSlot ?? scroller.parentNode;
    scroller = parent instanceof ShadowRoot ? parent.host : parent instanceof Element ? parent : null;
  }
  const moving = scroller === null || scroller === document.body ? root : scroller;
  const canScroll = moving.scrollHeight > moving.clientHeight || moving.scrollWidth > moving.clientWidth;
  const isOwn = moving === element || moving !== root;
  return {
    at: `${moving.scrollLeft} ${moving.scrollTop}`,
    window: Math.round(moving.clientHeight * 0.9),
    scrolls: isOwn && canScroll,
  };
}
