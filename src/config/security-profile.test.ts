import { expect, test } from 'vitest';
import { loadConfig } from './load.ts';

function security(...argv: string[]) {
  return loadConfig({ argv, env: {}, cwd: '/' }).config.security;
}

test.each([
  ['on stdio', [], 'dev', false],
  ['on a loopback port', ['--port', '0'], 'dev', false],
  ['on a port that other machines can reach', ['--port', '0', '--host', '0.0.0.0'], 'guarded', true],
  ['on stdio with a port in the configuration', ['--port', '0', '--host', '0.0.0.0', '--stdio'], 'dev', false],
  ['with an explicit profile', ['--port', '0', '--host', '0.0.0.0', '--security-profile', 'dev'], 'dev', false],
  ['with an explicit option', ['--security-profile', 'guarded', '--no-block-private-networks'], 'guarded', false],
])('%s the profile is as documented', (_, argv, profile, blockPrivateNetworks) => {
  expect(security(...argv)).toMatchObject({ profile, blockPrivateNetworks });
});

test('locked removes scripts and uploads, and needs an allowlist', () => {
  expect(security('--security-profile', 'locked', '--allowed-domains', 'example.com')).toMatchObject({
    profile: 'locked',
    blockPrivateNetworks: true,
    enableScriptEvaluation: false,
    enableFileUpload: false,
    egressMaxBytes: 1024 ** 3,
    egressMaxConnections: 128,
  });
  expect(() => security('--security-profile', 'locked')).toThrow(
    '--security-profile: locked needs an allowlist: give --allowed-domains or --allowed-origins.',
  );
});

test.each([
  ['--security-profile', 'guarded'],
  ['--block-private-networks'],
  ['--egress-max-bytes', '1000'],
  ['--egress-max-connections', '10'],
])('%s cannot be combined with a running browser', (...argv) => {
  expect(() => security('--cdp-endpoint', 'http://127.0.0.1:9222', ...argv)).toThrow(
    '--cdp-endpoint: cannot be combined with the network rules',
  );
});

test('a reachable server with an external browser warns that nothing is limited', () => {
  const argv = ['--port', '0', '--host', '0.0.0.0', '--cdp-endpoint', 'http://127.0.0.1:9222'];
  const { config, warnings } = loadConfig({ argv, env: {}, cwd: '/' });
  expect(config.security.profile).toBe('dev');
  expect(warnings).toContain(
    'The security profile guarded has no effect on an external browser: its traffic is not limited.',
  );
});
