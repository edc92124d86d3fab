import type { Config } from './schema/schema.ts';
import { sourceOf } from './sources/setting.ts';
import type { Setting } from './sources/setting.ts';

/** Options that do nothing, or not everywhere, because of others. */
interface Hindrance {
  readonly applies: (browser: Config['browser']) => boolean;
  readonly paths: readonly string[];
  readonly why: string;
}

/** What a browser is started with. */
const ofLaunch = ['channel', 'executablePath', 'args', 'userDataDir', 'proxy.server', 'proxy.bypass', 'launchOptions'];
/** What a context is made with. */
const ofContext = [
  'device',
  'mobile',
  'viewport',
  'userAgent',
  'ignoreHttpsErrors',
  'storageState',
  'grantPermissions',
  'blockServiceWorkers',
  'contextOptions',
];

const hindrances: readonly Hindrance[] = [
  {
    applies: ({ cdpEndpoint, remoteEndpoint }) => cdpEndpoint !== undefined || remoteEndpoint !== undefined,
    paths: ofLaunch,
    why: 'on a browser that runs already',
  },
  {
    applies: ({ cdpEndpoint, isolated }) => cdpEndpoint !== undefined && !isolated,
    paths: ofContext,
    why: 'on the default session, which uses the running browser as it is unless --isolated is given; other sessions have it',
  },
  {
    applies: ({ cdpEndpoint }) => cdpEndpoint !== undefined,
    paths: ['remoteEndpoint', 'remoteHeaders'],
    why: 'beside browser.cdpEndpoint, which is used',
  },
  {
    applies: ({ cdpEndpoint }) => cdpEndpoint === undefined,
    paths: ['cdpHeaders'],
    why: 'without browser.cdpEndpoint',
  },
  {
    applies: ({ cdpEndpoint, remoteEndpoint, isolated }) =>
      isolated && cdpEndpoint === undefined && remoteEndpoint === undefined,
    paths: ['userDataDir'],
    why: 'with browser.isolated, which keeps the profile in memory',
  },
  {
    applies: ({ cdpEndpoint, remoteEndpoint, isolated, userDataDir }) =>
      userDataDir !== undefined && !isolated && cdpEndpoint === undefined && remoteEndpoint === undefined,
    paths: ['storageState'],
    why: 'on the default session, which has what is in its profile (browser.userDataDir); other sessions have it',
  },
];

/** Warnings about options that were given in vain: an operator who is told nothing takes them to be in effect. */
export function withoutEffect({ browser }: Config, settings: readonly Setting[]): readonly string[] {
  return hindrances
    .filter(({ applies }) => applies(browser))
    .flatMap(({ paths, why }) =>
      settings
        .filter(({ option, value }) => paths.includes(option.path.replace(/^browser\./, '')) && value !== false)
        .map((setting) => `${sourceOf(setting)} has no effect ${why}.`),
    );
}
