import { existsSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, open, testWith } from '../fixtures.ts';

const test = testWith(['--output-dir=out', '--output-max-size=40000']);
const old = 'page-2020-01-01T00-00-00-000Z.png';

function put(path: string, bytes: number, age: number): void {
  writeFileSync(path, Buffer.alloc(bytes));
  const when = new Date(Date.now() - age * 1000);
  utimesSync(path, when, when);
}

test('--output-max-size deletes the oldest files with generated names, and no others', async ({
  site,
  call,
  server,
}) => {
  const folder = join(server.folder, 'out');
  mkdirSync(join(folder, 'deep'), { recursive: true });
  put(join(folder, 'named.png'), 10_000, 4000);
  put(join(folder, old), 10_000, 3000);
  put(join(folder, 'deep', old), 10_000, 2000);
  put(join(folder, old.replace('2020', '2021')), 10_000, 1000);
  await open(site, call, '<title>Page</title><p>Text</p>');
  const shot = await call('browser_take_screenshot');
  const written = /(out\/page-\S+\.png)$/.exec(shot.section('Result') ?? '')?.[1] ?? '';
  const { size } = statSync(join(server.folder, written));
  expect(size).toBeLessThan(20_000);
  expect(existsSync(join(folder, 'named.png'))).toBe(true);
  expect(existsSync(join(folder, old))).toBe(false);
  expect(existsSync(join(folder, old.replace('2020', '2021')))).toBe(true);
});

test('the newest file is kept regardless of size, and so are files named by the caller', async ({
  site,
  call,
  server,
}) => {
  await open(site, call, `<title>Page</title><p>${'Text '.repeat(10_000)}</p>`);
  const text = { function: '() => document.body.innerText.slice(0, 15000)' };
  await call('browser_evaluate', { ...text, filename: 'first.txt' });
  await call('browser_evaluate', { ...text, filename: 'second.txt' });
  await call('browser_snapshot', { filename: 'page-2026-01-01T00-00-00-000Z.yml' });
  const names = readdirSync(join(server.folder, 'out'));
  expect(names).toEqual(expect.arrayContaining(['first.txt', 'second.txt', 'page-2026-01-01T00-00-00-000Z.yml']));
});

test('a download counts as a file with a generated name', async ({ site, call, server }) => {
  site.set('/file', (request, response) =>
    response
      .writeHead(200, { 'content-disposition': `attachment; filename="${request.url?.slice(-1)}.bin"` })
      .end(Buffer.alloc(9000)),
  );
  await open(site, call, '<title>Files</title><a href="/file?1">1</a><a href="/file?2">2</a><a href="/file?3">3</a>');
  for (const name of ['1', '2', '3']) await call('browser_click', { selector: `a:text("${name}")` });
  const names = readdirSync(join(server.folder, 'out'));
  expect(names).toContain('3.bin');
  expect(names).not.toContain('1.bin');
});
