// Serialized into the page, so it uses no closures and no imports.

export interface PageBox {
  /** In the coordinates of the viewport. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface ElementInBox {
  /** A path of child elements, which only this element matches. */
  readonly path: string;
  /** Tag with id or class. */
  readonly label: string;
  /** It lies in the box for the most part; else it is around it. */
  readonly isInside: boolean;
}

/** For each box, the largest element inside of it, or else the smallest one around it. The body is never one. */
export function elementsIn(boxes: readonly PageBox[]): readonly (ElementInBox | undefined)[] {
  const mostElements = 20_000;
  const elements = [...document.querySelectorAll('body *')]
    .slice(0, mostElements)
    .map((element) => ({ element, box: element.getBoundingClientRect() }))
    .filter(({ box }) => box.width > 0 && box.height > 0);
  const overlap = (a: PageBox, b: PageBox): number =>
    Math.max(0, Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)) *
    Math.max(0, Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y));
  const area = (box: PageBox): number => box.width * box.height;
  const pathOf = (element: Element): string => {
    const steps: string[] = [];
    for (let at: Element | null = element; at !== null && at !== document.documentElement; at = at.parentElement) {
      const siblings = at.parentElement === null ? [] : [...at.parentElement.children];
      steps.unshift(`*:nth-child(${siblings.indexOf(at) + 1})`);
    }
    return `:root > ${steps.join(' > ')}`;
  };
  const labelOf = ({ id, localName, classList }: Element): string => {
    const [first = ''] = classList;
    return id === '' ? (first === '' ? localName : `${localName}.${first}`) : `${localName}#${id}`;
  };
  return boxes.map((box) => {
    let inside: (typeof elements)[number] | undefined;
    let around: (typeof elements)[number] | undefined;
    for (const each of elements) {
      const shared = overlap(each.box, box);
      if (shared >= 0.6 * area(each.box) && (inside === undefined || area(each.box) > area(inside.box))) inside = each;
      if (shared >= 0.8 * area(box) && (around === undefined || area(each.box) <= area(around.box))) around = each;
    }
    const found = inside ?? around;
    return found && { path: pathOf(found.element), label: labelOf(found.element), isInside: inside !== undefined };
  });
}
