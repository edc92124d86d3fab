import { loadApp } from '../app.ts';
import type { App, AppOptions } from '../app.ts';
import type { LoadedConfig } from '../config/load.ts';
import type { Logger } from '../log.ts';
import { superviseLifetime } from './lifetime.ts';
import type { LifetimeOptions } from './lifetime.ts';
import { loggerFor } from './logger.ts';
import { OwnHeap } from './own-heap.ts';

/** The app of a process that does nothing else, and its log. */
export async function openApp(
  { config, warnings }: Pick<LoadedConfig, 'config' | 'warnings'>,
  options: Pick<AppOptions, 'cwd' | 'stateName'> = {},
): Promise<{ readonly app: App; readonly log: Logger }> {
  const log = await loggerFor(config.logging);
  const app = await loadApp({ config, log, heap: new OwnHeap(), program: process.argv[1], ...options });
  for (const warning of [...warnings, ...app.warnings]) log.warn(warning);
  return { app, log };
}

type OwnLifetime = Omit<LifetimeOptions, 'events' | 'exit' | 'endSync' | 'log'>;

/** Ends this process in order: on signals, on uncaught errors, and with the streams that are given. */
export function superviseProcess(ended: Pick<App, 'endSync'>, log: Logger, options: OwnLifetime): void {
  superviseLifetime({
    endSync: () => ended.endSync(),
    exit: (code) => process.exit(code),
    log,
    events: process,
    stderr: process.stderr,
    ...options,
  });
}
