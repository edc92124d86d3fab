import type { Page, Request, Route } from 'playwright-core';
import { settlesWithin } from '../../util/signals.ts';
import { isMainNavigation } from './activity.ts';

export interface Stillness extends AsyncDisposable {
  /** Whether something was asked for and not loaded; not if nothing is asked for any more. */
  readonly hasStopped: (isLoading: () => boolean) => Promise<boolean>;
}

/** A document that is there asks for the next within this time, or for none. */
const nextMs = 1000;
/** One that was too far on its way to be stopped takes the place of the one before, and wants to go on itself. */
const longestLoadMs = 5000;

/**
 * Keeps a page at the document that it has, as a person does who stops its loading: what it asks for in its place is not
 * loaded, all of it or some. It is free again when this is disposed of.
 */
export async function holdStill(page: Page, isRefused: (request: Request) => boolean = () => true): Promise<Stillness> {
  let onRefused: () => void = () => undefined;
  const whenRefused = new Promise<void>((resolve) => {
    onRefused = resolve;
  });
  const hold = async (route: Route): Promise<void> => {
    const request = route.request();
    if (!isMainNavigation(request, page) || !isRefused(request)) return route.fallback();
    // Of all failures this is the one that leaves the document where it is.
    await route.abort('aborted').catch(() => undefined);
    return onRefused();
  };
  await page.route('**/*', hold);
  return {
    hasStopped: async (isLoading) => {
      for (let waited = 0; waited === 0 || (isLoading() && waited < longestLoadMs); waited += nextMs) {
        if (await settlesWithin(whenRefused, nextMs)) return true;
      }
      return false;
    },
    // The page may be gone by then.
    [Symbol.asyncDispose]: async () => page.unroute('**/*', hold).catch(() => undefined),
  };
}
