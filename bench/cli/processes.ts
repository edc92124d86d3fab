import { readFileSync, readdirSync } from 'node:fs';
import { processTree, pssMiB } from '../proc.ts';

/** Live processes that were started in a home folder, with their descendants. */
export function processesOf(home: string): readonly number[] {
  const marked = readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && pid !== process.pid && mentions(pid, home));
  return [...new Set(marked.flatMap((pid) => processTree(pid).map((member) => member.pid)))];
}

function mentions(pid: number, text: string): boolean {
  return ['environ', 'cmdline'].some((file) => {
    try {
      return readFileSync(`/proc/${pid}/${file}`, 'utf8').includes(text);
    } catch {
      return false;
    }
  });
}

/** Proportional set size of these processes together. */
export function memoryOf(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + (pssMiB(pid) ?? 0), 0);
}
