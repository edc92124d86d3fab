import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../../config/schema/schema.ts';

/**
 * With `--compat playwright`, the profile that @playwright/mcp keeps for the working directory: a user who changes over
 * stays signed in.
 */
export function withDefaultProfile(config: Config, cwd: string, env: NodeJS.ProcessEnv): Config {
  const { browser, compat } = config;
  const isOther = browser.isolated || browser.userDataDir !== undefined;
  if (compat !== 'playwright' || isOther || browser.cdpEndpoint !== undefined || browser.remoteEndpoint !== undefined) {
    return config;
  }
  const name = browser.channel ?? (browser.type === 'chromium' ? 'chrome' : browser.type);
  const root = createHash('sha256').update(cwd).digest('hex').slice(0, 7);
  const userDataDir = join(cacheFolder(env), 'ms-playwright-mcp', `mcp-${name}-${root}`);
  return { ...config, browser: { ...browser, userDataDir } };
}

function cacheFolder(env: NodeJS.ProcessEnv): string {
  const home = env['HOME'] ?? homedir();
  if (process.platform === 'darwin') return join(home, 'Library', 'Caches');
  if (process.platform === 'win32') return env['LOCALAPPDATA'] ?? join(home, 'AppData', 'Local');
  return env['XDG_CACHE_HOME'] ?? join(home, '.cache');
}
