// @ts-check
// The page agent runs inside web pages: it is bundled on its own, for browsers, and reaches the server as a string.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const agentName = 'pagehelm:page-agent';
const readerName = 'pagehelm:page-reader';
const extractorName = 'pagehelm:page-extractor';

/** Source files of the reader, after a build: it contains packages. */
/** @type {string[]} */
export const pageReaderInputs = [];

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
    metafile: true,
    legalComments: 'none',
  });
  if (file.startsWith('reading/')) pageReaderInputs.splice(0, Infinity, ...Object.keys(result.metafile.inputs));
  return `(()=>{${result.outputFiles[0]?.text.trim() ?? ''}return ${expression}})()`;
}

/** @returns {Promise<string>} A module that exports what runs in pages as strings. */
async function pageAgentModule() {
  const agent = await bundled('main.ts', 'pagehelm.installAgent()');
  const world = await bundled('main-world/main.ts', 'pagehelm.prepareWorld');
  return `export const source = ${JSON.stringify(agent)};\nexport const worldSource = ${JSON.stringify(world)};`;
}

/** @returns {Promise<string>} A module that exports the reader, which few calls need. */
async function pageReaderModule() {
  return `export const source = ${JSON.stringify(await bundled('reading/read.ts', 'pagehelm.readPage'))};`;
}

/** @returns {Promise<string>} A module that exports the extractor, which few calls need. */
async function pageExtractorModule() {
  return `export const source = ${JSON.stringify(await bundled('extract/extract.ts', 'pagehelm.extractPage'))};`;
}

/** @type {Readonly<Record<string, () => Promise<string>>>} */
const modules = {
  [agentName]: pageAgentModule,
  [readerName]: pageReaderModule,
  [extractorName]: pageExtractorModule,
};

/** @type {import('esbuild').Plugin} */
export const pageAgentForEsbuild = {
  name: 'page-agent',
  setup(plugin) {
    plugin.onResolve({ filter: /^pagehelm:page-/ }, ({ path }) => ({ path, namespace: 'page-agent' }));
    plugin.onLoad({ filter: /.*/, namespace: 'page-agent' }, async ({ path }) => ({
      contents: (await modules[path]?.()) ?? '',
    }));
  },
};

/** @type {{ name: string, resolveId(id: string): string | undefined, load(id: string): Promise<string> | undefined }} */
export const pageAgentForVite = {
  name: 'page-agent',
  resolveId: (id) => (id in modules ? `\0${id}` : undefined),
  load: (id) => modules[id.slice(1)]?.(),
};
