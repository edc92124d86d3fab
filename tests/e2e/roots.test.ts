import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, open, testWith } from '../fixtures.ts';

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
    await open(site, call, '<title>Up</title><input type="file" onchange="document.title = this.files[0].name">');
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
