import type { Asking, Command, Glance } from '../../page/protocol.ts';
import type { KnownRefs } from '../snapshot/known-refs.ts';
import type { ActOptions } from '../act/outcome.ts';
import { needsPath } from '../snapshot/ref-code.ts';
import { quietMs } from '../settle/settle.ts';
import type { Eyes } from '../snapshot/snapshot-source.ts';

/** What is asked before an action: the element that it is for is looked for on the same way. */
export function beginning(
  { isPassive, target, wantsKind = false }: ActOptions,
  { areAgents }: Eyes,
  refs: KnownRefs,
): Asking {
  if (isPassive === true) return {};
  const ref = mainRef(target, areAgents);
  const info = refs.get(ref);
  return { begin: true, ...(info === undefined ? {} : { find: { ref, wantsPath: needsPath(info), wantsKind } }) };
}

/** The element is taken hold of right behind that question, before its answer is there. */
export function graspOf(
  { target, wish }: Pick<ActOptions, 'target' | 'wish'>,
  { areAgents }: Eyes,
  refs: KnownRefs,
): Extract<Command, { do: 'grasp' }> | undefined {
  const ref = mainRef(target, areAgents);
  if (wish === undefined || refs.get(ref) === undefined) return undefined;
  return { do: 'grasp', ref, document: refs.document, wish };
}

/** Refs of other frames are for the agents there. */
function mainRef(target: ActOptions['target'], areAgents: boolean): string {
  return areAgents && target?.kind === 'ref' && target.ref.startsWith('e') ? target.ref : '';
}

/** The page is seen as soon as it is found at rest after an action. */
export function lookAtRest(
  { looks }: ActOptions,
  how: Pick<Glance, 'since' | 'options'> | undefined,
): Pick<Asking, 'glance'> {
  return looks !== true || how === undefined ? {} : { glance: { ...how, onceAtRest: { restMs: quietMs } } };
}
