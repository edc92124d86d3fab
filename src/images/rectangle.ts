/** In pixels of an image, from its left and top edges. */
export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export function areaOf({ width, height }: Pick<Rectangle, 'width' | 'height'>): number {
  return width * height;
}

/** The part that both cover; without area if there is none. */
export function overlapOf(a: Rectangle, b: Rectangle): Rectangle {
  const [x, y] = [Math.max(a.x, b.x), Math.max(a.y, b.y)];
  const [right, bottom] = [Math.min(a.x + a.width, b.x + b.width), Math.min(a.y + a.height, b.y + b.height)];
  return { x, y, width: Math.max(0, right - x), height: Math.max(0, bottom - y) };
}

/** The smallest rectangle around both. */
export function unionOf(a: Rectangle, b: Rectangle): Rectangle {
  const [x, y] = [Math.min(a.x, b.x), Math.min(a.y, b.y)];
  const [right, bottom] = [Math.max(a.x + a.width, b.x + b.width), Math.max(a.y + a.height, b.y + b.height)];
  return { x, y, width: right - x, height: bottom - y };
}

/** Enlarged on all sides. */
export function grown({ x, y, width, height }: Rectangle, by: number): Rectangle {
  return { x: x - by, y: y - by, width: width + 2 * by, height: height + 2 * by };
}

/** On whole pixels, around the rectangle. */
export function pixelsAround({ x, y, width, height }: Rectangle): Rectangle {
  const [left, top] = [Math.floor(x), Math.floor(y)];
  return { x: left, y: top, width: Math.ceil(x + width) - left, height: Math.ceil(y + height) - top };
}

/** One byte per pixel of an image of this size: 1 where one of the rectangles is. */
export function coverageOf(
  { width, height }: Pick<Rectangle, 'width' | 'height'>,
  parts: readonly Rectangle[],
): Uint8Array {
  const map = new Uint8Array(width * height);
  for (const part of parts) {
    const { x, y, ...size } = overlapOf(pixelsAround(part), { x: 0, y: 0, width, height });
    for (let row = y; row < y + size.height; row++) map.fill(1, row * width + x, row * width + x + size.width);
  }
  return map;
}

/** The number of ones in a map of bytes. */
export function countOf(map: Uint8Array): number {
  let count = 0;
  for (let at = 0; at < map.length; at++) count += map[at] ?? 0;
  return count;
}
