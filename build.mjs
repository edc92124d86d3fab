// @ts-check
// Bundles the server (dist/) or, with the argument "bench", the benchmarks and the evaluation (build/). Declarations come from tsc.
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync, rmSync, writeFileSync, existsSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { dashboardForEsbuild, dashboardInputs } from './scripts/dashboard.mjs';
import { imageWorkerForEsbuild, imageWorkerInputs } from './scripts/image-worker.mjs';
import { mergeChunks } from './scripts/merge-chunks.mjs';
import { pageAgentForEsbuild, pageReaderInputs } from './scripts/page-agent.mjs';

const root = dirname(fileURLToPath(import.meta.url));
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** @type {import('esbuild').Plugin} The SDK's default JSON Schema validator is never used here: arguments are checked by zod. */
const withoutAjv = {
  name: 'without-ajv',
  setup(plugin) {
    plugin.onResolve({ filter: /^@modelcontextprotocol\/server\/_shims$/ }, () => ({
      path: join(root, 'src/mcp/sdk-shims.ts'),
    }));
  },
};

/** @type {import('esbuild').Plugin} Messages in sixty languages are half of zod; ours are English. */
const withoutLocales = {
  name: 'without-locales',
  setup(plugin) {
    plugin.onLoad({ filter: /zod\/v4\/locales\/index\.js$/ }, () => ({ contents: 'export {};' }));
  },
};

/** @type {import('esbuild').Plugin} Packages that the Redis client can do without: hashes of values, and metrics of its own. */
const withoutRedisExtras = {
  name: 'without-redis-extras',
  setup(plugin) {
    plugin.onResolve({ filter: /^(?:@node-rs\/xxhash|@opentelemetry\/api)$/ }, ({ path, importer }) =>
      /node_modules.@redis.client/.test(importer) ? { path, namespace: 'missing' } : undefined,
    );
    plugin.onLoad({ filter: /./, namespace: 'missing' }, ({ path }) => ({
      contents: `throw new Error(${JSON.stringify(`${path} is not part of the bundle`)});`,
    }));
  },
};

/** @type {import('esbuild').Plugin} A bundled CommonJS package (ws, socks, @redis/client) cannot call require for what Node has built in. */
const requiredBuiltins = {
  name: 'required-builtins',
  setup(plugin) {
    plugin.onResolve({ filter: /^(?:node:)?[a-z][a-z\d_]*(?:\/[a-z]+)?$/ }, ({ path, kind }) => {
      const name = path.replace(/^node:/, '');
      if (!builtinModules.includes(name)) return undefined;
      return kind === 'require-call' ? { path, namespace: 'builtin' } : { path: `node:${name}`, external: true };
    });
    plugin.onLoad({ filter: /./, namespace: 'builtin' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)});`,
    }));
  },
};

/** @type {import('esbuild').BuildOptions} */
const common = {
  absWorkingDir: root,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  external: ['playwright-core'],
  define: {
    PAGEHELM_VERSION: JSON.stringify(version),
    // ws works without its native add-ons; a bundle cannot have them.
    'process.env.WS_NO_BUFFER_UTIL': '"true"',
    'process.env.WS_NO_UTF_8_VALIDATE': '"true"',
  },
  logLevel: 'warning',
};

/** Licences of what is inside the bundle, by package. */
function notices(/** @type {import('esbuild').Metafile} */ metafile) {
  const packages = new Set();
  const bundled = [...imageWorkerInputs, ...pageReaderInputs, ...dashboardInputs];
  for (const input of [...Object.keys(metafile.inputs), ...bundled]) {
    const match = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input);
    if (match) packages.add(match[1]);
  }
  return [...packages].sort().map((name) => {
    const folder = join(root, 'node_modules', name);
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    const text = file ? readFileSync(join(folder, file), 'utf8').trim() : `Licence: ${manifest.license}`;
    return `${name} ${manifest.version}\n\n${text}\n`;
  });
}

async function buildServer() {
  for (const folder of ['dist', 'build/chunks']) rmSync(join(root, folder), { recursive: true, force: true });
  const result = await build({
    ...common,
    entryPoints: { bin: 'src/bin.ts', index: 'src/index.ts' },
    outdir: 'build/chunks',
    splitting: true,
    minify: true,
    sourcemap: false,
    legalComments: 'none',
    metafile: true,
    // The default entry of the package adds a source map generator, which templates do not need.
    alias: {
      handlebars: 'handlebars/dist/handlebars.js',
      // Its default entry is a UMD module, whose requires cannot be bundled.
      'jsonc-parser': 'jsonc-parser/lib/esm/main.js',
    },
    plugins: [
      withoutAjv,
      withoutLocales,
      withoutRedisExtras,
      requiredBuiltins,
      pageAgentForEsbuild,
      imageWorkerForEsbuild,
      dashboardForEsbuild,
    ],
  });
  const { target } = common;
  await mergeChunks(root, result.metafile, { from: 'build/chunks', to: 'dist', entries: ['bin', 'index'], target });
  writeFileSync(join(root, 'build/metafile.json'), JSON.stringify(result.metafile));
  writeFileSync(join(root, 'THIRD_PARTY_NOTICES'), notices(result.metafile).join(`\n${'-'.repeat(80)}\n\n`));
  if (!process.argv.includes('--no-types')) {
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const args = [
      '-p',
      root,
      '--emitDeclarationOnly',
      '--declarationMap',
      'false',
      '--outDir',
      join(root, 'dist/types'),
    ];
    execFileSync(process.execPath, [tsc, ...args], { stdio: ['ignore', 2, 2] });
  }
}

async function buildBench() {
  await build({
    ...common,
    entryPoints: {
      bench: 'bench/main.ts',
      eval: 'bench/eval/main.ts',
      egress: 'bench/egress/main.ts',
      hostile: 'bench/hostile/main.ts',
      compat: 'bench/compat/main.ts',
      soak: 'bench/soak/main.ts',
      'soak-raw': 'bench/soak/raw-crew.ts',
      chaos: 'bench/chaos/main.ts',
      cli: 'bench/cli/main.ts',
      cluster: 'bench/cluster/main.ts',
      'cluster-bare': 'bench/cluster/bare.ts',
    },
    outdir: 'build',
    external: ['playwright-core', '@playwright/mcp', 'gpt-tokenizer'],
    packages: 'external',
  });
}

if (process.argv.includes('bench')) await buildBench();
else await buildServer();
if (!existsSync(join(root, process.argv.includes('bench') ? 'build/bench.js' : 'dist/bin.js'))) process.exitCode = 1;
