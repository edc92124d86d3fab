import { listenForAnnouncements } from './announcements.ts';
import { startClock } from './clock.ts';
import { cssPathOf } from './css-path.ts';
import { whyNot } from './obstacle.ts';
import type { Asking, Command, Finding, Found, FrameState, Glance, Walked, WhyNot } from './protocol.ts';
import { kindOfField } from './reads/field-kind.ts';
import { secretFields } from './secret-fields.ts';
import { createWalker } from './walk.ts';
import type { Healed } from './walk.ts';

/**
 * The page agent: lives in an isolated world of a frame, where the page can neither see nor touch it, and keeps what it
 * knows between calls.
 */
interface Agent {
  /** Takes a command as JSON and answers with JSON. */
  run(command: string): string;
  /** The live element of a ref. */
  elementOf(ref: string): Element | undefined;
  refOf(element: Element): string;
}

declare global {
  var pagehelmAgent: Agent | undefined;
}

/** The names of the events by which the agent asks for timers; the server puts secret ones here. */
const [timerQuestion, timerAnswer] = ['pagehelm-timer-question', 'pagehelm-timer-answer'];

/** Elements of a page that is looked at along with its state. */
const mostGlanced = 3000;

/** Asks the page's own world, where timers are; -1 when nobody answers there. */
function askTimers(detail: string): number {
  let answer = -1;
  const listen = (event: Event): void => {
    if (event instanceof CustomEvent && typeof event.detail === 'number') answer = event.detail;
  };
  document.addEventListener(timerAnswer, listen);
  document.dispatchEvent(new CustomEvent(timerQuestion, { detail }));
  document.removeEventListener(timerAnswer, listen);
  return answer;
}

/** Differs from itself while something moves: what moves is never the same. */
function scene(): string {
  const moving = document.getAnimations().filter((animation) => animation.playState === 'running').length;
  return [scrollX, scrollY, innerWidth, innerHeight, moving === 0 ? 0 : performance.now()].join(' ');
}

/** The agent of this document; made when there is none yet. */
export function installAgent(): Agent {
  globalThis.pagehelmAgent ??= createAgent();
  return globalThis.pagehelmAgent;
}

function found({ ref, wantsPath, wantsKind = false }: Finding, healed: Healed): Found {
  if (typeof healed === 'string') return { is: healed };
  const details = {
    ...(wantsPath ? { css: cssPathOf(healed.element) } : {}),
    ...(wantsKind ? { kind: kindOfField(healed.element) } : {}),
  };
  return healed.ref === ref ? { is: 'here', ...details } : { is: 'anew', ref: healed.ref, ...details };
}

function isWorthWhile({ onceAtRest: rest, unless: seen }: Glance, now: FrameState): boolean {
  const isSeen = seen?.document === now.document && seen.changes === now.changes && seen.scene === now.scene;
  if (isSeen || rest === undefined) return !isSeen;
  const isUntouched = rest.document === now.document && rest.mutations === now.mutations;
  return now.timerMs < 0 && (isUntouched || now.quietMs < 0 || now.quietMs >= rest.restMs);
}

/** What password, one-time-code and card fields hold, and whether one has the focus. */
function secretsIn(inputs: Iterable<HTMLInputElement>): Pick<FrameState, 'secrets' | 'isInSecret'> {
  const fields = [...inputs].filter((input) => input.matches(secretFields));
  return {
    secrets: fields.map((field) => field.value).filter((value) => value !== ''),
    isInSecret: document.activeElement?.matches(secretFields) === true,
  };
}

function createAgent(): Agent {
  const id = Math.random().toString(36).slice(2);
  const announcements = listenForAnnouncements(document);
  const clock = startClock(document, (records) => {
    announcements.onMutations(records);
    walker.note(records);
  });
  const walker = createWalker(document, (root) => clock.watch(root));

  /** The browser keeps such a list up to date; to search a large page for each state would take longer than all else. */
  const inputs = document.getElementsByTagName('input');
  const elements = document.getElementsByTagName('*');

  const state = ({ begin = false, find, glance }: Asking): FrameState => {
    const { events, mutations, quietMs } = clock.read();
    const now = {
      document: id,
      changes: events + mutations,
      mutations,
      quietMs,
      timerMs: askTimers(begin ? 'begin' : ''),
      scene: scene(),
      announced: announcements.read(),
      title: document.title,
      ...secretsIn(inputs),
      ...(find === undefined ? {} : { found: found(find, walker.heal(find.ref)) }),
    };
    // Whether a page answers at all is told by how soon it does: a large one is looked at when there is time for that.
    const isSeen = glance !== undefined && elements.length <= mostGlanced && isWorthWhile(glance, now);
    return isSeen ? { ...now, walked: walk({ ...glance, do: 'walk' }) } : now;
  };

  const walk = (command: Extract<Command, { do: 'walk' }>): Walked => {
    const root = command.root === undefined ? undefined : walker.elementOf(command.root);
    const options = { ...command.options, nodes: true };
    const { lines: _lines, nodes = [], ...rest } = walker.walk(root, options, command.since);
    return { ...rest, document: id, nodes };
  };

  const answer = (command: Command): FrameState | Walked | Found | WhyNot => {
    switch (command.do) {
      case 'state':
        return state(command);
      case 'walk':
        return walk(command);
      case 'find':
        return found(command, walker.heal(command.ref));
      case 'why':
        // The page may be about to take it away by itself, as a splash screen does.
        return askTimers('earlier') >= 0 ? { is: 'none' } : whyNot(walker, command.ref, command.editing);
    }
  };
  return {
    // Only our own server writes commands: the page has no way into this world.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    run: (command) => JSON.stringify(answer(JSON.parse(command) as Command)),
    elementOf: (ref) => walker.elementOf(ref),
    refOf: (element) => walker.refOf(element),
  };
}
