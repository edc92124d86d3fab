import { imageSize } from '../../util/images.ts';
import type { Drawing, Step } from './canvas.ts';

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** An image with its heading. */
export interface Panel {
  readonly title: string;
  readonly note: string;
  /** A PNG file. */
  readonly image: Buffer;
  /** A PNG file that is drawn over the image, which is pale then. It is at least as large. */
  readonly overlay?: Buffer;
}

export interface Annotations {
  /** Outlined, and numbered where the image is pale: a number covers a part of the image. */
  readonly regions: readonly Box[];
  /** Hatched. */
  readonly ignored: readonly Box[];
}

const colors = {
  page: '#e2e8f0',
  paper: '#ffffff',
  heading: '#0f172a',
  title: '#ffffff',
  note: '#cbd5e1',
  edge: '#94a3b8',
  region: '#e11d48',
  halo: 'rgba(255, 255, 255, 0.85)',
  ignored: 'rgba(51, 65, 85, 0.55)',
} as const;

/** Limits of canvases, and of memory. */
const longestSide = 16_000;
const mostPixels = 40_000_000;
/** An image of an element is enlarged to about this width, so that single pixels can be seen. */
const enlargedWidth = 360;
const mostEnlarged = 8;
const leastWidth = 240;
/** Images that are wider than this are drawn below each other: side by side they would be too small to read. */
const widestBeside = 2.5;
/** Models see an image reduced to about 1500 pixels: the heading has to be readable then. */
const headingsPerWidth = 90;

interface Layout {
  readonly isStacked: boolean;
  readonly scale: number;
  readonly width: number;
  readonly height: number;
  /** Of the text in headings. */
  readonly text: number;
  readonly gap: number;
  readonly heading: number;
  /** Width of outlines. */
  readonly line: number;
  /** Size of the numbers of regions. */
  readonly badge: number;
}

/** A drawing of images side by side, wide ones below each other, with headings, outlined regions and hatched parts that were not compared. */
export function sideBySide(panels: readonly Panel[], annotations: Annotations): Drawing {
  const layout = layoutOf(panels);
  const { width, height, gap, heading, isStacked } = layout;
  const [columns, rows] = isStacked ? [1, panels.length] : [panels.length, 1];
  const size = { width: columns * (width + gap) + gap, height: rows * (heading + height + gap) + gap };
  const images: Buffer[] = [];
  const steps = panels.map((panel, index) => {
    const left = gap + (isStacked ? 0 : index * (width + gap));
    const top = gap + (isStacked ? index * (heading + height + gap) : 0);
    const corner = { left, top: top + heading };
    return [
      ...headingSteps(panel, { left, top }, layout),
      ...imageSteps(panel, images, corner, layout),
      ...annotations.ignored.map((box): Step => hatched(box, corner, layout)),
      ...annotations.regions.flatMap((box, at) =>
        outlined(box, panel.overlay === undefined ? undefined : at + 1, corner, layout),
      ),
    ];
  });
  return {
    ...size,
    images: images.map((image) => image.toString('base64')),
    steps: [{ do: 'fill', color: colors.page, x: 0, y: 0, ...size }, ...steps.flat()],
  };
}

function layoutOf(panels: readonly Panel[]): Layout {
  const sizes = panels.map(({ image, overlay }) => imageSize(overlay ?? image));
  const widest = Math.max(...sizes.map((size) => size.width));
  const tallest = Math.max(...sizes.map((size) => size.height));
  const enlarged = Math.max(1, Math.min(mostEnlarged, Math.floor(enlargedWidth / widest)));
  const isStacked = widest > widestBeside * tallest;
  const [columns, rows] = isStacked ? [1, panels.length] : [panels.length, 1];
  const [all, tall] = [columns * widest * enlarged, rows * tallest * enlarged];
  const scale = enlarged * Math.min(1, longestSide / all, longestSide / tall, Math.sqrt(mostPixels / (all * tall)));
  const width = Math.max(leastWidth, Math.round(widest * scale));
  const text = Math.round(Math.min(Math.max(14, (columns * width) / headingsPerWidth), width / 17));
  return {
    isStacked,
    scale,
    width,
    height: Math.round(tallest * scale),
    text,
    gap: Math.round(text * 0.75),
    heading: Math.round(text * 2.2),
    line: Math.max(2, Math.round(text / 10)),
    badge: Math.max(12, Math.round(text * 0.7)),
  };
}

