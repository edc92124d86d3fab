import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { expect, open, testWith } from '../fixtures.ts';

const test = testWith(['--download-path=goods', '--max-download-size=20000']);
const testPatient = testWith(['--timeout-load=300']);

function attachment(body: string, name: string, type?: string): RequestListener {
  return (_request, response) => {
    const headers = { 'content-disposition': `attachment; filename="${name}"` };
    response.writeHead(200, type === undefined ? headers : { ...headers, 'content-type': type }).end(body);
  };
}

const linked = '<title>Files</title><a href="/file">Get</a>';

test('a download is reported in the same answer, with name, size, type and path', async ({ site, call, server }) => {
  site.set('/file', attachment('a,b\n1,2\n', 'table.csv', 'text/csv; charset=utf-8'));
  await open(site, call, linked);
  const answer = await call('browser_click', { selector: 'a' });
  expect(answer.section('Events')).toBe('- Downloaded "table.csv" (8 bytes, text/csv) to goods/table.csv');
  const path = join(server.folder, 'goods', 'table.csv');
  expect(readFileSync(path, 'utf8')).toBe('a,b\n1,2\n');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readFileSync(join(server.folder, 'goods', '.gitignore'), 'utf8')).toBe('*\n');
});

test.for([
  ['data:', '<a download="note.txt" href="data:text/plain,hello">Get</a>', '"note.txt" (5 bytes, text/plain)'],
  [
    'blob:',
    '<a download="made.json">Get</a><script>document.querySelector("a").href = URL.createObjectURL(new Blob(["{}"]))</script>',
    '"made.json" (2 bytes, application/json)',
  ],
])('a download that a page creates as %s is reported like any other', async ([, html, reported], { site, call }) => {
  await open(site, call, `<title>Files</title>${html}`);
  expect((await call('browser_click', { selector: 'a' })).section('Events')).toContain(
    `- Downloaded ${reported} to goods/`,
  );
});

test('a tab opened for a download is closed', async ({ site, call }) => {
  site.set('/file', attachment('data', 'new.bin'));
  await open(site, call, '<title>Files</title><a href="/file" target="_blank">Get</a>');
  const answer = await call('browser_click', { selector: 'a' });
  expect(answer.section('Events')).toContain('- Downloaded "new.bin" (4 bytes) to goods/new.bin');
  expect((await call('browser_tabs', { action: 'list' })).section('Result')).toMatch(/^- 0: \(current\) \[Files\].*$/);
});

test('a download never overwrites a file', async ({ site, call, server }) => {
  const folder = join(server.folder, 'goods');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'mine.txt'), 'precious');
  site.set('/file', attachment('other', 'mine.txt'));
  await open(site, call, linked);
  for (const name of ['mine-2.txt', 'mine-3.txt']) {
    expect((await call('browser_click', { selector: 'a' })).section('Events')).toContain(`to goods/${name}`);
  }
  expect(readFileSync(join(folder, 'mine.txt'), 'utf8')).toBe('precious');
});

const names = [
  '../../evil.sh',
  String.raw`C:\evil.sh`,
  '.bashrc',
  `${'x'.repeat(4000)}.txt`,
  'a\u202Etxt.exe',
  'CON',
  '..',
  String.raw`a/b\c`,
];

test('a suggested file name cannot leave the folder', async ({ site, call, server }) => {
  const links = names.map((name) => `<a download="${name}" href="data:text/plain,x">Get</a>`).join('');
  await open(site, call, `<title>Files</title><meta charset="utf-8">${links}`);
  const before = readdirSync(server.folder).filter((each) => each !== 'goods');
  for (const [index, name] of names.entries()) {
    const answer = await call('browser_click', { selector: `a >> nth=${index}` });
    const path = /to (goods\/\S+)$/.exec(answer.section('Events') ?? '')?.[1] ?? '';
    expect(path, name).toMatch(/^goods\/[^/\\.][^/\\]{0,130}$/);
    expect(path, name).not.toMatch(/\u202e|^goods\/con$/i);
    expect(statSync(join(server.folder, path)).mode & 0o777, name).toBe(0o600);
  }
  expect(readdirSync(server.folder).filter((each) => each !== 'goods')).toEqual(before);
});

