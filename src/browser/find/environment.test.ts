import { describe, expect, test } from 'vitest';
import { fakeMachine, type FakeMachineOptions } from '../../../tests/fake-machine.ts';
import { browserMode, canSandbox, environmentFacts, hasDisplay, inContainer, sandboxFact } from './environment.ts';

test('the facts of a desktop machine', () => {
  const machine = fakeMachine({ env: { DISPLAY: ':0' }, shmBytes: 1024 });
  expect(environmentFacts(machine)).toEqual({
    isRoot: false,
    inContainer: false,
    hasDisplay: true,
    sandbox: { works: true },
    devShmBytes: 1024,
  });
});

describe('inContainer', () => {
  test.each<[string, FakeMachineOptions, boolean]>([
    ['nothing says so', {}, false],
    ['the marker of one engine', { files: { '/.dockerenv': '' } }, true],
    ['the marker of another', { files: { '/run/.containerenv': '' } }, true],
    ['the variable of a cluster', { env: { KUBERNETES_SERVICE_HOST: '10.0.0.1' } }, true],
    ['the variable of systemd', { env: { container: 'lxc' } }, true],
    ['an empty variable', { env: { container: '' } }, false],
    ['the control group', { files: { '/proc/1/cgroup': '0::/kubepods/pod1' } }, true],
    ['the control group of a machine', { files: { '/proc/1/cgroup': '0::/init.scope' } }, false],
    ['a variable on macOS', { platform: 'darwin', env: { container: 'x' } }, false],
  ])('%s: %#', (_, options, expected) => {
    expect(inContainer(fakeMachine(options))).toBe(expected);
  });
});

describe('hasDisplay', () => {
  test.each<[FakeMachineOptions, boolean]>([
    [{ env: {} }, false],
    [{ env: { DISPLAY: '' } }, false],
    [{ env: { DISPLAY: ':99' } }, true],
    [{ env: { WAYLAND_DISPLAY: 'wayland-0' } }, true],
    [{ env: {}, platform: 'darwin' }, true],
    [{ env: {}, platform: 'win32' }, true],
  ])('%j: %s', (options, expected) => {
    expect(hasDisplay(fakeMachine(options))).toBe(expected);
  });
});

describe('browserMode', () => {
  test.each([
    [true, ':0', true, 'as configured'],
    [false, ':0', false, 'as configured'],
    [undefined, ':0', false, 'the default where there is a display'],
    [false, '', true, 'there is no display'],
    [undefined, '', true, 'there is no display'],
  ])('configured %s with display %j: headless %s', (configured, display, headless, reason) => {
    expect(browserMode(configured, fakeMachine({ env: { DISPLAY: display } }))).toEqual({ headless, reason });
  });
});

describe('the sandbox', () => {
  const blocked = { '/proc/sys/kernel/unprivileged_userns_clone': '0\n' };
  const helper = { '/opt/google/chrome/chrome-sandbox': { text: '', mode: 0o104755 } };
  const chrome = '/opt/google/chrome/chrome';

  test.each<[string, FakeMachineOptions, string | undefined]>([
    ['an ordinary user', {}, undefined],
    ['namespaces are allowed', { files: { '/proc/sys/kernel/unprivileged_userns_clone': '1\n' } }, undefined],
    ['root', { uid: 0 }, 'the server runs as root'],
    ['root on macOS', { uid: 0, platform: 'darwin' }, undefined],
    ['the kernel setting', { files: blocked }, 'kernel.unprivileged_userns_clone is 0'],
    ['no namespaces left', { files: { '/proc/sys/user/max_user_namespaces': '0' } }, 'user.max_user_namespaces is 0'],
    [
      'the AppArmor setting',
      { files: { '/proc/sys/kernel/apparmor_restrict_unprivileged_userns': '1\n' } },
      'kernel.apparmor_restrict_unprivileged_userns is 1',
    ],
    [
      'a container with a filter',
      { files: { '/.dockerenv': '', '/proc/self/status': 'Name:\tnode\nSeccomp:\t2\n' } },
      "the container's system call filter refuses user namespaces",
    ],
    ['a container without one', { files: { '/.dockerenv': '', '/proc/self/status': 'Seccomp:\t0\n' } }, undefined],
    ['a helper beside the browser', { files: { ...blocked, ...helper } }, undefined],
    [
      'a helper that may not raise its rights',
      { files: { ...blocked, ...helper, '/proc/self/status': 'NoNewPrivs:\t1\n' } },
      'kernel.unprivileged_userns_clone is 0',
    ],
    [
      'a helper without the bit',
      { files: { ...blocked, '/opt/google/chrome/chrome-sandbox': '' } },
      'kernel.unprivileged_userns_clone is 0',
    ],
  ])('%s', (_, options, reason) => {
    const machine = fakeMachine(options);
    expect(sandboxFact(machine, chrome)).toEqual(reason === undefined ? { works: true } : { works: false, reason });
    expect(canSandbox(machine, chrome)).toBe(reason === undefined);
  });
});
