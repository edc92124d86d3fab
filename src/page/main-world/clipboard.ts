import type { Clip } from '../reads/clipboard.ts';

/**
 * Notes in the page's main world what its scripts write to the clipboard. A browser has one clipboard for all its
 * sessions; with this note the server can restore the one of a session.
 */
export function noteWritten(): void {
  const { Clipboard, Promise, performance, Reflect } = globalThis;
  // Only secure contexts have it.
  if (typeof Clipboard !== 'function') return;
  const key = Symbol.for('pagehelm-written');
  const note = (clip: Clip): void => {
    const at = performance.timeOrigin + performance.now();
    Reflect.defineProperty(globalThis, key, { value: { clip, at }, configurable: true });
  };
  const noted = <T extends (data: never) => unknown>(write: T, read: (data: unknown) => Promise<Clip>): T =>
    new Proxy(write, {
      apply: (own, self, args: unknown[]) => {
        const result: unknown = Reflect.apply(own, self, args);
        // The page gets its own promise, and handles its failure.
        void Promise.all([read(args[0]), result]).then(
          ([clip]) => note(clip),
          () => undefined,
        );
        return result;
      },
    });
  const { prototype } = Clipboard;
  // Called with the clipboard as `this`.
  // oxlint-disable-next-line typescript/unbound-method
  prototype.writeText = noted(prototype.writeText, async (text) => Promise.resolve({ 'text/plain': String(text) }));
  // oxlint-disable-next-line typescript/unbound-method
  prototype.write = noted(prototype.write, textsOf);
}

/** The texts of clipboard items, by their type. */
async function textsOf(items: unknown): Promise<Clip> {
  const clip: Record<string, string> = {};
  for (const item of Array.isArray(items) ? items : []) {
    if (!(item instanceof ClipboardItem)) continue;
    for (const type of item.types.filter((each) => each.startsWith('text/')))
      clip[type] = await (await item.getType(type)).text();
  }
  return clip;
}
