import module from 'node:module';
import { join } from 'node:path';
import { localMachine, userCacheFolder } from '../browser/find/machine.ts';

/**
 * Enables Node's compile cache (from version 22) in the user's cache folder, not in the temporary directory, where this
 * server leaves nothing behind.
 */
export function keepCompiledCode(): void {
  if (!('enableCompileCache' in module) || typeof module.enableCompileCache !== 'function') return;
  module.enableCompileCache(join(userCacheFolder(localMachine()), 'pagehelm', 'compiled'));
}
