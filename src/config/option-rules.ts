import { codeSourceProblem } from './one-time-code.ts';
import { actionRuleProblem } from './action-rule.ts';
import { secretOriginProblem } from './secret-origin.ts';
import { domainRuleProblem } from './domain-rule.ts';
import { proxyProblem } from './proxy.ts';
import { guardedDefaults, isLoopbackHost, lockedDefaults, profileOf } from './security-profile.ts';
import type { Config } from './schema/schema.ts';
import type { Setting } from './sources/setting.ts';

// Every rule that involves more than one option, or the content of one beyond its type: defaults that depend on other
// options, combinations that stop the start, and options that have no effect.

/** A default that depends on another option. An explicit value always wins. */
interface DependentDefault {
  /** The condition, as docs/configuration.md prints it. */
  readonly when: string;
  readonly applies: (given: (path: string) => unknown) => boolean;
  readonly values: Readonly<Record<string, unknown>>;
  /** Keys whose default is the value of another key. */
  readonly copies?: Readonly<Record<string, string>>;
}

/** Milliseconds after which @playwright/mcp closes an idle headless browser. */
export const peerIdleMs = 3_600_000;

export const dependentDefaults: readonly DependentDefault[] = [
  {
    when: '`capabilities` includes `vision`',
    applies: (given) => {
      const capabilities = given('capabilities');
      return Array.isArray(capabilities) && capabilities.includes('vision');
    },
    values: { imageResponses: 'inline' },
  },
  {
    when: '`compat` is `playwright`',
    applies: (given) => given('compat') === 'playwright',
    values: { imageResponses: 'allow', 'snapshot.mode': 'full', toolsets: ['playwright'] },
  },
  {
    when: '`compat` is `playwright` and `security.profile` is not `locked`',
    applies: (given) => given('compat') === 'playwright' && profileOf(given) !== 'locked',
    values: { 'security.enableServerCode': true },
  },
  {
    when: '`compat` is `playwright` and the browser is headless',
    applies: (given) => given('compat') === 'playwright' && given('browser.headless') === true,
    values: { 'timeouts.idle': peerIdleMs },
  },
  {
    when: '`toolsets` is `basic` alone',
    applies: (given) => {
      const toolsets = given('toolsets');
      return Array.isArray(toolsets) && toolsets.length > 0 && toolsets.every((name) => name === 'basic');
    },
    values: { launch: 'explicit' },
  },
  {
    when: '`session.defaultTimeout` is given',
    applies: (given) => given('session.defaultTimeout') !== undefined,
    values: { 'timeouts.failFast': false },
    copies: { 'timeouts.action': 'session.defaultTimeout', 'timeouts.navigation': 'session.defaultTimeout' },
  },
  {
    when: '`session.keepBrowsers` is set',
    applies: (given) => given('session.keepBrowsers') === true,
    values: { 'session.persistentSessions': true },
  },
  {
    when: '`timeouts.action` is given',
    applies: (given) => given('timeouts.action') !== undefined,
    values: { 'timeouts.failFast': false },
  },
  {
    when: '`logging.file` is given',
    applies: (given) => given('logging.file') !== undefined,
    values: { 'logging.destination': 'file' },
  },
  {
    when: '`security.profile` is `guarded`, or the server listens on an address other than loopback',
    applies: (given) => profileOf(given) === 'guarded',
    values: guardedDefaults,
  },
  {
    when: '`security.profile` is `locked`',
    applies: (given) => profileOf(given) === 'locked',
    values: lockedDefaults,
  },
];

interface Problem {
  readonly path: readonly string[];
  readonly message: string;
}

type Check = (config: Config) => Problem | readonly Problem[] | undefined;

