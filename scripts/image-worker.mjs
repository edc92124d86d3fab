// @ts-check
// The worker thread that compares images is bundled on its own and reaches the server as a string.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const moduleName = 'pagehelm:image-worker';

/** Source files of the worker, after a build. */
/** @type {string[]} */
export const imageWorkerInputs = [];

/** @returns {Promise<string>} A module that exports the source of the worker. */
async function imageWorkerModule() {
  const result = await build({
    absWorkingDir: root,
    entryPoints: [join(root, 'src/images/worker.ts')],
    bundle: true,
    // A worker made from a string is a CommonJS script.
    format: 'cjs',
    platform: 'node',
    target: 'node20.19',
    minify: true,
    write: false,
    metafile: true,
    legalComments: 'none',
  });
  imageWorkerInputs.splice(0, Infinity, ...Object.keys(result.metafile.inputs));
  return `export const source = ${JSON.stringify(result.outputFiles[0]?.text.trim() ?? '')};`;
}

/** @type {import('esbuild').Plugin} */
export const imageWorkerForEsbuild = {
  name: 'image-worker',
  setup(plugin) {
    plugin.onResolve({ filter: /^pagehelm:image-worker$/ }, ({ path }) => ({ path, namespace: 'image-worker' }));
    plugin.onLoad({ filter: /.*/, namespace: 'image-worker' }, async () => ({ contents: await imageWorkerModule() }));
  },
};

/** @type {{ name: string, resolveId(id: string): string | undefined, load(id: string): Promise<string> | undefined }} */
export const imageWorkerForVite = {
  name: 'image-worker',
  resolveId: (id) => (id === moduleName ? `\0${moduleName}` : undefined),
  load: (id) => (id === `\0${moduleName}` ? imageWorkerModule() : undefined),
};
