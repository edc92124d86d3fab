import { listenForAnnouncements } from './watch/announcements.ts';
import { startClock } from './watch/change-clock.ts';
import { cssPathOf } from './dom/css-path.ts';
import { grasp } from './act/direct-action.ts';
import { whyNot } from './act/obstacle.ts';
import type { Asking, Command, Finding, Found, FrameState, Glance, Grasped, Walked, WhyNot } from './protocol.ts';
import { kindOfField } from './reads/field-kind.ts';
import { secretFields } from './aria/secret-fields.ts';
import { askTimers, createStateReader } from './watch/state.ts';
import { createWalker } from './walk/walk.ts';
import type { Healed, Walker } from './walk/walk.ts';

/**
 * The page agent: lives in an isolated world of a frame, where the page can neither see nor touch it, and keeps what it
 * knows between calls.
 */
interface Agent {
  /** Takes a command as JSON and answers with JSON. */
  run(command: string): string;
  /**
   * Does some at once, then others when the page has got to what it had put off: frameworks render in a task of their own.
   * Answers with JSON, in this order.
   */
  runAll(now: readonly Command[], later: readonly Command[]): string | Promise<string>;
  /** The live element of a ref. */
  elementOf(ref: string): Element | undefined;
  refOf(element: Element): string;
}

declare global {
  var pagehelmAgent: Agent | undefined;
}

/** What another document's ref stands for: the same one may be some other element here. */
const gone: Grasped = { is: 'gone' };

/** Elements of a page that is looked at along with its state. */
const mostGlanced = 3000;

/** Waits for a task behind all that are due: messages are delivered in the order they were sent in, whoever sent them. */
function createTurnstile(): () => Promise<void> {
  const { port1, port2 } = new MessageChannel();
  const waiting: (() => void)[] = [];
  port1.addEventListener('message', () => waiting.shift()?.());
  port1.start();
  return async () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      port2.postMessage(0);
    });
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
    ...(wantsKind ? { kind: kindOfField(healed.element, secretFields) } : {}),
  };
  return healed.ref === ref ? { is: 'here', ...details } : { is: 'anew', ref: healed.ref, ...details };
}

function isWorthWhile({ onceAtRest: rest, unless: seen }: Glance, now: FrameState, isUntouched: boolean): boolean {
  const isSeen = seen?.document === now.document && seen.changes === now.changes && seen.scene === now.scene;
  if (isSeen || rest === undefined) return !isSeen;
  return now.timerMs < 0 && now.fadeMs < 0 && (isUntouched || now.quietMs < 0 || now.quietMs >= rest.restMs);
}

function walkedBy(walker: Walker, { root: ref, options, since }: Extract<Command, { do: 'walk' }>) {
  const root = ref === undefined ? undefined : walker.elementOf(ref);
  const { lines: _lines, nodes = [], ...rest } = walker.walk(root, { ...options, nodes: true }, since);
  return { ...rest, nodes };
}

function createAgent(): Agent {
  const id = Math.random().toString(36).slice(2);
  const announcements = listenForAnnouncements(document);
  const clock = startClock(document, (records) => {
    announcements.onMutations(records);
    walker.note(records);
  });
  const walker = createWalker(document, (root) => clock.watch(root));

  const readState = createStateReader(id, clock, announcements);
  const elements = document.getElementsByTagName('*');
  let nextTask: ReturnType<typeof createTurnstile> | undefined;

  const state = ({ begin = false, find, glance }: Asking): FrameState => {
    const { state: standing, isUntouched } = readState(begin);
    const now = find === undefined ? standing : { ...standing, found: found(find, walker.heal(find.ref)) };
    // Whether a page answers at all is told by how soon it does: a large one is looked at when there is time for that.
    const isSeen = glance !== undefined && elements.length <= mostGlanced && isWorthWhile(glance, now, isUntouched);
    return isSeen ? { ...now, walked: walk({ ...glance, do: 'walk' }) } : now;
  };

  const walk = (command: Extract<Command, { do: 'walk' }>): Walked => ({ ...walkedBy(walker, command), document: id });

  const answer = (command: Command): FrameState | Walked | Found | WhyNot | Grasped => {
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
      case 'grasp':
        return command.document === id ? grasp(walker.elementOf(command.ref), command.wish, clock) : gone;
    }
  };
  // Only our own server writes commands: the page has no way into this world.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const run = (command: string): string => JSON.stringify(answer(JSON.parse(command) as Command));
  return {
    run,
    runAll: (now, later) => {
      const answers = now.map(answer);
      if (later.length === 0) return JSON.stringify(answers);
      nextTask ??= createTurnstile();
      return nextTask().then(() => JSON.stringify([...answers, ...later.map(answer)]));
    },
    elementOf: (ref) => walker.elementOf(ref),
    refOf: (element) => walker.refOf(element),
  };
}
