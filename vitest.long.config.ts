import { defineConfig } from 'vitest/config';
import { dashboardForVite } from './scripts/dashboard.mjs';
import { imageWorkerForVite } from './scripts/image-worker.mjs';
import { pageAgentForVite } from './scripts/page-agent.mjs';

/** Files that take long or start many processes: only the long run has them. */
export const longFiles = [
  'tests/e2e/attacks-tools.test.ts',
  'tests/e2e/bad-input.test.ts',
  'tests/e2e/claimed-changes.test.ts',
  'tests/e2e/compare.test.ts',
  'tests/e2e/drag-libraries.test.ts',
  'tests/e2e/given-timeouts.test.ts',
  'tests/e2e/hostile.test.ts',
  'tests/e2e/map.test.ts',
  'tests/e2e/oversized.test.ts',
  'tests/e2e/session-parallel.test.ts',
  'tests/e2e/settle-suite.test.ts',
  'tests/e2e/settling.test.ts',
  'tests/e2e/waiting.test.ts',
  'tests/page/memory.test.ts',
  'tests/transport/commands.test.ts',
  'tests/transport/control-times.test.ts',
  'tests/transport/daemon.test.ts',
  'tests/transport/dashboard-page.test.ts',
  'tests/transport/http-limits.test.ts',
  'tests/transport/keep-browsers.test.ts',
  'tests/transport/leaks.test.ts',
  'tests/transport/lifetime.test.ts',
  'tests/transport/takeover.test.ts',
];

/** The exhaustive tables and random tests, of which the default run has a sample. */
export default defineConfig({
  plugins: [pageAgentForVite, imageWorkerForVite, dashboardForVite],
  test: {
    include: [
      ...longFiles,
      'tests/e2e/animations.test.ts',
      'tests/e2e/egress.test.ts',
      'tests/e2e/snapshot-budget.test.ts',
      'tests/e2e/snapshot-property.test.ts',
      'tests/page/chromium.test.ts',
      'tests/page/forgery.test.ts',
      'tests/page/oracle.test.ts',
      'tests/transport/interleavings.test.ts',
    ],
    env: { PAGEHELM_TESTS: 'long' },
    testTimeout: 180_000,
    hookTimeout: 60_000,
    maxWorkers: 3,
  },
});
