import { existsSync } from 'node:fs';
import { mkdtemp, readFile, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseUri } from '../../util/resource-uri.ts';
import { ArtifactStore } from './artifacts.ts';
import type { Artifact, ArtifactLimits } from './artifacts.ts';

const noLimits: ArtifactLimits = { maxBytes: 0, maxCount: 0, maxAgeMs: 0 };
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'helm-artifacts-'));
});
afterAll(async () => rm(folder, { recursive: true, force: true }));

interface Shelf {
  readonly store: ArtifactStore;
  readonly add: (name: string, data?: string, owner?: string, isAutomatic?: boolean) => Promise<Artifact>;
  readonly later: (ms: number) => void;
  readonly runTimer: () => void;
}

function shelf(limits: Partial<ArtifactLimits> = {}): Shelf {
  let time = Date.parse('2026-01-02T03:04:05.000Z');
  let timer: (() => void) | undefined;
  const store = new ArtifactStore({
    limits: { ...noLimits, ...limits },
    now: () => time,
    after: (_ms, run) => {
      timer = run;
      return { [Symbol.dispose]: () => (timer = undefined) };
    },
  });
  return {
    store,
    later: (ms) => void (time += ms),
    runTimer: () => timer?.(),
    add: async (name, data = 'data', owner = 'me', isAutomatic = true) => {
      const path = join(folder, name);
      await writeFile(path, data);
      const place = { session: 'default', sessionName: 'default', page: 't1' } as const;
      const file = { kind: 'screenshot', owner, ...place, path, shown: name, name } as const;
      return store.add({ ...file, mimeType: 'image/png', isAutomatic });
    },
  };
}

async function contentOf(store: ArtifactStore, artifact: Artifact): Promise<string | undefined> {
  const file = await store.open(artifact);
  const text = await file?.readFile('utf8');
  await file?.close();
  return text;
}

test('a file is found by its driver under the time it was made, and not by another driver', async () => {
  const { store, add } = shelf();
  const first = await add('a.png', 'one');
  const second = await add('b.png', 'two');
  expect([first.uri, second.uri]).toEqual([
    'playwright:///screenshot/default/t1/2026-01-02T03:04:05.000Z',
    'playwright:///screenshot/default/t1/2026-01-02T03:04:05.001Z',
  ]);
  const uri = parseUri(second.uri);
  expect(uri && store.find('me', uri)).toEqual(second);
  expect(uri && store.find('you', uri)).toBeUndefined();
  expect(store.list('you')).toEqual([]);
  expect(await contentOf(store, second)).toBe('two');
});

test('10,000 files stay within the limits of count and size', async () => {
  const { store, add } = shelf({ maxCount: 100, maxBytes: 1000 });
  await rm(folder, { recursive: true });
  folder = await mkdtemp(join(tmpdir(), 'helm-artifacts-'));
  for (let index = 0; index < 10_000; index++) await add(`${index}.png`, 'x'.repeat(20));
  const kept = store.list('me').map(({ name }) => name);
  expect(kept).toEqual(Array.from({ length: 50 }, (_, index) => `${9950 + index}.png`));
  expect((await readdir(folder)).toSorted()).toEqual(kept.toSorted());
});

test('a full driver does not displace the files of another', async () => {
  const { store, add } = shelf({ maxCount: 2 });
  await add('mine.png', 'x', 'me');
  for (const name of ['1.png', '2.png', '3.png']) await add(name, 'x', 'you');
  expect(store.list('me')).toHaveLength(1);
  expect(store.list('you').map(({ name }) => name)).toEqual(['2.png', '3.png']);
});

test('a file larger than the limit is kept until the next one, and files of the caller stay on the disk', async () => {
  const { store, add } = shelf({ maxBytes: 10 });
  await add('named.png', 'x'.repeat(5), 'me', false);
  const large = await add('large.png', 'x'.repeat(50));
  expect(store.list('me')).toEqual([large]);
  expect(existsSync(join(folder, 'named.png'))).toBe(true);
  await add('small.png');
  expect(store.list('me').map(({ name }) => name)).toEqual(['small.png']);
  expect(existsSync(large.path)).toBe(false);
});

test('old files are removed by the timer', async () => {
  const { store, add, later, runTimer } = shelf({ maxAgeMs: 1000 });
  const first = await add('first.png');
  later(600);
  await add('second.png');
  later(500);
  runTimer();
  await expect.poll(() => store.list('me').map(({ name }) => name)).toEqual(['second.png']);
  await expect.poll(() => existsSync(first.path)).toBe(false);
});

test('a file that was written again has one entry', async () => {
  const { store, add } = shelf();
  const before = await add('same.png', 'one', 'me', false);
  const after = await add('same.png', 'three', 'me', false);
  expect(store.list('me')).toEqual([after]);
  expect(await contentOf(store, before)).toBeUndefined();
  expect(await contentOf(store, after)).toBe('three');
});

test('a file that was changed, replaced or removed is not served', async () => {
  const { store, add } = shelf();
  const [changed, replaced, linked, removed] = [
    await add('changed.png'),
    await add('replaced.png'),
    await add('linked.png'),
    await add('removed.png'),
  ];
  await writeFile(changed.path, 'something else');
  await writeFile(join(folder, 'other'), 'evil');
  await rename(join(folder, 'other'), replaced.path);
  await writeFile(join(folder, 'target'), 'data');
  await rm(linked.path);
  await symlink(join(folder, 'target'), linked.path);
  await rm(removed.path);
  expect(await readFile(linked.path, 'utf8')).toBe('data');
  for (const artifact of [changed, replaced, linked, removed]) expect(await contentOf(store, artifact)).toBeUndefined();
});
