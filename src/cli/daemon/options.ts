import { isDeepStrictEqual } from 'node:util';
import { loadConfig } from '../../config/load.ts';
import type { LoadedConfig } from '../../config/load.ts';
import { listOptions } from '../../config/options.ts';
import type { Option } from '../../config/options.ts';
import { getPath } from '../../config/paths.ts';
import type { Config } from '../../config/schema/schema.ts';
import type { Caller } from '../client/messages.ts';

/** Options of the daemon itself: a caller may give any value, or none. */
const ownPaths = new Set(['socket', 'join', 'ownerPid', 'configFile', 'daemonTimeout']);
/** Options outside the section Security that decide what a caller may do. */
const guardPaths =
  /^(?:readOnly|disableTools|enableTools|allowUnrestrictedFileAccess|allowHiddenFiles|uploadRoot|filePaths|apiKey|auth|browser\.(?:sandbox|proxy|ignoreHTTPSErrors|args|initScript|initPage))/;

export function isSecurityOption({ section, path }: Pick<Option, 'section' | 'path'>): boolean {
  return section === 'Security' || guardPaths.test(path);
}

/** An option of a caller that differs from the daemon's. */
export interface Difference {
  readonly flag: string;
  readonly isSecurity: boolean;
}

/** Reads the options of a caller as the daemon read its own. */
export function callerConfig(options: readonly string[], { env, cwd }: Pick<Caller, 'env' | 'cwd'>): LoadedConfig {
  return loadConfig({ argv: options, env, cwd });
}

/** The options that a caller gives and the daemon has otherwise. What the caller leaves out is as the daemon has it. */
export function differences({ config, given }: LoadedConfig, daemon: Config): readonly Difference[] {
  return listOptions()
    .filter(({ path }) => given.has(path) && !ownPaths.has(path))
    .filter(({ path }) => !isDeepStrictEqual(getPath(config, path), getPath(daemon, path)))
    .map((option) => ({ flag: `--${option.meta.flag ?? option.path}`, isSecurity: isSecurityOption(option) }));
}

/** The security options as text: daemons of one working tree must have the same. */
export function securityText(config: Config): string {
  const values = listOptions()
    .filter((option) => isSecurityOption(option) && option.meta.secret !== true)
    .map(({ path }) => [path, getPath(config, path)]);
  return JSON.stringify(values);
}
