import { limitRate } from './console-rate.ts';
import { limitTexts } from './text-limit.ts';
import type { TextLimit } from './text-limit.ts';

/** A line counts as one more message per so many characters. */
const charactersPerMessage = 10_000;

/** The methods that write what the page passes. */
const writers = [
  'log',
  'info',
  'warn',
  'error',
  'debug',
  'trace',
  'dir',
  'dirxml',
  'table',
  'assert',
  'group',
  'groupCollapsed',
  'count',
  'timeLog',
  'timeEnd',
] as const;

/**
 * Limits the console messages and uncaught errors of the page, in its main world. Chromium copies a message several
 * times on its way to the server, partly in the process that all sessions share: one line of 400 MB blocks it for half
 * a minute.
 *
 * The server recognizes the frame of the trap by its name, `apply`, and removes it from messages (own-frame.ts).
 */
export function limitConsole(): void {
  // The page may replace these later.
  const { console, Reflect, performance } = globalThis;
  const texts = limitTexts();
  const rate = limitRate(performance.now.bind(performance));
  const warn = console.warn.bind(console);
  for (const name of writers) {
    const limited = new Proxy(console[name], {
      apply: (write, self, args: unknown[]): unknown => {
        const verdict = rate(1 + texts.lengthOf(args) / charactersPerMessage);
        if (verdict === 'write') return Reflect.apply(write, self, texts.cut(args));
        if (verdict === 'report') warn('The page writes console messages too fast; some are dropped.');
        return undefined;
      },
    });
    Reflect.set(console, name, limited);
  }
  limitErrors(texts);
}

/** Reports the start of an uncaught error with a long text in its place. The page's handlers get the original event. */
function limitErrors({ cutText }: TextLimit): void {
  /** The text that was thrown last; other listeners do not get its event. */
  let own: unknown;
  const replace = (event: Event, text: string | undefined): void => {
    if (text === undefined) return;
    event.preventDefault();
    own = text;
    // oxlint-disable-next-line typescript/only-throw-error
    throw text;
  };
  // Capturing listeners of the window come first, in the order in which they were added.
  addEventListener(
    'error',
    (event) => {
      if (!(event instanceof ErrorEvent)) return;
      // In a listener for errors, the browser reports a further one without an event.
      if (event.error === own && own !== undefined) event.stopImmediatePropagation();
      else replace(event, cutText(event.message) ?? cutText(event.error));
    },
    true,
  );
  addEventListener('unhandledrejection', (event) => replace(event, cutText(event.reason)), true);
}
