import type { Asking, Glance } from '../page/protocol.ts';
import type { PageState } from './agent.ts';
import type { KnownRefs } from './known-refs.ts';
import type { ActOptions } from './outcome.ts';
import { needsPath } from './ref-code.ts';
import { quietMs } from './settle.ts';
import type { Eyes } from './snapshot.ts';

/** What is asked before an action: the element that it is for is looked for on the same way. */
export function beginning({ isPassive, target }: ActOptions, { areAgents }: Eyes, refs: KnownRefs): Asking {
  if (isPassive === true) return {};
  // Refs of other frames are for the agents there.
  const ref = areAgents && target?.kind === 'ref' && target.ref.startsWith('e') ? target.ref : '';
  const info = refs.get(ref);
  return { begin: true, ...(info === undefined ? {} : { find: { ref, wantsPath: needsPath(info) } }) };
}

/** The page is seen as soon as it is found at rest after an action. */
export function lookAtRest(
  { looks }: ActOptions,
  how: Pick<Glance, 'since' | 'options'> | undefined,
  before: PageState | undefined,
): Pick<Asking, 'glance'> {
  if (looks !== true || how === undefined || before === undefined) return {};
  const { mainDocument: document, mutations } = before;
  return { glance: { ...how, onceAtRest: { document, mutations, restMs: quietMs } } };
}
