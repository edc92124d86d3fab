import { browserMode } from '../browser/find/environment.ts';
import { localMachine } from '../browser/find/machine.ts';
import { loadPlaywrightTools } from '../browser/playwright.ts';
import { peerIdleMs } from '../config/option-rules.ts';
import type { Config } from '../config/schema/schema.ts';
import type { BackendDeps } from '../session/compat/playwright-backend.ts';
import { toolsConfig } from '../session/compat/tools-config.ts';
import { replacedTools } from '../tools/compat/wait-for.ts';

/** Playwright's own tools, if they answer the calls. */
export function backendFor(config: Config, cwd: string): BackendDeps | undefined {
  if (config.compat !== 'playwright') return undefined;
  const configFor = (): Readonly<Record<string, unknown>> => toolsConfig(config, cwd);
  return { load: async () => loadPlaywrightTools(), cwd, replaced: replacedTools, configFor };
}

/** The idle time-out of a browser that is headless because there is no display: the configuration cannot know that. */
export function peerIdle({ compat, browser }: Config, env: NodeJS.ProcessEnv): number {
  return compat === 'playwright' && browserMode(browser.headless, localMachine(env)).headless ? peerIdleMs : 0;
}
