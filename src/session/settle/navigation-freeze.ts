import type { Page, Request, Route } from 'playwright-core';
import { settlesWithin } from '../../util/signals.ts';
import { mainFrameOf } from '../navigation/main-frame.ts';
import { nextReloadMs, pendingReloadMs } from '../timing.ts';

/** Blocks main-frame navigations until it is disposed of. */
export interface NavigationFreeze extends AsyncDisposable {
  /** Waits until a navigation was blocked; false if the page requests none. */
  readonly hasBlocked: (isNavigating: () => boolean) => Promise<boolean>;
}

/** Keeps the page at its present document: aborts all navigation requests of the main frame, or those that `isBlocked` selects. */
export async function freezeNavigation(
  page: Page,
  isBlocked: (request: Request) => boolean = () => true,
): Promise<NavigationFreeze> {
  const main = mainFrameOf(page);
  let onBlocked: () => void = () => undefined;
  const whenBlocked = new Promise<void>((resolve) => {
    onBlocked = resolve;
  });
  const handle = async (route: Route): Promise<void> => {
    const request = route.request();
    if (!main.owns(request) || !isBlocked(request)) return route.fallback();
    // Any other error code would replace the document with an error page.
    await route.abort('aborted').catch(() => undefined);
    return onBlocked();
  };
  await page.route('**/*', handle);
  return {
    hasBlocked: async (isNavigating) => {
      for (let waited = 0; waited === 0 || (isNavigating() && waited < pendingReloadMs); waited += nextReloadMs) {
        if (await settlesWithin(whenBlocked, nextReloadMs)) return true;
      }
      return false;
    },
    // The page may be closed by now.
    [Symbol.asyncDispose]: async () => page.unroute('**/*', handle).catch(() => undefined),
  };
}
