import { defineConfig } from 'vitest/config';
import { hasProgram } from './scripts/cluster-programs.mjs';
import { dashboardForVite } from './scripts/dashboard.mjs';
import { imageWorkerForVite } from './scripts/image-worker.mjs';
import { pageAgentForVite } from './scripts/page-agent.mjs';

/** The tests of gateways, workers and their stores. `npm test` has those of the stores too; all others need Redis. */
export default defineConfig({
  plugins: [pageAgentForVite, imageWorkerForVite, dashboardForVite],
  test: {
    include: [hasProgram('redis-server') ? 'tests/cluster/**/*.test.ts' : 'tests/cluster/stores/**/*.test.ts'],
    // They show that the checker finds faults. How many histories that takes is a matter of chance and time.
    exclude: process.env['PAGEHELM_TESTS'] === 'long' ? [] : ['tests/cluster/history/broken-builds.test.ts'],
    globalSetup: 'tests/cluster/stores/say-kinds.ts',
    testTimeout: 120_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
  },
});
