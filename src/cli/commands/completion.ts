import { ConfigError } from '../../errors.ts';
import { allTools } from '../../tools/all.ts';
import { completionScript, shells } from '../verbs/completion.ts';

/** Prints a completion script. */
export function runCompletion([name]: readonly string[], write: (text: string) => void): number {
  const shell = shells.find((each) => each === name);
  if (shell === undefined) throw new ConfigError([`Which shell? One of ${shells.join(', ')}.`]);
  write(completionScript(shell, allTools));
  return 0;
}
