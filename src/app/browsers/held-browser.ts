import { createHash } from 'node:crypto';
import type { BrowserHost } from '../../browser/host.ts';
import type { PlaywrightLoader } from '../../browser/playwright.ts';
import type { RunFolderOptions } from '../../browser/process/run-folder.ts';
import { needsLogin } from '../../config/proxy.ts';
import type { Config } from '../../config/schema/schema.ts';
import { ConfigError } from '../../errors.ts';
import type { Logger } from '../../log.ts';
import { version } from '../../version.ts';
import type { KeyRules } from '../key-rules.ts';

/** What a server needs to leave its browser to the next one. */
export interface KeepDeps {
  /** Names the sessions of this server and of those that replace it. */
  readonly stateName: string;
  /** The program that has the command `hold-browser`. */
  readonly program: string;
  /** Whether this server has a session. */
  readonly isKnown: (session: string) => boolean;
}

/** What a server sends to the holder that it starts. */
export interface HolderSettings {
  readonly config: Config;
  readonly key: string;
}

/** Why the browser of this configuration cannot be kept. */
export function keepProblem({ session, browser }: Config, rules: KeyRules): string | undefined {
  if (!session.keepBrowsers) return undefined;
  const { userDataDir, isolated, cdpEndpoint, remoteEndpoint, proxy } = browser;
  if (cdpEndpoint !== undefined || remoteEndpoint !== undefined) return 'an external browser, which is kept anyway';
  if (userDataDir !== undefined && !isolated) return '--user-data-dir: the profile belongs to one process';
  // The egress proxy runs in the server: without it, kept pages would have no network.
  if (rules.isRestricted || needsLogin(proxy)) return 'domain rules, network limits or a proxy with a login';
  return undefined;
}

export function checkKeep(config: Config, rules: KeyRules): void {
  const problem = keepProblem(config, rules);
  if (problem !== undefined) throw new ConfigError([`--keep-browsers cannot be combined with ${problem}.`]);
}

/** A host for a browser that outlives this server. */
export async function heldHost(
  config: Config,
  launcher: BrowserHost,
  loader: PlaywrightLoader,
  { stateName, program, isKnown }: KeepDeps,
  folder: RunFolderOptions,
): Promise<BrowserHost> {
  const [{ HeldHost }, { heldFolders }, { startHolder }, { openRunFolder }, { browserMode }, { localMachine }] =
    await Promise.all([
      import('../../browser/held/held-host.ts'),
      import('../../browser/held/claim.ts'),
      import('../../browser/held/start.ts'),
      import('../../browser/process/run-folder.ts'),
      import('../../browser/find/environment.ts'),
      import('../../browser/find/machine.ts'),
    ]);
  const { browser } = config;
  const { log, env, tmpdir } = folder;
  const key = createHash('sha256')
    .update(JSON.stringify([version, stateName, browser]))
    .digest('hex');
  const settings: HolderSettings = { config, key };
  return new HeldHost({
    config: browser,
    headless: () => browserMode(browser.headless, localMachine(env)).headless,
    loader,
    log,
    launcher,
    key,
    find: async () => heldFolders(folder, key),
    start: async () => startHolder({ program, env, tmpdir, settings, log }),
    openFolder: async () => openRunFolder(folder),
    isKnown,
  });
}

/** Runs in the holder: starts the browser, and waits for servers. */
export async function holdBrowser(
  host: BrowserHost,
  { config, key }: HolderSettings,
  { log, end }: { readonly log: Logger; readonly end: (reason: string) => void },
): Promise<{ readonly folder: string } & Disposable> {
  const { BrowserHolder } = await import('../../browser/held/holder.ts');
  const lease = await host.acquire({ isDefault: false }, AbortSignal.timeout(config.timeouts.call));
  const { holder, folder } = await BrowserHolder.open({ lease, key, waitMs: config.session.keepTimeout, log, end });
  return { folder, [Symbol.dispose]: () => holder[Symbol.dispose]() };
}
