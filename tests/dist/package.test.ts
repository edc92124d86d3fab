import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { publint } from 'publint';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ensureBuilt, root } from '../built.ts';
import { ServerProcess, temporaryFolder } from '../transport/server-process.ts';

const run = promisify(execFile);
const page = 'data:text/html,<h1>Hello</h1>';
const folder = temporaryFolder();
/** A program that uses the package. */
const project = join(folder.path, 'project');
const installed = join(project, 'node_modules/pagehelm');
let tarball = '';

beforeAll(async () => {
  await ensureBuilt();
  const pack = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder.path];
  const { stdout } = await run('npm', pack, { cwd: root });
  const [packed] = z.tuple([z.looseObject({ filename: z.string() })]).parse(JSON.parse(stdout));
  tarball = join(folder.path, packed.filename);
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'user', private: true, type: 'module' }));
  const install = ['install', tarball, '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'];
  await run('npm', install, { cwd: project });
});

afterAll(() => folder[Symbol.dispose]());

function packedFiles(): readonly string[] {
  return readdirSync(installed, { recursive: true, encoding: 'utf8' })
    .filter((file) => statSync(join(installed, file)).isFile())
    .sort();
}

async function runModule(source: string): Promise<unknown> {
  const file = join(project, 'program.mjs');
  writeFileSync(file, source);
  const { stdout } = await run(process.execPath, [file], { cwd: project });
  return JSON.parse(stdout);
}

describe('the installed program', () => {
  const starts: readonly (readonly [string, readonly string[]])[] = [
    ['npx', ['npx', '--no-install', 'pagehelm', '--headless', '--sessionTimeout=60000']],
    ['its link', [join('node_modules', '.bin', 'pagehelm'), '--headless', '--session-timeout', '60000']],
  ];
  test.each(starts)('[S3-46, S3-47, S3-48] started by %s lists its tools and drives a page', async (_, command) => {
    await using server = new ServerProcess({ cwd: project, wrap: () => command });
    await server.initialize();
    const { result } = await server.request('tools/list');
    expect(result?.['tools']).toContainEqual(expect.objectContaining({ name: 'browser_navigate' }));
    expect((await server.call('browser_navigate', { url: page })).text).toContain('heading "Hello"');
  });
});

describe('the library', () => {
  test('calls built-in and custom tools and reports failures', async () => {
    const result = await runModule(`
      import { createApp, defineTool, ToolError } from 'pagehelm';
      const shout = defineTool({
        name: 'shout', title: 'Shout', description: 'Shout.', effect: 'read', scope: 'session', input: {},
        run: async ({ response }) => {
          response.text('HELLO');
          throw new ToolError('FORBIDDEN', { reason: 'not so loud' });
        },
      });
      const app = createApp({ browser: { headless: true }, enableTools: ['shout'] }, { tools: [shout] });
      const page = await app.call({ name: 'browser_navigate', args: { url: ${JSON.stringify(page)} } });
      const failure = await app.call({ name: 'shout', args: {} });
      await app[Symbol.asyncDispose]();
      console.log(JSON.stringify({ page: page.content[0].text, failure }));
    `);
    expect(result).toMatchObject({
      page: expect.stringContaining('heading "Hello"'),
      failure: {
        isError: true,
        content: [{ type: 'text', text: expect.stringContaining('[FORBIDDEN] This is not allowed: not so loud') }],
        structuredContent: { success: false, error: { code: 'FORBIDDEN' } },
      },
    });
  });

  test('serves the protocol over a given transport', async () => {
    const answer = await runModule(`
      import { createConnection } from 'pagehelm';
      const server = await createConnection();
      const transport = { start: async () => {}, close: async () => transport.onclose?.(), send: async (message) => {
        console.log(JSON.stringify(message));
        await server.close();
      } };
      await server.connect(transport);
      const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } };
      transport.onmessage({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
    `);
    expect(answer).toMatchObject({ id: 1, result: { serverInfo: { name: 'pagehelm' } } });
  });

  test('has types that reject wrong calls', async () => {
    // The packages whose types ours depend on.
    for (const name of [
      'zod',
      '@modelcontextprotocol/server',
      '@modelcontextprotocol/core',
      '@types/node',
      'undici-types',
    ]) {
      mkdirSync(dirname(join(project, 'node_modules', name)), { recursive: true });
      symlinkSync(join(root, 'node_modules', name), join(project, 'node_modules', name));
    }
    writeFileSync(
      join(project, 'program.ts'),
      `import { createApp, createConnection, defineTool, ToolError } from 'pagehelm';
      import type { App, CallResult, Config, ErrorCode, Tool } from 'pagehelm';
      export const app: App = createApp({ browser: { headless: true } });
      export const result: CallResult = await app.call({ name: 'browser_tabs', args: { action: 'list' } });
      export const code: ErrorCode = new ToolError('TIMEOUT', { what: 'x', ms: 1 }).code;
      export const tool: Tool = defineTool({
        name: 'x', title: 'X', description: 'X.', effect: 'read', scope: 'tab', input: {},
        run: async ({ tab }) => void tab.page.url(),
      });
      // @ts-expect-error
      new ToolError('TIMEOUT', { what: 1 });
      // @ts-expect-error
      createApp({ browser: { headles: true } });
      // @ts-expect-error
      export const config: Config = 5;
      // @ts-expect-error
      export const server: string = await createConnection();
      `,
    );
    const compilerOptions = {
      module: 'nodenext',
      target: 'es2023',
      lib: ['es2023', 'esnext.disposable'],
      types: ['node'],
      strict: true,
      skipLibCheck: true,
      noEmit: true,
    };
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['program.ts'] }));
    const compiler = join(root, 'node_modules/typescript/bin/tsc');
    const { stdout } = await run(process.execPath, [compiler, '-p', project]).catch((error: unknown) =>
      z.object({ stdout: z.string() }).parse(error),
    );
    expect(stdout).toBe('');
  });
});

