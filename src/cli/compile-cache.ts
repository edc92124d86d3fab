import module from 'node:module';
import { join } from 'node:path';
import { localMachine, userCacheFolder } from '../browser/find/machine.ts';

/**
 * Has compiled code kept for the next start, where Node.js can do that: from version 22 on. Not where it would put it
 * itself: nothing of ours stays among temporary files.
 */
export function keepCompiledCode(): void {
  if (!('enableCompileCache' in module) || typeof module.enableCompileCache !== 'function') return;
  module.enableCompileCache(join(userCacheFolder(localMachine()), 'pagehelm', 'compiled'));
}
