import { listenForAnnouncements } from './watch/announcements.ts';
import { startClock } from './watch/change-clock.ts';
import type { Clock } from './watch/change-clock.ts';
import { cssPathOf, testIdOf } from './dom/css-path.ts';
import { actDirectly } from './act/direct-action.ts';
import { createHitGuard } from './act/hit-guard.ts';
import type { HitGuard } from './act/hit-guard.ts';
import { whyNot } from './act/obstacle.ts';
import { calmMs, ungrownMs } from './timing.ts';
import type {
  StateRequest,
  Command,
  DirectAction,
  Finding,
  Found,
  FrameState,
  InlineSnapshot,
  Message,
  DirectResult,
  Walked,
  WhyNot,
} from './protocol.ts';
import { kindOfField } from './reads/field-kind.ts';
import { secretFields } from './aria/secret-fields.ts';
import { askTimers, createStateReader } from './watch/state.ts';
import { watchScriptedMotion } from './watch/scripted-motion.ts';
import { watchEffects } from './watch/effects.ts';
import { createTaskQueue, watchInput } from './watch/received-input.ts';
import type { ReceivedInput } from './watch/received-input.ts';
import { pack } from './walk/packed.ts';
import { createWalker } from './walk/walk.ts';
import type { Healed, Walker } from './walk/walk.ts';

/**
 * The page agent: lives in an isolated world of a frame, where the page can neither see nor touch it, and keeps what it
 * knows between calls.
 */
interface Agent {
  /** Takes a command as JSON and answers with JSON. */
  run(command: string): string;
  /** Runs several commands; answers with JSON, in the same order. */
  runAll(messages: readonly Message[]): string | Promise<string>;
  /** The live element of a ref. */
  elementOf(ref: string): Element | undefined;
  refOf(element: Element, firstRef?: number): string;
  /** Why an element cannot be acted on now, as JSON. If nothing blocks it and a click follows, only it may be hit. */
  whyNot(element: Element, options: ObstacleOptions): string;
}

interface ObstacleOptions {
  readonly isEditing: boolean;
  readonly isGuarded?: boolean;
  readonly firstRef?: number;
}

declare global {
  var pagehelmAgent: Agent | undefined;
}

/** A ref of another document must not act here: it may name another element. */
const gone: DirectResult = { is: 'gone' };

/** Larger documents get no inline snapshot: the delay of a state answer tells whether the page responds. */
const mostInline = 3000;

/** The agent of this document; made when there is none yet. */
export function installAgent(): Agent {
  globalThis.pagehelmAgent ??= createAgent();
  return globalThis.pagehelmAgent;
}

function found({ ref, wantsPath, wantsKind = false, testIdAttribute }: Finding, healed: Healed): Found {
  if (typeof healed === 'string') return { is: healed };
  const testId = testIdAttribute === undefined ? undefined : testIdOf(healed.element, testIdAttribute);
  const isAriaHidden = healed.element.closest('[aria-hidden="true"]') !== null;
  const details = {
    ...(wantsPath || isAriaHidden ? { css: cssPathOf(healed.element) } : {}),
    ...(testId === undefined ? {} : { testId }),
    ...(isAriaHidden ? { isAriaHidden } : {}),
    ...(wantsKind ? { kind: kindOfField(healed.element, secretFields) } : {}),
  };
  return healed.ref === ref ? { is: 'here', ...details } : { is: 're-rendered', ref: healed.ref, ...details };
}

function isDue({ onceAtRest: rest, unless: seen }: InlineSnapshot, now: FrameState, isUntouched: boolean): boolean {
  const isSeen = seen?.document === now.document && seen.changes === now.changes && seen.scene === now.scene;
  if (isSeen || rest === undefined) return !isSeen;
  return now.timerMs < 0 && now.fadeMs < 0 && (isUntouched || now.quietMs < 0 || now.quietMs >= rest.restMs);
}

/** Whether a timer or an animation that ends may change the page. */
function pendingChanges(clock: Clock): Pick<WhyNot, 'mayChange' | 'timerMs' | 'isCalm'> {
  const ends = ({ effect }: Animation): boolean => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY;
  const isMoving = clock.motions().some(ends);
  const timerMs = askTimers('any');
  const { stillMs, grownMs } = clock.read();
  const isCalm = !isMoving && stillMs >= calmMs && grownMs >= ungrownMs;
  return { mayChange: timerMs >= 0 || isMoving, ...(timerMs >= 0 ? { timerMs, isCalm } : {}) };
}

function act(element: Element | undefined, action: DirectAction, clock: Clock, received: ReceivedInput): DirectResult {
  const result = actDirectly(element, action, clock);
  if (action.kind === 'options' && result.is === 'done') received.add('options');
  return result;
}

