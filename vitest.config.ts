import { configDefaults, defineConfig } from 'vitest/config';
import { dashboardForVite } from './scripts/dashboard.mjs';
import { imageWorkerForVite } from './scripts/image-worker.mjs';
import { pageAgentForVite } from './scripts/page-agent.mjs';
import { longFiles } from './vitest.long.config.ts';

/** Suites that own browsers wait more than they compute: three files at a time keep two cores busy. */
const browserSuite = { testTimeout: 60_000, hookTimeout: 60_000, exclude: [...configDefaults.exclude, ...longFiles] };
/** Files of one worker share the loaded modules: loading them again takes more than a second of CPU per file. */
const shared = { isolate: false };

export default defineConfig({
  plugins: [pageAgentForVite, imageWorkerForVite, dashboardForVite],
  test: {
    maxWorkers: 3,
    projects: [
      { extends: true, test: { name: 'unit', include: ['src/**/*.test.ts'], testTimeout: 30_000, ...shared } },
      {
        extends: true,
        test: { name: 'contract', include: ['tests/contract/**/*.test.ts'], testTimeout: 30_000, hookTimeout: 60_000 },
      },
      {
        extends: true,
        test: {
          name: 'stores',
          include: ['tests/cluster/stores/**/*.test.ts'],
          globalSetup: 'tests/cluster/stores/say-kinds.ts',
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      { extends: true, test: { name: 'page', include: ['tests/page/**/*.test.ts'], ...browserSuite, ...shared } },
      { extends: true, test: { name: 'e2e', include: ['tests/e2e/**/*.test.ts'], ...browserSuite, ...shared } },
      { extends: true, test: { name: 'transport', include: ['tests/transport/**/*.test.ts'], ...browserSuite } },
      { extends: true, test: { name: 'dist', include: ['tests/dist/**/*.test.ts'], ...browserSuite } },
    ],
  },
});
