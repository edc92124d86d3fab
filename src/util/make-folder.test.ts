import { existsSync } from 'node:fs';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base, expect } from 'vitest';
import { makeFolder } from './make-folder.ts';

const test = base
  // vitest reads from the pattern which other fixtures are needed, so it must be there.
  // oxlint-disable-next-line no-empty-pattern
  .extend('root', async ({}, { onCleanup }) => {
    const root = await mkdtemp(join(tmpdir(), 'helm-folder-'));
    onCleanup(async () => rm(root, { recursive: true, force: true }));
    return root;
  });

test('a folder is created with its parents', async ({ root }) => {
  const path = join(root, 'a', 'b', 'c');
  await makeFolder(path, 0o700);
  expect((await stat(path)).mode & 0o777).toBe(0o700);
  await makeFolder(path);
});

test('the first folder that was created is returned', async ({ root }) => {
  expect(await makeFolder(join(root, 'a', 'b'))).toBe(join(root, 'a'));
  expect(await makeFolder(join(root, 'a', 'b'))).toBeUndefined();
  expect(await Promise.all([makeFolder(join(root, 'c', 'd')), makeFolder(join(root, 'c', 'd'))])).toContain(
    join(root, 'c'),
  );
});

test('a file in place of a folder is an error', async ({ root }) => {
  await writeFile(join(root, 'file'), '');
  await expect(makeFolder(join(root, 'file'))).rejects.toThrow('EEXIST');
  await expect(makeFolder(join(root, 'file', 'a', 'b'))).rejects.toThrow(/ENOTDIR|EEXIST/);
});

test.runIf(existsSync('/proc/self'))('a folder below /proc fails instead of looping', async () => {
  await expect(makeFolder('/proc/no-such/folder')).rejects.toThrow('ENOENT');
});
