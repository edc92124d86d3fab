import { readFileSync } from 'node:fs';
import { processTree } from '../proc.ts';

/** The main processes or the renderers of the browsers below a process. */
export function browserProcesses(root: number, what: 'browser' | 'renderer'): readonly number[] {
  return processTree(root)
    .map(({ pid }) => pid)
    .filter((pid) => {
      const command = commandOf(pid);
      if (!command.includes('chrom')) return false;
      return what === 'renderer'
        ? command.includes('--type=renderer')
        : !command.includes('--type=') && isMain(command);
    });
}

/** A wrapper script runs the browser as its child: the main process has the flags of the launch, and is no shell. */
function isMain(command: string): boolean {
  return command.includes('--remote-debugging-pipe') && !/^(?:\/bin\/)?(?:sh|bash|dash)\0/.test(command);
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

/** Sends a signal to one of the processes; which one is chosen by a number from 0 to below 1. False if there is none. */
export function signalOne(root: number, what: 'browser' | 'renderer', choice: number, signal: NodeJS.Signals): boolean {
  const pids = browserProcesses(root, what);
  const pid = pids[Math.floor(choice * pids.length)];
  if (pid === undefined) return false;
  try {
    return process.kill(pid, signal);
  } catch {
    // It has ended meanwhile.
    return false;
  }
}

export function killOne(root: number, what: 'browser' | 'renderer', choice: number): boolean {
  return signalOne(root, what, choice, 'SIGKILL');
}