describe('the package', () => {
  test('contains only the expected folders, without tests, sources and source maps', () => {
    const names = new Set(packedFiles().map((file) => file.split('/')[0]));
    expect([...names]).toEqual(['LICENSE', 'README.md', 'THIRD_PARTY_NOTICES', 'dist', 'docs', 'package.json']);
    expect(packedFiles().filter((file) => /\.test\.|\.map$|(?<!\.d)\.ts$/.test(file))).toEqual([]);
  });

  test('imports no package, and requires only the declared one', async () => {
    const { metafile } = await build({
      entryPoints: packedFiles()
        .filter((file) => file.endsWith('.js'))
        .map((file) => join(installed, file)),
      outdir: folder.path,
      bundle: true,
      // Without it, esbuild prints each chunk once for every file that imports it.
      splitting: true,
      write: false,
      metafile: true,
      format: 'esm',
      platform: 'node',
      packages: 'external',
      logLevel: 'silent',
    });
    const imports = Object.values(metafile.inputs).flatMap((input) => input.imports);
    const outside = new Set(imports.filter(({ external }) => external === true).map(({ path }) => path));
    expect([...outside].filter((path) => !path.startsWith('node:'))).toEqual([]);
    // Playwright is required when a browser is needed; esbuild does not see that.
    const texts = packedFiles()
      .filter((file) => file.endsWith('.js'))
      .map((file) => readFileSync(join(installed, file), 'utf8'));
    const required = texts.flatMap((text) => [...text.matchAll(/\(import\.meta\.url\)\("([^"]+)"\)/g)]);
    expect(required.map(([, name]) => String(name)).sort()).toEqual([
      'playwright-core',
      'playwright-core/lib/coreBundle',
    ]);
  });

  test('lists the licenses of bundled packages', () => {
    const notices = readFileSync(join(installed, 'THIRD_PARTY_NOTICES'), 'utf8');
    for (const name of ['@modelcontextprotocol/server', 'zod'])
      expect(notices).toMatch(new RegExp(`^${name} \\d`, 'm'));
  });

  test('contains no paths of the build machine', () => {
    const leaks = packedFiles().filter((file) => readFileSync(join(installed, file), 'utf8').includes(root));
    expect(leaks).toEqual([]);
  });

  test('passes publint', async () => {
    const content = readFileSync(tarball);
    const { messages } = await publint({ pack: { tarball: Uint8Array.from(content).buffer }, strict: true });
    expect(messages).toEqual([]);
  });
});
