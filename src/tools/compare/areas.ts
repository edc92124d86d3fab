import type { Locator } from 'playwright-core';
import { toToolError } from '../../browser/failure.ts';
import type { Rectangle } from '../../images/rectangle.ts';
import { readViewport } from '../../page/reads/screenshot.ts';
import type { Session } from '../../session/session.ts';
import type { Located } from '../../session/snapshot/target.ts';
import type { Tab } from '../../session/tab.ts';
import { readTarget } from '../lib/read-target.ts';

/** Parts of the image that a caller named. */
export interface Area {
  readonly given: string;
  /** In pixels of the image; for an element, only `locator` is known before the screenshot. */
  readonly rectangle?: Rectangle;
  readonly locator?: Locator;
}

const mostElements = 200;
const boxLimitMs = 2000;
const rectangle = /^\s*(-?\d+(?:\.\d+)?)\s*,\s*(-?\d+(?:\.\d+)?)\s*,\s*(\d+(?:\.\d+)?)\s*,\s*(\d+(?:\.\d+)?)\s*$/;

/** Reads `x,y,width,height`, a ref or a selector. */
export async function readArea(
  given: string,
  { tab, session, signal }: { readonly tab: Tab; readonly session: Session; readonly signal: AbortSignal },
): Promise<Area> {
  const numbers = rectangle.exec(given)?.slice(1).map(Number);
  if (numbers !== undefined) {
    const [x = 0, y = 0, width = 0, height = 0] = numbers;
    return { given, rectangle: { x, y, width, height } };
  }
  const { locator } = await tab.refs.locate(readTarget(given, session), await tab.observe(signal), signal);
  // Playwright parses a selector when it is used first.
  await locator.count().catch((error: unknown) => {
    throw toToolError(error, { what: 'The comparison', selector: given });
  });
  return { given, locator };
}

/** Where the image begins in the viewport: added to viewport coordinates, it gives those of the image. */
export async function originOf(
  { page }: Tab,
  located: Located | undefined,
  fullPage: boolean,
): Promise<{ readonly x: number; readonly y: number }> {
  if (located !== undefined) {
    const box = await located.locator.boundingBox({ timeout: boxLimitMs });
    return { x: -Math.floor(box?.x ?? 0), y: -Math.floor(box?.y ?? 0) };
  }
  if (!fullPage) return { x: 0, y: 0 };
  const { left, top } = await page.evaluate(readViewport);
  return { x: left, y: top };
}

/** The rectangles of an area in the image: several if a selector matches several elements. */
export async function rectanglesOf(
  area: Area,
  origin: { readonly x: number; readonly y: number },
): Promise<readonly Rectangle[]> {
  if (area.rectangle !== undefined) return [area.rectangle];
  const matches = (await area.locator?.all()) ?? [];
  const boxes = await Promise.all(
    matches.slice(0, mostElements).map(async (each) => each.boundingBox({ timeout: boxLimitMs }).catch(() => null)),
  );
  return boxes.flatMap((box) => (box === null ? [] : [{ ...box, x: box.x + origin.x, y: box.y + origin.y }]));
}
