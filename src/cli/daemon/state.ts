import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, renameSync, rmSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { identityOf, isRunning, parseIdentity } from '../../browser/process/processes.ts';
import type { ProcessIdentity } from '../../browser/process/processes.ts';
import { filesOf } from '../client/place.ts';
import type { DaemonPlace } from '../client/place.ts';

/** What other processes can know of a daemon without asking it. */
export interface DaemonState {
  readonly process: ProcessIdentity;
  readonly version: string;
  readonly tree: string;
  readonly configFile?: string;
  readonly startedAt: string;
  /** A hash of its security options. */
  readonly security: string;
}

export interface KnownDaemon {
  readonly key: string;
  readonly socket: string;
  readonly log: string;
  readonly state: DaemonState;
  readonly isRunning: boolean;
}

export function writeState(place: DaemonPlace, facts: { readonly version: string; readonly security: string }): void {
  const { tree, configFile } = place;
  const state: DaemonState = {
    process: identityOf(process.pid),
    version: facts.version,
    tree,
    ...(configFile === undefined ? {} : { configFile }),
    startedAt: new Date().toISOString(),
    security: securityHash(facts.security),
  };
  const part = `${place.state}.part`;
  writeFileSync(part, JSON.stringify(state), { mode: 0o600 });
  renameSync(part, place.state);
}

export function securityHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** Removes the files of a daemon that ends, and the folder if no other daemon is in it. */
export function removeState(place: Pick<DaemonPlace, 'state' | 'log' | 'folder'>): void {
  for (const file of [place.state, place.log]) rmSync(file, { force: true });
  try {
    rmdirSync(place.folder);
  } catch {
    // Not empty, or gone.
  }
}

/** The daemons that left a record, also those that were killed. */
export function knownDaemons(folder: string): readonly KnownDaemon[] {
  return namesIn(folder).flatMap((name) => {
    const state = name.endsWith('.json') ? stateIn(join(folder, name)) : undefined;
    if (state === undefined) return [];
    const { key, socket, log } = filesOf(folder, name.slice(0, -'.json'.length));
    return [{ key, socket, log, state, isRunning: isRunning(state.process) }];
  });
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch {
    return [];
  }
}

function stateIn(path: string): DaemonState | undefined {
  try {
    // A daemon of this package wrote it into a folder that only this user can write to; the process is checked.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const state = JSON.parse(readFileSync(path, 'utf8')) as DaemonState;
    return parseIdentity(state.process) === undefined ? undefined : state;
  } catch {
    return undefined;
  }
}
