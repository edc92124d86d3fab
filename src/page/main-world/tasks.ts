import { watchFrames } from './frames.ts';
import { watchIdleCallbacks } from './idle-callbacks.ts';
import { watchWorkers } from './workers.ts';

/**
 * Animation frames, idle callbacks and replies of workers. The returned function tells in how many milliseconds to check
 * again for one of the action (-1 if there is none), and with `begin` starts a new action.
 */
export function watchTasks(isOurs: () => boolean, now: () => number): (begin: boolean) => number {
  const kinds = [watchFrames(isOurs, now), watchIdleCallbacks(isOurs, now), watchWorkers(isOurs, now)];
  return (begin) => {
    let left = -1;
    for (const leftOf of kinds) left = Math.max(left, leftOf(begin));
    return left;
  };
}
