import type { Machine } from './machine.ts';
import { filled, pathsOf } from './machine.ts';

/** What the machine allows a browser to do. */
export interface EnvironmentFacts {
  readonly isRoot: boolean;
  readonly inContainer: boolean;
  readonly hasDisplay: boolean;
  readonly sandbox: SandboxFact;
  /** The size of /dev/shm; undefined where there is none. */
  readonly devShmBytes: number | undefined;
}

/** Whether the browser's sandbox works, and why not. */
export type SandboxFact = { readonly works: true } | { readonly works: false; readonly reason: string };

/** With less shared memory, renderers crash on large pages. */
export const leastDevShmBytes = 256 * 1024 * 1024;

export function environmentFacts(machine: Machine, executablePath?: string): EnvironmentFacts {
  return {
    isRoot: isRoot(machine),
    inContainer: inContainer(machine),
    hasDisplay: hasDisplay(machine),
    sandbox: sandboxFact(machine, executablePath),
    devShmBytes: devShmBytes(machine),
  };
}

export function isRoot(machine: Machine): boolean {
  return machine.uid === 0;
}

export function inContainer(machine: Machine): boolean {
  if (machine.platform !== 'linux') return false;
  const { env } = machine;
  if (filled(env['container']) !== undefined || filled(env['KUBERNETES_SERVICE_HOST']) !== undefined) return true;
  if (['/.dockerenv', '/run/.containerenv'].some((path) => machine.fileMode(path) !== undefined)) return true;
  return /docker|kubepods|containerd|libpod|lxc/.test(machine.read('/proc/1/cgroup') ?? '');
}

/** Whether a window can be shown. */
export function hasDisplay(machine: Machine): boolean {
  if (machine.platform === 'darwin' || machine.platform === 'win32') return true;
  return filled(machine.env['DISPLAY']) !== undefined || filled(machine.env['WAYLAND_DISPLAY']) !== undefined;
}

/** Whether the browser runs headless, and why; without a display it must. */
export function browserMode(
  configured: boolean | undefined,
  machine: Machine,
): { readonly headless: boolean; readonly reason: string } {
  if (configured === true) return { headless: true, reason: 'as configured' };
  if (!hasDisplay(machine)) return { headless: true, reason: 'there is no display' };
  return { headless: false, reason: configured === false ? 'as configured' : 'the default where there is a display' };
}

/** Whether a browser at this path can start with its sandbox. */
export function canSandbox(machine: Machine, executablePath?: string): boolean {
  return sandboxFact(machine, executablePath).works;
}

/** The same, with the reason. */
export function sandboxFact(machine: Machine, executablePath?: string): SandboxFact {
  if (machine.platform !== 'linux') return { works: true };
  if (isRoot(machine)) return { works: false, reason: 'the server runs as root' };
  const blocked = namespacesBlockedBy(machine);
  if (blocked === undefined || hasSetuidSandbox(machine, executablePath)) return { works: true };
  return { works: false, reason: blocked };
}

function namespacesBlockedBy(machine: Machine): string | undefined {
  const setting = (path: string): string | undefined => machine.read(path)?.trim();
  if (setting('/proc/sys/kernel/unprivileged_userns_clone') === '0') {
    return 'kernel.unprivileged_userns_clone is 0';
  }
  if (setting('/proc/sys/user/max_user_namespaces') === '0') return 'user.max_user_namespaces is 0';
  if (setting('/proc/sys/kernel/apparmor_restrict_unprivileged_userns') === '1') {
    return 'kernel.apparmor_restrict_unprivileged_userns is 1';
  }
  // The default seccomp filters of container engines deny new user namespaces.
  if (inContainer(machine) && statusField(machine, 'Seccomp') === '2') {
    return "the container's system call filter refuses user namespaces";
  }
  return undefined;
}

/** The setuid helper of Chrome, or a developer's; neither works with no_new_privs. */
function hasSetuidSandbox(machine: Machine, executablePath: string | undefined): boolean {
  if (statusField(machine, 'NoNewPrivs') === '1') return false;
  const paths = pathsOf(machine);
  const helpers = [
    filled(machine.env['CHROME_DEVEL_SANDBOX']),
    executablePath === undefined ? undefined : paths.join(paths.dirname(executablePath), 'chrome-sandbox'),
  ];
  return helpers.some((path) => path !== undefined && ((machine.fileMode(path) ?? 0) & 0o4000) !== 0);
}

function statusField(machine: Machine, name: string): string | undefined {
  return new RegExp(`^${name}:\\s*(\\S+)`, 'm').exec(machine.read('/proc/self/status') ?? '')?.[1];
}

/** The size of the shared memory browsers use, on Linux. */
export function devShmBytes(machine: Machine): number | undefined {
  return machine.platform === 'linux' ? machine.diskBytes('/dev/shm') : undefined;
}
