import { limitConsole } from './console.ts';
import { limitDialogs } from './dialogs.ts';
import { limitPopups } from './popups.ts';
import { watchTimers } from './timers.ts';

/** Runs in the page's main world, before its scripts. It adds no global name. */
export function prepareWorld(question: string, answer: string, limitsConsole: boolean): void {
  // In a sandbox without scripts, each event that is listened for would write an error to the console.
  if (globalThis.matchMedia('(scripting: none)').matches) return;
  if (limitsConsole) limitConsole();
  limitDialogs();
  limitPopups();
  watchTimers(question, answer);
}
