import type { Locator, Page } from 'playwright-core';
import { isInSameList, isMisplaced, readBorder, readDropPoint, untilAtRest } from '../../page/reads/drag.ts';
import { pause } from '../../util/signals.ts';
import { dragRestMs } from '../timing.ts';
import { isInViewport, visiblePart } from './visible-part.ts';

interface Point {
  readonly x: number;
  readonly y: number;
}

export interface DragRequest {
  readonly from: Locator;
  /** The point to press at; default the middle. */
  readonly grip?: Point | undefined;
  /** The element to release over. */
  readonly to?: Locator | undefined;
  /** A point in that element, or a distance if there is none. */
  readonly at?: Point | undefined;
  readonly position?: 'before' | 'after' | undefined;
  /** Milliseconds between the press and the first move. */
  readonly holdMs: number;
  readonly timeout: number;
  readonly signal: AbortSignal;
}

/** Where the button was pressed and released, in the viewport. */
export interface Dragged {
  readonly start: Point;
  readonly end: Point;
}

/** Most libraries start a drag after a few pixels. */
const liftOff = 12;
const stepLength = 20;
const [fewestSteps, mostSteps] = [6, 24];
const mostShakes = 4;

/**
 * Drags as a hand does: press, move in steps, rest over the goal, release. Libraries calculate with the moves, react a
 * frame later, and ignore targets that are still moving.
 */
export async function dragByHand(page: Page, request: DragRequest): Promise<Dragged> {
  const { to, signal, timeout, holdMs } = request;
  const { mouse } = page;
  await bringIntoView(page, request);
  const start = await gripOf(page, request);
  const drop = await dropPointOf(request);
  // In another list, a further move over the room that was made would put the item behind its place.
  const isElsewhere = request.position !== undefined && !(await areInSameList(request));
  const shakes = isElsewhere ? 1 : mostShakes;
  await mouse.move(start.x, start.y);
  await mouse.down();
  try {
    if (holdMs > 0) await pause(holdMs, signal);
    const near = await goalOf(page, start, drop, request);
    await mouse.move(...towards(start, near, liftOff), { steps: 3 });
    await rest(page);
    // The start of the drag may change the layout, or show the target.
    if (to !== undefined && !(await isInViewport(page, to))) await to.scrollIntoViewIfNeeded({ timeout, signal });
    const goal = await goalOf(page, start, drop, request);
    await moveTo(page, { start, goal, shakes }, signal);
    if (isElsewhere) await correct(page, request);
    const last = await goalAfter(page, start, goal, request);
    if (last !== goal) await moveTo(page, { start: goal, goal: last, shakes }, signal);
    return { start, end: last };
  } finally {
    await mouse.up();
  }
}

/** The goal after the moves. A target that makes room for an item of its own list is not followed. */
async function goalAfter(page: Page, start: Point, goal: Point, request: DragRequest): Promise<Point> {
  const { to, at, position } = request;
  if (to === undefined || at !== undefined || position !== undefined) return goal;
  const now = await goalOf(page, start, undefined, request);
  return distance(goal, now) <= 1 || (await areInSameList(request)) ? goal : now;
}

async function areInSameList({ from, to, timeout }: DragRequest): Promise<boolean> {
  if (to === undefined) return false;
  const dragged = await from.elementHandle({ timeout });
  try {
    return await to.evaluate(isInSameList, dragged);
  } catch {
    // The elements are in different frames.
    return false;
  } finally {
    await dragged?.dispose();
  }
}

interface Way {
  readonly start: Point;
  readonly goal: Point;
  readonly shakes: number;
}

/**
 * Moves in steps, and rests; small moves reach listeners that ignored those before the rest. A list that is moved by them
 * ignores moves until it rests again.
 */