const checks: readonly Check[] = [
  ({ browser }) =>
    browser.device !== undefined && browser.mobile
      ? { path: ['browser', 'device'], message: 'cannot be combined with browser.mobile' }
      : undefined,
  ({ browser, compat }) =>
    compat === 'playwright' && browser.cdpEndpoint !== undefined && (browser.device !== undefined || browser.mobile)
      ? { path: ['browser', 'device'], message: 'is not supported with browser.cdpEndpoint' }
      : undefined,
  ({ browser }) =>
    browser.type === 'firefox' && browser.mobile
      ? { path: ['browser', 'mobile'], message: 'is not supported by Firefox' }
      : undefined,
  ({ browser: { cdpEndpoint } }) =>
    cdpEndpoint !== undefined && !cdpEndpoint.every(isDevToolsAddress)
      ? {
          path: ['browser', 'cdpEndpoint'],
          message: 'is not a DevTools endpoint, such as http://localhost:9222 or ws://localhost:9222/…',
        }
      : undefined,
  ({ browser: { proxy } }) => {
    const message = proxy === undefined ? undefined : proxyProblem(proxy);
    return message === undefined ? undefined : { path: ['browser', 'proxy', 'server'], message };
  },
  (config) =>
    rulesOf(config).flatMap(({ path, rules }) => {
      const message = rules.map(domainRuleProblem).find((problem) => problem !== undefined);
      return message === undefined ? [] : [{ path, message }];
    }),
  ({ security }) => {
    const message = security.actionPolicy.map(actionRuleProblem).find((problem) => problem !== undefined);
    return message === undefined ? undefined : { path: ['security', 'actionPolicy'], message };
  },
  ({ secrets }) =>
    Object.entries(secrets).flatMap(([name, value]) => {
      const message = codeSourceProblem(value);
      return message === undefined ? [] : [{ path: ['secrets', name], message }];
    }),
  ({ security, secrets }) => {
    const names = Object.keys(secrets);
    const message = security.secretOrigins.map((text) => secretOriginProblem(text, names)).find(Boolean);
    return message === undefined ? undefined : { path: ['security', 'secretOrigins'], message };
  },
  (config) => {
    const hasRules = rulesOf(config).some(({ rules }) => rules.length > 0);
    const { blockPrivateNetworks, egressMaxBytes, egressMaxConnections, profile } = config.security;
    const hasLimits = blockPrivateNetworks || egressMaxBytes !== undefined || egressMaxConnections !== undefined;
    if (!hasRules && !hasLimits) return undefined;
    const what = hasRules ? 'rules for domains or origins' : `the network rules of the security profile ${profile}`;
    const message = `cannot be combined with ${what}: they cannot be enforced on a running browser`;
    const advice = hasRules ? '' : ' (to go without them, give --security-profile dev and none of them)';
    const endpoints = (['cdpEndpoint', 'remoteEndpoint'] as const).filter((key) => config.browser[key] !== undefined);
    return endpoints.map((key) => ({ path: ['browser', key], message: `${message}${advice}` }));
  },
  ({ security, network }) =>
    security.profile === 'locked' && (security.allowedDomains ?? []).length + network.allowedOrigins.length === 0
      ? {
          path: ['security', 'profile'],
          message: 'locked needs an allowlist: give --allowed-domains or --allowed-origins',
        }
      : undefined,
  ({ pool }) =>
    pool.maxBrowsers !== undefined && pool.minBrowsers > pool.maxBrowsers
      ? {
          path: ['pool', 'minBrowsers'],
          message: `is ${pool.minBrowsers}, more than pool.maxBrowsers (${pool.maxBrowsers})`,
        }
      : undefined,
  ({ auth, stdio, server: { port, host } }) =>
    port !== undefined && !stdio && !auth && !isLoopbackHost(host)
      ? { path: ['auth'], message: `cannot be turned off on ${host}; only a loopback address allows it` }
      : undefined,
  ({ transport, stdio, server: { port } }) =>
    transport !== 'stdio' && port === undefined && !stdio
      ? { path: ['transport'], message: `${transport} needs a port (--port)` }
      : undefined,
  ({ server: { tlsCert, tlsKey } }) =>
    (tlsCert === undefined) === (tlsKey === undefined)
      ? undefined
      : {
          path: ['server', tlsCert === undefined ? 'tlsCert' : 'tlsKey'],
          message: 'is needed with the other file of the pair',
        },
  (config) => clusterProblems(config),
  ({ logging }) =>
    logging.destination === 'file' && logging.file === undefined
      ? { path: ['logging', 'destination'], message: 'file needs logging.file' }
      : undefined,
];

