import { loadConfig } from '../src/config/load.ts';
import type { LoadedConfig } from '../src/config/load.ts';

export interface Given {
  readonly argv?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, unknown>>;
}

/** Loads the configuration with files in memory; objects are written as JSON. `config.json` is always passed. */
export function load({ argv = '', args, env = {}, files = {} }: Given): LoadedConfig {
  const words = args ?? argv.split(' ').filter((word) => word !== '');
  return loadConfig({
    argv: 'config.json' in files ? ['--config', 'config.json', ...words] : words,
    env,
    cwd: '/project',
    readFile: (path) => {
      const content = files[path.replace('/project/', '')];
      if (content === undefined) throw Object.assign(new Error('ENOENT: no such file'), { code: 'ENOENT' });
      return typeof content === 'string' ? content : JSON.stringify(content);
    },
  });
}