async function moveTo(page: Page, { start, goal, shakes }: Way, signal: AbortSignal): Promise<void> {
  const { mouse } = page;
  const steps = Math.min(mostSteps, Math.max(fewestSteps, Math.round(distance(start, goal) / stepLength)));
  const [fromX, fromY] = towards(start, goal, liftOff);
  for (let step = 1; step <= steps; step++) {
    signal.throwIfAborted();
    const part = step / steps;
    await mouse.move(fromX + (goal.x - fromX) * part, fromY + (goal.y - fromY) * part);
  }
  await rest(page);
  for (let shake = 0; shake < shakes; shake++) {
    await mouse.move(...towards(goal, start, 2));
    await mouse.move(goal.x, goal.y);
    if (!(await rest(page))) return;
  }
}

/**
 * A list ignores moves while it makes room, which takes long on a busy machine: the item may still be where the pointer
 * entered the list. Over the middle of the target, lists exchange the two.
 */
async function correct(page: Page, request: DragRequest): Promise<void> {
  for (let tried = 0; tried < mostShakes && (await isOnWrongSide(request)); tried++) {
    request.signal.throwIfAborted();
    const middle = await goalOf(page, { x: 0, y: 0 }, undefined, request);
    await page.mouse.move(middle.x - 2, middle.y);
    await page.mouse.move(middle.x, middle.y);
    await rest(page);
  }
}

async function isOnWrongSide({ from, to, position, timeout }: DragRequest): Promise<boolean> {
  if (to === undefined || position === undefined) return false;
  const dragged = await from.elementHandle({ timeout });
  try {
    return await to.evaluate(isMisplaced, { dragged, position });
  } catch {
    // The elements are in different frames.
    return false;
  } finally {
    await dragged?.dispose();
  }
}

/** Scrolls so that both ends are visible, if they fit into the viewport; else the start. */
async function bringIntoView(page: Page, { from, to, grip, timeout, signal }: DragRequest): Promise<void> {
  if (to !== undefined && (await to.isVisible()) && !(await isInViewport(page, to)))
    await to.scrollIntoViewIfNeeded({ timeout, signal });
  await from.hover({ timeout, signal, ...(grip === undefined ? {} : { position: grip }) });
}

async function gripOf(page: Page, { from, grip, timeout }: DragRequest): Promise<Point> {
  const box = await visiblePart(page, from);
  if (grip === undefined) return { x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2 };
  return inside(from, grip, timeout);
}

async function inside(locator: Locator, point: Point, timeout: number): Promise<Point> {
  const box = (await locator.boundingBox({ timeout })) ?? { x: 0, y: 0 };
  const border = await locator.evaluate(readBorder);
  return { x: box.x + border.x + point.x, y: box.y + border.y + point.y };
}

/** The point for a position in a list, read before the drag changes the list. */
async function dropPointOf({ from, to, position, timeout }: DragRequest): Promise<Point | undefined> {
  if (to === undefined || position === undefined) return undefined;
  const dragged = await from.elementHandle({ timeout });
  try {
    return await to.evaluate(readDropPoint, { dragged, position });
  } catch {
    // The elements are in different frames, so they are no items of one list.
    return to.evaluate(readDropPoint, { dragged: null, position });
  } finally {
    await dragged?.dispose();
  }
}

async function goalOf(page: Page, start: Point, drop: Point | undefined, request: DragRequest): Promise<Point> {
  const { to, at, timeout } = request;
  if (to === undefined) return { x: start.x + (at?.x ?? 0), y: start.y + (at?.y ?? 0) };
  if (at !== undefined) return inside(to, at, timeout);
  if (drop !== undefined) {
    const box = (await to.boundingBox({ timeout })) ?? { x: 0, y: 0 };
    return { x: box.x + drop.x, y: box.y + drop.y };
  }
  const box = await visiblePart(page, to);
  return { x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2 };
}

function distance(from: Point, to: Point): number {
  return Math.hypot(to.x - from.x, to.y - from.y);
}

/** A point on the way; never past the end. */
function towards(from: Point, to: Point, length: number): [number, number] {
  const part = Math.min(1, length / Math.max(1, distance(from, to)));
  return [from.x + (to.x - from.x) * part, from.y + (to.y - from.y) * part];
}

/** Answers whether something moved. */
async function rest(page: Page): Promise<boolean> {
  return page.evaluate(untilAtRest, dragRestMs);
}
