// @ts-check
// The page agent runs inside web pages: it is bundled on its own, for browsers, and reaches the server as a string.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const moduleName = 'pagehelm:page-agent';

/** @returns {Promise<string>} What a file of src/page exports, as the text of an expression. */
async function bundled(/** @type {string} */ file, /** @type {string} */ expression) {
  const result = await build({
    absWorkingDir: root,
    entryPoints: [join(root, 'src/page', file)],
    bundle: true,
    format: 'iife',
    globalName: 'pagehelm',
    platform: 'browser',
    target: 'es2022',
    minify: true,
    write: false,
    legalComments: 'none',
  });
  return `(()=>{${result.outputFiles[0]?.text.trim() ?? ''}return ${expression}})()`;
}

/** @returns {Promise<string>} A module that exports what runs in pages as strings. */
async function pageAgentModule() {
  const agent = await bundled('main.ts', 'pagehelm.installAgent()');
  const timers = await bundled(
    'main-world/timers.ts',
    "pagehelm.watchTimers('pagehelm-timer-question','pagehelm-timer-answer')",
  );
  return `export const source = ${JSON.stringify(agent)};\nexport const timerSource = ${JSON.stringify(timers)};`;
}

/** @type {import('esbuild').Plugin} */
export const pageAgentForEsbuild = {
  name: 'page-agent',
  setup(plugin) {
    plugin.onResolve({ filter: /^pagehelm:page-agent$/ }, ({ path }) => ({ path, namespace: 'page-agent' }));
    plugin.onLoad({ filter: /.*/, namespace: 'page-agent' }, async () => ({ contents: await pageAgentModule() }));
  },
};

/** @type {{ name: string, resolveId(id: string): string | undefined, load(id: string): Promise<string> | undefined }} */
export const pageAgentForVite = {
  name: 'page-agent',
  resolveId: (id) => (id === moduleName ? `\0${moduleName}` : undefined),
  load: (id) => (id === `\0${moduleName}` ? pageAgentModule() : undefined),
};
