import { defineConfig } from 'vitest/config';
import { imageWorkerForVite } from './scripts/image-worker.mjs';
import { pageAgentForVite } from './scripts/page-agent.mjs';

/** The exhaustive tables and random tests, of which the default run has a sample. */
export default defineConfig({
  plugins: [pageAgentForVite, imageWorkerForVite],
  test: {
    include: [
      'tests/e2e/bad-input.test.ts',
      'tests/e2e/session-parallel.test.ts',
      'tests/e2e/snapshot-budget.test.ts',
      'tests/e2e/snapshot-property.test.ts',
      'tests/page/chromium.test.ts',
      'tests/page/forgery.test.ts',
      'tests/page/memory.test.ts',
      'tests/page/oracle.test.ts',
      'tests/transport/http-limits.test.ts',
    ],
    env: { PAGEHELM_TESTS: 'long' },
    testTimeout: 180_000,
    hookTimeout: 60_000,
    maxWorkers: 3,
  },
});
