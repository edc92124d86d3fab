import type { Announcements } from './announcements.ts';
import type { Clock } from './change-clock.ts';
import { watchFades } from './fades.ts';
import { modalsIn } from '../dom/modals.ts';
import type { FrameState } from '../protocol.ts';
import type { ScriptedMotion } from './scripted-motion.ts';
import { secretFields } from '../aria/secret-fields.ts';
import { storageMark } from './storage-mark.ts';

/** No answer shows more of a title; a secret is not longer. */
const longestTitle = 10_000;
const longestSecret = 10_000;

/** The names of the events by which the agent asks for timers; the server puts secret ones here. */
const [timerQuestion, timerAnswer] = ['pagehelm-timer-question', 'pagehelm-timer-answer'];

/** Asks the page's main world, which knows the timers; -1 without an answer. */
export function askTimers(detail: string): number {
  let answer = -1;
  const listen = (event: Event): void => {
    if (event instanceof CustomEvent && typeof event.detail === 'number') answer = event.detail;
  };
  document.addEventListener(timerAnswer, listen);
  document.dispatchEvent(new CustomEvent(timerQuestion, { detail }));
  document.removeEventListener(timerAnswer, listen);
  return answer;
}

/** Includes the time while something moves, so that it never equals an earlier value. */
function scene(isMoving: boolean): string {
  return [scrollX, scrollY, innerWidth, innerHeight, isMoving ? performance.now() : 0].join(' ');
}

/** The values of password, one-time-code and card fields, and whether one has the focus. */
function secretsIn(
  inputs: Iterable<HTMLInputElement | HTMLTextAreaElement>,
): Pick<FrameState, 'secrets' | 'isInSecret'> {
  const fields = [...inputs].filter((input) => input.matches(secretFields));
  return {
    secrets: fields.map((field) => field.value.slice(0, longestSecret)).filter((value) => value !== ''),
    isInSecret: document.activeElement?.matches(secretFields) === true,
  };
}

/** The value of the focused field, if no more text fits into it. */
function fullField(): Pick<FrameState, 'full'> {
  const field = deepFocus(document);
  const isText = field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement;
  if (!isText || field.maxLength < 0 || field.value.length < field.maxLength) return {};
  return field.matches(secretFields) ? {} : { full: field.value };
}

function deepFocus(root: DocumentOrShadowRoot): Element | null {
  const { activeElement } = root;
  return activeElement?.shadowRoot ? deepFocus(activeElement.shadowRoot) : activeElement;
}

/** A hash of the cookies that scripts see; 0 without any. */
function cookieMark(): number {
  let mark = 0;
  try {
    const { cookie } = document;
    for (let at = 0; at < cookie.length; at++) mark = (Math.imul(mark, 31) + cookie.charCodeAt(at)) | 0;
  } catch {
    // Documents without an origin of their own have none.
  }
  return mark;
}

interface Standing {
  readonly state: FrameState;
  /** The page has not changed itself since the last action began. */
  readonly isUntouched: boolean;
}

/** Reads the state of a document; `begin` marks the start of an action. */
export function createStateReader(
  id: string,
  clock: Clock,
  announcements: { readonly read: () => Announcements },
  scripted: ScriptedMotion,
): (begin: boolean) => Standing {
  /** A live collection: searching a large page for each state would be slow. */
  const inputs = document.getElementsByTagName('input');
  const areas = document.getElementsByTagName('textarea');
  const fadeMs = watchFades();
  /** The number of mutations when the last action began. */
  let begun: number | undefined;
  /** The start time of the action, on the timeline of animations. */
  let begunAt = 0;
  return (begin) => {
    const { events, mutations, quietMs } = clock.read();
    const motions = clock.motions();
    if (begin) {
      begun = mutations;
      begunAt = Number(document.timeline.currentTime);
    }
    const state = {
      document: id,
      changes: events + mutations,
      mutations,
      quietMs,
      timerMs: askTimers(begin ? 'begin' : ''),
      fadeMs: Math.max(fadeMs(motions, begunAt), scripted.leftMs(begin)),
      scene: scene(motions.length > 0),
      announced: announcements.read(),
      title: document.title.slice(0, longestTitle),
      cookies: cookieMark(),
      ...secretsIn([...inputs, ...areas]),
      ...fullField(),
      hasModal: modalsIn(document).length > 0,
      storage: storageMark(),
    };
    return { state, isUntouched: begun === mutations };
  };
}