test('a download whose announced size exceeds the limit is canceled and leaves no file', async ({
  site,
  call,
  server,
}) => {
  site.set('/file', attachment('x'.repeat(20_001), 'large.bin'));
  await open(site, call, linked);
  expect((await call('browser_click', { selector: 'a' })).section('Events')).toBe(
    '- [DOWNLOAD_TOO_LARGE] The download "large.bin" was cancelled: it is larger than 20000 bytes.',
  );
  expect(readdirSync(join(server.folder, 'goods'))).not.toContain('large.bin');
});

test('an endless download is canceled at the size limit', async ({ site, call, server }) => {
  let isClosed = false;
  site.set('/file', (_request, response) => {
    response.writeHead(200, { 'content-disposition': 'attachment; filename="endless.bin"' });
    const more = (): void => {
      while (!response.destroyed && response.write(Buffer.alloc(16_384)));
    };
    response.on('drain', more).on('close', () => (isClosed = true));
    more();
  });
  await open(site, call, linked);
  expect((await call('browser_click', { selector: 'a' })).section('Events')).toBe(
    '- [DOWNLOAD_TOO_LARGE] The download "endless.bin" was cancelled: it is larger than 20000 bytes.',
  );
  expect(readdirSync(join(server.folder, 'goods'))).not.toContain('endless.bin');
  await expect.poll(() => isClosed).toBe(true);
});

test('the total size of a session’s downloads is limited', async ({ site, call }) => {
  site.set('/file', attachment('x'.repeat(19_000), 'part.bin'));
  await open(site, call, linked);
  const reported: (string | undefined)[] = [];
  for (let count = 1; count <= 6; count++)
    reported.push((await call('browser_click', { selector: 'a' })).section('Events'));
  expect(reported.slice(0, 5).every((text) => text?.startsWith('- Downloaded'))).toBe(true);
  expect(reported[5]).toBe(
    '- [DOWNLOAD_TOO_LARGE] The download "part.bin" was cancelled: the downloads of this session would take more than 100000 bytes.',
  );
});

testPatient(
  'an answer does not wait for a long download; its end is reported in a later answer',
  async ({ site, call }) => {
    let finish = (): void => undefined;
    site.set('/file', (_request, response) => {
      const headers = { 'content-disposition': 'attachment; filename="long.bin"', 'content-type': 'application/zip' };
      response.writeHead(200, headers).write('begin');
      finish = () => void response.end('end');
    });
    await open(site, call, linked);
    expect((await call('browser_click', { selector: 'a' })).section('Events')).toBe('- Still downloading "long.bin".');
    expect((await call('browser_snapshot')).section('Events')).toBeUndefined();
    finish();
    await expect
      .poll(async () => (await call('browser_snapshot')).section('Events'))
      .toBe('- Downloaded "long.bin" (8 bytes, application/zip) to .playwright-mcp/long.bin');
  },
);

test('an interrupted download is reported and leaves no file', async ({ site, call, server }) => {
  site.set('/file', (_request, response) => {
    response.writeHead(200, { 'content-disposition': 'attachment; filename="half.bin"', 'content-length': '1000' });
    response.write('begin', () => response.destroy());
  });
  await open(site, call, linked);
  expect((await call('browser_click', { selector: 'a' })).section('Events')).toBe(
    '- The download "half.bin" failed: canceled',
  );
  expect(readdirSync(join(server.folder, 'goods'))).not.toContain('half.bin');
});

testPatient('closing the page during a download leaves no file', async ({ site, call, server }) => {
  site.set('/file', (_request, response) => {
    const headers = { 'content-disposition': 'attachment; filename="left.bin"', 'content-type': 'application/zip' };
    response.writeHead(200, headers).write('begin');
  });
  await open(site, call, linked);
  expect((await call('browser_click', { selector: 'a' })).section('Events')).toBe('- Still downloading "left.bin".');
  await call('browser_close', { all: true });
  expect(existsSync(join(server.folder, '.playwright-mcp', 'left.bin'))).toBe(false);
});
