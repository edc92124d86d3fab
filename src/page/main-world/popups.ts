/** Windows that a document may open without a click or a key; other browsers allow none. */
const mostUnasked = 3;

/**
 * Limits `window.open` in the page's main world: without a user's action a document opens few windows, and a window that
 * was opened opens none. Closing them as they open takes the browser so long that other sessions slow down.
 */
export function limitPopups(): void {
  const { navigator, Reflect } = globalThis;
  const { userActivation } = navigator;
  const isPopup = globalThis.opener !== null;
  let unasked = 0;
  globalThis.open = new Proxy(globalThis.open, {
    apply: (own, self, args: Parameters<typeof open>) => {
      // A name or target without a new window is no popup, but looks the same here.
      if (userActivation.isActive) return Reflect.apply(own, self, args);
      return isPopup || ++unasked > mostUnasked ? null : Reflect.apply(own, self, args);
    },
  });
}
