import { isWithin } from './obstacle.ts';

/** Blocks a click that hits another element than the expected one, because the page rendered again meanwhile. */
export interface HitGuard {
  /** The next click must hit this element, or one that replaces it and is the same for a user. */
  arm(element: Element): void;
  /** Disarms the guard; whether it has blocked the click. */
  release(): boolean;
}

/** A click that comes later is not the one that was announced. */
const armedMs = 1000;
const clickEvents = [
  'pointerdown',
  'mousedown',
  'pointerup',
  'mouseup',
  'click',
  'auxclick',
  'dblclick',
  'contextmenu',
] as const;

interface Expected {
  readonly element: Element;
  readonly look: string;
  readonly at: number;
}

/** Has listeners only while it is armed: few pages keep replacing their elements. */
export function createHitGuard(): HitGuard {
  let expected: Expected | undefined;
  let isBlocking = false;
  let hasMissed: boolean | undefined;

  const onEvent = (event: Event): void => {
    if (expected === undefined || !event.isTrusted) return;
    if (event.type === 'pointerdown') {
      if (hasMissed === undefined && performance.now() - expected.at > armedMs) {
        release();
        return;
      }
      isBlocking = !isHit(expected, event.composedPath()[0]);
      // After the first press, the page may react by moving the element.
      hasMissed ??= isBlocking;
    }
    if (!isBlocking) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  const release = (): boolean => {
    const result = hasMissed === true;
    expected = undefined;
    hasMissed = undefined;
    isBlocking = false;
    for (const type of clickEvents) window.removeEventListener(type, onEvent, true);
    return result;
  };
  return {
    arm: (element) => {
      release();
      expected = { element, look: lookOf(element), at: performance.now() };
      for (const type of clickEvents) window.addEventListener(type, onEvent, true);
    },
    release,
  };
}

function isHit({ element, look }: Expected, target: EventTarget | undefined): boolean {
  if (!(target instanceof Element)) return false;
  if (element.isConnected) return isWithin(element, target);
  for (let at: Element | null = target; at !== null; at = at.parentElement) {
    if (at.localName === element.localName && lookOf(at) === look) return true;
  }
  return false;
}

/** The element and the text around it: buttons of the same name differ in the text of their rows. */
function lookOf(element: Element): string {
  const own = textOf(element);
  let around = element;
  while (textOf(around) === own && around.parentElement !== null) around = around.parentElement;
  return `${element.outerHTML}\n${textOf(around)}`;
}

function textOf(element: Element): string {
  return (element.textContent ?? '').trim();
}
