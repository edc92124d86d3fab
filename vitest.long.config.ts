import { defineConfig } from 'vitest/config';
import { pageAgentForVite } from './scripts/page-agent.mjs';

/** What takes too long for every run. */
export default defineConfig({
  plugins: [pageAgentForVite],
  test: { include: ['tests/long/**/*.test.ts'], testTimeout: 3_600_000, hookTimeout: 60_000, maxWorkers: 1 },
});
