import { mkdir, mkdtemp, readFile, readdir, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base, expect } from 'vitest';
import { ToolError } from '../../errors.ts';
import { Workspace, safeName, timestampName } from './workspace.ts';

const test = base
  // vitest reads from the pattern which other fixtures are needed, so it must be there.
  // oxlint-disable-next-line no-empty-pattern
  .extend('root', async ({}, { onCleanup }) => {
    const root = await realpath(await mkdtemp(join(tmpdir(), 'helm-files-')));
    onCleanup(async () => rm(root, { recursive: true, force: true }));
    await mkdir(join(root, 'work'));
    await mkdir(join(root, 'outside'));
    return root;
  })
  .extend('cwd', async ({ root }) => join(root, 'work'))
  .extend('workspace', async ({ cwd }) => new Workspace({ cwd, paths: 'relative' }));

async function codeOf(saving: Promise<unknown>): Promise<string> {
  try {
    await saving;
  } catch (error) {
    if (error instanceof ToolError) return error.code;
    throw error;
  }
  return 'saved';
}

test('files go to the directory of their kind, which is kept out of the repository', async ({ workspace, cwd }) => {
  expect((await workspace.save('output', 'a.txt', 'text')).shown).toBe('.playwright-mcp/a.txt');
  expect((await workspace.save('screenshot', 'b.png', 'data')).shown).toBe('.viewpoint-mcp-screenshots/b.png');
  expect(await readFile(join(cwd, '.playwright-mcp/a.txt'), 'utf8')).toBe('text');
  expect(await readFile(join(cwd, '.playwright-mcp/.gitignore'), 'utf8')).toBe('*\n');
  expect(await readFile(join(cwd, '.viewpoint-mcp-screenshots/.gitignore'), 'utf8')).toBe('*\n');
});

test('with an output directory screenshots go there, unless they have their own', async ({ cwd }) => {
  const shared = new Workspace({ cwd, paths: 'relative', outputDir: 'out' });
  expect((await shared.save('screenshot', 'a.png', 'x')).shown).toBe('out/a.png');
  const apart = new Workspace({ cwd, paths: 'relative', outputDir: 'out', screenshotDir: 'shots' });
  expect((await apart.save('screenshot', 'a.png', 'x')).shown).toBe('shots/a.png');
  expect((await apart.save('output', 'a.txt', 'x')).shown).toBe('out/a.txt');
});

test('files that are named in the same millisecond are all kept', async ({ workspace, cwd }) => {
  const name = timestampName('page', new Date('2026-01-31T12:30:45.678Z'), 'png');
  const saved = await Promise.all(['a', 'b', 'c'].map((data) => workspace.save('output', name, data)));
  expect(saved.map(({ shown }) => shown).sort()).toEqual([
    '.playwright-mcp/page-2026-01-31T12-30-45-678Z-2.png',
    '.playwright-mcp/page-2026-01-31T12-30-45-678Z-3.png',
    '.playwright-mcp/page-2026-01-31T12-30-45-678Z.png',
  ]);
  expect(await Promise.all(saved.map(({ path }) => readFile(path, 'utf8')))).toEqual(['a', 'b', 'c']);
  expect(await readdir(join(cwd, '.playwright-mcp'))).toHaveLength(4);
});

test('a server that was started in the folder of all files reaches only its output directory', async ({ root }) => {
  const workspace = new Workspace({ cwd: '/', paths: 'relative', outputDir: join(root, 'out') });
  await writeFile(join(root, 'outside', 'file.txt'), 'x');
  expect(await codeOf(workspace.readable(join(root, 'outside', 'file.txt')))).toBe('PATH_DENIED');
  expect(await codeOf(workspace.uploadable('/etc/passwd'))).toBe('PATH_DENIED');
  expect(await codeOf(workspace.save('output', join(root, 'outside', 'new.txt'), 'x'))).toBe('PATH_DENIED');
  await workspace.save('output', 'a.txt', 'text');
  expect((await workspace.readable('a.txt')).name).toBe('a.txt');
});

test('an existing directory gets no .gitignore', async ({ cwd }) => {
  await mkdir(join(cwd, 'mine'));
  await new Workspace({ cwd, paths: 'relative', outputDir: 'mine' }).save('output', 'a.txt', 'x');
  expect(await readdir(join(cwd, 'mine'))).toEqual(['a.txt']);
});

test('paths are shown as configured', async ({ cwd, root }) => {
  const absolute = new Workspace({ cwd, paths: 'absolute' });
  expect((await absolute.save('output', 'a.txt', 'x')).shown).toBe(join(cwd, '.playwright-mcp/a.txt'));
  const elsewhere = new Workspace({ cwd, paths: 'relative', outputDir: join(root, 'outside') });
  expect((await elsewhere.save('output', 'a.txt', 'x')).shown).toBe(join(root, 'outside/a.txt'));
});

test('files are private, and a second save of the same name replaces the first', async ({ workspace }) => {
  await workspace.save('output', 'deep/er/a.txt', 'one');
  const { path } = await workspace.save('output', 'deep/er/a.txt', 'two');
  expect(await readFile(path, 'utf8')).toBe('two');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readdir(join(path, '..'))).toEqual(['a.txt']);
});

test('a rejected name has a reason', async ({ workspace, root }) => {
  for (const [name, reason] of [
    [join(root, 'x.txt'), 'outside of the output directory and the working directory'],
    ['../.git/x.txt', 'hidden files and folders are not written to'],
  ] as const) {
    await expect(workspace.save('output', name, 'x')).rejects.toThrow(reason);
  }
});

