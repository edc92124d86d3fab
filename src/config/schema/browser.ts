import * as z from 'zod';
import './option-meta.ts';

const running = 'Running browsers';

/** Names of `--browser` that are not an engine: each is an engine with a channel. */
const channelNames = {
  chromium: [
    'chrome',
    'chrome-beta',
    'chrome-canary',
    'chrome-dev',
    'msedge',
    'msedge-beta',
    'msedge-canary',
    'msedge-dev',
  ],
  firefox: ['moz-firefox', 'moz-firefox-beta', 'moz-firefox-nightly'],
  webkit: [],
} as const;

/** What each value of `--browser` sets. An engine name clears a channel from a file or variable. */
const browserWords: Readonly<Record<string, Readonly<Record<string, string | undefined>>>> = Object.fromEntries(
  Object.entries(channelNames).flatMap(([type, channels]) => [
    [type, { 'browser.type': type, 'browser.channel': undefined }],
    ...channels.map((channel) => [channel, { 'browser.type': type, 'browser.channel': channel }]),
  ]),
);

/** `type` comes before `channel`: an explicit flag is applied after the values that `--browser` implies. */
const engine = {
  type: z
    .enum(['chromium', 'firefox', 'webkit'])
    .default('chromium')
    .meta({
      flag: 'browser',
      placeholder: 'name',
      aliases: ['browser.browserName'],
      words: browserWords,
      description: `Browser to use; the flag also takes ${Object.values(channelNames).flat().join(', ')}`,
    }),
  channel: z
    .string()
    .optional()
    .meta({
      flag: 'channel',
      aliases: ['browser.launchOptions.channel'],
      description: 'Release channel of an installed browser, for example chrome or msedge-beta',
    }),
  headless: z
    .boolean()
    .optional()
    .meta({
      flag: 'headless',
      aliases: ['browser.launchOptions.headless'],
      defaultText: 'headed, or headless where there is no display',
      description: 'Run the browser invisibly (headless)',
    }),
  executablePath: z
    .string()
    .optional()
    .meta({
      flag: 'executable-path',
      placeholder: 'path',
      aliases: ['browser.launchOptions.executablePath'],
      description: 'Path of the browser executable',
    }),
  args: z
    .array(z.string())
    .default([])
    .meta({
      flag: 'browser-arg',
      placeholder: 'arg',
      separator: 'none',
      aliases: ['browser.launchOptions.args'],
      description: 'Command-line arguments for the browser, for example --browser-arg=--disable-dev-shm-usage',
    }),
  sandbox: z
    .boolean()
    .optional()
    .meta({
      flag: 'sandbox',
      aliases: ['browser.launchOptions.chromiumSandbox'],
      defaultText: 'on where the system allows it',
      description: "The browser's own sandbox",
    }),
  isolated: z.boolean().default(false).meta({
    flag: 'isolated',
    description: 'Keep the profile in memory and discard it at the end',
  }),
  userDataDir: z.string().optional().meta({
    flag: 'user-data-dir',
    placeholder: 'path',
    description: 'Profile directory of the default session; keeps cookies and storage between runs',
  }),
  profileDirName: z.string().optional().meta({
    flag: 'profile-dir-name',
    placeholder: 'name',
    pending: true,
    description: 'Profile inside the user data directory to use with the extension',
  }),
  downloadPath: z
    .string()
    .optional()
    .meta({
      flag: 'download-path',
      placeholder: 'path',
      aliases: ['browser.launchOptions.downloadsPath'],
      defaultText: 'the output directory',
      description: 'Directory for downloads',
    }),
  launchOptions: z.record(z.string(), z.unknown()).default({}).meta({
    description: "Options for Playwright's launch, passed on as they are",
  }),
  contextOptions: z.record(z.string(), z.unknown()).default({}).meta({
    description: "Options for Playwright's newContext, passed on as they are",
  }),
};

