import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { NotHere } from './row.ts';

const root = '/sys/fs/cgroup';
const removalMs = 5000;

interface Layout {
  readonly folder: string;
  readonly limit: string;
  /** Includes swap; not on every kernel. */
  readonly swap: { readonly file: string; readonly bytes: (limit: number) => number };
  /** Has a line `oom_kill <count>`. */
  readonly events: string;
}

const first: Layout = {
  folder: join(root, 'memory'),
  limit: 'memory.limit_in_bytes',
  swap: { file: 'memory.memsw.limit_in_bytes', bytes: (limit) => limit },
  events: 'memory.oom_control',
};
const second: Layout = {
  folder: root,
  limit: 'memory.max',
  swap: { file: 'memory.swap.max', bytes: () => 0 },
  events: 'memory.events',
};

/** A control group with a limit of memory, in version 1 or 2 of the interface. */
export class MemoryGroup implements AsyncDisposable {
  readonly #layout: Layout;
  readonly #folder: string;

  private constructor(layout: Layout, folder: string) {
    this.#layout = layout;
    this.#folder = folder;
  }

  static create(limitBytes: number): MemoryGroup {
    const layout =
      existsSync(join(first.folder, first.limit)) || existsSync(join(first.folder, 'tasks')) ? first : second;
    const folder = join(layout.folder, `pagehelm-chaos-${process.pid}-${Date.now()}`);
    try {
      mkdirSync(folder);
    } catch {
      throw new NotHere('needs a control group of memory that may be written, usually as root');
    }
    const group = new MemoryGroup(layout, folder);
    try {
      if (layout === second && !existsSync(join(folder, layout.limit)))
        writeFileSync(join(root, 'cgroup.subtree_control'), '+memory');
      writeFileSync(join(folder, layout.limit), String(limitBytes));
    } catch {
      rmdirSync(folder);
      throw new NotHere('the memory of a control group cannot be limited');
    }
    if (existsSync(join(folder, layout.swap.file)))
      writeFileSync(join(folder, layout.swap.file), String(layout.swap.bytes(limitBytes)));
    return group;
  }

  /** A process that writes its id here becomes a member, and its children too. */
  get procsFile(): string {
    return join(this.#folder, 'cgroup.procs');
  }

  get members(): readonly number[] {
    return this.#read('cgroup.procs').split('\n').filter(Boolean).map(Number);
  }

  /** Processes that the kernel killed for lack of memory. */
  get kills(): number {
    return Number(/^oom_kill (\d+)/m.exec(this.#read(this.#layout.events))?.[1] ?? 0);
  }

  /** Kills the members that are left, and removes the group. */
  async [Symbol.asyncDispose](): Promise<void> {
    const deadline = Date.now() + removalMs;
    for (;;) {
      for (const pid of this.members) {
        try {
          process.kill(pid, 'SIGKILL');
        } catch {
          // It has ended meanwhile.
        }
      }
      try {
        rmdirSync(this.#folder);
        return;
      } catch (error: unknown) {
        // A group is busy until its last process has been reaped.
        if (Date.now() > deadline) throw error;
        await pause(50);
      }
    }
  }

  #read(file: string): string {
    return readFileSync(join(this.#folder, file), 'utf8');
  }
}
