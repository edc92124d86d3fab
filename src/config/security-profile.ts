/** The options that the security profiles set. */
export const guardedDefaults = {
  'security.profile': 'guarded',
  'security.blockPrivateNetworks': true,
  'security.egressMaxBytes': 4 * 1024 ** 3,
  'security.egressMaxConnections': 256,
} as const;

export const lockedDefaults = {
  'security.profile': 'locked',
  'security.blockPrivateNetworks': true,
  'security.egressMaxBytes': 1024 ** 3,
  'security.egressMaxConnections': 128,
  'security.enableScriptEvaluation': false,
  'security.enableFileUpload': false,
  'security.enableSessionProxies': false,
  'browser.isolated': true,
  'browser.sandbox': true,
} as const;

/**
 * The profile by the options that were given. A server that only this machine can reach has the same callers as one on
 * stdio, so its default is the same.
 */
export function profileOf(given: (path: string) => unknown): unknown {
  const explicit = given('security.profile');
  if (explicit !== undefined) return explicit;
  return isReachable(given) && !isAttached(given) ? 'guarded' : 'dev';
}

/** The default for a reachable server cannot hold for an external browser; explicit rules stop the start. */
export function profileWarnings(given: (path: string) => unknown): readonly string[] {
  const isUnguarded = given('security.profile') === undefined && isReachable(given) && isAttached(given);
  return isUnguarded
    ? ['The security profile guarded has no effect on an external browser: its traffic is not limited.']
    : [];
}

/** Whether other machines can reach the server. */
function isReachable(given: (path: string) => unknown): boolean {
  const host = given('server.host');
  const isListening = given('server.port') !== undefined && given('stdio') !== true;
  return isListening && typeof host === 'string' && !isLoopbackHost(host);
}

function isAttached(given: (path: string) => unknown): boolean {
  return given('browser.cdpEndpoint') !== undefined || given('browser.remoteEndpoint') !== undefined;
}

export function isLoopbackHost(host: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/.test(host);
}
