import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { dashboardForEsbuild } from '../../../scripts/dashboard.mjs';
import { imageWorkerForEsbuild } from '../../../scripts/image-worker.mjs';
import { pageAgentForEsbuild } from '../../../scripts/page-agent.mjs';
import { root } from '../../built.ts';

export interface Bundle extends Disposable {
  /** The file to run. */
  readonly program: string;
}

/** Makes the program that processes of a history run. */
export async function bundleProgram(): Promise<Bundle> {
  const folder = mkdtempSync(join(tmpdir(), 'pagehelm-history-'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  await build({
    absWorkingDir: root,
    entryPoints: { program: 'tests/cluster/history/program.ts' },
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    packages: 'external',
    define: { PAGEHELM_VERSION: '"0.0.0"' },
    logLevel: 'warning',
    plugins: [pageAgentForEsbuild, imageWorkerForEsbuild, dashboardForEsbuild],
  });
  return {
    program: join(folder, 'program.mjs'),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}
