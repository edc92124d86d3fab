import { areaOf, grown, overlapOf } from '../../images/rectangle.ts';
import type { Rectangle } from '../../images/rectangle.ts';
import { elementsIn } from '../../page/reads/elements-in.ts';
import type { ElementInBox } from '../../page/reads/elements-in.ts';
import { placedElements } from '../../session/snapshot/boxes.ts';
import type { PlacedElement } from '../../session/snapshot/boxes.ts';
import type { Tab } from '../../session/tab.ts';
import { stateLimitMs } from '../../session/timing.ts';
import { withTimeout } from '../../util/signals.ts';
import { cut, pageText } from '../../util/text.ts';

/** An element in a region that changed. */
export interface ChangedElement {
  readonly ref: string;
  /** Role and name, or the tag of an element without a role. */
  readonly label: string;
}

const mostElements = 3;
const longestLabel = 80;
/** Edges of a box are rounded. */
const tolerance = 2;

/** The elements in each region, given in viewport coordinates; none where nothing but the page background changed. */
export async function changedElements(
  tab: Tab,
  regions: readonly Rectangle[],
  signal: AbortSignal,
): Promise<readonly (readonly ChangedElement[])[]> {
  if (regions.length === 0) return [];
  const placed = await placedElements(tab, signal);
  // A page that does not answer has no elements to name.
  const main = await withTimeout(tab.page.evaluate(elementsIn, regions), stateLimitMs, signal).catch(() => []);
  const result: (readonly ChangedElement[])[] = [];
  for (const [index, region] of regions.entries()) {
    const inside = insideOf(region, placed).map(described);
    const found = main[index];
    // A container around the region says less than the elements in it.
    const first =
      found === undefined || (!found.isInside && inside.length > 0) ? [] : [await named(tab, found, placed, signal)];
    const all = [...first, ...inside];
    result.push(all.filter(({ ref }, at) => all.findIndex((other) => other.ref === ref) === at).slice(0, mostElements));
  }
  return result;
}

/** Gives an element a ref; one that the snapshot shows has role and name. */
async function named(
  { page, refs }: Tab,
  { path, label }: ElementInBox,
  placed: readonly PlacedElement[],
  signal: AbortSignal,
): Promise<ChangedElement> {
  const [ref = ''] = await refs.refsOf([page.locator(path)], signal);
  const known = placed.find((element) => element.ref === ref);
  return known === undefined ? { ref, label: pageText(cut(label, longestLabel)) } : described(known);
}

/** Elements that lie in the region for the most part, the largest first. */
function insideOf(region: Rectangle, placed: readonly PlacedElement[]): readonly PlacedElement[] {
  const around = grown(region, tolerance);
  return placed
    .filter(({ box }) => areaOf(box) > 0 && areaOf(overlapOf(box, around)) >= 0.6 * areaOf(box))
    .toSorted((a, b) => areaOf(b.box) - areaOf(a.box));
}

function described({ ref, role, name }: PlacedElement): ChangedElement {
  return { ref, label: name === '' ? role : `${role} ${JSON.stringify(pageText(cut(name, longestLabel)))}` };
}
