import { readFile, readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { isRecord } from '../../util/records.ts';
import { parentName } from '../process/run-folder.ts';
import { claimSocket, heldFile, onLines, sendLine } from './messages.ts';
import type { Claimed, HolderRequest } from './messages.ts';

/** A holder whose browser this server uses. */
export interface Claim {
  readonly endpoint: string;
  /** Sessions by the id of their context. */
  readonly sessions: Readonly<Record<string, string>>;
  send(request: HolderRequest): void;
  /** Resolves when the holder has ended or the claim was released. */
  readonly closed: Promise<void>;
  /** The holder waits for the next server. */
  release(): void;
}

export interface HolderPlace {
  readonly tmpdir: string;
  readonly uid: number;
}

/** Run folders of holders that keep a browser for servers with this key. */
export async function heldFolders({ tmpdir, uid }: HolderPlace, key: string): Promise<readonly string[]> {
  const usual = parentName(uid);
  const names = await namesIn(tmpdir);
  const parents = names.filter((name) => name === usual || name.startsWith(`${usual}-`));
  const folders = await Promise.all(
    parents.map(async (name) => (await namesIn(join(tmpdir, name))).map((run) => join(tmpdir, name, run))),
  );
  const isHeld = await Promise.all(folders.flat().map(async (folder) => (await keyIn(folder)) === key));
  return folders.flat().filter((_, index) => isHeld[index]);
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(() => []);
}

async function keyIn(folder: string): Promise<unknown> {
  try {
    const held: unknown = JSON.parse(await readFile(join(folder, heldFile), 'utf8'));
    return isRecord(held) ? held['key'] : undefined;
  } catch {
    return undefined;
  }
}

/** Claims the browser of a holder; undefined if it has ended, or another server uses it. */
export async function claim(folder: string, key: string): Promise<Claim | undefined> {
  const socket = connect(join(folder, claimSocket));
  const closed = new Promise<void>((resolve) => void socket.once('close', () => resolve()));
  socket.on('error', () => undefined);
  const answered = new Promise<unknown>((resolve) => {
    onLines(socket, resolve);
    void closed.then(() => resolve(undefined));
  });
  sendLine(await connected(socket), { do: 'claim', key });
  // The holder is of the same version, which the key includes.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const answer = (await answered) as Claimed | undefined;
  if (answer === undefined || 'refused' in answer) {
    socket.destroy();
    return undefined;
  }
  // A server that has nothing else to do may end.
  socket.unref();
  return { ...answer, closed, send: (request) => sendLine(socket, request), release: () => void socket.end() };
}

/** Also if it cannot connect: then nothing is written, and the answer is that it was closed. */
async function connected(socket: Socket): Promise<Socket> {
  return new Promise(
    (resolve) => void socket.once('connect', () => resolve(socket)).once('error', () => resolve(socket)),
  );
}
