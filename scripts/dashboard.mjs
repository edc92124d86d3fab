// @ts-check
// The page of the dashboard runs in the browser of a person: it is bundled on its own and reaches the server as strings.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, transform } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'src/dashboard-page');
const moduleName = 'pagehelm:dashboard';

/** Files of packages inside the page, for the licences. */
/** @type {string[]} */
export const dashboardInputs = [];

/** @returns {Promise<string>} A module that exports the script and the style sheet of the page as strings. */
async function dashboardModule() {
  const result = await build({
    absWorkingDir: root,
    entryPoints: [join(folder, 'main.tsx')],
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    minify: true,
    write: false,
    metafile: true,
    legalComments: 'none',
  });
  dashboardInputs.push(...Object.keys(result.metafile.inputs));
  const script = result.outputFiles[0]?.text ?? '';
  const style = await transform(readFileSync(join(folder, 'styles.css'), 'utf8'), { loader: 'css', minify: true });
  return `export const script = ${JSON.stringify(script)};\nexport const style = ${JSON.stringify(style.code)};`;
}

/** @type {import('esbuild').Plugin} */
export const dashboardForEsbuild = {
  name: 'dashboard',
  setup(plugin) {
    plugin.onResolve({ filter: /^pagehelm:dashboard$/ }, ({ path }) => ({ path, namespace: 'dashboard' }));
    plugin.onLoad({ filter: /.*/, namespace: 'dashboard' }, async () => ({ contents: await dashboardModule() }));
  },
};

/** @type {{ name: string, resolveId(id: string): string | undefined, load(id: string): Promise<string> | undefined }} */
export const dashboardForVite = {
  name: 'dashboard',
  resolveId: (id) => (id === moduleName ? `\0${moduleName}` : undefined),
  load: (id) => (id === `\0${moduleName}` ? dashboardModule() : undefined),
};