function walkedBy(walker: Walker, { root: ref, options, since }: Extract<Command, { do: 'walk' }>) {
  const root = ref === undefined ? undefined : walker.elementOf(ref);
  const { maxOneLine, ...how } = options;
  const first = walker.walk(root, { ...how, nodes: true }, since);
  const isOneLine = maxOneLine !== undefined && root !== undefined && first.nodes?.length === 1;
  const walked = isOneLine ? walker.walk(root, { ...how, nodes: true, maxText: maxOneLine }) : first;
  const { lines: _lines, nodes = [], refs, ...rest } = walked;
  return { ...rest, ...pack(nodes, refs) };
}

type AgentAnswer = FrameState | Walked | Found | DirectResult;

/** Runs messages at once. State requests may wait for tasks; they are answered with null if their input has not arrived. */
function createBatch(answer: (message: Message) => AgentAnswer, received: ReceivedInput): Agent['runAll'] {
  let nextTask: (() => Promise<void>) | undefined;
  const answerInTime = async (message: Message): Promise<AgentAnswer | null> => {
    if (message.do !== 'state' || message.afterTasks !== true) return answer(message);
    nextTask ??= createTaskQueue();
    const hasArrived = (): boolean => message.after === undefined || received.has(message.after);
    // The input may be among the tasks that are due. What its listeners post is behind it, so the wait starts again.
    if (!hasArrived()) await nextTask();
    if (!hasArrived()) return null;
    await nextTask();
    return answer(message);
  };
  return (messages) =>
    messages.some((message) => 'afterTasks' in message)
      ? Promise.all(messages.map(answerInTime)).then((answers) => JSON.stringify(answers))
      : JSON.stringify(messages.map(answer));
}

function obstacleReader(walker: Walker, guard: HitGuard, clock: Clock): Agent['whyNot'] {
  return (element, { isEditing, isGuarded = false, firstRef = 1 }) => {
    walker.startRefsAt(firstRef);
    const why = whyNot(walker, element, isEditing);
    if (isGuarded && why.is === 'none') guard.arm(element);
    return JSON.stringify({ ...why, ...pendingChanges(clock) });
  };
}

function createAgent(): Agent {
  const id = Math.random().toString(36).slice(2);
  const announcements = listenForAnnouncements(document);
  const scripted = watchScriptedMotion();
  const clock = startClock(document, (records) => {
    announcements.onMutations(records);
    walker.note(records);
    scripted.note(records);
  });
  const walker = createWalker(document, (root) => clock.watch(root));

  const readState = createStateReader(id, clock, announcements, scripted);
  const received = watchInput();
  const guard = createHitGuard();
  const effectsOf = watchEffects();
  const elements = document.getElementsByTagName('*');

  const state = ({ begin = false, find, snapshot }: StateRequest): FrameState => {
    if (begin) received.begin();
    const { state: read, isUntouched } = readState(begin);
    const standing = { ...read, ...(guard.release() ? { hasMissed: true } : {}), ...effectsOf(begin) };
    const now = find === undefined ? standing : { ...standing, found: found(find, walker.heal(find.ref)) };
    const isWanted = snapshot !== undefined && elements.length <= mostInline && isDue(snapshot, now, isUntouched);
    return isWanted ? { ...now, snapshot: walk({ ...snapshot, do: 'walk' }) } : now;
  };

  const walk = (command: Extract<Command, { do: 'walk' }>): Walked => ({ ...walkedBy(walker, command), document: id });

  const answer = (command: Message): AgentAnswer => {
    walker.startRefsAt(command.firstRef ?? 1);
    switch (command.do) {
      case 'state':
        return state(command);
      case 'walk':
        return walk(command);
      case 'find':
        return found(command, walker.heal(command.ref));
      case 'act':
        return command.document === id ? act(walker.elementOf(command.ref), command.action, clock, received) : gone;
    }
  };
  // Only our own server writes commands: the page has no way into this world.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const run = (command: string): string => JSON.stringify(answer(JSON.parse(command) as Message));
  return {
    run,
    runAll: createBatch(answer, received),
    // Playwright looks the ref up on every try. Without this, an action that waits for an element fails when the page
    // renders the element again meanwhile.
    elementOf: (ref) => {
      const healed = walker.heal(ref);
      return typeof healed === 'string' ? undefined : healed.element;
    },
    refOf: (element, firstRef = 1) => {
      walker.startRefsAt(firstRef);
      return walker.refOf(element);
    },
    whyNot: obstacleReader(walker, guard, clock),
  };
}
