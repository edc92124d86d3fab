import { readFileSync } from 'node:fs';

/** Limits above which no new session is opened. */
export interface LoadLimits {
  /** Megabytes that must be available; 0 means no limit. */
  readonly minFreeMemory: number;
  /** Percentage of the last ten seconds in which work waited for a CPU; 0 means no limit. */
  readonly maxCpuPressure: number;
}

/** Reads a file of the system; undefined if it does not exist. */
export type ReadSystemFile = (path: string) => string | undefined;

const readSystemFile: ReadSystemFile = (path) => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
};

const megabyte = 2 ** 20;

/** Why the machine cannot take another session; undefined if it can, or where that is not known. */
export function overload({ minFreeMemory, maxCpuPressure }: LoadLimits, read = readSystemFile): string | undefined {
  const free = minFreeMemory === 0 ? undefined : freeMegabytes(read);
  if (free !== undefined && free < minFreeMemory) {
    return `${Math.floor(free)} MB of memory are available, and ${minFreeMemory} must be (--min-free-memory)`;
  }
  const pressure = maxCpuPressure === 0 ? undefined : cpuPressure(read);
  if (pressure !== undefined && pressure > maxCpuPressure) {
    return `work waits for a CPU in ${Math.round(pressure)} % of the time (--max-cpu-pressure)`;
  }
  return undefined;
}

/** Available memory of the machine, or of the container if that is less. */
function freeMegabytes(read: ReadSystemFile): number | undefined {
  const kilobytes = /^MemAvailable:\s+(\d+) kB/m.exec(read('/proc/meminfo') ?? '')?.[1];
  const all = kilobytes === undefined ? [] : [Number(kilobytes) / 1024];
  const [limit, used] = ['memory.max', 'memory.current'].map((name) =>
    Number(read(`/sys/fs/cgroup/${name}`) ?? Number.NaN),
  );
  // Without a limit the file contains "max".
  const left = ((limit ?? Number.NaN) - (used ?? Number.NaN)) / megabyte;
  const known = Number.isFinite(left) ? [...all, left + cacheOf(read)] : all;
  return known.length === 0 ? undefined : Math.min(...known);
}

/** Files in the cache count as used, but are given up when memory is needed. */
function cacheOf(read: ReadSystemFile): number {
  return Number(/^inactive_file (\d+)/m.exec(read('/sys/fs/cgroup/memory.stat') ?? '')?.[1] ?? 0) / megabyte;
}

function cpuPressure(read: ReadSystemFile): number | undefined {
  const average = /^some avg10=([\d.]+)/m.exec(read('/proc/pressure/cpu') ?? '')?.[1];
  return average === undefined ? undefined : Number(average);
}
