import type { Frame, Locator, Page } from 'playwright-core';
import { askFrames } from '../agent/ask-frames.ts';
import { locateSelector } from './target.ts';
import type { SelectorTarget } from './target.ts';

const mostFrames = 20;

/** What a selector matches in the frames of a page, without the page itself. */
export async function frameMatches(page: Page, target: SelectorTarget): Promise<readonly Locator[]> {
  const frames = page.frames().filter((frame) => frame !== page.mainFrame());
  const inFrame = async (frame: Frame): Promise<readonly Locator[]> => locateSelector(frame, target).locator.all();
  return (await askFrames(frames.slice(0, mostFrames), inFrame)).flat();
}
