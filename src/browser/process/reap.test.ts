import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createLogger } from '../../log.ts';
import { bootId, listProcesses } from './processes.ts';
import { parseRecord, reapLeftovers } from './reap.ts';
import { openRunFolder } from './run-folder.ts';

const log = createLogger({ level: 'error', write: () => undefined, now: () => new Date() });
const uid = process.getuid?.() ?? -1;
/** Beyond every pid there can be. */
const deadPid = 2 ** 22 + 1;
let tmp = '';
let parent = '';

beforeEach(() => {
  tmp = mkdtempSync(join(tmpdir(), 'ph-unit-'));
  parent = join(tmp, `pagehelm-${uid}`);
  mkdirSync(parent, { mode: 0o700 });
});
afterEach(() => rmSync(tmp, { recursive: true, force: true }));

const reap = (now = Date.now()): Promise<number> => reapLeftovers({ log, tmpdir: tmp, uid, now: () => now });

function makeRun(pid: number, record?: unknown): string {
  const folder = join(parent, `${pid}-0123abcd`);
  mkdirSync(join(folder, 'profile'), { recursive: true });
  if (record !== undefined) writeFileSync(join(folder, 'record.json'), JSON.stringify(record));
  return folder;
}

const record = (pid: number, startTime: number, browsers: unknown = []): object => ({
  pid,
  startTime,
  boot: bootId(),
  browsers,
});

describe.runIf(process.platform === 'linux')('leftovers', () => {
  test('without leftovers or a folder, nothing is reaped', async () => {
    expect(await reap()).toBe(0);
    expect(await reapLeftovers({ log, tmpdir: join(tmp, 'none'), uid, now: Date.now })).toBe(0);
    expect(readdirSync(tmp)).toEqual([]);
  });

  test('of a dead server are removed with its browsers', async () => {
    const folder = makeRun(deadPid, record(deadPid, 1));
    const env = { ...process.env, PAGEHELM_RUN: folder };
    const browser = spawn('/bin/sh', ['-c', 'sleep 60; true'], { detached: true, stdio: 'ignore', env });
    const ended = once(browser, 'exit');
    expect(await reap()).toBe(1);
    expect(await ended).toEqual([null, 'SIGKILL']);
    expect(readdirSync(tmp)).toEqual([]);
  });

  test('a browser is killed by pid and start time, so that a reused pid is not', async () => {
    const processes = [1, 2].map(() => spawn('sleep', ['60'], { detached: true, stdio: 'ignore' }));
    const [recorded, innocent] = processes;
    const startOf = (pid = 0): number => listProcesses().find((entry) => entry.pid === pid)?.startTime ?? 0;
    const browsers = [
      { pid: recorded?.pid, startTime: startOf(recorded?.pid) },
      { pid: innocent?.pid, startTime: startOf(innocent?.pid) - 1 },
      { pid: 1, startTime: startOf(1) },
      'garbage',
    ];
    makeRun(deadPid, record(deadPid, 1, browsers));
    expect(await reap()).toBe(1);
    await expect.poll(() => recorded?.signalCode).toBe('SIGKILL');
    expect(innocent?.signalCode).toBeNull();
    innocent?.kill();
  });

  test('a reused pid does not count as a running server', async () => {
    makeRun(process.pid, record(process.pid, 1));
    expect(await reap()).toBe(1);
  });

  test('of an earlier boot are removed without killing processes', async () => {
    const bystander = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' });
    const entry = listProcesses().find(({ pid }) => pid === bystander.pid);
    makeRun(deadPid, { pid: deadPid, startTime: 1, boot: 'another', browsers: [entry] });
    expect(await reap()).toBe(1);
    expect(bystander.signalCode).toBeNull();
    bystander.kill();
  });

  test('a running server keeps its folder', async () => {
    const env: Record<string, string | undefined> = { PATH: process.env['PATH'] };
    const folder = await openRunFolder({ log, tmpdir: tmp, uid, pid: process.pid, env });
    expect(await reap()).toBe(0);
    expect(existsSync(join(folder.path, 'record.json'))).toBe(true);
    await folder[Symbol.asyncDispose]();
  });

  test('a server with an unknown pid keeps its folder while its socket answers', async () => {
    const folder = makeRun(deadPid, record(deadPid, 1));
    const server = createServer((socket) => socket.destroy()).listen(join(folder, 'alive'));
    await once(server, 'listening');
    expect(await reap()).toBe(0);
    server.close();
    expect(await reap()).toBe(1);
  });

  test('a folder without a valid record is removed only after a while', async () => {
    const folder = makeRun(deadPid);
    expect(await reap()).toBe(0);
    writeFileSync(join(folder, 'record.json'), '{"pid":');
    expect(await reap()).toBe(0);
    expect(await reap(Date.now() + 120_000)).toBe(1);
  });

  test('other files, folders and links are neither removed nor followed', async () => {
    const precious = join(tmp, 'precious');
    mkdirSync(join(precious, `${deadPid}-0123abcd`), { recursive: true });
    writeFileSync(join(parent, 'notes.txt'), 'mine');
    mkdirSync(join(parent, '12-zz'));
    symlinkSync(precious, join(parent, `${deadPid}-89abcdef`));
    symlinkSync(precious, join(tmp, `pagehelm-${uid}-link`));
    expect(await reap(Date.now() + 120_000)).toBe(0);
    expect(readdirSync(parent).sort()).toEqual(['12-zz', `${deadPid}-89abcdef`, 'notes.txt'].sort());
    expect(readdirSync(precious)).toHaveLength(1);
  });

  test('concurrent reapers do not conflict', async () => {
    for (let pid = deadPid; pid < deadPid + 20; pid++) makeRun(pid, record(pid, 1));
    await Promise.all([reap(), reap(), reap()]);
    expect(readdirSync(tmp)).toEqual([]);
  });
});

test.each(['', 'null', '[]', '{}', '{"pid":1,"startTime":1,"boot":""}', '{"pid":"5","startTime":1,"boot":""}'])(
  'the invalid record %s is rejected',
  (text) => expect(parseRecord(text)).toBeUndefined(),
);
