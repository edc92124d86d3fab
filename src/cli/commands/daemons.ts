import { rmSync } from 'node:fs';
import type { Socket } from 'node:net';
import { setTimeout as after } from 'node:timers/promises';
import { isRunning } from '../../browser/process/processes.ts';
import { methods } from '../client/messages.ts';
import type { Hello } from '../client/messages.ts';
import { daemonFolder, filesOf, placeOf } from '../client/place.ts';
import type { PlaceSources } from '../client/place.ts';
import { ask, dial } from '../client/request.ts';
import { knownDaemons } from '../daemon/state.ts';
import type { KnownDaemon } from '../daemon/state.ts';

/** A daemon that does not answer in time is busy, not dead: its process is known. */
const helloLimitMs = 2000;
const stopLimitMs = 35_000;
const pollMs = 50;

export interface DaemonCommand extends PlaceSources {
  readonly stdout: (line: string) => void;
  readonly stderr: (line: string) => void;
}

/** A daemon, and what it said of itself. */
export interface ListedDaemon {
  readonly daemon: KnownDaemon;
  readonly hello: Hello | undefined;
}

/** The running daemons of this user. The records of daemons that were killed are removed. */
export async function listDaemons(env: PlaceSources['env']): Promise<readonly ListedDaemon[]> {
  const folder = daemonFolder(env);
  const known = knownDaemons(folder);
  for (const { key } of known.filter((each) => !each.isRunning)) {
    const { state, socket, log } = filesOf(folder, key);
    for (const file of [state, socket, log]) rmSync(file, { force: true });
  }
  const running = known.filter((each) => each.isRunning);
  return Promise.all(running.map(async (daemon) => ({ daemon, hello: await helloOf(daemon.socket) })));
}

/** The running daemons, one line each. */
export async function daemonLines(env: PlaceSources['env']): Promise<readonly string[]> {
  return (await listDaemons(env)).map(daemonLine);
}

function daemonLine({ daemon: { state }, hello }: ListedDaemon): string {
  const { process: owner, version, tree, configFile } = state;
  const load =
    hello === undefined ? 'busy' : hello.calls > 0 ? `${hello.calls} running` : `idle ${seconds(hello.idleMs)}`;
  return `${owner.pid}  ${version}  ${load}  ${tree}${configFile === undefined ? '' : `  (${configFile})`}`;
}

/** Prints the running daemons with their sessions. */
export async function runPs({ env, stdout }: DaemonCommand, json: boolean): Promise<number> {
  const daemons = await listDaemons(env);
  if (json) {
    stdout(JSON.stringify(daemons.map(({ daemon, hello }) => ({ ...daemon.state, socket: daemon.socket, ...hello }))));
    return 0;
  }
  if (daemons.length === 0) stdout('No daemon runs.');
  for (const listed of daemons) {
    stdout(daemonLine(listed));
    for (const { name, url, isOpen } of listed.hello?.sessions ?? [])
      stdout(`  ${name}  ${url ?? (isOpen ? '' : 'asleep')}`);
  }
  return 0;
}

/** Ends the daemon of this working tree, or all of this user, and waits until they are gone. */
export async function runStop(command: DaemonCommand, all: boolean): Promise<number> {
  const { key, tree } = placeOf(command);
  const daemons = (await listDaemons(command.env)).map(({ daemon }) => daemon);
  const chosen = all ? daemons : daemons.filter((each) => each.key === key);
  if (chosen.length === 0) {
    command.stdout(all ? 'No daemon runs.' : `No daemon runs for ${tree}.`);
    return 0;
  }
  const ended = await Promise.all(chosen.map(stopDaemon));
  for (const [place, { state }] of chosen.entries()) {
    const { pid } = state.process;
    if (ended[place] === true) command.stdout(`Stopped ${pid} (${state.tree}).`);
    else command.stderr(`pagehelm: process ${pid} is still ending.`);
  }
  return ended.every(Boolean) ? 0 : 1;
}

async function stopDaemon({ socket, state }: KnownDaemon): Promise<boolean> {
  const deadline = performance.now() + stopLimitMs;
  const connection = await dial(socket).catch(() => undefined);
  if (connection === undefined) process.kill(state.process.pid, 'SIGTERM');
  else await withSocket(connection, async () => ask(connection, methods.stop, {})).catch(() => undefined);
  while (isRunning(state.process)) {
    if (performance.now() > deadline) return false;
    await after(pollMs);
  }
  return true;
}

async function helloOf(path: string): Promise<Hello | undefined> {
  const connection = await dial(path).catch(() => undefined);
  if (connection === undefined) return undefined;
  const timer = setTimeout(() => connection.destroy(), helloLimitMs);
  try {
    // The daemon of this package wrote it; fields that an older one lacks are optional in the output.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return (await withSocket(connection, async () => ask(connection, methods.hello, {}))) as Hello;
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}

async function withSocket<T>(socket: Socket, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    socket.destroy();
  }
}

function seconds(ms: number): string {
  return ms < 120_000 ? `${Math.round(ms / 1000)} s` : `${Math.round(ms / 60_000)} min`;
}