const attached = {
  cdpEndpoint: z
    .union([z.string(), z.array(z.string()).min(1)])
    .transform((given): readonly string[] => (typeof given === 'string' ? [given] : given))
    .optional()
    .meta({
      flag: 'cdp-endpoint',
      section: running,
      placeholder: 'url',
      separator: 'url',
      secret: true,
      description:
        'Connect to a running browser at this DevTools endpoint; with several, each session uses the one with the fewest sessions that answers',
    }),
  cdpHeaders: z
    .record(z.string(), z.string())
    .default({})
    .meta({
      flag: 'cdp-header',
      section: running,
      placeholder: '"name: value"',
      variables: ['CDP_HEADERS'],
      variadic: true,
      secret: true,
      description: 'HTTP headers for the DevTools endpoint',
    }),
  cdpTimeout: z.int().min(0).default(30_000).meta({
    flag: 'cdp-timeout',
    section: running,
    placeholder: 'ms',
    description: 'Timeout in milliseconds for connecting to the DevTools endpoint; 0 means no limit',
  }),
  remoteEndpoint: z
    .string()
    .optional()
    .meta({
      flag: 'endpoint',
      section: running,
      placeholder: 'url',
      secret: true,
      aliases: ['browser.remoteEndpoint.endpoint'],
      description: 'Connect to a Playwright server at this endpoint',
    }),
  remoteHeaders: z
    .record(z.string(), z.string())
    .default({})
    .meta({
      flag: 'remote-header',
      section: running,
      placeholder: '"name: value"',
      variables: ['REMOTE_HEADERS'],
      aliases: ['browser.remoteEndpoint.headers'],
      variadic: true,
      secret: true,
      hidden: true,
      description: 'HTTP headers for the Playwright server',
    }),
};

const pages = {
  initPage: z.array(z.string()).default([]).meta({
    flag: 'init-page',
    placeholder: 'paths',
    variadic: true,
    besideFile: true,
    description: 'Modules whose default export is called with { page } for every new page',
  }),
  initScript: z.array(z.string()).default([]).meta({
    flag: 'init-script',
    placeholder: 'paths',
    variadic: true,
    besideFile: true,
    description: "Scripts run in every page before the page's own",
  }),
  device: z.string().optional().meta({
    flag: 'device',
    placeholder: 'name',
    description: 'Device to emulate, for example "iPhone 15"',
  }),
  mobile: z.boolean().default(false).meta({
    flag: 'mobile',
    description: 'Emulate a generic mobile device; mobile pages are usually smaller',
  }),
  viewport: z
    .strictObject({ width: z.int().min(1), height: z.int().min(1) })
    .optional()
    .meta({
      flag: 'viewport-size',
      placeholder: 'WxH',
      aliases: ['browser.contextOptions.viewport'],
      defaultText: '1280x720 headless, set by the browser when headed',
      description: 'Viewport size in pixels',
    }),
  userAgent: z
    .string()
    .optional()
    .meta({
      flag: 'user-agent',
      aliases: ['browser.contextOptions.userAgent'],
      description: 'User agent string',
    }),
  proxy: z
    .strictObject({
      server: z.string().meta({
        flag: 'proxy-server',
        placeholder: 'url',
        aliases: ['browser.launchOptions.proxy.server'],
        description: 'Proxy for all traffic, for example socks5://localhost:1080',
      }),
      bypass: z
        .string()
        .optional()
        .meta({
          flag: 'proxy-bypass',
          placeholder: 'domains',
          aliases: ['browser.launchOptions.proxy.bypass'],
          description: 'Comma-separated domains that bypass the proxy',
        }),
      username: z
        .string()
        .optional()
        .meta({ aliases: ['browser.launchOptions.proxy.username'], description: 'User name for the proxy' }),
      password: z
        .string()
        .optional()
        .meta({
          aliases: ['browser.launchOptions.proxy.password'],
          secret: true,
          description: 'Password for the proxy',
        }),
    })
    .optional(),
  ignoreHttpsErrors: z
    .boolean()
    .default(false)
    .meta({
      flag: 'ignore-https-errors',
      aliases: ['browser.contextOptions.ignoreHTTPSErrors'],
      description: 'Ignore TLS certificate errors',
    }),
  storageState: z
    .string()
    .optional()
    .meta({
      flag: 'storage-state',
      placeholder: 'path',
      aliases: ['browser.contextOptions.storageState'],
      description: 'Storage state file (cookies and storage) that sessions start with',
    }),
  grantPermissions: z
    .array(z.string())
    .default([])
    .meta({
      flag: 'grant-permissions',
      placeholder: 'names',
      variadic: true,
      aliases: ['browser.contextOptions.permissions'],
      description: 'Permissions granted to all pages, for example geolocation',
    }),
  blockServiceWorkers: z.boolean().default(false).meta({
    flag: 'block-service-workers',
    description: 'Block service workers',
  }),
};

export const browserShape = {
  browser: z
    .strictObject({ ...engine, ...pages, ...attached })
    .prefault({})
    .meta({ section: 'Browser' }),
  extension: z.boolean().default(false).meta({
    flag: 'extension',
    section: running,
    pending: true,
    instead: 'The server starts a browser of its own; to use a running one, give --cdp-endpoint.',
    description: 'Use a running Chrome or Edge through its extension',
  }),
  sharedBrowserContext: z.boolean().default(false).meta({
    flag: 'shared-browser-context',
    section: running,
    description: 'Share one session between all network clients',
  }),
};
