// These functions are serialized into the page, so they use no closures and no imports.

export interface ScrollPosition {
  /** Identifies a scroll position. */
  readonly at: string;
  /** A little less than the viewport, so that steps overlap. */
  readonly window: number;
}

export function readPagePosition(): ScrollPosition {
  return { at: `${scrollX} ${scrollY}`, window: Math.round(innerHeight * 0.9) };
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
  return { at: `${moving.scrollLeft} ${moving.scrollTop}`, window: Math.round(moving.clientHeight * 0.9) };
}