interface Corner {
  readonly left: number;
  readonly top: number;
}

function headingSteps(
  { title, note }: Panel,
  { left, top }: Corner,
  { width, heading, text }: Layout,
): readonly Step[] {
  const place = { y: top, height: heading };
  const inset = text * 0.7;
  const runs = [
    { text: `${title}  `, size: text, weight: 600, color: colors.title },
    { text: note, size: Math.round(text * 0.85), weight: 400, color: colors.note },
  ];
  return [
    { do: 'fill', color: colors.heading, x: left, width, ...place },
    { do: 'text', runs, x: left + inset, width: width - 2 * inset, ...place },
  ];
}

/** Adds the images of a panel to the list, and draws them. */
function imageSteps(
  { image, overlay }: Panel,
  images: Buffer[],
  { left, top }: Corner,
  { scale }: Layout,
): readonly Step[] {
  const placeOf = (file: Buffer): Box => {
    const { width, height } = imageSize(file);
    return { x: left, y: top, width: Math.round(width * scale), height: Math.round(height * scale) };
  };
  const index = images.push(image) - 1;
  const place = placeOf(overlay ?? image);
  // Half a pixel inside, where a line of one pixel is sharp.
  const edge = { x: left + 0.5, y: top + 0.5, width: place.width - 1, height: place.height - 1 };
  const covered: readonly Step[] =
    overlay === undefined ? [] : [{ do: 'image', index: images.push(overlay) - 1, ...place }];
  return [
    { do: 'fill', color: colors.paper, ...place },
    { do: 'image', index, isPale: overlay !== undefined, ...placeOf(image) },
    ...covered,
    { do: 'outline', color: colors.edge, line: 1, ...edge },
  ];
}

/** The box on the canvas, cut at the edges of the panel: a line beyond them would cover the neighbour. */
function placed(box: Box, { left, top }: Corner, { scale, width, height }: Layout, inset: number): Box {
  const clamp = (value: number, most: number): number => Math.max(inset, Math.min(value, most - inset));
  const [x1, x2] = [box.x * scale, (box.x + box.width) * scale].map((value) => clamp(value, width));
  const [y1, y2] = [box.y * scale, (box.y + box.height) * scale].map((value) => clamp(value, height));
  const [x = 0, y = 0] = [x1, y1];
  return { x: left + x, y: top + y, width: (x2 ?? x) - x, height: (y2 ?? y) - y };
}

function hatched(box: Box, corner: Corner, layout: Layout): Step {
  return { do: 'hatch', color: colors.ignored, line: layout.line, ...placed(box, corner, layout, 0) };
}

function outlined(box: Box, number: number | undefined, corner: Corner, layout: Layout): readonly Step[] {
  const { line, badge, scale, width: panelWidth } = layout;
  // Around the region, not on its pixels.
  const room = line / scale;
  const around = { x: box.x - room, y: box.y - room, width: box.width + 2 * room, height: box.height + 2 * room };
  const frame = placed(around, corner, layout, line);
  const outlines: readonly Step[] = [
    { do: 'outline', color: colors.halo, line: line * 2, ...frame },
    { do: 'outline', color: colors.region, line, ...frame },
  ];
  if (number === undefined) return outlines;
  const width = badge * (number < 10 ? 1.2 : 1.8);
  const height = badge * 1.2;
  // Above the corner of the region; inside of it at the upper edge of the image.
  const isAtTop = frame.y - height < corner.top;
  const label = {
    x: Math.max(corner.left, Math.min(frame.x - line / 2, corner.left + panelWidth - width)),
    y: isAtTop ? frame.y : frame.y - height,
    width,
    height,
  };
  const runs = [{ text: String(number), size: badge, weight: 600, color: colors.title }];
  return [
    ...outlines,
    { do: 'fill', color: colors.region, ...label },
    { do: 'text', runs, isCentered: true, ...label },
  ];
}
