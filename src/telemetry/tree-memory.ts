import { readFileSync } from 'node:fs';
import { listProcesses } from '../browser/process/processes.ts';

/** `statm` counts pages. */
const pageBytes = 4096;

/** Resident memory of all descendants of a process; undefined where there is no /proc. Shared pages count in each. */
export function treeMemory(root: number): number | undefined {
  if (process.platform !== 'linux') return undefined;
  const children = new Map<number, number[]>();
  for (const { pid, ppid } of listProcesses()) children.set(ppid, [...(children.get(ppid) ?? []), pid]);
  let bytes = 0;
  const open = [...(children.get(root) ?? [])];
  for (let pid = open.pop(); pid !== undefined; pid = open.pop()) {
    bytes += residentBytes(pid);
    open.push(...(children.get(pid) ?? []));
  }
  return bytes;
}

function residentBytes(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1] ?? 0) * pageBytes;
  } catch {
    // It has ended meanwhile.
    return 0;
  }
}
