import { resolve } from 'node:path';
import type { Config } from '../../config/schema/schema.ts';

/** How Playwright's tools name the ways to return images. */
const imageModes = { file: 'omit', inline: 'allow', omit: 'omit', allow: 'allow', only: 'only' } as const;

/**
 * The configuration as Playwright's tools read it. What concerns the launch of the browser and its contexts is not part of
 * it: this server does that itself.
 */
export function toolsConfig(config: Config, cwd: string): Readonly<Record<string, unknown>> {
  const { timeouts, snapshot, outputDir } = config;
  const { action, navigation, expect, settle } = timeouts;
  return {
    browser: { browserName: config.browser.type, launchOptions: {}, contextOptions: {} },
    capabilities: config.capabilities,
    codegen: config.codegen,
    console: config.console,
    network: config.network,
    snapshot: { mode: snapshot.mode === 'none' ? 'none' : 'full', boxes: snapshot.boxes },
    timeouts: { action, navigation, expect, settle },
    imageResponses: imageModes[config.imageResponses],
    filePaths: config.filePaths,
    testIdAttribute: config.testIdAttribute,
    allowUnrestrictedFileAccess: config.allowUnrestrictedFileAccess,
    sharedBrowserContext: config.sharedBrowserContext,
    saveSession: config.saveSession,
    secrets: config.secrets,
    webmcp: config.webmcp,
    ...(config.outputMaxSize === undefined ? {} : { outputMaxSize: config.outputMaxSize }),
    ...(outputDir === undefined ? {} : { outputDir: resolve(cwd, outputDir) }),
  };
}
