import { existsSync } from 'node:fs';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base, expect } from 'vitest';
import { makeFolder, makeFolderSync } from './make-folder.ts';

const test = base
  // vitest reads from the pattern which other fixtures are needed, so it must be there.
  // oxlint-disable-next-line no-empty-pattern
  .extend('root', async ({}, { onCleanup }) => {
    const root = await mkdtemp(join(tmpdir(), 'helm-folder-'));
    onCleanup(async () => rm(root, { recursive: true, force: true }));
    return root;
  });

const ways = [
  ['in turn', makeFolder],
  ['at once', async (path: string, mode?: number) => makeFolderSync(path, mode)],
] as const;

test.for(ways)('a folder is made with those above it (%s)', async ([, make], { root }) => {
  const path = join(root, 'a', 'b', 'c');
  await make(path, 0o700);
  expect((await stat(path)).mode & 0o777).toBe(0o700);
  await make(path);
});

test('the first folder that was made is told', async ({ root }) => {
  expect(await makeFolder(join(root, 'a', 'b'))).toBe(join(root, 'a'));
  expect(await makeFolder(join(root, 'a', 'b'))).toBeUndefined();
  expect(await Promise.all([makeFolder(join(root, 'c', 'd')), makeFolder(join(root, 'c', 'd'))])).toContain(
    join(root, 'c'),
  );
});

test.for(ways)('a file in the way is an error (%s)', async ([, make], { root }) => {
  await writeFile(join(root, 'file'), '');
  await expect(make(join(root, 'file'))).rejects.toThrow('EEXIST');
  await expect(make(join(root, 'file', 'a', 'b'))).rejects.toThrow(/ENOTDIR|EEXIST/);
});

test.runIf(existsSync('/proc/self')).for(ways)('where no folder can be made it ends (%s)', async ([, make]) => {
  await expect(make('/proc/no-such/folder')).rejects.toThrow('ENOENT');
});
