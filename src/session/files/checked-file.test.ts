import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { readChecked } from './checked-file.ts';
import { UploadCopies } from './upload-copies.ts';
import { Workspace } from './workspace.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'ph-')));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A working directory with a file, and a file outside of it with the same name. */
function layOut(): {
  readonly cwd: string;
  readonly inside: string;
  readonly swap: () => void;
  readonly back: () => void;
} {
  const cwd = join(folder, 'cwd');
  mkdirSync(join(cwd, 'sub'), { recursive: true });
  mkdirSync(join(folder, 'outside'), { recursive: true });
  writeFileSync(join(cwd, 'sub', 'x.txt'), 'inside');
  writeFileSync(join(folder, 'outside', 'x.txt'), 'outside');
  const kept = join(cwd, 'kept');
  return {
    cwd,
    inside: join(cwd, 'sub', 'x.txt'),
    swap: () => {
      renameSync(join(cwd, 'sub'), kept);
      symlinkSync(join(folder, 'outside'), join(cwd, 'sub'));
    },
    back: () => {
      rmSync(join(cwd, 'sub'));
      renameSync(kept, join(cwd, 'sub'));
    },
  };
}

test('a file is not read after a folder of its path became a link', async () => {
  const { cwd, inside, swap } = layOut();
  const file = await new Workspace({ cwd, paths: 'relative' }).readable('./sub/x.txt');
  expect(file.path).toBe(inside);
  swap();
  await expect(readChecked(file.path)).rejects.toThrow('it was replaced while it was opened');
  await using copies = new UploadCopies();
  await expect(copies.add(file.path)).rejects.toThrow('it was replaced while it was opened');
});

test('an upload has the content of the file that was checked', async () => {
  const { inside, swap } = layOut();
  await using copies = new UploadCopies();
  const copy = await copies.add(inside);
  swap();
  expect((await readChecked(copy)).toString()).toBe('inside');
});

test('while a folder is replaced again and again, nothing outside is read or written', async () => {
  const { cwd, swap, back } = layOut();
  const workspace = new Workspace({ cwd, outputDir: cwd, paths: 'relative' });
  let isSwapped = false;
  const seen = new Set<string>();
  const turn = (): void => {
    if (isSwapped) back();
    else swap();
    isSwapped = !isSwapped;
  };
  for (let round = 0; round < 200; round++) {
    const reading = workspace
      .readable('./sub/x.txt')
      .then(async ({ path }) => readChecked(path))
      .then((data) => seen.add(data.toString()))
      .catch(() => undefined);
    const writing = workspace.save('output', `sub/new-${round}.txt`, 'x').catch(() => undefined);
    const turning = (async () => {
      for (let step = 0; step < round % 7; step++) await Promise.resolve();
      turn();
    })();
    await Promise.all([reading, writing, turning]);
  }
  if (isSwapped) back();
  expect([...seen].filter((text) => text !== 'inside')).toEqual([]);
  const outside = join(folder, 'outside');
  // A file that was created there stays empty.
  expect(readdirSync(outside).filter((name) => readFileSync(join(outside, name)).length > 0)).toEqual(['x.txt']);
});
