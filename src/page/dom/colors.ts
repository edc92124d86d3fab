const opaque = /^rgb\((\d+), (\d+), (\d+)\)$/;
/** `lab(…)`, `oklch(…)`, `color(…)` without a transparent part. */
const other = /^[a-z]+\([^/]*\)$/;

let canvas: OffscreenCanvasRenderingContext2D | null | undefined;

/** Red, green and blue of a computed colour; undefined if it is translucent. */
export function rgbOf(color: string): readonly number[] | undefined {
  const plain = opaque.exec(color);
  if (plain !== null) return plain.slice(1).map(Number);
  if (color.startsWith('rgba(') || !other.test(color)) return undefined;
  // The browser converts it by drawing.
  canvas ??= new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  if (canvas === null) return undefined;
  canvas.fillStyle = color;
  canvas.fillRect(0, 0, 1, 1);
  return [...canvas.getImageData(0, 0, 1, 1).data.subarray(0, 3)];
}
