import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { promisify } from 'node:util';
import { getMcpConfigForManifest, MANIFEST_SCHEMAS, unpackExtension } from '@anthropic-ai/mcpb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ensureBuilt, root } from '../built.ts';
import { ServerProcess, temporaryFolder } from '../transport/server-process.ts';

const folder = temporaryFolder();
const unpacked = join(folder.path, 'unpacked');
let bundle = '';

beforeAll(async () => {
  await ensureBuilt();
  const { stdout } = await promisify(execFile)(process.execPath, [join(root, 'scripts/bundle.mjs')]);
  bundle = stdout.trim().split('\n').at(-1) ?? '';
  expect(await unpackExtension({ mcpbPath: bundle, outputDir: unpacked, silent: true })).toBe(true);
});

afterAll(() => folder[Symbol.dispose]());

test('the bundle for Claude Desktop starts as its manifest says, with the options of its dialog', async () => {
  const manifest = MANIFEST_SCHEMAS['0.4'].parse(JSON.parse(readFileSync(join(unpacked, 'manifest.json'), 'utf8')));
  const output = join(folder.path, 'output');
  const started = await getMcpConfigForManifest({
    manifest,
    extensionPath: unpacked,
    systemDirs: { HOME: folder.path },
    userConfig: { headless: true, output_dir: output, blocked_domains: 'blocked.example' },
    pathSeparator: sep,
  });
  const { command = '', args = [], env = {} } = started ?? {};
  await using server = new ServerProcess({ env, wrap: () => [command, ...args] });
  await server.initialize();
  const { result } = await server.request('tools/list');
  expect(result?.['tools']).toContainEqual(expect.objectContaining({ name: 'browser_navigate' }));
  expect((await server.call('browser_navigate', { url: 'data:text/html,<h1>Hello</h1>' })).text).toContain('Hello');
  expect((await server.call('browser_navigate', { url: 'http://blocked.example/' })).text).toContain('URL_BLOCKED');
  expect((await server.call('browser_take_screenshot', { filename: 'page.png' })).text).toContain(output);
});

test('server.json of the release has the hash of the bundle', () => {
  const { packages } = JSON.parse(readFileSync(join(root, 'build/server.json'), 'utf8'));
  expect(packages).toContainEqual(
    expect.objectContaining({
      registryType: 'mcpb',
      fileSha256: createHash('sha256').update(readFileSync(bundle)).digest('hex'),
    }),
  );
});
