import type { Frame } from 'playwright-core';
import { settlesWithin } from '../../util/signals.ts';
import { frameLimitMs } from '../timing.ts';

/**
 * What the frames answer. A frame that fails is left out, and so is a child frame that does not answer in time: in some,
 * such as those of blocked documents, no script ever runs.
 */
export async function askFrames<T>(frames: readonly Frame[], ask: (frame: Frame) => Promise<T>): Promise<readonly T[]> {
  const answers = await Promise.all(
    frames.map(async (frame): Promise<readonly T[]> => {
      const answer = ask(frame).then(
        (value) => [value],
        () => [],
      );
      if (frame.parentFrame() === null || (await settlesWithin(answer, frameLimitMs))) return answer;
      return [];
    }),
  );
  return answers.flat();
}
