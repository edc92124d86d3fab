import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, open, testWith } from '../fixtures.ts';
import { startListener } from '../transport/http-listener.ts';

const field = '<title>Up</title><input type="file" onchange="document.title = this.files[0].name">';

const modes = [
  { name: 'by default', testIn: testWith([]) },
  { name: 'with --compat playwright', testIn: testWith(['--compat=playwright']) },
];

for (const { name, testIn } of modes) {
  testIn(`a client that declares roots is held to them, ${name}`, async ({ site, server }) => {
    const project = join(server.folder, 'project');
    await mkdir(project, { recursive: true });
    await writeFile(join(project, 'inside.txt'), 'in');
    await writeFile(join(server.folder, 'outside.txt'), 'out');
    await using driver = await server.drive({ capabilities: { roots: {} } });
    driver.client.setRequestHandler('roots/list', () => ({ roots: [{ uri: pathToFileURL(project).href }] }));
    const { call } = driver;
    await open(site, call, field);
    await call('browser_click', { target: 'input' });
    const outside = await call('browser_file_upload', { paths: [join(server.folder, 'outside.txt')] });
    expect(outside.isError, outside.text).toBe(true);
    expect(outside.text).toMatch(/outside of the roots of the client|outside allowed roots/);
    const inside = await call('browser_file_upload', { paths: [join(project, 'inside.txt')] });
    expect(inside.isError, inside.text).toBe(false);
    expect((await call('browser_evaluate', { function: '() => document.title' })).section('Result')).toContain(
      'inside.txt',
    );
  });
}

const test = testWith([]);

test('31: a client that declares the folder of all files, itself or through a link, does not get all files', async ({
  site,
  server,
}) => {
  const link = join(server.folder, 'link');
  await symlink('/', link);
  for (const uri of ['file:///', pathToFileURL(link).href]) {
    await using driver = await server.drive({ capabilities: { roots: {} } });
    driver.client.setRequestHandler('roots/list', () => ({ roots: [{ uri }] }));
    await open(site, driver.call, field);
    for (const path of ['/etc/passwd', '/proc/self/environ', `${link}/etc/passwd`]) {
      expect((await driver.call('browser_file_upload', { paths: [path] })).kind, path).toBe('PATH_DENIED');
    }
  }
});

test('31: a client of another machine cannot choose what is read on this one', async ({ site }) => {
  await using server = await startListener();
  await using client = await server.client({ capabilities: { roots: {} } });
  client.client.setRequestHandler('roots/list', () => ({ roots: [{ uri: 'file:///etc' }] }));
  site.set('/', field);
  await client.call('browser_navigate', { url: site.url('/') });
  expect((await client.call('browser_file_upload', { paths: ['/etc/passwd'] })).kind).toBe('PATH_DENIED');
});