test.for([
  '../../x',
  '../../outside/x',
  '/etc/pagehelm-test',
  'a\0b',
  'a\nb',
  'x'.repeat(5000),
  'x/',
  'x\\',
  '',
  '   ',
  '.',
  '..',
  'x.png/../../../y',
] as const)('the name %.40j is rejected', async (name, { workspace, root }) => {
  expect(await codeOf(workspace.save('output', name, 'x'))).toBe('PATH_DENIED');
  expect(await readdir(join(root, 'outside'))).toEqual([]);
});

test.for(['CON', '~/.ssh/authorized_keys', '\u202egnp.exe', 'été 漢字.txt'] as const)(
  'the name %j is harmless inside the directory',
  async (name, { workspace, cwd }) => {
    const { path } = await workspace.save('output', name, 'x');
    expect(path.startsWith(join(cwd, '.playwright-mcp/'))).toBe(true);
  },
);

test('a link, dangling or not, is never written through', async ({ workspace, root, cwd }) => {
  await workspace.save('output', 'first.txt', 'x');
  const folder = join(cwd, '.playwright-mcp');
  await writeFile(join(root, 'outside/target.txt'), 'untouched');
  await symlink(join(root, 'outside/new.txt'), join(folder, 'dangling.txt'));
  await symlink(join(root, 'outside/target.txt'), join(folder, 'live.txt'));
  await symlink(join(root, 'outside'), join(folder, 'folder'));
  await symlink(join(root, 'nowhere'), join(folder, 'nowhere'));
  for (const name of ['dangling.txt', 'live.txt', 'folder/new.txt', 'nowhere/new.txt']) {
    expect(await codeOf(workspace.save('output', name, 'x')), name).toBe('PATH_DENIED');
  }
  expect(await readdir(join(root, 'outside'))).toEqual(['target.txt']);
  expect(await readFile(join(root, 'outside/target.txt'), 'utf8')).toBe('untouched');
});

test('a file of the user is not replaced, and a directory is not taken for a file', async ({ workspace, cwd }) => {
  await writeFile(join(cwd, 'package.json'), '{}');
  expect(await codeOf(workspace.save('output', '../package.json', 'x'))).toBe('PATH_DENIED');
  expect(await readFile(join(cwd, 'package.json'), 'utf8')).toBe('{}');
  await mkdir(join(cwd, 'folder'));
  expect(await codeOf(workspace.save('output', '../folder', 'x'))).toBe('PATH_DENIED');
});

test('[S2-130, S2-131] a generated name has the time without colons and dots', () => {
  expect(timestampName('page', new Date('2026-01-31T12:30:45.678Z'), 'png')).toBe('page-2026-01-31T12-30-45-678Z.png');
});

test.each([
  ['report.pdf', 'report.pdf'],
  ['../../evil', 'evil'],
  [String.raw`C:\x\evil.exe`, 'evil.exe'],
  ['.bashrc', 'bashrc'],
  ['...', 'download'],
  ['', 'download'],
  ['a\r\nb.txt', 'a__b.txt'],
  ['\u202egnp.exe', '_gnp.exe'],
  ['a<b>:"|?*.txt', 'a_b______.txt'],
])('the suggested name %j becomes %j', (proposed, name) => {
  expect(safeName(proposed)).toBe(name);
});

test('a suggested name of four kilobytes is truncated and keeps its extension', () => {
  const name = safeName(`${'x'.repeat(4096)}.tar`);
  expect(name.length).toBeLessThanOrEqual(120);
  expect(name.endsWith('.tar')).toBe(true);
});

test('an unusable output directory is a configuration error, whatever the file name', async ({ cwd }) => {
  await writeFile(join(cwd, 'taken'), '');
  const workspace = new Workspace({ cwd, paths: 'relative', outputDir: 'taken', downloadDir: 'taken/inside' });
  const problem = `The output directory ${join(cwd, 'taken')} cannot be created or used: it is not a directory.`;
  for (const name of ['a.txt', 'inner/a.txt', timestampName('page', new Date(), 'png')]) {
    await expect(workspace.save('output', name, 'x')).rejects.toMatchObject({
      code: 'BAD_CONFIGURATION',
      view: { details: { problem } },
    });
  }
  expect(await codeOf(workspace.claim('download', 'a.txt'))).toBe('BAD_CONFIGURATION');
  // What the caller chose is the caller's mistake.
  expect(await codeOf(new Workspace({ cwd, paths: 'relative' }).save('output', '../taken/a.txt', 'x'))).toBe(
    'PATH_DENIED',
  );
});

test('concurrent writes of one file name do not conflict', async ({ workspace, cwd }) => {
  const texts = ['first', 'second', 'third'];
  await Promise.all(texts.map(async (text) => workspace.save('output', 'same.txt', text)));
  expect(texts).toContain(await readFile(join(cwd, '.playwright-mcp/same.txt'), 'utf8'));
  expect((await readdir(join(cwd, '.playwright-mcp'))).toSorted()).toEqual(['.gitignore', 'same.txt']);
});

test('a name that is too long in bytes, and .gitignore, are rejected', async ({ workspace, cwd }) => {
  expect(await codeOf(workspace.save('output', `${'\u20ac'.repeat(150)}.txt`, 'text'))).toBe('PATH_DENIED');
  expect(await codeOf(workspace.save('output', '.gitignore', 'text'))).toBe('PATH_DENIED');
  expect(await codeOf(workspace.save('output', 'notes/.gitignore', 'text'))).toBe('saved');
  expect(await readFile(join(cwd, '.playwright-mcp/.gitignore'), 'utf8')).toBe('*\n');
});
