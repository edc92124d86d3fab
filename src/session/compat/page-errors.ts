import type { Page } from 'playwright-core';

/** The frames of our timer watch, which is an anonymous script of the page: the last ones of a stack. */
const ownFrames = /(?:\n\s+at <anonymous>:\d+:\d+)+$/;

/** Removes our frames from the stacks of errors of a page. */
export function hideOwnFrames(page: Page): void {
  const cleaned = (error: Error): Error => {
    if (error.stack !== undefined) error.stack = error.stack.replace(ownFrames, '');
    return error;
  };
  // All listeners get the same object, and this one is the first.
  page.prependListener('pageerror', (error) => void cleaned(error));
  const pageErrors = page.pageErrors.bind(page);
  page.pageErrors = async (options) => (await pageErrors(options)).map(cleaned);
}
