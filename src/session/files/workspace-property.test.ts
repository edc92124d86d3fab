import { mkdir, mkdtemp, readFile, readdir, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import * as fc from 'fast-check';
import { test as base, expect } from 'vitest';
import { anyText } from '../../../tests/any-text.ts';
import { firstSeed } from '../../../tests/extent.ts';
import { ToolError } from '../../errors.ts';
import { Workspace, safeName } from './workspace.ts';

const options = { numRuns: 300, seed: firstSeed };

/** A working directory with links that lead out of it, next to folders that no tool may reach. */
const test = base
  // vitest reads from the pattern which other fixtures are needed, so it must be there.
  // oxlint-disable-next-line no-empty-pattern
  .extend('root', async ({}, { onCleanup }) => {
    const root = await realpath(await mkdtemp(join(tmpdir(), 'helm-paths-')));
    onCleanup(async () => rm(root, { recursive: true, force: true }));
    for (const folder of ['work/sub', 'work/.hidden', 'work/out', 'outside/sub', 'work-2']) {
      await mkdir(join(root, folder), { recursive: true });
    }
    const files = ['work/a.txt', 'work/sub/a.txt', 'work/.env', 'work/.hidden/a.txt', 'work/out/a.txt'];
    for (const file of [...files, ...outsideFiles]) await writeFile(join(root, file), file);
    await symlink(join(root, 'outside'), join(root, 'work/link'));
    for (const folder of ['sub', 'out']) await symlink('../../outside', join(root, 'work', folder, 'link'));
    await symlink(join(root, 'outside/a.txt'), join(root, 'work/link.txt'));
    await symlink(join(root, 'outside/new.txt'), join(root, 'work/out/dangling.txt'));
    await symlink('../.env', join(root, 'work/sub/env.txt'));
    return root;
  });

const outsideFiles = ['outside/a.txt', 'outside/sub/a.txt', 'work-2/a.txt', 'a.txt'];

const part = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.constantFrom(
      '..',
      '..',
      '.',
      '',
      'a.txt',
      'sub',
      'link',
      'link',
      'link',
      'link.txt',
      'dangling.txt',
      'env.txt',
      'out',
      'outside',
      'work',
      'work-2',
      '.env',
      '.hidden',
      '.git',
      '.gitignore',
      '%2e%2e',
      '..%2f',
      '~',
      '... ',
      '..\u0000',
      'new',
      'a.txt:x',
    ),
  },
  { weight: 1, arbitrary: anyText(6) },
);
const slash = fc.constantFrom('/', '/', '//', '\\');
const relativePath = fc
  .tuple(fc.array(fc.tuple(part, slash), { maxLength: 4 }), part)
  .map(([parts, last]) => [...parts.flat(), last].join(''));
const start = fc.constantFrom(
  '',
  '',
  './',
  '../',
  '/',
  '<root>/',
  '<root>/work/',
  '<root>/work/../',
  '<root>/work-2/',
  'file://<root>/',
);
const path = fc.tuple(start, relativePath).map((parts) => parts.join(''));

/** The result, or undefined if the path was denied; other errors are thrown. */
async function allowed<T>(work: Promise<T>): Promise<T | undefined> {
  return work.catch((error: unknown) => {
    if (error instanceof ToolError && error.code === 'PATH_DENIED') return undefined;
    throw error;
  });
}

/** What is outside of the working directory. */
async function outside(root: string): Promise<readonly string[]> {
  const isOutside = (name: string): boolean => name !== 'work' && !name.startsWith(`work${sep}`);
  const names = (await readdir(root, { recursive: true })).filter(isOutside).sort();
  const contents = await Promise.all(outsideFiles.map(async (file) => readFile(join(root, file), 'utf8')));
  return [...names, ...contents];
}

test('no path is written outside of the working directory', async ({ root }) => {
  const before = await outside(root);
  const cwd = join(root, 'work');
  let count = 0;
  await fc.assert(
    fc.asyncProperty(path, fc.constantFrom('output', 'screenshot', 'download'), async (given, kind) => {
      const workspace = new Workspace({ cwd, outputDir: 'out', paths: 'relative' });
      const saved = await allowed(workspace.save(kind, given.replace('<root>', root), 'written'));
      const claimed = await allowed(workspace.claim(kind, safeName(given)));
      for (const place of [saved?.path, claimed].filter((each) => each !== undefined)) {
        count += 1;
        expect(await realpath(place)).toMatch(new RegExp(`^${cwd}/`));
      }
      if (claimed !== undefined) await rm(claimed);
      expect(await outside(root)).toEqual(before);
      expect(await readFile(join(cwd, '.env'), 'utf8')).toBe('work/.env');
      expect(await readFile(join(cwd, 'a.txt'), 'utf8')).toBe('work/a.txt');
    }),
    options,
  );
  expect(count).toBeGreaterThan(options.numRuns / 2);
});

test('no path is read outside of the working directory, and no hidden file is uploaded', async ({ root }) => {
  const cwd = join(root, 'work');
  const workspace = new Workspace({ cwd, outputDir: 'out', paths: 'relative' });
  let count = 0;
  await fc.assert(
    fc.asyncProperty(path, async (given) => {
      const asked = given.replace('<root>', root);
      const read = await allowed(workspace.readable(asked));
      const upload = await allowed(workspace.resolveUpload(asked));
      if (read !== undefined) count += 1;
      for (const place of [read?.path, upload?.path].filter((each) => each !== undefined)) {
        expect(await realpath(place)).toBe(place);
        expect(place).toMatch(new RegExp(`^${cwd}/`));
      }
      expect(upload?.path ?? '').not.toMatch(/\/\./);
    }),
    { ...options, numRuns: 3000 },
  );
  expect(count).toBeGreaterThan(10);
});

test('a name that a page proposes stays one name of a plain file', () => {
  fc.assert(
    fc.property(fc.oneof(path, anyText(40)), (proposed) => {
      const name = safeName(proposed);
      expect(name).not.toMatch(/[/\\\0-\x1f]|^\.|^$/);
    }),
    options,
  );
});
