import { readFileSync, statSync, watch } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { keysIn, keysInFile, onlyKey } from '../../config/schema/keys.ts';
import type { ApiKey } from '../../config/schema/keys.ts';
import type { Config } from '../../config/schema/schema.ts';
import { ConfigError } from '../../errors.ts';
import type { Logger } from '../../log.ts';
import { generateKey } from './keys.ts';

export interface KeySource {
  readonly keys: readonly ApiKey[];
  /** The key, if this server made it up. */
  readonly generated?: string;
}

/** The keys of the configuration and of the key file; a generated one where there is none. */
export function loadKeys({ apiKey, apiKeyFile, apiKeys }: Config, cwd: string, log: Logger): KeySource {
  const keys = [
    ...(apiKey === undefined ? [] : [{ name: onlyKey, key: apiKey, scope: {} }]),
    ...keysIn(apiKeys),
    ...(apiKeyFile === undefined ? [] : readKeyFile(resolve(cwd, apiKeyFile), log)),
  ];
  if (keys.length > 0) return { keys };
  if (apiKeyFile !== undefined) throw new ConfigError([`${apiKeyFile}: the file holds no key.`]);
  const generated = generateKey();
  return { keys: [{ name: onlyKey, key: generated, scope: {} }], generated };
}

function readKeyFile(path: string, log: Logger): readonly ApiKey[] {
  const isReadableByOthers = process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0;
  if (isReadableByOthers) log.warn('other users can read the key file; run chmod 600', { path });
  return keysInFile(path, readFileSync(path, 'utf8'));
}

/** Calls back when a file was written or replaced. Editors and Kubernetes replace files, so the folder is watched. */
export function watchFile(path: string, onChange: () => void, settleMs = 100): Disposable {
  let timer: NodeJS.Timeout | undefined;
  const name = basename(path);
  const watcher = watch(dirname(path), { persistent: false }, (_event, changed) => {
    if (changed !== null && changed !== name && changed !== '..data') return;
    clearTimeout(timer);
    timer = setTimeout(onChange, settleMs);
    timer.unref();
  });
  // Without a listener, a folder that is removed would end the process.
  watcher.on('error', () => undefined);
  return {
    [Symbol.dispose]: () => {
      clearTimeout(timer);
      watcher.close();
    },
  };
}
