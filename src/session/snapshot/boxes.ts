import { elementsOf, linesOf } from '../../view/node.ts';
import type { Tab } from '../tab.ts';
import { stateLimitMs } from '../timing.ts';

/** An element of the main frame with its place. */
export interface PlacedElement {
  readonly ref: string;
  readonly role: string;
  readonly name: string;
  /** In the coordinates of the viewport. */
  readonly box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
}

/** All elements that a snapshot shows, with their boxes. Their refs are registered. */
export async function placedElements(tab: Tab, signal: AbortSignal): Promise<readonly PlacedElement[]> {
  const state = await tab.state(signal);
  const options = { boxes: true, allRefs: true, signal, timeoutMs: stateLimitMs, secrets: state?.secrets ?? [] };
  const { nodes } = await tab.snapshots.take(options, state);
  return [...linesOf(nodes)].flatMap(({ node }) =>
    elementsOf(node).flatMap(({ ref, role, name = '', marks = [] }) => {
      const box = marks.map((mark) => /^box=(-?\d+),(-?\d+),(\d+),(\d+)$/.exec(mark)).find((found) => found !== null);
      // Boxes of elements in frames are relative to their frame.
      if (ref === undefined || ref.startsWith('f') || box === undefined) return [];
      const [x = 0, y = 0, width = 0, height = 0] = box.slice(1).map(Number);
      return [{ ref, role, name, box: { x, y, width, height } }];
    }),
  );
}
