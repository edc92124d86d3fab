// @ts-check
// esbuild makes a chunk for every set of entry points that share code: forty files until the server answers. Each takes Node.js
// a quarter of a millisecond to load, so the files that every start loads are merged into one.
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { transform } from 'esbuild';
import { rolldown } from 'rolldown';

/** The modules that are loaded before `tools/list` is answered on stdio. */
const startModules = ['src/cli/main.ts', 'src/cli/commands/serve.ts'];
/** The modules of a command that a daemon runs. */
const clientModules = ['src/cli/client/run.ts'];

/**
 * Writes the bundle `from` of esbuild into the folder `to`.
 *
 * @param {string} root
 * @param {import('esbuild').Metafile} metafile
 * @param {{ readonly from: string, readonly to: string, readonly entries: readonly string[], readonly target: string }} options
 */
export async function mergeChunks(root, { outputs }, { from, to, entries, target }) {
  const filesOf = (/** @type {readonly string[]} */ modules) => {
    /** @type {Set<string>} */
    const files = new Set();
    const addImports = (/** @type {string} */ file) => {
      const path = resolve(root, file);
      if (files.has(path)) return;
      files.add(path);
      for (const { path: imported, kind, external } of outputs[file]?.imports ?? [])
        if (kind === 'import-statement' && external !== true) addImports(imported);
    };
    for (const [file, { entryPoint }] of Object.entries(outputs))
      if (modules.includes(entryPoint ?? '')) addImports(file);
    return files;
  };
  const start = filesOf(startModules);
  const client = filesOf(clientModules);
  const bundle = await rolldown({
    input: Object.fromEntries(entries.map((entry) => [entry, join(root, from, `${entry}.js`)])),
    external: /^(?:node:|playwright-core)/,
    platform: 'node',
  });
  const { output } = await bundle.write({
    dir: join(root, to),
    format: 'esm',
    chunkFileNames: 'chunks/[name].js',
    codeSplitting: {
      groups: [
        { name: 'client', test: (id) => client.has(id), priority: 2 },
        { name: 'start', test: (id) => start.has(id), priority: 1 },
      ],
    },
  });
  for (const { fileName } of output) {
    const path = join(root, to, fileName);
    const { code } = await transform(readFileSync(path, 'utf8'), { minify: true, target, format: 'esm' });
    writeFileSync(path, code);
  }
  chmodSync(join(root, to, 'bin.js'), 0o755);
}