function clusterProblems({ cluster, server, stdio, auth, browser, sharedBrowserContext }: Config): readonly Problem[] {
  if (cluster.url === undefined) return [];
  const at = (message: string): Problem => ({ path: ['cluster', 'url'], message });
  const isOwn = cluster.role === 'gateway' || (browser.isolated && browser.userDataDir === undefined);
  const isProfile = !isOwn && (browser.userDataDir ?? browser.cdpEndpoint ?? browser.remoteEndpoint) !== undefined;
  return [
    ...(server.port === undefined || stdio ? [at('needs a port (--port)')] : []),
    ...(auth ? [] : [at('needs keys: a key names the sessions of a client. Remove --no-auth')]),
    ...(cluster.key === undefined && cluster.keyFile === undefined
      ? [at('needs the secret that the processes share (--cluster-key-file or PAGEHELM_CLUSTER_KEY)')]
      : []),
    ...(isProfile || sharedBrowserContext ? [at('cannot be combined with a profile or an external browser')] : []),
  ];
}

/** Values and combinations that stop the start. */
export function configProblems(config: Config): readonly Problem[] {
  return checks.flatMap((check) => check(config) ?? []);
}

function rulesOf({ security, network }: Config): readonly { path: readonly string[]; rules: readonly string[] }[] {
  return [
    { path: ['security', 'allowedDomains'], rules: security.allowedDomains ?? [] },
    { path: ['security', 'blockedDomains'], rules: security.blockedDomains ?? [] },
    { path: ['network', 'allowedOrigins'], rules: network.allowedOrigins },
    { path: ['network', 'blockedOrigins'], rules: network.blockedOrigins },
  ];
}

function isDevToolsAddress(text: string): boolean {
  return URL.canParse(text) && /^(?:http|ws)s?:$/.test(new URL(text).protocol);
}

/** Options of `browser` that other options disable. */
interface Disabling {
  readonly applies: (browser: Config['browser']) => boolean;
  readonly paths: readonly string[];
  readonly why: string;
}

const launchOptions = [
  'channel',
  'executablePath',
  'args',
  'userDataDir',
  'proxy.server',
  'proxy.bypass',
  'launchOptions',
];
const contextOptions = [
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

const isAttached = ({ cdpEndpoint, remoteEndpoint }: Config['browser']): boolean =>
  cdpEndpoint !== undefined || remoteEndpoint !== undefined;

const disablings: readonly Disabling[] = [
  { applies: isAttached, paths: launchOptions, why: 'on a running browser' },
  {
    applies: ({ cdpEndpoint, isolated }) => cdpEndpoint !== undefined && !isolated,
    paths: contextOptions,
    why: 'on the default session, which uses the running browser as it is (unless --isolated is given); it applies to other sessions',
  },
  {
    applies: ({ cdpEndpoint }) => cdpEndpoint !== undefined,
    paths: ['remoteEndpoint', 'remoteHeaders'],
    why: 'because browser.cdpEndpoint is used',
  },
  {
    applies: ({ cdpEndpoint }) => cdpEndpoint === undefined,
    paths: ['cdpHeaders'],
    why: 'without browser.cdpEndpoint',
  },
  {
    applies: (browser) => browser.isolated && !isAttached(browser),
    paths: ['userDataDir'],
    why: 'with browser.isolated, which keeps the profile in memory',
  },
  {
    applies: (browser) => browser.userDataDir !== undefined && !browser.isolated && !isAttached(browser),
    paths: ['storageState'],
    why: 'on the default session, which uses its profile (browser.userDataDir); it applies to other sessions',
  },
  {
    applies: (browser) => browser.proxy === undefined && !isAttached(browser),
    paths: ['proxy.bypass', 'proxy.username', 'proxy.password'],
    why: 'without browser.proxy.server',
  },
];

export interface Ineffective {
  readonly setting: Setting;
  readonly why: string;
}

/** Settings without effect, and why; without a warning an operator would assume that they apply. */
export function withoutEffect({ browser }: Config, settings: readonly Setting[]): readonly Ineffective[] {
  return disablings
    .filter(({ applies }) => applies(browser))
    .flatMap(({ paths, why }) =>
      settings
        .filter(({ option, value }) => paths.includes(option.path.replace(/^browser\./, '')) && value !== false)
        .map((setting) => ({ setting, why })),
    );
}

/** Moves the log from stdout to stderr while stdout carries the protocol. */
export function keepStdoutClean(config: Config): { readonly config: Config; readonly warnings: readonly string[] } {
  const servesStdio = config.stdio || (config.transport === 'stdio' && config.server.port === undefined);
  if (config.logging.destination !== 'stdout' || !servesStdio) return { config, warnings: [] };
  return {
    config: { ...config, logging: { ...config.logging, destination: 'stderr' } },
    warnings: ['The log goes to stderr: stdout carries the protocol.'],
  };
}
