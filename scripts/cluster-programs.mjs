// @ts-check
// The programs that tests of a cluster start on loopback ports of their own.
import { spawnSync } from 'node:child_process';

const programs = ['redis-server', 'haproxy'];

/** Whether a program is on the PATH. */
export function hasProgram(/** @type {string} */ program) {
  return spawnSync(program, ['-v'], { stdio: 'ignore' }).error === undefined;
}

/**
 * Installs what is missing, if this user may install packages, and returns what is still missing.
 *
 * @param {(line: string) => void} say
 */
export function installClusterPrograms(say) {
  const missing = programs.filter((program) => !hasProgram(program));
  if (missing.length === 0 || process.getuid?.() !== 0 || !hasProgram('apt-get')) return missing;
  say(`installing ${missing.join(' and ')}`);
  // The packages are those of a service; at this run level it is not started.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  /** @returns {boolean} */
  const aptGet = (/** @type {string[]} */ ...args) =>
    spawnSync('apt-get', args, { env, stdio: ['ignore', 2, 2], timeout: 180_000 }).status === 0;
  const install = () => aptGet('install', '-y', '--no-install-recommends', ...missing);
  // The package lists of a fresh machine are empty or old.
  if (!install() && aptGet('update')) install();
  return programs.filter((program) => !hasProgram(program));
}
