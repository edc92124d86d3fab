import { defineConfig } from 'vitest/config';

/** Suites that own browsers run two files at a time: the machines that run them have two cores. */
const browserSuite = { testTimeout: 60_000, hookTimeout: 60_000 };

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      { test: { name: 'unit', include: ['src/**/*.test.ts'] } },
      { test: { name: 'contract', include: ['tests/contract/**/*.test.ts'], testTimeout: 30_000 } },
      { test: { name: 'e2e', include: ['tests/e2e/**/*.test.ts'], ...browserSuite } },
      { test: { name: 'transport', include: ['tests/transport/**/*.test.ts'], ...browserSuite } },
      { test: { name: 'dist', include: ['tests/dist/**/*.test.ts'], ...browserSuite } },
    ],
  },
});
