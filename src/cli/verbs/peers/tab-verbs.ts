import { verb } from '../verb.ts';
import type { Verb, VerbForm } from '../verb.ts';

/** A verb for one tab, by its index or its id. */
export function tabVerb(name: string, action: 'close' | 'select'): Verb {
  return verb(name, 'browser_tabs', {
    args: { action },
    positional: ['index'],
    form: ([tab, ...more]) =>
      tab === undefined || more.length > 0 ? undefined : { args: { action, ...tabArgs(tab) } },
  });
}

/** `1`, or the id `t2`. */
export function tabArgs(word: string): VerbForm['args'] {
  return /^t\d+$/.test(word) ? { tab: word } : { index: word };
}
