import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createLogger } from '../../log.ts';
import { parseRecord } from './reap.ts';
import { openRunFolder, type RunFolder, type RunFolderOptions } from './run-folder.ts';
import { Supervisor } from './supervisor.ts';

const log = createLogger({ level: 'error', write: () => undefined, now: () => new Date() });
const uid = process.getuid?.() ?? -1;
const opened: RunFolder[] = [];
let tmp = '';
let env: Record<string, string | undefined> = {};

beforeEach(() => {
  tmp = mkdtempSync(join(tmpdir(), 'ph-unit-'));
  env = { PATH: process.env['PATH'], TMPDIR: tmp };
});
afterEach(async () => {
  for (const folder of opened.splice(0)) await folder[Symbol.asyncDispose]();
  rmSync(tmp, { recursive: true, force: true });
});

const options = (): RunFolderOptions => ({ log, tmpdir: tmp, uid, pid: process.pid, env });

/** A run folder that is disposed of after the test. */
async function open(): Promise<RunFolder> {
  const folder = await openRunFolder(options());
  opened.push(folder);
  return folder;
}

/** Stands in for a browser: a group leader with a child, with the environment of a launch. */
function startBrowser(folder: Pick<RunFolder, 'env'>): ChildProcess {
  return spawn('/bin/sh', ['-c', 'sleep 60; true'], {
    detached: true,
    stdio: 'ignore',
    env: { ...process.env, ...folder.env },
  });
}

describe.runIf(process.platform === 'linux')('run folder', () => {
  test('is private, has a short path, and is removed completely', async () => {
    const folder = await openRunFolder(options());
    expect(folder.path.slice(tmp.length)).toMatch(/^\/pagehelm-\d+\/\d+-[\da-f]{8}$/);
    for (const path of [folder.path, dirname(folder.path)]) expect(lstatSync(path).mode & 0o777).toBe(0o700);
    expect(env).toMatchObject({ TMPDIR: folder.path, TMP: folder.path, TEMP: folder.path });
    await folder[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
    expect(readdirSync(tmp)).toEqual([]);
    expect(env).toEqual({ PATH: process.env['PATH'], TMPDIR: tmp });
  });

  test('uses another parent folder if the usual one is a link', async () => {
    const elsewhere = join(tmp, 'elsewhere');
    mkdirSync(elsewhere);
    symlinkSync(elsewhere, join(tmp, `pagehelm-${uid}`));
    const folder = await open();
    expect(basename(dirname(folder.path))).toMatch(new RegExp(`^pagehelm-${uid}-\\w{6}$`));
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  test('makes its parent folder private', async () => {
    mkdirSync(join(tmp, `pagehelm-${uid}`));
    chmodSync(join(tmp, `pagehelm-${uid}`), 0o777);
    const folder = await open();
    expect(lstatSync(dirname(folder.path)).mode & 0o777).toBe(0o700);
  });

  test('a second one of the same process is created next to the first', async () => {
    const first = await openRunFolder(options());
    const second = await openRunFolder({ ...options(), tmpdir: first.path });
    expect(dirname(second.path)).toBe(dirname(first.path));
    await first[Symbol.asyncDispose]();
    expect(env['TMPDIR']).toBe(second.path);
    await second[Symbol.asyncDispose]();
    expect(env['TMPDIR']).toBe(tmp);
  });

  test('records the browsers started in it, and no other children', async () => {
    const stranger = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' });
    const folder = await open();
    const browser = startBrowser(folder);
    expect(await folder.adopt()).toEqual([browser.pid]);
    expect(await folder.adopt()).toEqual([browser.pid]);
    const record = parseRecord(readFileSync(join(folder.path, 'record.json'), 'utf8'));
    expect(record?.pid).toBe(process.pid);
    expect(record?.browsers.map(({ pid }) => pid)).toEqual([browser.pid]);
    browser.kill('SIGKILL');
    await once(browser, 'exit');
    expect(stranger.exitCode).toBeNull();
    stranger.kill();
  });

  test('kills browsers that did not exit', async () => {
    const folder = await openRunFolder(options());
    const browser = startBrowser(folder);
    await folder.adopt();
    const ended = once(browser, 'exit');
    await folder[Symbol.asyncDispose]();
    expect(await ended).toEqual([null, 'SIGKILL']);
    expect(readdirSync(tmp)).toEqual([]);
  });

  test('endSync kills browsers at once, even if they were not adopted', async () => {
    const folder = await openRunFolder(options());
    const browser = startBrowser(folder);
    const ended = once(browser, 'exit');
    folder.endSync();
    expect(existsSync(folder.path)).toBe(false);
    expect(await ended).toEqual([null, 'SIGKILL']);
  });

  test('is created again if it was deleted', async () => {
    const folder = await open();
    rmSync(dirname(folder.path), { recursive: true });
    await folder.prepare();
    expect(readdirSync(folder.path).sort()).toEqual(['alive', 'record.json']);
  });

  test('gets a new janitor if the old one was killed', async () => {
    const folder = await open();
    const before = folder.janitorPid;
    process.kill(before ?? 0, 'SIGKILL');
    await expect.poll(async () => (await folder.prepare(), folder.janitorPid)).not.toBe(before);
  });
});

describe.runIf(process.platform === 'linux')('supervisor', () => {
  test('creates nothing before the first launch, then one folder for concurrent launches', async () => {
    const supervisor = new Supervisor(options());
    expect(readdirSync(tmp)).toEqual([]);
    const browsers = await Promise.all(
      [1, 2].map(() => supervisor.launch(async (given) => startBrowser({ env: given }))),
    );
    expect(readdirSync(join(tmp, `pagehelm-${uid}`))).toHaveLength(1);
    const ended = Promise.all(browsers.map((browser) => once(browser, 'exit')));
    await supervisor[Symbol.asyncDispose]();
    await ended;
    expect(readdirSync(tmp)).toEqual([]);
  });

  test('kills a browser that starts after disposal, and starts no more', async () => {
    const supervisor = new Supervisor(options());
    let ended: Promise<unknown> = Promise.resolve();
    await supervisor.launch(async (given) => {
      await supervisor[Symbol.asyncDispose]();
      ended = once(startBrowser({ env: given }), 'exit');
    });
    expect(await ended).toEqual([null, 'SIGKILL']);
    await expect(supervisor.launch(async () => undefined)).rejects.toThrow('The server is ending');
    expect(readdirSync(tmp)).toEqual([]);
  });

  test('retries after an unusable temporary folder', async () => {
    const supervisor = new Supervisor({ ...options(), tmpdir: join(tmp, 'later') });
    await expect(supervisor.launch(async () => 1)).rejects.toThrow('ENOENT');
    mkdirSync(join(tmp, 'later'));
    expect(await supervisor.launch(async () => 1)).toBe(1);
    await supervisor[Symbol.asyncDispose]();
  });
});
